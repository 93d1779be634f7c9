"""The table at /play, by clicks only."""

from __future__ import annotations

import math
import random
import re
from operator import itemgetter

import pytest
from playwright.sync_api import Route, expect

from service.rulesets.registry import RULESETS
from tests.browser.player import Player, Sit
from tests.e2e.stack import Stack
from tests.patience import wait_until

LATE_MS = 15_000  # the page abandons a request and repeats it
PHONE = (390, 844)
FINGER_PX = 24  # WCAG 2.2: as large as this, or as far from the next
pytestmark = pytest.mark.nightly


def crowded_places(player: Player) -> list[list[float]]:
    """Return places too small for a finger and too near to others with another meaning: x, y, width, height."""
    groups = player.places.evaluate_all(
        "all => all.map(group => [...group.children].map(each => each.getBoundingClientRect())"
        ".map(({x, y, width, height}) => [x, y, width, height]))"
    )
    middles = [[(x + width / 2, y + height / 2) for x, y, width, height in group] for group in groups]
    return [
        box
        for group, those in zip(groups, middles, strict=True)
        for box, middle in zip(group, those, strict=True)
        if min(box[2:]) < FINGER_PX
        for others in middles
        if others is not those and any(math.dist(middle, other) < FINGER_PX for other in others)
    ]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_table_fits_on_a_phone_without_crowded_touch_targets(sit: Sit, ruleset: str) -> None:
    player, rng = sit(360, 740, locale="de-DE", color_scheme="dark"), random.Random(7)
    player.begin(ruleset, RULESETS[ruleset].variants[0], "random")
    for click in range(25):
        assert player.wait_for_turn()
        assert 360 == player.page.evaluate("document.documentElement.scrollWidth")
        near = crowded_places(player)
        if near:
            player.shoot("crowded")
        assert [] == near
        if click in (0, 12, 24):
            player.shoot(f"click-{click}")
        player.click_something(rng)


def test_a_lost_connection_is_restored(sit: Sit, stack: Stack) -> None:
    player = sit()
    player.begin_first("azul", "grey", "random")
    stack.kill9("web")
    expect(player.page.get_by_text("Connection lost")).to_be_visible()
    player.shoot("lost")
    expect(player.page.get_by_text("Connection lost")).to_be_hidden()
    rng = random.Random(3)
    for _ in range(6):
        assert player.wait_for_turn()
        player.click_something(rng)


def test_a_reload_requests_each_part_of_the_game_once_and_early(sit: Sit) -> None:
    player = sit(*PHONE)
    player.begin_first("azul", "coloured", "random")
    sent = list[str]()
    player.page.on("request", lambda request: sent.append(request.url))
    player.page.reload()
    assert player.wait_for_turn()
    early = ["", "/board.svg?theme=auto&layout=narrow", "/choices", "/history?after=0&limit=200"]
    parts = [url.removeprefix(player.api) for url in sent if url.startswith(player.api)]
    asked = [part for part in parts if part.startswith(("/board", "/choices", "/history")) or not part]
    assert early == sorted(asked), "each is sent once, by the script of the page or by its modules"


def test_unanswered_requests_are_repeated(sit: Sit) -> None:
    player = sit()
    unanswered = list[str]()
    for path in ("**/history*", "**/board.svg*", "**/choices*"):
        player.page.route(path, lambda route: unanswered.append(route.request.url), times=1)
    player.page.clock.install()
    player.begin("azul", "coloured", "random")

    def is_asked_again() -> bool:
        player.page.clock.fast_forward(LATE_MS)
        return player.choices.first.is_visible()

    wait_until(is_asked_again, "the page asks again")
    assert 3 == len(unanswered)
    player.draft()


def test_a_game_continues_without_animations(sit: Sit) -> None:
    player = sit(moving=True)
    player.begin_first("azul", "coloured", "random")
    stopping = player.page.context.new_cdp_session(player.page)
    stopping.send("Animation.enable")
    stopping.send("Animation.setPlaybackRate", {"playbackRate": 0})
    player.places.first.locator("rect").first.click()
    player.places.first.click()
    expect(player.page.locator(".flying").first).to_be_attached()
    expect(player.page.locator(".flying")).to_have_count(0)
    assert player.wait_for_turn()


def test_a_late_click_is_reported_and_can_be_repeated(sit: Sit) -> None:
    player = sit()
    player.begin_first("summer-pavilion", "coloured", "me")

    def somebody_was_faster(route: Route) -> None:
        player.decide(itemgetter(-1))
        route.continue_()

    player.page.route("**/actions", somebody_was_faster, times=1)
    player.places.first.locator("polygon").first.click()
    expect(player.page.get_by_text("The game has moved on")).to_be_visible()
    before = player.view()["revision"]
    assert player.wait_for_turn()
    player.places.first.locator("polygon").first.click()
    player.wait_for_revision(before + 1)


def test_the_invitation_gives_a_seat_and_the_other_link_watches(sit: Sit) -> None:
    host, guest, watcher = sit(), sit(), sit()
    host.page.goto(f"{host.url}/play")
    host.page.get_by_label("Your name").fill("Ada")
    host.begin("queens-garden", "standard", "open")
    expect(host.page.get_by_text("Waiting for players")).to_be_visible()
    host.shoot("lobby")
    tokens = host.tokens
    guest.page.goto(f"{host.page.url}?invite={tokens['invite']}")
    expect(guest.page.get_by_role("button", name="Take a seat")).to_be_visible()
    expect(guest.page.get_by_text("Ada invites you to play Queen's Garden.")).to_be_visible()
    guest.shoot("invited")
    assert "invite" not in guest.page.url
    guest.page.get_by_label("Your name").fill("Ben")
    guest.page.get_by_role("button", name="Take a seat").click()
    watcher.page.goto(f"{host.page.url}?watch={tokens['watch']}")
    expect(watcher.page.locator(".board svg")).to_be_visible()
    to_decide = host.view()["to_decide"]
    first, second = (host, guest) if to_decide == 0 else (guest, host)
    expect(first.page.get_by_text("Your turn", exact=True)).to_be_visible()
    expect(second.page.locator(".status")).to_contain_text("is thinking")
    assert 0 == second.places.count() == watcher.places.count()
    before, rng = first.view()["revision"], random.Random(1)
    while first.view()["revision"] == before:
        if first.choices.first.is_visible():
            first.click_something(rng)
    expect(second.page.locator(f'.log li[data-revision="{before + 1}"]')).to_be_visible()
    expect(watcher.page.locator(f'.log li[data-revision="{before + 1}"]')).to_be_visible()
    guest.page.get_by_label("Write a message").fill("Good luck <b>!</b>")
    guest.page.get_by_role("button", name="Send").click()
    expect(host.page.locator(".messages li")).to_have_text("Ben: Good luck <b>!</b>")
    host.page.get_by_role("button", name="Thank you!").click()
    expect(guest.page.locator(".messages li").last).to_have_text("Ada: Thank you!")


def test_a_hint_is_shown_and_a_turn_can_be_taken_back(sit: Sit) -> None:
    player = sit()
    player.begin_first("azul", "coloured", "random")
    player.page.get_by_role("button", name="Hint").click()
    expect(player.page.locator(".hint")).to_have_text(
        re.compile(r"Take .* It .* points (ahead|behind) at the end. Chance to win: \d+%.")
    )
    expect(player.page.locator(".board .arrow.best .head")).to_have_count(1)
    before = player.view()
    player.places.first.locator("rect").first.click()
    player.places.first.click()
    player.wait_for_revision(before["revision"] + 1)
    assert player.wait_for_turn()
    player.page.get_by_role("button", name="Take back").click()
    expect(player.page.locator(".log li").last).to_contain_text("back")
    assert player.wait_for_turn()
    assert before["position"] == player.view()["position"]


def test_a_rematch_can_follow_a_resigned_game(sit: Sit) -> None:
    player = sit()
    player.begin_first("summer-pavilion", "grey", "random")
    player.resign()
    expect(player.page.locator(".status")).to_contain_text("Cuckoo (AI) won")
    first = player.game
    player.page.get_by_role("button", name="Rematch").click()
    player.page.get_by_role("button", name="Go to the rematch").click()
    player.page.wait_for_url(lambda url: first not in url)
    expect(player.page.locator(".status")).to_contain_text("Your turn")
    player.places.first.locator("polygon").first.click()


def test_uncertain_rules_of_a_side_are_mentioned(sit: Sit) -> None:
    player = sit()
    player.choose()
    notes = player.page.locator("form .note")
    for ruleset, variant, note in (
        ("azul", "grey", ""),
        ("queens-garden", "standard", "A few rules are our best reading. Details"),
        ("queens-garden", "reverse", "The scoring of this side is reconstructed"),
    ):
        player.page.locator(f'input[name="ruleset"][value="{ruleset}"]').check()
        player.page.locator(f'input[name="variant"][value="{variant}"]').check()
        if note:
            expect(notes).to_contain_text(note)
        else:
            expect(notes).to_have_count(0)


def test_a_missing_script_is_requested_again(sit: Sit) -> None:
    player = sit(1280, 800)
    requested = list[str]()

    def answer(route: Route) -> None:
        requested.append(route.request.url)
        if len(requested) == 1:
            route.fulfill(status=404, body="")
        else:
            route.continue_()

    player.page.route("**/table/table.js", answer)
    player.page.goto(f"{player.url}/play")
    expect(player.page.get_by_role("button", name="Play now").first).to_be_visible()
    assert len(requested) == 2
