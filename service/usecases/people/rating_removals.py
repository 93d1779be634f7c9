"""Remove rated games from the ratings of all their players, or restore them there.

A removed game is marked. Then the rating of each of its players is computed again: from the rating before the first
marked game, with the results, weights and opponents' ratings that the player's later games have stored. Each player is
changed in one transaction, unless another game has just changed the rating. The result depends on the marks
only, so processes can die at any step, repeat steps, or run concurrently.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import orjson

from service.games import rating
from service.games.rating import KINDS_OF_RATING, Rating
from service.games.state.moments import rfc3339
from service.games.state.statuses import FINISHED
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.base.follow_ups import FollowUp
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.people.ratings import DAY_MS, OVERTAKEN, DayOfRating, Rebuilt, StoredRating
from service.usecases.base import archived_games, repository
from service.usecases.base.context import Context
from service.usecases.people import leaderboard_names, rating_games
from service.usecases.people.rating_games import APPLIED, NOTE, REMOVED

READ_PER_TRIP = 100
STEPS_PER_RUN = 10
"""Games to mark and players to compute again in one run, so that keepers check clocks in between."""


class RatedGame(NamedTuple):
    """A finished game that was rated. `players`: by seat, None for an AI or a deleted player."""

    id: str
    field: str
    ended_ms: int
    players: tuple[str | None, ...]
    places: tuple[int, ...]
    changes: list[Json]
    """By seat: rating before and after, whether it won, and weights."""
    established: tuple[bool, ...]
    """By seat, whether the player was established."""
    is_removed: bool

    def rating_before(self, seat: int) -> Rating:
        """Return the rating that a seat had at the end of the game."""
        return Rating(*self.changes[seat]["before"])

    def rating_after(self, seat: int) -> Rating:
        """Return the rating that the game gave to a seat when it was rated."""
        return Rating(*self.changes[seat]["after"])

    def opponents(self, player_id: str) -> list[tuple[str, bool]]:
        """Return the other players, and whether they were established."""
        return [
            (one, known) for one, known in zip(self.players, self.established, strict=True) if one and one != player_id
        ]

    def rate_seat(self, seat: int, own: Rating) -> Rating:
        """Return the rating of a seat after the game if it was `own` before, and those of the others as stored."""
        change, seats = self.changes[seat], range(len(self.changes))
        weights = change.get("weights") or [change.get("weight", 1.0)] * len(seats)  # older versions stored their mean
        ratings = [own if other == seat else self.rating_before(other) for other in seats]
        return rating.rate_game(ratings, self.places, {(seat, other): weights[other] for other in seats})[seat]


# ------------------------------------------------------------------------------------------------------- reading


def games_of(context: Context, player_id: str) -> list[RatedGame]:
    """Return the player's rated games in Redis and in the archive, the earliest end first.

    Games that have just ended are rated first. Raises `ArchiveUnavailableError`.
    """
    ids = sorted({*context.players.game_ids(player_id), *context.archive_queue.game_ids(player_id)})
    found = [one for one in read_games(context, ids) if player_id in one.players]
    return sorted(found, key=lambda one: (one.ended_ms, one.id))


def read_games(context: Context, game_ids: Sequence[str]) -> list[RatedGame]:
    """Return those of these games that were rated. Raises `ArchiveUnavailableError`."""
    parts = (game_ids[at : at + READ_PER_TRIP] for at in range(0, len(game_ids), READ_PER_TRIP))
    return [*chain.from_iterable(_read_part(context, part) for part in parts)]


def _read_part(context: Context, game_ids: Sequence[str]) -> Iterable[RatedGame]:
    views = {
        game_id: orjson.loads(glance.view)
        for game_id, glance in zip(game_ids, context.store.glances(game_ids), strict=True)
        if glance is not None
    }
    rated = [game_id for game_id, view in views.items() if view.get("rated") and view["status"] == FINISHED]
    for game_id, (note, applied) in zip(rated, context.ratings.notes_of(rated, NOTE, APPLIED), strict=True):
        if note is None or applied is None:
            rating_games.rate(context, repository.load(context, game_id, look_in_archive=False).game)
    for game_id, (note, removed) in zip(rated, context.ratings.notes_of(rated, NOTE, REMOVED), strict=True):
        yield from _rated_game(views[game_id], note, is_removed=removed is not None)
    archived = archived_games.read_records(context, [game_id for game_id in game_ids if game_id not in views])
    for record in archived.values():
        fields = record.fields
        yield from _rated_game(orjson.loads(fields["view"]), fields.get(NOTE), is_removed=REMOVED in fields)


def _rated_game(view: Json, note: bytes | None, *, is_removed: bool) -> Iterable[RatedGame]:
    changes: Json = {"reason": "unknown"} if note is None else orjson.loads(note)
    if changes["reason"] is None:
        seats = view["seats"]
        yield RatedGame(
            id=view["id"],
            field=rating.rating_field(view["ruleset"], len(seats)),
            ended_ms=changes["ended_ms"],
            players=tuple(seat["player"] for seat in seats),
            places=tuple(seat["rank"] for seat in view["outcome"]["seats"]),
            changes=changes["seats"],
            established=tuple(changes.get("established") or [False] * len(seats)),
            is_removed=is_removed,
        )


# ------------------------------------------------------------------------------------------------------ changing


def run_batch(context: Context, follow_up: FollowUp) -> bool:
    """Mark the next games, or rate their next players again. Return whether all is done, else store what remains."""
    facts: dict[str, Any] = follow_up.facts
    game_ids, players, steps = facts["games"], facts["players"], STEPS_PER_RUN
    for game in read_games(context, game_ids[:steps]):
        _mark(context, game, removed=facts["remove"])
        players = sorted({*players, *(f"{player} {game.field}" for player in game.players if player is not None)})
    steps -= len(game_ids[:steps])
    for name in players[:steps]:
        player_id, _, field = name.partition(" ")
        optimistic(partial(_rate_again, context, player_id, field))
    remaining = {**facts, "games": game_ids[STEPS_PER_RUN:], "players": players[steps:]}
    if not remaining["games"] and not remaining["players"]:
        return True
    context.follow_ups.replace(replace(follow_up, facts=remaining), context.now_ms())
    return False


def _mark(context: Context, game: RatedGame, *, removed: bool) -> None:
    if not context.store.revision(game.id):
        archived_games.restore(context, game.id)
    context.ratings.mark(game.id, REMOVED, is_set=removed)


def _rate_again(context: Context, player_id: str, field: str) -> None:
    """Compute a player's rating without the removed games. Raises `LostRaceError` if a game has just changed it."""
    content, stored, removed_before = context.ratings.read_field(player_id, field)
    games = [game for game in games_of(context, player_id) if game.field == field]
    rebuilt = rebuild(player_id, games, stored, removed_before, context.ratings.history(player_id, field))
    if rebuilt is None:
        return
    if context.ratings.rebuild(player_id, field, content, rebuilt) == OVERTAKEN:
        raise LostRaceError
    if rebuilt.rating is not None:
        rating_games.place_on_leaderboards(context, field, player_id, is_new=False)
        return
    boards = leaderboard_names.all_boards(RULESETS, KINDS_OF_RATING, context.now_ms())
    context.leaderboards.remove([board for board in boards if board.startswith(f"{field}:")], [player_id])


def rebuild(
    player_id: str,
    games: Sequence[RatedGame],
    stored: StoredRating | None,
    removed_before: Collection[str],
    history: Sequence[DayOfRating],
) -> Rebuilt | None:
    """Return the rating without the removed games, or None if it never contained one. `games`: in order of their ends.

    `removed_before`: games that `stored` no longer contains. `history`: the rating by day.
    """
    seats = {game.id: game.players.index(player_id) for game in games}
    numbers = [number for number, game in enumerate(games) if game.is_removed or game.id in removed_before]
    if not numbers:
        return None
    first, later = games[numbers[0]], games[numbers[0] :]
    line = _replay(later, seats)
    played_ms, own = line[-1]
    removed = [game for game in later if game.is_removed and game.id not in removed_before]
    restored = [game for game in later if not game.is_removed and game.id in removed_before]
    changed = [(game, -1) for game in removed] + [(game, 1) for game in restored]
    met = dict(sorted(opponent for game in restored for opponent in game.opponents(player_id)))
    base = stored or StoredRating(*rating.NEW, 0, 0, None, None, len(met), sum(met.values()))
    earlier = [Rating(mu, sigma) for day, mu, sigma in history if day < rfc3339(first.ended_ms)[:10]]
    replaced = [game.rating_after(seats[game.id]) for game in later]
    result = base._replace(
        mu=own.mu,
        sigma=own.sigma,
        games=base.games + sum(by for _, by in changed),
        wins=base.wins + sum(by * game.changes[seats[game.id]]["won"] for game, by in changed),
        best=_find_best(base.best, earlier, replaced, [one for _, one in line[1:]]),
        played_ms=played_ms,
    )
    ids = ([game.id for game in removed], [game.id for game in restored])
    if result.games <= 0:
        return Rebuilt(None, 0, {}, {}, *ids)
    before = [(game.ended_ms, game.rating_after(seats[game.id])) for game in games[: numbers[0]]]
    first_day = first.ended_ms // DAY_MS
    days = {at // DAY_MS: one for at, one in (*before, *line[1:]) if at // DAY_MS >= first_day}
    return Rebuilt(result, first_day, days, met, *ids)


def _replay(games: Sequence[RatedGame], seats: Mapping[str, int]) -> list[tuple[int, Rating]]:
    """Return when each remaining game ended, and the rating after it. The rating before all of them comes first.

    `seats`: the player's seat, by game.
    """
    line = [(games[0].ended_ms, games[0].rating_before(seats[games[0].id]))]
    for game in games:
        if not game.is_removed:
            at, own = line[-1]
            line.append((game.ended_ms, game.rate_seat(seats[game.id], own.age((game.ended_ms - at) / DAY_MS))))
    return line


def _find_best(
    stored: float | None, earlier: Sequence[Rating], replaced: Sequence[Rating], reached: Sequence[Rating]
) -> float | None:
    """Return the best mu. If the stored one was reached by a replaced rating, take that of the earlier days."""
    kept = _peak(earlier)
    replaced_peak, new_peak = _peak(replaced), _peak(reached)
    if stored is not None and (replaced_peak is None or stored > replaced_peak):
        kept = stored
    return max((one for one in (kept, new_peak) if one is not None), default=None)


def _peak(ratings: Iterable[Rating]) -> float | None:
    return max((one.mu for one in ratings if not one.is_provisional), default=None)
