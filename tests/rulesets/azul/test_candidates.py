"""The candidates for a player's search."""

from __future__ import annotations

import hashlib

import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets.playing import candidates, random_walk
from workers.search.decisions import search_at_level

AZUL = RULESETS["azul"]


def wasteful_drafts(position: Position) -> set[int]:
    """Return drafts to the floor of tiles that another draft could put into a line."""
    named = {action: AZUL.wire.decode(action) for action in position.legal_actions()}
    drafts = {action: one for action, one in named.items() if one["type"] == "azul.draft"}
    to_line = {(one["source"], one["colour"]) for one in drafts.values() if one["line"] != "floor"}
    return {
        action for action, one in drafts.items() if one["line"] == "floor" and (one["source"], one["colour"]) in to_line
    }


@pytest.mark.parametrize("variant", AZUL.variants)
@pytest.mark.parametrize("seats", AZUL.seat_counts)
def test_candidates_exclude_wasteful_drafts_only_in_the_first_round(variant: str, seats: int) -> None:
    """All others are candidates; from the second round on all legal actions are."""
    rng, seen = generator(bytes(range(1, 33))), [0, 0]
    for _ in range(6):
        for position in random_walk(AZUL.start(variant, seats, None), rng):
            legal, is_first = set(position.legal_actions()), AZUL.view(position)["round"] == 1
            assert set(candidates(position)) == (legal - wasteful_drafts(position) if is_first else legal)
            seen[is_first] += bool(wasteful_drafts(position))
    assert min(seen) > 0


@pytest.mark.parametrize("level", ["novice", "beginner", "learner", "casual", "club", "greedy", "planner"])
def test_no_level_wastes_tiles_in_the_first_round(level: str) -> None:
    for game in range(12):
        rng, position, decisions = generator(hashlib.sha256(bytes([game])).digest()), AZUL.start("coloured", 2, 0), 0
        while AZUL.view(position)["round"] == 1 or (position.status == "drawing" and not decisions):
            if position.status == "drawing":
                position = position.resolve_draw(position.sample(rng))
                continue
            seed = hashlib.sha256(f"{game} {decisions}".encode()).digest()
            action = search_at_level(position, level, seed).choose().action
            assert action not in wasteful_drafts(position)
            position, decisions = position.play(action), decisions + 1
        assert decisions > 8
