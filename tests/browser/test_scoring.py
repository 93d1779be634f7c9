"""Scoring, the end of a game and turns as shown and heard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious_in_light_and_dark
from tests.e2e.stack import Stack
from tests.patience import wait_until

SMALL = (800, 640)  # fewer pixels to move

LISTENING = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
"""
WATCHING_CAPTIONS = """
window.captions = [];
new MutationObserver(() => {
  const said = document.querySelector(".caption span")?.textContent;
  if (said && said !== window.captions.at(-1)) window.captions.push(said);
}).observe(document.body, { childList: true, subtree: true, characterData: true });
"""
COUNTING_FLIGHTS = """
window.flown = 0;
new MutationObserver(() => { window.flown += document.querySelectorAll(".flying").length; })
  .observe(document.body, { childList: true, subtree: true });
"""
NAMES = ("Ada", "Ben")


def is_nearly_over(position: dict[str, Any]) -> bool:
    """Return True if at most two drafts remain in the round."""
    return 2 >= sum(count > 0 for each in [*position["factories"], position["centre"]] for count in each.values())


def to_a_line(actions: list[Any]) -> Any:
    """Return the first action to a line, or any action."""
    return next((each for each in actions if each["action"]["line"] != "floor"), actions[0])


def icon(player: Player) -> str:
    return str(player.page.locator('link[rel="icon"]').get_attribute("href"))


@pytest.mark.nightly
def test_scoring_tiles_are_animated_one_by_one_or_skipped(sit: Sit) -> None:
    player, watcher = sit(*SMALL, moving=True), sit(*SMALL, moving=True)
    player.page.emulate_media(reduced_motion="reduce")
    player.begin_first("azul", "coloured", "random")
    player.decide_until(is_nearly_over, to_a_line)
    watcher.page.goto(f"{player.page.url}?watch={player.tokens['watch']}")
    expect(watcher.page).to_have_title("Anonymous is thinking… – Azul")
    expect(watcher.page.locator(".board svg")).to_be_visible()
    watcher.page.evaluate(WATCHING_CAPTIONS)
    assert player.wait_for_turn()
    player.page.emulate_media(reduced_motion="no-preference")
    player.page.evaluate(WATCHING_CAPTIONS)
    player.places.first.focus()
    player.page.keyboard.press("Enter")
    expect(player.page.get_by_role("button", name="floor line").first).to_be_visible()
    player.places.first.focus()
    player.page.keyboard.press("Space")
    expect(player.page.locator(".flying").first).to_be_attached()
    watcher.page.get_by_role("button", name="Skip").press("Enter")
    expect(watcher.page.locator(".caption")).to_have_count(0)
    scored = player.page.locator(".log li:has(.scorings)")
    player.page.locator(".flying.points").first.wait_for()
    player.shoot("scoring")
    rows = [row.inner_text().split() for row in scored.locator(".scorings > li:not(.standings)").all()]
    told = [" ".join(words) for words in rows if words[-1] != "0"]  # nothing flies for a penalty limited to 0
    assert player.wait_for_turn()
    assert told == [" ".join(each.split()) for each in player.page.evaluate("window.captions")]
    assert len(watcher.page.evaluate("window.captions")) <= len(told)
    scores = [seat["score"] for seat in player.view()["seats"]]
    expect(scored.locator(".standings")).to_contain_text(f"Anonymous {scores[0]} · Cuckoo (AI) {scores[1]}")


@pytest.mark.nightly
def test_the_score_sheet_shows_winners_points_and_the_course_of_the_game(sit: Sit, stack: Stack) -> None:
    player = sit(permissions=["clipboard-read", "clipboard-write"])
    ais = [{"kind": "ai", "level": "random", "name": name} for name in NAMES]
    created = stack.http.post(
        f"{stack.api}/games", json={"ruleset": "azul", "variant": "coloured", "seats": ais}
    ).json()
    url = f"{stack.api}/games/{created['game']['id']}"
    wait_until(lambda: stack.http.get(url).json()["status"] == "finished", "finished")
    player.page.goto(f"{player.url}/play#/{created['game']['id']}")
    sheet = player.page.locator(".sheet")
    expect(sheet).to_be_visible()
    seats = stack.http.get(url).json()["outcome"]["seats"]
    rows = [row.inner_text().split("\t")[1:] for row in sheet.locator("tbody tr, tfoot tr").all()]
    told = [[int(cell.strip().replace("–", "0").replace("−", "-")) for cell in row] for row in rows]
    parts = ["wall_tiling", "rows", "columns", "colours"]
    assert told == [*[[seat["breakdown"][part] for seat in seats] for part in parts], [s["score"] for s in seats]]
    curve = str(sheet.locator(".course svg").get_attribute("aria-label"))
    for name, seat in zip(NAMES, seats, strict=True):
        (line,) = [part for part in curve.split(". ") if part.startswith(f"{name}: ")]
        points = [int(each) for each in line.split(": ")[-1].split(", ")]
        assert (0, seat["score"]) == (points[0], points[-1])  # the log's points add up to the score
    winners = " and ".join(name for name, seat in zip(NAMES, seats, strict=True) if seat["won"])
    expect(sheet.locator(".verdict")).to_contain_text(f"{winners} won")
    expect(player.page).to_have_title(f"{winners} won – Azul")
    assert [] == serious_in_light_and_dark(player)
    sheet.get_by_role("button", name="Share result").click()
    expect(player.page.locator(".toast")).to_contain_text("Copied.")
    shared = player.page.evaluate("navigator.clipboard.readText()")
    assert all(f"{name} {seat['score']}" in shared for name, seat in zip(NAMES, seats, strict=True))
    assert shared.endswith(f"#/{player.game}")
    player.page.get_by_role("button", name="Moves and chat").click()
    player.page.locator(".log li button").nth(5).click()
    expect(player.page.locator(".replay .note")).to_contain_text(re.compile(r"^[1-9] of "))
    player.page.get_by_role("button", name="Result", exact=True).click()  # the sheet stays next to the replay
    expect(sheet).to_be_visible()
    player.page.get_by_role("button", name="Deutsch").click()
    expect(sheet.get_by_role("heading", name="Wertungsblatt")).to_be_visible()
    player.page.set_viewport_size({"width": 390, "height": 844})
    expect(sheet.locator(".verdict")).to_be_in_viewport()
    assert 390 == player.page.evaluate("document.documentElement.scrollWidth")
    player.shoot("phone")


@pytest.mark.nightly
def test_the_turn_is_shown_in_the_tab_and_heard_until_muted(sit: Sit) -> None:
    player = sit()
    player.page.add_init_script(LISTENING)
    player.begin_first("azul", "coloured", "random")
    expect(player.page).to_have_title("● Your turn – Azul")
    assert "circle" in icon(player)

    def draft() -> None:
        before = player.view()["revision"]
        player.places.first.locator("rect").first.click()
        player.places.last.click()
        player.wait_for_revision(before + 2)  # including the AI's
        assert player.wait_for_turn()

    draft()
    assert 0 < player.page.evaluate("window.tones")
    player.page.get_by_text("Preferences").click()
    expect(player.page.get_by_label("Animate tiles")).to_be_disabled()  # the device asks for stillness
    player.page.get_by_label("Sound effects").uncheck()
    tones = player.page.evaluate("window.tones")
    draft()
    assert tones == player.page.evaluate("window.tones")
    player.page.reload()
    assert player.wait_for_turn()
    player.page.get_by_text("Preferences").click()
    expect(player.page.get_by_label("Sound effects")).not_to_be_checked()
    player.resign()
    expect(player.page).to_have_title("Cuckoo (AI) won – Azul")
    expect(player.page.locator(".verdict")).to_contain_text("You resigned.")
    expect(player.page.locator(".sheet").get_by_role("button", name="Rematch")).to_be_visible()
    assert "circle" not in icon(player)
    player.page.locator("a.home").click()
    expect(player.page).to_have_title("Azul games")


@pytest.mark.nightly
def test_animations_of_others_can_be_switched_off(sit: Sit) -> None:
    player = sit(moving=True)
    player.begin_first("summer-pavilion", "coloured", "random")
    player.places.first.locator("polygon").first.click()
    expect(player.page.locator(".flying").first).to_be_attached()
    expect(player.page.locator(".status")).to_contain_text("Cuckoo (AI) moves")
    assert player.wait_for_turn()
    player.page.get_by_text("Preferences").click()
    player.page.get_by_label("Animate tiles").uncheck()
    player.page.evaluate(COUNTING_FLIGHTS)
    before = player.view()["revision"]
    player.places.first.locator("polygon").first.click()
    player.wait_for_revision(before + 2)
    assert player.wait_for_turn()
    assert 0 == player.page.evaluate("window.flown")
