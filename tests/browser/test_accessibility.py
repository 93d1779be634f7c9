"""Findings of axe on every kind of page: none are serious."""

from __future__ import annotations

import random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from service.rulesets.registry import RULESETS
from tests.browser.player import Player, Sit


def serious(player: Player, *rules: str) -> list[str]:
    """Return serious findings (of these rules or all), each with its first element."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    options = {"resultTypes": ["violations"], **only}
    results = Axe().run(player.page, options=options).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]} {each['nodes'][0]['failureSummary'][:300]}"
        for each in results
        if each["impact"] in ("serious", "critical")
    ]


def serious_in_light_and_dark(player: Player) -> list[str]:
    """Return serious findings in both schemes. In the dark one only contrasts differ."""
    player.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    results = serious(player)
    player.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return [*results, *serious(player, "color-contrast")]


def test_the_main_pages_are_accessible(sit: Sit) -> None:
    player = sit()
    player.page.goto(f"{player.url}/play")
    player.page.locator("button.primary:not([aria-disabled])").first.wait_for()
    assert [] == serious_in_light_and_dark(player)
    for address in ("lobby", "leaders", "me", "competitions"):
        player.page.goto(f"{player.url}/play#/{address}")
        player.page.locator("main h1").wait_for()
        assert [] == serious(player)
    player.page.goto(f"{player.url}/docs/tutorials/first-game")
    assert [] == serious(player)


@pytest.mark.nightly
def test_the_form_of_a_new_game_is_accessible(sit: Sit) -> None:
    player = sit()
    player.choose()
    player.page.get_by_role("button", name="Start game").wait_for()
    assert [] == serious_in_light_and_dark(player)


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_four_is_accessible(sit: Sit, ruleset: str) -> None:
    player, rng = sit(), random.Random(11)
    player.begin(ruleset, RULESETS[ruleset].variants[0], "random", "random", "random")
    for click in range(9):
        assert player.wait_for_turn()
        if click % 4 == 0:
            assert [] == serious_in_light_and_dark(player)
            player.shoot(f"click-{click}")
        player.click_something(rng)


@pytest.mark.nightly
def test_waiting_and_finished_games_are_accessible(sit: Sit) -> None:
    player = sit()
    player.begin("azul", "coloured", "open")
    player.page.get_by_text("Waiting for players").wait_for()
    assert [] == serious(player)
    player.begin_first("azul", "coloured", "random")
    player.page.get_by_role("button", name="Resign").click()
    assert [] == serious(player)
    player.page.get_by_role("alertdialog").get_by_role("button", name="Resign").click()
    player.page.get_by_role("button", name="Rematch").wait_for()
    assert [] == serious(player)


@pytest.mark.nightly
def test_a_table_with_high_contrast_is_accessible_and_kept(sit: Sit) -> None:
    player = sit(color_scheme="dark")
    player.begin_first("summer-pavilion", "coloured", "random")
    player.page.get_by_text("Preferences").click()
    player.page.get_by_label("High-contrast table").check()
    panel = player.page.locator(".board .az-panel").first
    expect(panel).to_have_css("stroke", "rgb(0, 0, 0)")
    player.page.reload()
    assert player.wait_for_turn()
    expect(panel).to_have_css("stroke", "rgb(0, 0, 0)")
    expect(player.page.locator(".board")).to_have_css("background-color", "rgb(255, 255, 255)")
    assert [] == serious(player)
    player.places.first.focus()
    player.shoot("contrast")
    outline = player.places.first.evaluate("choice => getComputedStyle(choice.firstElementChild).stroke")
    assert "rgb(29, 79, 145)" == outline  # 8 : 1 on white
