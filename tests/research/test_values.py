"""Positions as values in Python: copies, pickles, equality, and actions and draws of every type."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import DamagedSnapshotError, IllegalActionError, IllegalDrawError, Position
from tests.rulesets.playing import random_walk

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


def positions(ruleset: str) -> list[Position]:
    """Return the first positions of a game: draws and decisions."""
    found = RULESETS[ruleset]
    walk = random_walk(found.start(found.variants[0], 2, None), generator(b"values".ljust(32)))
    return [position for position, _ in zip(walk, range(12), strict=False)]


@every_ruleset
def test_positions_are_copied_pickled_and_compared_by_ruleset_and_bytes(ruleset: str) -> None:
    for position in positions(ruleset):
        for other in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            assert position == other
            assert hash(position) == hash(other)
            assert (position.to_bytes(), position.ruleset) == (other.to_bytes(), other.ruleset)
            assert position.legal_actions() == other.legal_actions()
    assert len({*positions(ruleset), *positions(ruleset)}) == len({one.to_bytes() for one in positions(ruleset)})


def test_a_pickle_of_other_rules_is_refused() -> None:
    position = positions("azul")[0]
    damaged = position.to_snapshot()[:-1] + b"?"
    with pytest.raises(DamagedSnapshotError):
        pickle.loads(pickle.dumps(position).replace(position.to_snapshot(), damaged))


@every_ruleset
@pytest.mark.parametrize(
    "action", [3.7, np.float32(3), "3", b"3", None, [3], np.array([3]), {}, -1, 2**63, 2**64, 10**30]
)
def test_what_is_no_action_is_an_unknown_action(ruleset: str, action: Any) -> None:
    position = next(one for one in positions(ruleset) if one.seat is not None)
    assert "unknown_action" == position.refusal(action)
    for decide in (position.play, position.step):
        with pytest.raises(IllegalActionError, match="unknown_action"):
            decide(action)


@every_ruleset
def test_integers_of_every_type_are_actions(ruleset: str) -> None:
    position = next(one for one in positions(ruleset) if one.seat is not None)
    action = position.legal_actions()[0]
    for same in (np.int64(action), np.uint64(action), np.array(action)):
        assert position.play(action) == position.play(same)  # type: ignore[arg-type]
        assert position.step(action) == position.step(same)  # type: ignore[arg-type]
    assert "unknown_action" == position.refusal(action + 2**64)


@every_ruleset
@pytest.mark.parametrize("drawn", [None, "1", [1.5], [10**30], [-1], [None], {}, [[1]]])
def test_what_is_no_draw_is_an_illegal_draw(ruleset: str, drawn: Any) -> None:
    position = next(one for one in positions(ruleset) if one.status == "drawing")
    for resolve in (position.resolve_draw, position.step_draw):
        with pytest.raises(IllegalDrawError):
            resolve(drawn)
