"""Games whose clock and chance the tests hold in their hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import orjson
import pytest

from service.games import log
from service.games.errors import GameError
from service.games.events import Event, read
from service.games.session import GameSession
from service.games.state.clocks import Clock, ClockRule
from service.games.state.model import Game
from service.games.state.moments import rfc3339, unix_ms
from service.games.state.takebacks import target
from service.rulesets.kernel import RngState, generator
from service.rulesets.ruleset import Json, Position
from tests.games.test_log import AT, SEED, code_of
from tests.games.test_log import new as new_ledger

BEGUN = unix_ms(AT)
RULE = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")
LOSING = replace(RULE, on_timeout="lose")
RUNS = [("summer-pavilion", "coloured", "summer-pavilion.take_bonus"), ("azul", "grey", "azul.tile")]


@dataclass
class Table:
    """A game that is played at times the test says; takebacks find the past in its own log."""

    session: GameSession
    rng: RngState

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def clock(self) -> Clock:
        assert self.game.clock is not None
        return self.game.clock

    @property
    def position(self) -> Position:
        assert self.game.position is not None
        return self.game.position

    @property
    def seat(self) -> int:
        assert self.game.to_decide is not None
        return self.game.to_decide

    @property
    def bank_s(self) -> float:
        """Of the seat to decide."""
        return self.clock.banks[self.seat] / 1000

    def banks_s(self) -> list[float]:
        return [bank / 1000 for bank in self.clock.banks]

    def deadline_s(self) -> float | None:
        return None if self.game.deadline is None else (self.game.deadline - BEGUN) / 1000

    @property
    def log(self) -> list[Json]:
        """The events as they are stored."""
        return told(self.session.events)

    def at(self, seconds: float) -> Table:
        """Time passes, until so many seconds after the game began."""
        self.session.now = rfc3339(BEGUN + round(1000 * seconds))
        return self

    def act(self, action: int | None = None) -> list[str]:
        """The seat to decide does so, at random unless told what; the kinds of the events it caused."""
        before = len(self.session.events)
        self.session.act(self.seat, self.position.random_action(self.rng) if action is None else action)
        return [event.kind for event in self.session.events[before:]]

    def past(self, revision: int) -> Game:
        return log.fold_all(Game.new(self.game.meta), read_again(self.session.events[:revision]))

    def take_back(self, seat: int) -> None:
        self.session.take_back(seat, target(self.session.events, seat))

    def refused(self, code: str, command: Any, *args: Any, **more: Any) -> None:
        """The command is refused with this code, and writes nothing."""
        before = self.game
        with pytest.raises(GameError) as error:
            command(*args, **more)
        assert code == code_of(error)
        assert before == self.game


def table(*kinds: str, **changes: Any) -> Table:
    """A new game of seats of these kinds."""
    session = new_ledger(*kinds, **changes)
    made = Table(session, generator(SEED))
    session._past = made.past
    session._new_id = lambda: "r" * 16
    return made


def told(events: Iterable[Event]) -> list[Json]:
    return [through_json(event.to_json()) for event in events]


def read_again(events: Iterable[Event]) -> list[Event]:
    return [read(through_json(event.to_stored()), event.revision) for event in events]


def through_json(told: Json) -> Json:
    return dict(orjson.loads(orjson.dumps(told)))


def played_to(found: Callable[[Table], bool], *kinds: str, **changes: Any) -> Table:
    """A game, all at its beginning, in which `found(table)` is true for the first time."""
    for seed in range(1, 30):
        made = table(*kinds, **changes)
        made.rng = generator(bytes([seed]) * 32)
        while not made.game.is_over:
            if found(made):
                return made
            made.act()
    raise AssertionError("not met in thirty games")


def in_a_run(kind: str, seat: int | None = None) -> Callable[[Table], bool]:
    """The last decision was one of this type, and whoever made it (of that seat, if one is named) decides again."""

    def found(made: Table) -> bool:
        last = made.log[-1]
        return bool(
            last["kind"] == "action"
            and last["seat"] == made.game.to_decide
            and last["action"]["type"] == kind
            and seat in (None, last["seat"])
        )

    return found


def next_in_a_run(made: Table, kind: str) -> int | None:
    """An action after which the same seat decides on one of this type, with nothing drawn in between."""
    decode = made.position.ruleset.wire.decode
    for action in made.position.legal_actions():
        after = made.position.play(action)
        if after.seat == made.position.seat and decode(after.legal_actions()[0])["type"] == kind:
            return action
    return None


def begins_a_run(kind: str) -> Callable[[Table], bool]:
    """The seat to decide has just got the turn, and may make several decisions in it, the second of this type."""

    def found(made: Table) -> bool:
        last = made.log[-1]
        alone = last["kind"] == "draw" or last["seat"] != made.game.to_decide
        return alone and next_in_a_run(made, kind) is not None

    return found
