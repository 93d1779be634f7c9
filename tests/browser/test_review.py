"""A finished game reviewed, replayed, and found again."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Route, expect

from service.usecases.work.analyses import LABELS
from tests.browser.player import Player, Sit
from tests.browser.puzzles.test_puzzles import choose
from tests.browser.test_accessibility import serious, serious_in_light_and_dark

QUICK_S = 0.05  # of thinking for each decision
DRAFTS = 2  # before the resignation
PRESS_FAST = """async (keys) => {
  for (const key of keys) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
  }
}"""  # each before the page has shown the effect of the previous one


def shorten_review(route: Route) -> None:
    """Shorten the review's thinking time."""
    if route.request.method == "POST":
        body = dict(route.request.post_data_json or {}, seconds=QUICK_S)
        route.continue_(post_data=json.dumps(body))
    else:
        route.continue_()


def play_a_little_and_resign(player: Player) -> None:
    """Take tiles to the floor, which are mistakes, and resign."""
    for _ in range(DRAFTS):
        assert player.wait_for_turn()
        player.drop()
    player.resign()


def review(player: Player) -> Locator:
    """Play a little, resign, and review the game. Return the list of mistakes."""
    player.page.route("**/analyses", shorten_review)
    player.begin("azul", "coloured", "random")
    play_a_little_and_resign(player)
    player.page.get_by_role("button", name="Game review").click()
    mistakes = player.page.locator(".mistakes li")
    expect(mistakes.first).to_be_visible()
    return mistakes


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 800, marks=pytest.mark.nightly), (390, 844)])
def test_a_review_is_drawn_on_the_board_and_replayed(sit: Sit, width: int, height: int) -> None:
    player = sit(width, height)
    mistakes = review(player)
    for told in mistakes.locator("b").all_inner_texts():
        label, percent = re.fullmatch(r"(\w+) \(−(\d+)%\)", told).groups()  # type: ignore[union-attr]
        assert label == [name for name, least in LABELS.items() if int(percent) >= round(100 * least)][-1]
    mistakes.last.locator("button").click()
    expect(player.page.locator(".judged .best")).to_contain_text("Better: Take")
    expect(player.page.locator(".arrow.best .head")).to_have_count(1)
    expect(player.page.locator(".arrow.played .head")).to_have_count(1)
    expect(player.page.locator(".board > svg")).to_be_in_viewport(ratio=0.5)
    expect(player.page.locator(".replay")).to_be_in_viewport()
    player.shoot("mistake")
    assert [] == (serious_in_light_and_dark(player) if width > height else serious(player))
    place = player.page.locator(".replay .note")
    for key, number in (("Home", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        player.page.keyboard.press(key)
        expect(place).to_have_text(re.compile(f"^{number} of "))
    player.page.evaluate(PRESS_FAST, ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"])
    expect(place).to_have_text(re.compile("^2 of "))
    player.page.get_by_role("button", name="Play", exact=True).click()
    expect(place).to_have_text(re.compile("^3 of "))
    player.page.get_by_role("button", name="Stop").click()
    player.page.get_by_role("button", name="Go to the end").click()
    expect(player.page.locator(".status")).to_contain_text("Game over")
    player.page.locator(".chances svg").click(position={"x": 20, "y": 20})
    expect(player.page.locator(".chances .now")).to_have_count(1)
    story = player.page.locator(".story button")
    assert 3 <= story.count() <= 6
    player.page.get_by_role("button", name="Go to the start").click()
    story.last.click()
    expect(place).not_to_have_text(re.compile("^1 of "))
    solve_mistakes(player)


def solve_mistakes(player: Player) -> None:
    """Find the best move instead of one's first mistake."""
    mistakes = [
        decision
        for decision in player.read("/review")["review"]["decisions"]
        if decision["seat"] == 0 and decision["label"] in ("mistake", "blunder")
    ]
    player.page.get_by_role("link", name="Learn from your").click()
    expect(player.page.locator(".puzzle")).to_contain_text(f"Mistake 1 of {len(mistakes)}")
    expect(player.page.locator(".why")).to_contain_text(mistakes[0]["played"]["text"])
    choose(player, mistakes[0]["best"]["action"])
    expect(player.page.locator(".status strong")).to_have_text("Right, that is the best move.")
    player.shoot("learnt")


@pytest.mark.nightly
def test_a_review_is_found_elsewhere_and_after_a_reload(sit: Sit) -> None:
    player, elsewhere = sit(), sit()
    mistakes = review(player)
    before = mistakes.all_inner_texts()
    elsewhere.page.goto(f"{player.url}/play#/{player.game}?watch={player.tokens['watch']}")
    player.page.reload()
    for found in (mistakes, elsewhere.page.locator(".mistakes li")):
        expect(found).to_have_count(len(before))
        assert before == found.all_inner_texts()
