"""Presence at the table: people see each other arrive, watch, and leave."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious
from tests.patience import wait_until

pytestmark = pytest.mark.nightly


def look_again(player: Player) -> None:
    """Let the page poll at once, as when it becomes visible."""
    player.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def enter(player: Player, name: str) -> None:
    """Create a player with this name in the browser."""
    player.page.goto(f"{player.url}/play")
    player.page.evaluate(
        """async (name) => {
            const body = JSON.stringify({ name });
            const headers = { "Content-Type": "application/json" };
            const { token, player } = await (await fetch("/v1/players", { method: "POST", headers, body })).json();
            localStorage.setItem("azul-table-player", JSON.stringify({ token, id: player.id }));
        }""",
        name,
    )


def test_watchers_are_shown_to_players_until_they_leave(sit: Sit) -> None:
    ana, ben, cleo = sit(), sit(), sit(390, 844, locale="de-DE")
    ana.begin("azul", "coloured", "random")
    present = ana.page.locator(".seats .here")
    expect(present).to_have_count(1)
    expect(ana.page.locator(".watching, .counted")).to_have_count(0)
    enter(ben, "Ben")
    for watcher in (ben, cleo):
        watcher.page.goto("about:blank")  # otherwise the old page would watch anonymously for a moment
        watcher.page.goto(f"{ana.url}/play#/{ana.game}?watch={ana.tokens['watch']}")
        expect(watcher.page.locator(".board > svg")).to_be_visible()
    seen = ana.page.locator(".watching")
    look_again(ana)
    expect(seen).to_have_text("2 watching: Ben, 1 guest")
    assert [] == serious(ana)
    ana.shoot("watched")
    look_again(cleo)
    expect(cleo.page.locator(".watching")).to_have_text("2 schauen zu: du, Ben")
    expect(cleo.page.locator(".seats .here")).to_have_count(1)
    cleo.shoot("watching")
    ben.page.get_by_label("Watch anonymously").check()
    expect(ben.page.locator(".watching")).to_have_text("2 watching: you, 1 guest")
    assert [] == serious(ben)
    ben.shoot("counted")
    look_again(ana)
    expect(seen).to_have_text("2 watching: 2 guests")
    ben.page.close()
    cleo.page.close()
    for _ in range(2):  # the service notices closed streams with the next event
        assert ana.wait_for_turn()
        ana.drop()
    assert ana.wait_for_turn()

    def is_alone() -> bool:
        look_again(ana)
        return seen.count() == 0

    wait_until(is_alone, "the watchers are gone")
    expect(present).to_have_count(1)
