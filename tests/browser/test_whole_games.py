"""Whole games by clicking: of each ruleset on one of its boards, and on the other in `make nightly`."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from service.rulesets.registry import RULESETS
from tests.browser.player import Player

SIDES = [
    pytest.param(ruleset.id, variant, marks=() if (number + side) % 2 else pytest.mark.nightly)
    for number, ruleset in enumerate(RULESETS.values())
    for side, variant in enumerate(ruleset.variants)
]
Sit = Callable[..., Player]


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("ruleset", "variant"), SIDES)
def test_a_game_against_an_ai_is_played_to_the_end_by_clicking(sit: Sit, ruleset: str, variant: str) -> None:
    player, rng = sit(), random.Random(f"{ruleset} {variant}")
    player.begin(ruleset, variant, "novice")
    clicks = 0
    while player.wait_for_turn():
        player.click_something(rng)
        clicks += 1
        if clicks in (1, 40):
            player.shoot(f"click-{clicks}")
    player.shoot("over")
    view = player.view()
    assert ("finished", "completed") == (view["status"], view["outcome"]["reason"])
