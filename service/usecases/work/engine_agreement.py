"""How often people choose what the engine would choose, from the reviews of their games. A hint for moderators.

A decision counts if a person made it and it matters: there are several actions, and the engine prefers one of them
clearly. Decisions of AIs, of bots, and of AIs that play on for a person do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import orjson

from service.games.errors import GameError
from service.games.events import ActionEvent
from service.games.log import fold
from service.games.state.model import Game
from service.games.state.statuses import FINISHED
from service.rulesets.wire import Json
from service.storage.work.tasks import DONE, FAILED
from service.usecases.base import replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.work import analyses
from service.usecases.work.analyses import FORCED, REVIEW, AnalysisRequest

REVIEWED, REVIEWING, UNREVIEWED, UNREVIEWABLE = "reviewed", "pending", "not_reviewed", "unavailable"
REVIEW_STATUSES = (REVIEWED, REVIEWING, UNREVIEWED, UNREVIEWABLE)
COMPARED_GAMES, SCANNED_GAMES = 10, 60
"""Rated games of a player that are compared, and last games among which they are sought."""
REVIEW_S = 0.2
"""Search time per decision of a review that a moderator requests."""
CLEAR_MARGIN = 0.01
"""Minimum lead of the best action's probability of winning over the second best one for a decision to count."""
Counts = Mapping[str, tuple[int, int]]
"""Decisions that count and first choices among them, by player."""


def recent_games(context: Context, player_id: str) -> list[str]:
    """Return the ids of the player's last rated games that are over, the last changed first."""
    ids = [game_id for game_id, _ in context.players.games(player_id, None, SCANNED_GAMES).games]
    views = [(game_id, one.view) for game_id, one in zip(ids, context.store.glances(ids), strict=True) if one]
    rated = [game_id for game_id, view in views if _is_rated(orjson.loads(view))]
    return rated[:COMPARED_GAMES]


def _is_rated(view: Json) -> bool:
    return bool(view.get("rated")) and view["status"] == FINISHED


def request_reviews(context: Context, caller: Caller, game_ids: Iterable[str]) -> None:
    """Request a review of each of these games that has none and can have one. Raises: limit/background."""
    request = AnalysisRequest(REVIEW, REVIEW_S, 1)
    for game_id in game_ids:
        if _status_and_counts(context, game_id)[0] == UNREVIEWED:
            analyses.review(context, caller, repository.load(context, game_id), request)


def compare(context: Context, game_ids: Sequence[str], player_id: str | None) -> Json:
    """Return the agreement by game, and over all games that of the player and of their opponents together."""
    rows = [(game_id, *_status_and_counts(context, game_id)) for game_id in game_ids]
    games = [
        {"game_id": name, "status": status, "players": [_agreement(one, *pair) for one, pair in counts.items()]}
        for name, status, counts in rows
    ]
    if player_id is None:
        return {"games": games, "player": None, "opponents": None}
    people = [(one == player_id, pair) for _, _, counts in rows for one, pair in counts.items()]
    own, others = (_sum(pair for is_own, pair in people if is_own == wanted) for wanted in (True, False))
    return {"games": games, "player": _agreement(player_id, *own), "opponents": _agreement(None, *others)}


def _sum(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    decisions, first_choices = zip(*pairs, (0, 0), strict=True)
    return sum(decisions), sum(first_choices)


def _agreement(player_id: str | None, decisions: int, first_choices: int) -> Json:
    share = round(first_choices / decisions, 3) if decisions else None
    return {"player": player_id, "decisions": decisions, "first_choices": first_choices, "share": share}


def _status_and_counts(context: Context, game_id: str) -> tuple[str, Counts]:
    """Return the status of the game's review, and the counts of each person in the game if it is complete."""
    try:
        game = repository.load(context, game_id).game
    except GameError:
        return UNREVIEWABLE, {}
    if not game.is_over or game.base is not None:
        return UNREVIEWABLE, {}
    review = analyses.newest_review(context, game_id)[1]
    if review is None or review.status == FAILED:
        return UNREVIEWED, {}
    if review.status != DONE:
        return REVIEWING, {}
    return REVIEWED, count_choices(
        people_by_decision(context, game), orjson.loads(review.result)["result"]["decisions"]
    )


def count_choices(players: Mapping[int, str], decisions: Iterable[Json]) -> Counts:
    """Return the counts of each player. `players`: who made a decision, by revision; `decisions`: those of a review."""
    counts = dict.fromkeys(players.values(), (0, 0))
    for decision in decisions:
        player = players.get(decision["revision"])
        if player is not None and _is_counted(decision):
            counted, first_choices = counts[player]
            counts[player] = counted + 1, first_choices + (decision["played"] == decision["best"])
    return counts


def _is_counted(decision: Json) -> bool:
    margin = decision.get("margin")  # absent in reviews of older versions
    return decision["label"] != FORCED and (margin is None or margin >= CLEAR_MARGIN)


def people_by_decision(context: Context, last: Game) -> dict[int, str]:
    """Return the players who are people, by the revision of each of their decisions."""
    game, deciders = Game.new(last.meta), dict[int, str]()
    for event in replaying.events_of(context, last.meta.id, 0, last.revision):
        if isinstance(event, ActionEvent) and game.person_to_decide == event.seat:
            player = game.seats[event.seat].player
            if player is not None:
                deciders[event.revision] = player
        game = fold(game, event)
    found = context.players.get_many(sorted({*deciders.values()}))
    people = {player.id for player in found if player is not None and not player.bot}
    return {revision: player for revision, player in deciders.items() if player in people}
