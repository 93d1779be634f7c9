"""Whole games by clicks: Azul on one side, and all rulesets and sides in `make nightly`."""

from __future__ import annotations

import random
from http import HTTPStatus

import pytest
from playwright.sync_api import Response, expect

from service.rulesets.registry import RULESETS
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.browser.test_phone import MAX_SHIFT, WATCHING_SHIFTS

SIDES = [
    pytest.param(ruleset.id, variant, marks=pytest.mark.nightly)
    for ruleset in RULESETS.values()
    for variant in ruleset.variants
    if (ruleset.id, variant) != ("azul", "coloured")
]


class First(random.Random):
    """Always choose the first option, which fills the first pattern line of Azul and ends the game soon."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:  # noqa: ARG002
        return 0


def play_to_the_end(player: Player, rng: random.Random) -> None:
    """Click until the game is over."""
    clicks = 0
    while player.wait_for_turn():
        player.click_something(rng)
        clicks += 1
        if clicks in (1, 40):
            player.shoot(f"click-{clicks}")
    player.shoot("over")
    view = player.view()
    assert ("finished", "completed") == (view["status"], view["outcome"]["reason"])


def test_azul_is_played_to_the_end_and_the_winner_marked(sit: Sit) -> None:
    player, missing = sit(), list[str]()

    def note_missing(response: Response) -> None:
        if response.status == HTTPStatus.NOT_FOUND:  # the browser reports it on the console
            missing.append(response.url)

    player.page.on("response", note_missing)
    player.page.add_init_script(WATCHING_SHIFTS)
    player.begin_first("azul", "coloured", "novice")
    expect(player.page).to_have_title("● Your turn – Azul")
    before, first = player.view()["revision"], player.places.count()
    player.places.first.locator("rect").first.click()
    expect(player.page.get_by_role("button", name="floor line").first).to_be_visible()
    assert [] == serious_in_light_and_dark(player)
    player.page.keyboard.press("Escape")
    expect(player.places).to_have_count(first)
    assert before == player.view()["revision"]
    expect(player.page.locator(".board .winner")).to_have_count(0)
    play_to_the_end(player, First(1))
    seats = player.view()["outcome"]["seats"]
    winners = [f"seat_{seat}" for seat, outcome in enumerate(seats) if outcome["won"]]
    crowned = player.page.locator(".board .winner")
    expect(crowned).to_have_count(len(winners))
    assert winners == crowned.evaluate_all("boards => boards.map(board => board.id)")
    edge = crowned.locator("> rect").first
    assert edge.evaluate("edge => getComputedStyle(edge).stroke") != "none"
    totals = player.page.locator(".sheet tfoot td")
    assert [str(outcome["score"]) for outcome in seats] == totals.all_inner_texts()
    assert player.page.evaluate("window.shift") < MAX_SHIFT
    assert [] == serious(player)
    assert [] == missing


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("ruleset", "variant"), SIDES)
def test_a_game_against_an_ai_is_played_to_the_end(sit: Sit, ruleset: str, variant: str) -> None:
    player = sit()
    player.begin(ruleset, variant, "novice")
    play_to_the_end(player, random.Random(f"{ruleset} {variant}"))
