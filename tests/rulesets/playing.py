"""What the tests of all rulesets do alike: name actions, look at what is told, put flaws into positions, play games.

Positions know their ruleset, so that nothing here is said for each of them. Random players rarely do anything on
purpose; `games` are therefore played with a taste, a preference for some actions, followed unless the dice say
otherwise.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import strategies as st

from service.rulesets.kernel import RngState, generator
from service.rulesets.ruleset import IllegalActionError, InconsistentStateError, Position, Ruleset

Json = dict[str, Any]
Taste = Callable[[Json], int]

FOLLOWED = 0.85  # how often a taste is followed


# Named actions


def play(position: Position, *actions: Json) -> Position:
    """The position after some actions, each checked."""
    for action in actions:
        position = position.play(position.ruleset.wire.encode(action))
    return position


def refusal(position: Position, action: Json) -> str | None:
    """Why a named action is refused, if it is."""
    return position.refusal(position.ruleset.wire.encode(action))


def legal(position: Position, kind: str | None = None) -> list[Json]:
    """The legal actions by name, in a fixed order; those of one type, if it is named."""
    named = (position.ruleset.wire.decode(action) for action in position.legal_actions())
    return ordered(action for action in named if kind in {None, short_type(action)})


def ordered(actions: Iterable[Json]) -> list[Json]:
    """Actions in the order in which `legal` tells them."""
    return sorted(actions, key=str)


def effects(position: Position, action: Json) -> list[Json]:
    """All effects that an action has."""
    return list(position.effects(position.ruleset.wire.encode(action)))


def short_type(named: Mapping[str, Any]) -> str:
    """The type of an action, a draw or an effect, without the ruleset's id."""
    return str(named["type"]).rpartition(".")[2]


def effects_of_type(position: Position, action: Json, kind: str) -> list[Json]:
    """The effects of one type that an action has, without their type."""
    return of_type(effects(position, action), kind)


def of_type(told_effects: Sequence[Mapping[str, Any]], kind: str) -> list[Json]:
    """The effects of one type, without their type."""
    return [
        {name: value for name, value in effect.items() if name != "type"}
        for effect in told_effects
        if short_type(effect) == kind
    ]


def deal(position: Position) -> Position:
    """The position after its draw, with tiles that do not matter to the test."""
    return position.resolve_draw(position.sample(generator(bytes(range(32)))))


# Refusals


def is_refused(position: Position, action: int, reason: str) -> None:
    """The reason is told before, and `play` raises the same."""
    assert reason == position.refusal(action)
    with pytest.raises(IllegalActionError) as caught:
        position.play(action)
    assert reason == caught.value.reason


def every_reason_is_among(covered: Iterable[str], ruleset: Ruleset) -> None:
    """No reason is without a case, but that of numbers that name no action; the codes differ, and 0 is none."""
    assert {"", "unknown_action", *covered} == set(ruleset.reasons)
    assert ("", len(set(ruleset.reasons))) == (ruleset.reasons[0], len(ruleset.reasons))


# Positions that cannot be


def changed(position: Json, **values: Any) -> Json:
    """A copy with values set at JSON pointers, `seats__0__score` for `/seats/0/score`; `...` removes one."""
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


def errors(ruleset: Ruleset, position: Json) -> dict[str, str]:
    """What is told of a position that cannot be, by JSON pointers."""
    with pytest.raises(InconsistentStateError) as caught:
        ruleset.read(position)
    return dict(caught.value.errors)


def is_refused_at(pointers: str | tuple[str, ...], ruleset: Ruleset, position: Json) -> None:
    """Something is told of what begins with one of the pointers, and nothing without words."""
    results = errors(ruleset, position)
    assert [] != [where for where in results if where.startswith(pointers)], results
    assert all(results.values())


# Games


@dataclass
class Game:
    """A game chosen and drawn from a seed; its positions come as it is iterated, after the first at most `steps`."""

    ruleset: Ruleset = field(repr=False)
    tastes: Mapping[str, Taste] = field(repr=False)
    few: int | None  # random actions to choose from; None: from all the legal ones
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
        """An action, mostly one of those that the taste likes best."""
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
    """Games of any variant, number of seats, taste and seed."""
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
