"""Every layout of every game is legible: pieces can be hit, texts can be read, and nothing covers a text."""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from tests.browser.legibility import (
    complaints,
    create_from,
    first_variant,
    open_as_all_seats,
    positions,
)
from tests.browser.player import Player, Sit
from tests.e2e.stack import Stack

PHONES = ((390, 844), (844, 390), (667, 375))
SCREENS = (*PHONES, (320, 568), (768, 1024), (1440, 900), (720, 450), (1920, 1080))  # (720, 450): zoomed to 200 %
OVERVIEW = "Whole table"
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def check(player: Player, where: str, *, is_overview: bool = False) -> None:
    """Assert that the page is legible after the next frame."""
    player.page.evaluate(NEXT_FRAME)
    found = complaints(player.page, is_overview=is_overview)
    if found:
        player.shoot(where)
    assert (where, []) == (where, found)


def check_game(sit: Sit, stack: Stack, ruleset: str, variant: str, seats: int, *screens: tuple[int, int]) -> Player:
    """Open a game near its start, in the middle and near its end, on each screen."""
    player = sit()
    for moment, position in positions(ruleset, variant, seats):
        created = create_from(stack, position)
        for width, height in screens:
            player.page.set_viewport_size({"width": width, "height": height})
            open_as_all_seats(player.page, stack.url, created)
            assert player.wait_for_turn()
            check(player, f"{ruleset}-{variant}-{seats}-{moment}-{width}")
    return player


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_four_is_legible_on_a_phone(sit: Sit, stack: Stack, ruleset: str) -> None:
    check_game(sit, stack, ruleset, first_variant(ruleset), 4, *PHONES)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_long_name_does_not_cover_the_score(sit: Sit, stack: Stack, ruleset: str) -> None:
    player, name = sit(1280, 800), "Maximiliane-Wilhelmina von Hohenzollern"
    seats = [{"kind": "player", "name": each} for each in (name, "Ben", "Cem", "Dan")]
    created = stack.create(ruleset=ruleset, variant=first_variant(ruleset), seats=seats)
    open_as_all_seats(player.page, stack.url, created)
    assert player.wait_for_turn()
    player.page.get_by_role("button", name=OVERVIEW).click()
    header = player.page.locator("#seat_0 > g").first.locator("text")
    player.page.evaluate(NEXT_FRAME)
    assert (header.first.text_content() or "").startswith("Maximiliane")
    shown, score = header.first.bounding_box(), header.last.bounding_box()
    assert shown is not None
    assert score is not None
    assert shown["x"] + shown["width"] <= score["x"]
    player.shoot(ruleset)


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("ruleset", "variant"), [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
)
def test_every_game_is_legible_on_every_screen(sit: Sit, stack: Stack, ruleset: str, variant: str, seats: int) -> None:
    player = check_game(sit, stack, ruleset, variant, seats, *SCREENS)
    for width, height in SCREENS:
        player.page.set_viewport_size({"width": width, "height": height})
        player.page.reload()
        assert player.wait_for_turn()
        player.page.get_by_role("button", name=OVERVIEW).click()
        check(player, f"{ruleset}-{variant}-{seats}-overview-{width}", is_overview=True)
