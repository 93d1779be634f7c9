"""Players and strangers at the table: lobby, ratings, profiles, sign-in, and deletion."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Locator, Page, expect
from redis import Redis

from service.storage.people.leaderboards import Leaderboards, Place
from service.usecases.people import leaderboard_names
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.e2e.stack import Stack, bearer
from tests.outgoing.oidc_provider import OidcProvider
from tests.patience import wait_until

DESK, PHONE = (1280, 800), (390, 844)
MIN_FIELD_PX = 150
NO_POLLS = "((wait) => (window.setTimeout = (run, ms = 0) => (ms < 1000 ? wait(run, ms) : 0)))(setTimeout)"
"""Script after which timers of a second or more never fire, so the page cannot poll."""


def button(page: Page, name: str, *, exact: bool = True) -> Locator:
    return page.get_by_role("button", name=name, exact=exact)


def go(player: Player, page: str) -> None:
    """Open a page of the navigation."""
    player.page.get_by_role("navigation", name="Pages").get_by_role("link", name=page).click()


def arrive(player: Player, name: str) -> None:
    """Create a profile with this name."""
    player.page.goto(f"{player.url}/play#/me")
    player.page.get_by_label("Your name").fill(name)
    button(player.page, "Create a profile now").click()
    expect(player.page.get_by_role("heading", name="Name and handle")).to_be_visible()


def identity(player: Player) -> dict[str, str]:
    """Return the player's id and token stored in the browser."""
    return dict(json.loads(player.page.evaluate("localStorage.getItem('azul-table-player')")))


def expect_toast(player: Player, text: str) -> None:
    """Wait for a message of the page."""
    expect(player.page.locator(".toast")).to_contain_text(text)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_links_and_names_are_readable_on_a_narrow_phone(sit: Sit, locale: str) -> None:
    phone = sit(320, 568, locale=locale)
    phone.page.goto(f"{phone.url}/play#/me")
    labels = phone.page.locator(".bar .nav-links span")
    expect(labels).to_have_count(5)
    for label in labels.all():
        assert label.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth"), label.inner_text()
    phone.page.locator("main input").first.fill("Maximiliane")
    phone.page.locator("main .primary").first.click()
    fields = phone.page.locator("form.line input")
    expect(fields).to_have_count(2)
    for field in fields.all():
        box = field.bounding_box()
        assert box is not None
        assert box["width"] >= MIN_FIELD_PX
    phone.shoot("profile")
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 320


def seek_rated(ana: Player) -> None:
    """Let Ana seek a rated game, cancel, seek again, and open another page."""
    ana.page.goto(f"{ana.url}/play")
    go(ana, "Lobby")
    expect(ana.page.get_by_role("heading", name="Lobby")).to_be_focused()
    expect(ana.page.get_by_text("No open games right now.")).to_be_visible()
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.get_by_label("Rated").check()
    ana.page.get_by_label("Opponents").select_option("200")
    button(ana.page, "Find a game").press("Enter")
    waiting, own = (
        ana.page.get_by_role("region", name="Waiting for a game"),
        ana.page.locator(".seeks li[data-own=true]"),
    )
    expect(own).to_contain_text("Ana(you) 1500Azul, coloured side · 2 players · 60 s per turn + 10 min reserve · rated")
    expect(waiting.locator("time")).to_have_text(re.compile("0:[0-5][1-9]"))
    expect(waiting).to_contain_text("If nobody joins within 60 seconds, AIs take the seats.")
    expect(button(ana.page, "Join: Ana")).to_have_count(0)
    assert [] == serious_in_light_and_dark(ana)
    ana.shoot("waiting")
    button(ana.page, "Cancel").click()
    expect(own).to_have_count(0)
    button(ana.page, "Find a game").click()
    expect(waiting).to_be_visible()
    ana.page.reload()  # the seek continues on every page
    go(ana, "Leaderboard")
    expect(ana.page.locator(".notice")).to_contain_text("Looking for a game…")


def decide_once(stack: Stack, *players: Player) -> None:
    """Make the first decision of each player of a game."""
    game, known = players[0].game, [identity(player) for player in players]
    tokens = {one["id"]: one["token"] for one in known}
    for _ in players:
        view = stack.get(f"/games/{game}", headers=bearer(known[0]["token"])).json()
        token = tokens[view["seats"][view["to_decide"]]["player"]]
        legal = stack.get(f"/games/{game}/actions", headers=bearer(token)).json()
        stack.act(game, token, legal["actions"][0]["id"], legal["revision"]).raise_for_status()


def test_two_strangers_play_a_rated_game_from_the_lobby(sit: Sit, stack: Stack) -> None:
    ana, ben = sit(*DESK), sit(*PHONE, locale="de-DE", color_scheme="dark")
    seek_rated(ana)
    ben.page.goto(f"{ben.url}/play#/lobby")
    ben.page.get_by_label("Dein Name").fill("Ben")
    take = button(ben.page, "Mitspielen: Ana")
    expect(take).to_be_visible()
    assert [] == serious(ben)
    ben.shoot("lobby")
    take.click()
    for player, you, seats in ((ana, "Ana (you)", "Ben"), (ben, "Ben (du)", "Ana")):
        expect(player.page.locator(".seats")).to_contain_text(you)
        expect(player.page.locator(".seats")).to_contain_text(seats)
        expect(player.page.locator(".board svg")).to_be_visible()
    assert ana.game == ben.game
    expect(ana.page.locator(".bar h1")).to_have_text("Azul coloured side · rated")
    expect(button(ana.page, "Take back")).to_have_count(0)

    decide_once(stack, ana, ben)
    ana.resign()
    for player in (ana, ben):
        changes = player.page.locator(".changes li")
        expect(changes).to_have_count(2)
        expect(changes.filter(has_text="Ana")).to_contain_text("1500 → 1422−78")
        expect(changes.filter(has_text="Ben")).to_contain_text("1500 → 1578+78")
        assert [] == serious(player)
    ben.shoot("rated")

    button(ana.page, "Moves and chat").click()
    ana.page.locator(".seats").get_by_role("link", name="Ana").click()
    expect(ana.page.get_by_role("heading", name="Ana")).to_be_visible()
    expect(ana.page.locator(".ratings")).to_contain_text("Azul, 2 players1422 provisional1 game, 0 won")
    expect(ana.page.locator(".curve svg")).to_be_visible()
    assert "to 1422 on" in str(ana.page.locator(".curve svg").get_attribute("aria-label"))
    expect(ana.page.locator("tbody tr")).to_have_text(["Azul, 2 players1000", "Azul against people10"])
    assert [] == serious_in_light_and_dark(ana)
    ana.shoot("profile")
    ana.page.get_by_role("main").get_by_role("link", name="Azul", exact=True).click()  # her last game
    expect(ana.page.locator(".changes li")).to_have_count(2)


def test_challenges_are_declined_or_accepted_and_blocked_players_cannot_send_them(sit: Sit) -> None:
    ana, ben = sit(*PHONE), sit(*DESK)
    arrive(ana, "Ana")
    arrive(ben, "Ben")
    for answer in ("Decline", "Accept"):
        ben.page.goto(f"{ben.url}/play#/player/{identity(ana)['id']}")
        button(ben.page, "Challenge").click()
        ben.page.get_by_label("grey side").check()
        assert [] == serious(ben)
        button(ben.page, "Send challenge").click()
        if answer == "Decline":  # she sees it on any page; then she is in the lobby
            ana.page.get_by_role("link", name="Ben challenges you to a game").click()
        expect(ana.page.locator(".offered")).to_contain_text("Azul, grey side · 2 players · 60 s per turn + 10 min")
        assert [] == serious(ana)
        ana.shoot(answer)
        button(ana.page, f"{answer}: Ben").click()
        if answer == "Decline":
            expect_toast(ben, "Your challenge was declined.")
    for player in (ana, ben):
        expect(player.page.locator(".board svg")).to_be_visible()
    assert ana.game == ben.game
    ben.page.get_by_label("Write a message").fill("Good luck <b>!</b>")
    button(ben.page, "Send").click()
    expect(ana.page.locator(".messages li")).to_have_text("Ben: Good luck <b>!</b>")
    ana.page.goto(f"{ana.url}/play")
    card = ana.page.locator("section:has(h1) .game-card")
    expect(card).to_have_text(re.compile("^Azulagainst Ben(Your turn|Ben's turn)$"))
    expect(card.locator("img")).to_be_visible()
    ana.page.goto(f"{ana.url}/play#/player/{identity(ben)['id']}")
    button(ana.page, "Block").click()
    expect(button(ana.page, "Challenge")).to_have_count(0)
    ben.page.goto(f"{ben.url}/play#/player/{identity(ana)['id']}")
    button(ben.page, "Challenge").click()
    button(ben.page, "Send challenge").click()
    expect(ben.page.locator(".toast p")).not_to_be_empty()
    expect(ben.page.locator(".notice")).to_have_count(0)
    go(ana, "Ana")
    button(ana.page, "Unblock").click()
    expect_toast(ana, "Unblocked.")


def follow(player: Player, other: Player) -> None:
    """Follow the other player on their profile."""
    player.page.goto(f"{player.url}/play#/player/{identity(other)['id']}")
    button(player.page, "Follow").click()
    expect_toast(player, "The lobby now shows this player")


def is_online(player: Player, other: Player) -> bool:
    """Return whether the player sees that the other, whom they follow, is online."""
    headers = bearer(identity(player)["token"])
    listed = requests.get(f"{player.url}/v1/me/following", headers=headers, timeout=10).json()["following"]
    return next(bool(one["online"]) for one in listed if one["player"]["id"] == identity(other)["id"])


def test_a_challenge_to_a_friend_appears_without_a_poll(sit: Sit) -> None:
    ana, ben = sit(*PHONE), sit(*DESK)
    ana.page.context.add_init_script(NO_POLLS)
    arrive(ana, "Ana")
    arrive(ben, "Ben")
    tab, streams = ana.page.context.new_page(), list[str]()
    tab.on("request", lambda request: streams.extend([request.url] if "/v1/me/events" in request.url else []))
    tab.goto(f"{ana.url}/play#/leaders")
    follow(ben, ana)
    wait_until(lambda: is_online(ben, ana), "Ana's stream")
    go(ben, "Lobby")
    friends = ben.page.get_by_role("list", name="Friends").get_by_role("listitem")
    expect(friends).to_contain_text("Anaonline")
    assert [] == serious_in_light_and_dark(ben)
    ben.shoot("friends")
    notice, copy = (page.get_by_role("link", name="Ben challenges you to a game") for page in (ana.page, tab))
    for answer in ("Cancel", "Accept"):
        button(friends.page, "Challenge: Ana").click()
        button(ben.page, "Send challenge").click()
        expect(notice).to_be_visible()
        if answer == "Cancel":
            button(ben.page, "Cancel").click()
            expect(notice).to_have_count(0)
    expect(copy).to_be_visible()
    assert [] == streams  # the first tab passes events on
    notice.click()
    button(ana.page, "Accept: Ben").click()
    expect(ben.page.locator(".board svg")).to_be_visible()
    ben.page.goto(f"{ben.url}/play#/player/{identity(ana)['id']}")
    games = ben.page.get_by_role("list", name="Your games together").get_by_role("listitem")
    expect(games).to_contain_text("Azul with Ana")
    assert [] == serious(ben)
    ben.shoot("games_together")
    button(ben.page, "Unfollow").click()
    expect_toast(ben, "Unfollowed.")
    go(ben, "Lobby")
    expect(ben.page.get_by_role("heading", name="Open games")).to_be_visible()
    expect(ben.page.get_by_role("heading", name="Friends")).to_have_count(0)


@pytest.mark.nightly
def test_a_challenge_appears_by_polling_while_there_is_no_stream(sit: Sit) -> None:
    ana, ben = sit(*PHONE), sit(*DESK)
    ana.page.route("**/v1/me/events*", lambda route: route.abort())
    arrive(ana, "Ana")
    arrive(ben, "Ben")
    headers, body = bearer(identity(ben)["token"]), {"ruleset": "azul", "variant": "grey"}
    path = f"{ben.url}/v1/players/{identity(ana)['id']}/challenges"
    requests.post(path, json=body, headers=headers, timeout=10).raise_for_status()
    expect(ana.page.get_by_role("link", name="Ben challenges you to a game")).to_be_visible()


def test_a_player_is_online_while_a_tab_is_visible_unless_they_hide_it(sit: Sit) -> None:
    ana, ben = sit(*PHONE), sit(*DESK)
    ana.page.clock.install()
    arrive(ana, "Ana")
    arrive(ben, "Ben")
    follow(ben, ana)
    wait_until(lambda: is_online(ben, ana), "Ana's stream")
    for hidden in ("true", "false"):
        ana.page.evaluate(
            f"Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        if hidden == "true":
            assert is_online(ben, ana)
            ana.page.clock.fast_forward(60_000)
        wait_until(lambda: is_online(ben, ana) == (hidden == "false"), f"the stream of a tab with hidden={hidden}")  # noqa: B023 - called at once
    ana.page.get_by_label("Hide from others that I am online or watching").check()
    wait_until(lambda: not is_online(ben, ana), "a hidden stream")


def test_a_player_changes_their_name_signs_in_elsewhere_and_deletes_their_profile(
    sit: Sit, provider: OidcProvider, tmp_path: Path
) -> None:
    provider.subject = "subject of this test"
    phone, desk = sit(*PHONE), sit(*DESK)
    phone.page.goto(f"{phone.url}/play#/me")
    expect(button(phone.page, "Sign in with Local (127.0.0.1)")).to_be_visible()
    assert [] == serious(phone)
    arrive(phone, "Cleo")
    ours = identity(phone)
    handle = phone.page.get_by_label("Handle", exact=True)
    handle.fill("me")
    handle.press("Enter")
    assert not handle.evaluate("field => field.validity.valid")
    handle.fill(f"c-{ours['id'].replace('_', '').replace('-', '')[:8]}")
    handle.press("Enter")
    expect_toast(phone, "Saved.")
    phone.page.get_by_label("Name", exact=True).fill("Cleopatra")
    button(phone.page, "Save: Name").click()
    expect(phone.page.get_by_role("navigation")).to_contain_text("Cleopatra")
    button(phone.page, "Link: Local (127.0.0.1)").click()
    expect_toast(phone, "Linked")
    expect(button(phone.page, "Unlink: Local (127.0.0.1)")).to_be_visible()
    assert phone.page.url.endswith("/play#/me")  # no code is left in the address
    assert [] == serious_in_light_and_dark(phone)
    phone.shoot("linked")

    desk.page.goto(f"{desk.url}/play#/me")
    button(desk.page, "Sign in with Local (127.0.0.1)").click()
    expect_toast(desk, "You are signed in.")
    assert (ours["id"], True) == (identity(desk)["id"], identity(desk)["token"] != ours["token"])
    devices = desk.page.locator(".tokens li")
    expect(devices.nth(1)).to_contain_text("Chrome, Linux (this browser)")
    desk.shoot("devices")
    button(desk.page, "Remove: Unnamed device").click()
    expect(devices).to_have_count(1)
    phone.page.reload()
    expect(button(phone.page, "Create a profile now")).to_be_visible()  # its token is gone

    button(desk.page, "Unlink: Local (127.0.0.1)").click()
    expect(button(desk.page, "Link: Local (127.0.0.1)")).to_be_visible()
    with desk.page.expect_download() as download:
        button(desk.page, "Download my data").click()
    download.value.save_as(tmp_path / "player.json")
    assert "Cleopatra" == json.loads((tmp_path / "player.json").read_text())["player"]["name"]
    button(desk.page, "Delete profile").click()
    assert [] == serious(desk)
    button(desk.page, "Cancel").click()
    assert 200 == requests.get(f"{desk.url}/v1/players/{ours['id']}", timeout=10).status_code
    button(desk.page, "Delete profile").click()
    button(desk.page, "Delete permanently").click()
    expect_toast(desk, "Deleted.")
    expect(button(desk.page, "Create a profile now")).to_be_visible()
    assert 404 == requests.get(f"{desk.url}/v1/players/{ours['id']}", timeout=10).status_code


def test_a_foreign_sign_in_code_is_refused(sit: Sit) -> None:
    player = sit(*PHONE)
    player.page.goto(f"{player.url}/play?code=stolen&state=begun-elsewhere")
    expect_toast(player, "This sign-in did not start here.")
    expect(button(player.page, "Create a profile now")).to_be_visible()
    assert "stolen" not in player.page.url


@pytest.mark.nightly
def test_a_leaderboard_is_paged_and_shows_players_their_own_rank(sit: Sit, stack: Stack) -> None:
    ana = sit(*PHONE)
    arrive(ana, "Ana")
    made = [
        requests.post(f"{stack.api}/players", json={"name": f"P{number}"}, timeout=10).json()["player"]["id"]
        for number in range(52)
    ]
    with Redis.from_url(stack.redis_url) as redis:
        table = Leaderboards(redis, (1,))
        name = leaderboard_names.board("queens-garden", "many", leaderboard_names.PEOPLE, leaderboard_names.QUARTER, 0)
        for number, player in enumerate([*made[:26], identity(ana)["id"], *made[26:]]):
            table.place(name, Place(player, 2000 - number, round(1000 * time.time()), is_ranked=True), 1000)
    go(ana, "Leaderboard")
    expect(ana.page.get_by_text("Nobody is ranked yet")).to_be_visible()
    ana.page.get_by_label("Queen's Garden").check()
    ana.page.get_by_label("3–4 players").check()
    rows = ana.page.locator(".leaders tbody tr")
    expect(rows).to_have_count(50)
    expect(rows.first).to_have_text("1P02000")
    button(ana.page, "Show more").click()
    expect(rows).to_have_count(53)
    assert [] == serious_in_light_and_dark(ana)
    ana.page.get_by_label("Around my rank").check()
    expect(rows).to_have_count(11)
    expect(ana.page.locator("tr[data-own=true]")).to_have_text("27Ana(you)1974")
    ana.shoot("around")
    ana.page.get_by_label("This week").check()
    expect(ana.page.get_by_text("You are not ranked yet")).to_be_visible()
    ana.page.get_by_label("Last 90 days").check()
    rows.nth(0).get_by_role("link").click()
    expect(ana.page.get_by_text("No rated games yet.")).to_be_visible()
