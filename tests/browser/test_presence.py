"""Who is at the table: people see each other come, watch, and go."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious
from tests.browser.test_people import look_again
from tests.patience import until

pytestmark = pytest.mark.nightly


def enter(player: Player, name: str) -> None:
    """Have a player of this name made for the browser."""
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


def test_who_watches_is_seen_by_those_who_play_and_gone_when_they_have_left(sit: Sit) -> None:
    ana, ben, cleo = sit(), sit(), sit(390, 844, locale="de-DE")
    ana.begin("azul", "coloured", "random")
    here = ana.page.locator(".seats .here")
    expect(here).to_have_count(1)
    expect(ana.page.locator(".watching, .counted")).to_have_count(0)
    enter(ben, "Ben")
    for watcher in (ben, cleo):
        watcher.page.goto("about:blank")  # else the page that is there would watch for a moment, and as nobody's
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
    for _ in range(2):  # the service notices that they have gone when it tells them what has happened
        assert ana.wait_for_turn()
        ana.drop()
    assert ana.wait_for_turn()

    def is_alone() -> bool:
        look_again(ana)
        return seen.count() == 0

    until(is_alone, "the watchers are gone")
    expect(here).to_have_count(1)
