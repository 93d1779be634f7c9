"""Games with a controlled clock and controlled draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import orjson

from service.games.events import Event, read
from service.games.session import GameSession
from service.games.state.clocks import Clock, ClockRule
from service.games.state.model import Game
from service.games.state.moments import rfc3339, unix_ms
from service.games.state.takebacks import find_target
from service.games.view import outcome
from service.rulesets.kernel import RngState, generator
from service.rulesets.ruleset import Json, Position
from tests.games.test_log import AT, SEED, assert_refused, fold_all, new_session

BEGAN_MS = unix_ms(AT)
RULE = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")
LOSING = replace(RULE, on_timeout="lose")
RUNS = [("summer-pavilion", "coloured", "summer-pavilion.take_bonus"), ("azul", "grey", "azul.tile")]


@dataclass
class Table:
    """A game played at times chosen by the test. Takebacks read its own log."""

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
    def outcome(self) -> Json:
        """The outcome of a finished game."""
        result = outcome(self.game)
        assert result is not None
        return result

    @property
    def seat(self) -> int:
        assert self.game.to_decide is not None
        return self.game.to_decide

    @property
    def bank_s(self) -> float:
        """Seconds in the bank of the seat to decide."""
        return self.clock.banks[self.seat] / 1000

    def banks_s(self) -> list[float]:
        return [bank / 1000 for bank in self.clock.banks]

    def deadline_s(self) -> float | None:
        return None if self.game.deadline is None else (self.game.deadline - BEGAN_MS) / 1000

    @property
    def log(self) -> list[Json]:
        """Events in their public form."""
        return public_events(self.session.events)

    def wait_until(self, seconds: float) -> Table:
        """Set the clock to this many seconds after the beginning."""
        self.session.current_time = rfc3339(BEGAN_MS + round(1000 * seconds))
        return self

    def act(self, action: int | None = None) -> list[str]:
        """Play an action (default: a random one) as the seat to decide. Return the kinds of the new events."""
        before = len(self.session.events)
        self.session.act(self.seat, self.position.random_action(self.rng) if action is None else action)
        return [event.kind for event in self.session.events[before:]]

    def past(self, revision: int) -> Game:
        return fold_all(Game.new(self.game.meta), reread(self.session.events[:revision]))

    def take_back(self, seat: int) -> None:
        self.session.take_back(seat, find_target(self.session.events, seat))

    def assert_refused(self, code: str, command: Any, *args: Any, **more: Any) -> None:
        """Check that the command raises this code and writes nothing."""
        assert_refused(self.session, code, command, *args, **more)


def table(*kinds: str, **changes: Any) -> Table:
    """Create a game with seats of these kinds."""
    session = new_session(*kinds, **changes)
    made = Table(session, generator(SEED))
    session._past = made.past
    session._new_id = lambda: "r" * 16
    return made


def public_events(events: Iterable[Event]) -> list[Json]:
    return [json_copy(event.to_json()) for event in events]


def reread(events: Iterable[Event]) -> list[Event]:
    return [read(json_copy(event.to_stored()), event.revision) for event in events]


def json_copy(public_events: Json) -> Json:
    return dict(orjson.loads(orjson.dumps(public_events)))


def played_to(is_match: Callable[[Table], bool], *kinds: str, **changes: Any) -> Table:
    """Play new games until `is_match(table)` is true for the first time."""
    for seed in range(1, 30):
        made = table(*kinds, **changes)
        made.rng = generator(bytes([seed]) * 32)
        while not made.game.is_over:
            if is_match(made):
                return made
            made.act()
    raise AssertionError("not met in thirty games")


def in_a_run(kind: str, seat: int | None = None) -> Callable[[Table], bool]:
    """Return a condition: the last decision had this type (and seat, if given), and the same seat decides again."""

    def is_match(made: Table) -> bool:
        last = made.log[-1]
        return bool(
            last["kind"] == "action"
            and last["seat"] == made.game.to_decide
            and last["action"]["type"] == kind
            and seat in (None, last["seat"])
        )

    return is_match


def next_in_a_run(made: Table, kind: str) -> int | None:
    """Return an action after which the same seat decides on one of this type, without a draw in between."""
    decode = made.position.ruleset.wire.decode
    for action in made.position.legal_actions():
        after = made.position.play(action)
        if after.seat == made.position.seat and decode(after.legal_actions()[0])["type"] == kind:
            return action
    return None


def begins_a_run(kind: str) -> Callable[[Table], bool]:
    """Return a condition: the seat to decide has just got the turn, and its second decision can have this type."""

    def is_match(made: Table) -> bool:
        last = made.log[-1]
        starts_turn = last["kind"] == "draw" or last["seat"] != made.game.to_decide
        return starts_turn and next_in_a_run(made, kind) is not None

    return is_match
