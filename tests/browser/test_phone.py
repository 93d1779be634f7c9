"""A game on a phone: the result comes after the scoring, nothing jumps (nor on a desk), and the page opens offline."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from service.rulesets.registry import RULESETS
from tests.browser.legibility import create_from, first_variant, last_decision, open_as_all_seats
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious
from tests.e2e.stack import Stack

PHONE, DESK = (390, 844), (1440, 900)
MAX_SHIFT = 0.05
WATCHING_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shift += value;
}).observe({ type: "layout-shift" });
"""


def test_the_result_comes_after_the_scoring_and_first_on_a_phone(sit: Sit, stack: Stack) -> None:
    phone, failures = sit(*PHONE, moving=True), list[str]()
    page = phone.page
    page.on("response", lambda answer: failures.append(answer.url) if answer.status >= 400 else None)
    open_as_all_seats(page, stack.url, create_from(stack, last_decision("azul", "coloured", 4)))
    assert phone.wait_for_turn()
    page.evaluate(WATCHING_SHIFTS)
    scores = [seat["score"] for seat in phone.view()["seats"]]
    phone.decide()
    expect(page.locator(".caption")).to_be_visible()
    expect(page.locator(".status")).to_have_text("The last points are counted.")
    assert "won" not in page.title()
    expect(page.locator(".verdict")).to_have_count(0)
    shown = page.locator(".seats b").all_inner_texts()
    assert scores == [int(text.split()[0]) for text in shown]
    phone.shoot("scoring")
    page.get_by_role("button", name="Skip").click()
    outcome = phone.view()["outcome"]["seats"]
    (winner,) = (seat["name"] for seat, result in zip(phone.view()["seats"], outcome, strict=True) if result["won"])
    expect(page.locator(".verdict")).to_contain_text(f"{winner} won by ")
    phone.shoot("result")
    places = page.locator(".places li")
    expect(places).to_have_count(4)
    buttons = [page.get_by_role("button", name=name) for name in ("Rematch", "Game review", "Share result")]
    for part in (page.locator(".verdict"), places.last, *buttons):
        expect(part).to_be_in_viewport(ratio=1)
    assert page.evaluate("window.shift") < MAX_SHIFT
    page.get_by_role("button", name="Close the result").click()
    expect(page.locator(".board > svg")).to_be_in_viewport(ratio=0.3)
    expect(page.locator(".verdict")).not_to_be_in_viewport()
    page.get_by_role("button", name="Result", exact=True).click()
    expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(page.locator(".verdict")).not_to_be_in_viewport()
    assert [] == failures


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_result_moves_nothing_on_a_phone_in_landscape(sit: Sit, stack: Stack, ruleset: str) -> None:
    phone = sit(*PHONE[::-1])
    position = last_decision(ruleset, first_variant(ruleset), 2)
    open_as_all_seats(phone.page, stack.url, create_from(stack, position))
    assert phone.wait_for_turn()
    phone.page.evaluate(WATCHING_SHIFTS)
    phone.decide()
    expect(phone.page.locator(".verdict")).to_be_in_viewport(ratio=1)
    phone.shoot("result")
    assert phone.page.evaluate("window.shift") < MAX_SHIFT


def test_a_reload_without_a_connection_shows_the_page_until_the_game_is_back(sit: Sit) -> None:
    phone = sit(*PHONE, worker=True)
    page = phone.page
    phone.begin_first("azul", "coloured", "random")
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("You're offline. Nothing is sent until you reconnect.")).to_be_visible()
    expect(page.get_by_text("The game appears here as soon as you are online again.")).to_be_visible()
    phone.shoot("offline")
    assert [] == serious(phone)
    page.get_by_role("link", name="Azul games").click()
    expect(page.get_by_role("heading", name="What do you want to play?")).to_be_visible()
    expect(page.get_by_role("button", name="Play now: Azul", exact=True)).to_be_disabled()
    phone.shoot("home")
    page.go_back()
    page.context.set_offline(False)
    assert phone.wait_for_turn()
    expect(page.locator(".banner")).to_have_count(0)
    phone.draft()


def play(player: Player, rng: random.Random, clicks: int) -> None:
    """Click at random while it is our turn."""
    for _ in range(clicks):
        if not player.wait_for_turn():
            return
        player.click_something(rng)


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", RULESETS)
def test_nothing_jumps_during_moves_on_a_phone(sit: Sit, ruleset: str) -> None:
    phone, rng = sit(*PHONE, moving=True, has_touch=True, is_mobile=True), random.Random(5)
    phone.begin_first(ruleset, first_variant(ruleset), "random", "random", "random")
    phone.page.evaluate(WATCHING_SHIFTS)
    play(phone, rng, 14)
    assert phone.page.evaluate("window.shift") < MAX_SHIFT


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_jumps_in_a_whole_game(sit: Sit, ruleset: str, screen: tuple[int, int]) -> None:
    is_phone = screen == PHONE
    player, rng = sit(*screen, has_touch=is_phone, is_mobile=is_phone), random.Random(5)
    player.page.add_init_script(WATCHING_SHIFTS)
    player.begin_first(ruleset, first_variant(ruleset), "random")
    while player.wait_for_turn():
        player.click_something(rng)
    expect(player.page.locator(".verdict")).to_be_in_viewport(ratio=1)
    assert player.page.evaluate("window.shift") < MAX_SHIFT
    player.shoot("result")
    assert [] == serious(player)


@pytest.mark.nightly
def test_a_lesson_on_a_phone_never_shows_the_whole_table(sit: Sit) -> None:
    phone, rng = sit(*PHONE), random.Random(5)
    phone.page.goto(f"{phone.url}/play")
    phone.page.get_by_role("button", name="Learn by playing: Azul", exact=True).click()
    assert phone.wait_for_turn()
    phone.page.evaluate(
        "window.views = new Set(); const table = document.querySelector('.table');"
        "new MutationObserver(() => window.views.add(table.dataset.view)).observe(table, { attributes: true });"
    )
    play(phone, rng, 8)
    assert {"market", "0"} == {*phone.page.evaluate("[...window.views]")}
