"""Games and positions as text: copied from one page, pasted into another. Run by `make test-browser`."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious

MAY_COPY = ["clipboard-read", "clipboard-write"]


def copy_text(player: Player, button: str, summary: str = "Copy as text") -> str:
    """Press a button under that heading and return the clipboard."""
    if not player.page.get_by_role("button", name=button).is_visible():
        player.page.get_by_text(summary, exact=True).click()
    player.page.get_by_role("button", name=button).click()
    expect(player.page.locator(".toast p")).to_be_visible()
    return str(player.page.evaluate("navigator.clipboard.readText()"))


def begin_from(player: Player, text: str, summary: str = "Import from text") -> None:
    """Start a game from pasted text."""
    player.choose()
    player.page.get_by_text(summary, exact=True).click()
    player.page.locator("form textarea").fill(text)
    player.page.locator("form button.primary").click()


@pytest.mark.nightly
def test_a_copied_position_starts_another_game(sit: Sit) -> None:
    player = sit(permissions=MAY_COPY)
    player.begin_first("summer-pavilion", "grey", "me", "me")
    first = player.view()
    line = copy_text(player, "Copy position")
    assert line.startswith("summer-pavilion grey 1 acquire ")
    begin_from(player, line)
    player.page.wait_for_url("**/play#/*")
    assert player.wait_for_turn()
    again = player.read("/history/2")  # an AI may have moved since
    assert first["id"] != again["id"]
    assert first["position"] == again["position"]
    assert ["player", "ai", "ai"] == [seat["kind"] for seat in again["seats"]]


def test_a_copied_game_continues_and_the_german_dark_table_is_complete(sit: Sit) -> None:
    player = sit(permissions=MAY_COPY, locale="de-DE", color_scheme="dark")
    page = player.page
    player.begin("azul", "coloured", "me")
    expect(page.locator(".status")).to_contain_text("Nimm alle Fliesen einer Farbe")
    expect(page.locator(".log")).to_contain_text("Fliesen wurden ausgelegt")
    player.places.first.wait_for()
    offered, first = player.places.count(), player.view()
    page.get_by_role("button", name="Farbschema: System").click()
    page.get_by_role("button", name="Farbschema: Hell").click()
    expect(page.locator(":root")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".board svg style")).not_to_contain_text("prefers-color-scheme")
    expect(player.places).to_have_count(offered)
    assert [] == serious(player)
    text = copy_text(player, "Spiel kopieren", "Als Text kopieren")
    assert "\n!created\n!start\nfirst:" in text
    player.page.goto(f"{player.url}/play")
    page.locator("button.more").click()
    expect(page.get_by_role("heading", name="Neues Spiel")).to_be_visible()
    begin_from(player, text, "Aus Text importieren")
    player.page.wait_for_url("**/play#/*")
    player.places.first.wait_for()
    again = player.view()
    assert first["id"] != again["id"]
    assert (first["position"], first["revision"] + 1) == (again["position"], again["revision"])
    assert {"0", "1"} == {*player.tokens["seats"]}
    page.get_by_role("button", name="English").click()
    expect(page.locator(".log")).to_contain_text("tiles were dealt")


@pytest.mark.nightly
def test_invalid_text_is_refused_with_an_explanation(sit: Sit) -> None:
    player = sit()
    begin_from(player, "chess standard")
    expect(player.page.locator(".toast p")).to_have_text(
        "Line 1, column 1: expected one of: azul summer-pavilion queens-garden."
    )
    player.shoot("refused")
