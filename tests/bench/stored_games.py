"""Many stored live games of two people at all stages, as in a service in use."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, cycle, islice

from service.games.session import GameSession
from service.games.state.clocks import ClockRule
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating
from service.usecases.games.creating import NewGame, NewSeat

SEED = bytes(range(1, 33))
CLOCK = ClockRule(turn_s=259_200, bank_s=0, on_timeout="lose", level="casual")
MOMENTS = 12
"""Stages of each game, evenly distributed."""


def moments(context: Context) -> Iterator[GameSession]:
    """Yield a random game of each ruleset and side at `MOMENTS` stages before its end. Every other one is public."""
    numbers = count()
    for ruleset in RULESETS.values():
        for variant in ruleset.variants:
            visibility = "public" if next(numbers) % 2 else "unlisted"
            seats = (NewSeat("player"),) * 2
            new = NewGame(ruleset.id, variant, seats, seed=SEED, visibility=visibility, clock=CLOCK)
            meta, rng = creating.meta_of(new, "", rfc3339(context.now_ms()), None), generator(SEED)
            session = GameSession(Game.new(meta), rfc3339(context.now_ms()))
            session.create()
            at = [copy.copy(session)]
            while session.game.to_decide is not None and session.game.position is not None:
                session.events, session.checkpoints = [*session.events], [*session.checkpoints]
                session.act(session.game.to_decide, session.game.position.random_action(rng))
                at.append(copy.copy(session))
            yield from (at[len(at) * number // MOMENTS] for number in range(MOMENTS))


def fill(context: Context, games: int) -> list[str]:
    """Store this number of games at all stages in turn, and return their ids."""
    sessions = list(moments(context))
    return [_store(context, session) for session in islice(cycle(sessions), games)]


def _store(context: Context, session: GameSession) -> str:
    def begin(game_id: str, _: object) -> GameSession:
        one = copy.copy(session)
        one.game = replace(session.game, meta=replace(session.game.meta, id=game_id))
        return one

    return str(creating.create_with(context, Caller(), "bench", None, begin)["game"]["id"])
