"""Count and rate a game when it has ended.

The rating changes of all seats are stored in the game once, and then applied to each player once. Processes can die at
any step and run concurrently: a later one uses the stored changes, and a player's script ignores a game that was
already applied. See `service.storage.people.ratings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from statistics import fmean
from typing import Any

import orjson
import structlog

from service.games import rating
from service.games.errors import GameError
from service.games.rating import Rating
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.seats import AI
from service.games.state.statuses import ABORTED, FINISHED
from service.games.view import outcome
from service.storage.people.leaderboards import Place
from service.storage.people.players import StoredPlayer
from service.storage.people.ratings import DAY_MS, LATE, Change, Scale, StoredRating
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.people import leaderboard_names, statistics

LOG = structlog.get_logger()
TOO_OFTEN, UNMEASURED, ADJUDICATED = "same_players", "unmeasured_level", "adjudicated"
NOT_RATED = (TOO_OFTEN, UNMEASURED, ADJUDICATED)
"""Reasons why a finished game is not rated. TOO_OFTEN: only in games of earlier versions; UNMEASURED: a level has no
rating; ADJUDICATED: the host of a competition decided the result, which must not change other players' ratings."""
NOTE, APPLIED, REMOVED = "rating", "rating_applied", "rating_removed"
"""Fields of the stored game. `REMOVED`: a moderator removed it from the ratings."""
BOARD_TTL_S = {leaderboard_names.QUARTER: 91 * 86_400, leaderboard_names.WEEK: 15 * 86_400}
SCALE = Scale(*rating.NEW, rating.CERTAIN, rating.MIN_SIGMA, rating.VARIANCE_PER_DAY)


def count(context: Context, game_id: str) -> None:
    """Count the game in statistics, rate it, and remove it from its bots' games, if it still exists. Idempotent."""
    try:
        game = repository.load(context, game_id, look_in_archive=False).game
    except GameError as error:
        if error.code != "game/not_found":
            raise
        return
    statistics.count(context, game)
    statistics.count_players(context, game)
    rate(context, game)
    _record_aborts(context, game)
    context.bots.remove_games([seat.player for seat in game.seats if seat.player is not None], [game_id])


def _record_aborts(context: Context, game: Game) -> None:
    """Record who left a rated game so early that it was aborted."""
    if game.meta.rated and game.status == ABORTED:
        for seat in game.seats:
            if seat.is_out and seat.player is not None:
                context.ratings.record_abort(seat.player, game.meta.id, unix_ms(game.updated_at))


def rate(context: Context, game: Game) -> None:
    """Apply the game to the ratings of its players, if it is rated and finished and not yet applied."""
    game_id = game.meta.id
    if not game.meta.rated or game.status != FINISHED:
        return
    stored, applied = context.ratings.get_notes(game_id, NOTE, APPLIED)
    if applied is not None:
        return
    if stored is None:
        stored = context.ratings.set_note(game_id, NOTE, orjson.dumps(compute_changes(context, game)))
    if stored is None:  # the game has expired
        return
    changes = orjson.loads(stored)
    if not changes["reason"]:
        established = changes.get("established") or [False] * len(game.seats)
        players = [(seat.player, known) for seat, known in zip(game.seats, established, strict=True) if seat.player]
        for seat, change in zip(game.seats, changes["seats"], strict=True):
            if seat.player is not None:
                opponents = tuple(one for one in players if one[0] != seat.player)
                _apply(context, game, seat.player, changes["ended_ms"], change, opponents)
    context.ratings.set_note(game_id, APPLIED, b"1")


def _apply(
    context: Context,
    game: Game,
    player_id: str,
    ended_ms: int,
    stored: dict[str, Any],
    opponents: tuple[tuple[str, bool], ...],
) -> None:
    before, after = Rating(*stored["before"]), Rating(*stored["after"])
    change = Change(field_of(game), after.mu - before.mu, after.sigma / before.sigma, stored["won"], opponents)
    if context.ratings.apply(player_id, game.meta.id, ended_ms, change, SCALE) == LATE:
        LOG.warning("game too old to be rated", game=game.meta.id)
    place_on_leaderboards(context, field_of(game), player_id)


def place_on_leaderboards(context: Context, field: str, player_id: str, *, is_new: bool = True) -> None:
    """Place the player on the leaderboards with their current rating. `is_new`: also where they are not listed yet."""
    (ruleset, _, kind), now = field.partition(":"), context.now_ms()
    (stored,) = context.ratings.get_field([player_id], field)
    while stored is not None and (player := context.players.get(player_id)) is not None and player.banned_at is None:
        place = Place(player_id, current(stored, now).points, stored.played_ms or now, is_ranked(stored, now))
        for period, ttl_s in BOARD_TTL_S.items():
            board = leaderboard_names.board(ruleset, kind, group_of(player), period, now)
            if is_new or context.leaderboards.position(board, player_id, ranked_only=False) is not None:
                context.leaderboards.place(board, place, ttl_s)
        before, (stored,) = stored, context.ratings.get_field([player_id], field)
        if stored == before:  # no other game was applied in between
            return


def current(stored: StoredRating | None, now_ms: int) -> Rating:
    """Return the rating at a time; its uncertainty grows from the last game on."""
    if stored is None:
        return rating.NEW
    days = 0.0 if stored.played_ms is None else (now_ms - stored.played_ms) / DAY_MS
    return Rating(stored.mu, stored.sigma).age(days)


def is_established(stored: StoredRating | None, *, is_mature: bool) -> bool:
    """Return whether games against the player count fully. `is_mature`: only established opponents count for that."""
    if stored is None or stored.games < rating.ESTABLISHED_GAMES:
        return False
    return (stored.established if is_mature else stored.opponents) >= rating.ESTABLISHED_OPPONENTS


def is_ranked(stored: StoredRating, now_ms: int) -> bool:
    """Return whether the rating is certain and rests on enough different established opponents."""
    return is_established(stored, is_mature=True) and not current(stored, now_ms).is_provisional


def group_of(player: StoredPlayer) -> str:
    """Return which of the separate leaderboards the player is on."""
    return leaderboard_names.BOTS if player.bot else leaderboard_names.PEOPLE


def field_of(game: Game) -> str:
    """Return the field of the players' ratings that the game changes."""
    return rating.rating_field(game.meta.ruleset, len(game.seats))


def compute_changes(context: Context, game: Game) -> dict[str, Any]:
    """Compute the rating of each seat before and after the game. No seats if the game is not rated.

    Counts the game as a meeting of each two players, and as a game against new accounts. `ended_ms`: when the game
    ended, or when a rematch was last offered. All processes that apply the game use the stored value.
    """
    ended_ms = unix_ms(game.updated_at)
    levels = _ratings_of_levels(game)
    is_measured = all(level or seat.kind != AI for seat, level in zip(game.seats, levels, strict=True))
    if game.ranks is not None or not is_measured:
        return {"reason": UNMEASURED if game.ranks is None else ADJUDICATED, "ended_ms": ended_ms, "seats": []}
    stored_ratings = _stored_ratings(context, game)
    known = _find_established(context, game, stored_ratings)
    established = [seat.player is not None and known[seat.player] for seat in game.seats]
    weights = _weights(context, game, established, ended_ms)
    ratings = _ratings(game, levels, stored_ratings, ended_ms)
    places = [seat["rank"] for seat in (outcome(game) or {"seats": []})["seats"]]
    rated = rating.rate_game(ratings, places, weights)
    return {
        "reason": None,
        "ended_ms": ended_ms,
        "established": established,
        "seats": [
            {
                "before": [*before],
                "after": [*(level or after)],
                "won": place == 1,
                "weight": fmean(weights.get((seat, other), 1.0) for other in range(len(ratings)) if other != seat),
                "weights": [weights.get((seat, other), 1.0) for other in range(len(ratings))],
            }
            for seat, (before, after, level, place) in enumerate(zip(ratings, rated, levels, places, strict=True))
        ],
    }


def mean_points(context: Context, game_id: str) -> float:
    """Return the mean of the current ratings of all seats, in points. A player without rating counts as a new one.

    Raises: game/not_found.
    """
    game = repository.load(context, game_id).game
    ratings = _ratings(game, _ratings_of_levels(game), _stored_ratings(context, game), context.now_ms())
    return fmean(one.points for one in ratings)


def _ratings(
    game: Game, levels: Sequence[Rating | None], stored: Mapping[str, StoredRating | None], now_ms: int
) -> list[Rating]:
    return [
        level or current(stored.get(seat.player or ""), now_ms) for seat, level in zip(game.seats, levels, strict=True)
    ]


def _ratings_of_levels(game: Game) -> list[Rating | None]:
    return [
        rating.level_rating(game.ruleset, len(game.seats), seat.level or "") if seat.kind == AI else None
        for seat in game.seats
    ]


def _stored_ratings(context: Context, game: Game) -> dict[str, StoredRating | None]:
    people = [seat.player for seat in game.seats if seat.player is not None]
    return dict(zip(people, context.ratings.get_field(people, field_of(game)), strict=True))


def _find_established(context: Context, game: Game, stored: Mapping[str, StoredRating | None]) -> dict[str, bool]:
    """Return for each player of the game whether they are established on their leaderboard."""
    kind, now, ids = rating.rating_kind(len(game.seats)), context.now_ms(), list(stored)
    players = {player.id: player for player in context.players.get_many(ids) if player is not None}
    boards = {
        group_of(player): leaderboard_names.board(
            game.meta.ruleset, kind, group_of(player), leaderboard_names.QUARTER, now
        )
        for player in players.values()
    }
    is_mature = {group: context.leaderboards.count_ranked(board) >= rating.MATURE for group, board in boards.items()}
    return {
        one: one in players and is_established(stored[one], is_mature=is_mature[group_of(players[one])]) for one in ids
    }


def _weights(context: Context, game: Game, established: Sequence[bool], ended_ms: int) -> dict[tuple[int, int], float]:
    """Return how much the game counts for the first seat of each pair of players, and count it for later games."""
    players = [(number, seat.player) for number, seat in enumerate(game.seats) if seat.player is not None]
    meetings, new = dict[frozenset[int], int](), dict[int, int]()
    for (one, player), (other, opponent) in combinations(players, 2):
        meetings[frozenset((one, other))] = context.ratings.count_meeting(
            (player, opponent), game.meta.id, ended_ms, rating.MEETING_DAYS
        )
    for number, player in players:
        if any(not established[other] for other, _ in players if other != number):
            names = (player, field_of(game))
            new[number] = context.ratings.count_meeting(names, game.meta.id, ended_ms, rating.NEW_OPPONENT_DAYS)
    return {
        (one, other): rating.weight(meetings[frozenset((one, other))], 0 if established[other] else new[one])
        for (one, _), (other, _) in permutations(players, 2)
    }
