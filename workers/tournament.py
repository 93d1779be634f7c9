"""The games of a tournament, played by the levels themselves, with no clock and no store in between."""

from __future__ import annotations

import hmac
import secrets

from service.cases.tournaments import Fixture, game_of
from service.games.chance import generator_of_draw
from service.games.moments import rfc3339
from service.levels import LEVELS
from service.rulesets.ruleset import Json
from workers.search.search import Search


def play(asked: Json, fixture: Fixture, task_id: str, now_ms: int) -> Json:
    """One game to its end: its actions, scores and ranks. Its draws come from its seed, as in any other game.

    A level that chooses at random does it by the seed, too: a tournament of random and greedy levels can be repeated.
    """
    at = rfc3339(now_ms)
    game = game_of(asked, fixture, task_id, at).game
    position, revision = game.position, game.revision
    if position is None:
        raise ValueError("it has not started")
    actions: list[int] = []
    while position.status != "over":
        revision += 1
        if position.status == "drawing" or position.seat is None:
            position = position.deal(position.sample(generator_of_draw(fixture.seed, revision)))
            continue
        level = LEVELS[fixture.levels[position.seat]]
        search = Search(position, level, _seed(fixture.seed, revision, repeated=level.budget_s == 0))
        action = search.choose().action
        actions.append(action)
        position = position.play(action)
    outcome = position.outcome()
    return {
        "at": at,
        "actions": actions,
        "scores": [seat.score for seat in outcome],
        "ranks": [seat.rank for seat in outcome],
    }


def _seed(seed: bytes, revision: int, *, repeated: bool) -> bytes:
    """For a level's own chance, which has nothing to do with the game's."""
    if not repeated:
        return secrets.token_bytes(32)
    return hmac.digest(seed, f"level {revision}".encode(), "sha256")
