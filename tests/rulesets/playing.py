"""Helpers for tests of all rulesets: named actions, effects, damaged positions, and games.

Random players rarely act with a purpose, so each game has a taste: a preference for some actions that seats mostly
follow.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from service.rulesets.kernel import RngState, generator
from service.rulesets.ruleset import IllegalActionError, IllegalDrawError, InconsistentStateError, Position, Ruleset

Json = dict[str, Any]
Taste = Callable[[Json], int]

FOLLOWED = 0.85  # probability that a seat follows its taste


# Named actions


def play(position: Position, *actions: Json) -> Position:
    """Return the position after some actions, each checked."""
    for action in actions:
        position = position.play(position.ruleset.wire.encode(action))
    return position


def refusal(position: Position, action: Json) -> str | None:
    """Return the reason why a named action is refused, or None."""
    return position.refusal(position.ruleset.wire.encode(action))


def legal(position: Position, kind: str | None = None) -> list[Json]:
    """Return the named legal actions of one or all types, in a fixed order."""
    named = (position.ruleset.wire.decode(action) for action in position.legal_actions())
    return sort_actions(action for action in named if kind in {None, short_type(action)})


def candidates(position: Position) -> list[int]:
    """Return the candidates for a player's search."""
    out = np.empty(position.ruleset.max_actions, np.int64)
    results: list[int] = out[: position.ruleset.rules.candidates(position.table_state(), out)].tolist()
    return results


def sort_actions(actions: Iterable[Json]) -> list[Json]:
    """Return actions in the order of `legal`."""
    return sorted(actions, key=str)


def effects(position: Position, action: Json) -> list[Json]:
    """Return all effects of an action."""
    return list(position.step(position.ruleset.wire.encode(action))[0])


def short_type(named: Mapping[str, Any]) -> str:
    """Return the type of an action, a draw or an effect without the ruleset's id."""
    return str(named["type"]).rpartition(".")[2]


def effects_of_type(position: Position, action: Json, kind: str) -> list[Json]:
    """Return the effects of one type that an action has, without their type."""
    return of_type(effects(position, action), kind)


def of_type(told_effects: Sequence[Mapping[str, Any]], kind: str) -> list[Json]:
    """Return the effects of one type, without their type."""
    return [
        {name: value for name, value in effect.items() if name != "type"}
        for effect in told_effects
        if short_type(effect) == kind
    ]


def deal(position: Position) -> Position:
    """Return the position after a random draw, for tests that do not depend on the tiles."""
    return position.resolve_draw(position.sample(generator(bytes(range(32)))))


def fields(position: Position, *names: str) -> tuple[Any, ...]:
    """Return the values of these fields of a position in JSON."""
    shown = position.ruleset.view(position)
    return tuple(shown[name] for name in names)


def random_walk(position: Position, rng: RngState) -> Iterator[Position]:
    """Yield this position and all that follow in a random game, including the last."""
    yield position
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(rng))
        else:
            position = position.play(position.random_action(rng))
        yield position


def ranking(position: Position) -> list[tuple[int, int, bool]]:
    """Return score, rank and win of each seat."""
    return [(seat.score, seat.rank, seat.won) for seat in position.outcome()]


# Refusals


def assert_refused(position: Position, action: int, reason: str) -> None:
    """Check that `refusal` and `play` give the same reason."""
    assert reason == position.refusal(action)
    with pytest.raises(IllegalActionError) as caught:
        position.play(action)
    assert reason == caught.value.reason


def assert_draw_refused(position: Position, drawn: Sequence[int]) -> None:
    """Check that a draw of these numbers is illegal."""
    with pytest.raises(IllegalDrawError):
        position.resolve_draw(drawn)


def assert_every_reason_is_covered(covered: Iterable[str], ruleset: Ruleset) -> None:
    """Check that each reason except `unknown_action` has a case, codes are unique, and number 0 has none."""
    assert {"", "unknown_action", *covered} == set(ruleset.reasons)
    assert ("", len(set(ruleset.reasons))) == (ruleset.reasons[0], len(ruleset.reasons))


# Positions that cannot be


def with_changes(position: Json, **values: Any) -> Json:
    """Return a copy with values set at JSON pointers, `seats__0__score` for `/seats/0/score`. `...` removes one."""
    result = copy.deepcopy(position)
    for pointer, value in values.items():
        *path, last = pointer.split("__")
        inner: Any = result
        for key in path:
            inner = inner[int(key)] if isinstance(inner, list) else inner[key]
        if value is ...:
            del inner[last]
        elif isinstance(inner, list):
            inner[int(last)] = value
        else:
            inner[last] = value
    return result


def errors(read: Callable[[Any], object], json: object) -> dict[str, str]:
    """Return the errors of reading an invalid position, action or draw by JSON pointer."""
    with pytest.raises(InconsistentStateError) as caught:
        read(json)
    return dict(caught.value.errors)


def assert_refused_at(pointers: str | tuple[str, ...], ruleset: Ruleset, position: Json) -> None:
    """Check that an error has a pointer that begins with one of these, and that every error has a text."""
    results = errors(ruleset.read, position)
    assert [] != [where for where in results if where.startswith(pointers)], results
    assert all(results.values())


# Games


@dataclass
class Game:
    """A game with choices and draws from a seed. Iteration yields its positions, at most `steps` after the first."""

    ruleset: Ruleset = field(repr=False)
    tastes: Mapping[str, Taste] = field(repr=False)
    few: int | None  # random actions to choose from; None: all legal ones
    variant: str
    seats: int
    seed: int
    taste: str
    steps: int
    taken: int | None = field(default=None, repr=False)  # the action that led to the latest position

    def __iter__(self) -> Iterator[Position]:
        dice = random.Random(self.seed)
        draws = generator(dice.randbytes(31) + b"\1")
        position = self.ruleset.start(self.variant, self.seats, dice.choice([None, *range(self.seats)]))
        yield position
        for _ in range(self.steps):
            if position.status == "over":
                return
            if position.status == "drawing":
                self.taken, position = None, position.resolve_draw(position.sample(draws))
            else:
                self.taken = self.choose(position, dice, draws)
                position = position.play(self.taken)
            yield position

    def choose(self, position: Position, dice: random.Random, draws: RngState) -> int:
        """Return an action, mostly one that the taste prefers."""
        actions = (
            position.legal_actions() if self.few is None else [position.random_action(draws) for _ in range(self.few)]
        )
        if dice.random() < FOLLOWED:
            worst = {action: self.tastes[self.taste](self.ruleset.wire.decode(action)) for action in actions}
            least = min(worst.values())
            actions = [action for action in actions if worst[action] == least]
        return dice.choice(actions)


def games(
    ruleset: Ruleset, tastes: Mapping[str, Taste], steps: Sequence[int], few: int | None = None
) -> st.SearchStrategy[Game]:
    """Return games of any variant, number of seats, taste and seed."""
    return st.builds(
        Game,
        st.just(ruleset),
        st.just(tastes),
        st.just(few),
        st.sampled_from(ruleset.variants),
        st.sampled_from(ruleset.seat_counts),
        st.integers(0, 2**32),
        st.sampled_from(sorted(tastes)),
        st.sampled_from(steps),
    )
