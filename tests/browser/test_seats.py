"""Seats of absent people: an own seat is taken back, another's is taken over."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from playwright.sync_api import Locator, Request, expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious
from tests.e2e.stack import Stack, bearer

TURN_S = 1
SLOW_TURN_S = 8  # time for a returned player to decide
OPEN, PERSON = {"kind": "open"}, {"kind": "player", "name": "Somebody"}


def create_game(stack: Stack, *seats: dict[str, str], **options: Any) -> dict[str, Any]:
    """Create a private game in which seat 0 starts."""
    body = {"ruleset": "azul", "variant": "coloured", "visibility": "private", "first_seat": 0}
    return stack.create(**body, seats=seats, **options)


def take_a_seat(player: Player, game: dict[str, Any], name: str) -> None:
    """Open the invitation and take a seat."""
    player.page.goto(f"{player.url}/play#/{game['game']['id']}?invite={game['tokens']['invite']}")
    player.page.get_by_label("Your name").fill(name)
    player.page.get_by_role("button", name="Take a seat").click()
    expect(player.page.locator(".seats")).to_contain_text(f"{name} (you)")


def claim_for_another(player: Player, game: dict[str, Any], seat: int) -> None:
    """Take the seat on another device as soon as possible."""
    body = {"seat": seat, "name": "Cleo", "token": game["tokens"]["invite"]}
    expect(seat_of(player, seat)).to_have_attribute("data-status", "away")
    assert 201 == requests.post(f"{player.api}/seats", json=body, timeout=10).status_code


def seat_of(player: Player, seat: int) -> Locator:
    """Return a seat in the list."""
    return player.page.locator(".seats li").nth(seat)


def forget_links(player: Player) -> None:
    """Keep only the tokens of seats, as if those of links had been rotated."""
    player.page.evaluate(
        "id => {"
        "const games = JSON.parse(localStorage.getItem('azul-table-games'));"
        "delete games[id].invite;"
        "localStorage.setItem('azul-table-games', JSON.stringify(games)); }",
        player.game,
    )
    player.page.reload()


def others_decide(stack: Stack, game: dict[str, Any]) -> None:
    """Decide for others until seat 0 must decide."""
    path, tokens = f"/games/{game['game']['id']}", game["tokens"]
    while (legal := stack.get(f"{path}/actions", headers=bearer(tokens["host"])).json())["seat"] != 0:
        token = tokens["seats"][str(legal["seat"])]
        stack.act(game["game"]["id"], token, legal["actions"][0]["id"], legal["revision"])


def test_a_guest_sees_who_invites_and_every_player_has_one_name(sit: Sit, stack: Stack) -> None:
    guest = sit()
    game = create_game(stack, {"kind": "player", "name": "Ada"}, OPEN, {"kind": "ai", "level": "casual"})
    guest.page.goto(f"{guest.url}/play#/{game['game']['id']}?invite={game['tokens']['invite']}")
    expect(guest.page.get_by_text("Ada invites you to play Azul.")).to_be_visible()
    guest.shoot("invited")
    assert [] == serious(guest)
    take_a_seat(guest, game, "Ben")
    for language, names in (("Deutsch", ["Ada", "Ben", "Lark (AI)"]), ("English", ["Ada", "Ben", "Lerche (KI)"])):
        expect(guest.page.locator(".views [data-seat-colour]")).to_have_text(names)
        for seat, name in enumerate(names):
            expect(seat_of(guest, seat).locator(".name")).to_contain_text(name)
            expect(guest.page.locator(f".board #seat_{seat} text", has_text=name)).to_have_text(name)
        guest.page.get_by_role("button", name=language).click()
    guest.page.locator(".seats summary").click()
    expect(seat_of(guest, 2)).to_contain_text("Plays solidly on its own board")
    guest.shoot("characters")
    assert [] == serious(guest)


def test_a_phone_shows_the_clock_and_the_way_back_next_to_whose_turn_it_is(sit: Sit, stack: Stack) -> None:
    phone, game = sit(390, 844), create_game(stack, OPEN, PERSON, PERSON, clock={"turn_s": SLOW_TURN_S})
    take_a_seat(phone, game, "Anna")
    expect(phone.page.locator(".status time.clock")).to_be_in_viewport(ratio=1)
    phone.shoot("clock")
    expect(phone.page.locator(".status").get_by_role("button", name="Play on myself: Anna")).to_be_in_viewport(ratio=1)
    phone.shoot("away")
    assert [] == serious(phone)


@pytest.mark.nightly
@pytest.mark.parametrize("links", [True, False])
def test_a_timed_out_player_takes_their_seat_back(sit: Sit, stack: Stack, *, links: bool) -> None:
    player, game = sit(), create_game(stack, OPEN, PERSON, PERSON, clock={"turn_s": SLOW_TURN_S})
    requests_for_choices: list[Request] = []
    player.page.on(
        "request", lambda request: requests_for_choices.append(request) if request.url.endswith("/choices") else None
    )
    take_a_seat(player, game, "Anna")
    if not links:
        forget_links(player)
    play_on = player.page.get_by_role("button", name="Play on myself: Anna")
    assert player.wait_for_turn()
    choices = len(requests_for_choices)
    expect(play_on).to_have_count(0)
    with stack.suspend("worker"):
        expect(seat_of(player, 0)).to_contain_text("away, an AI plays")
        expect(player.page.locator(".status")).to_contain_text("An AI plays for Anna")
        expect(player.places).to_have_count(0)
        player.shoot("away")
    assert [] == serious(player)
    assert choices == len(requests_for_choices)  # no requests while the AI decides
    before = player.tokens["seats"]["0"]
    play_on.focus()
    player.page.keyboard.press("Enter")
    expect(play_on).to_have_count(0)
    expect(seat_of(player, 0)).not_to_contain_text("away")
    expect(seat_of(player, 0)).to_contain_text("Anna (you)")
    assert before != player.tokens["seats"]["0"]
    others_decide(stack, game)
    assert player.wait_for_turn()
    player.shoot("back")
    player.draft()
    expect(player.page.locator(".banner")).to_have_count(0)


def take_the_seat_of_anna(stack: Stack, anna: Player, ben: Player, *, turns: int = 0) -> None:
    """Let Ben take Anna's seat during her choice. Before that both take some turns."""
    game = create_game(stack, OPEN, OPEN)
    take_a_seat(anna, game, "Anna")
    take_a_seat(ben, game, "Ben")
    take_over = ben.page.get_by_role("button", name="Take this seat: Anna")
    for player in turns * [anna, ben]:
        assert player.wait_for_turn()
        player.draft()
    assert anna.wait_for_turn()
    anna.places.first.locator("rect").first.click()
    expect(take_over).to_be_visible()
    expect(anna.page.locator(".seats button")).to_have_count(0)
    take_over.scroll_into_view_if_needed()
    ben.shoot("gone")
    assert [] == serious(ben)
    take_over.click()
    expect(anna.page.get_by_text("Someone else took your seat. You are watching.")).to_be_visible()


@pytest.mark.nightly
def test_an_abandoned_seat_is_taken_over_and_its_player_watches(sit: Sit, stack: Stack) -> None:
    anna, ben = sit(), sit(390, 800)
    take_the_seat_of_anna(stack, anna, ben)
    expect(anna.places).to_have_count(0)
    expect(anna.buttons).to_have_count(0)
    expect(anna.page.get_by_role("button", name="Resign")).to_have_count(0)
    assert {} == anna.tokens["seats"]
    assert {"0", "1"} == set(ben.tokens["seats"])
    anna.shoot("taken")
    assert [] == serious(anna)
    expect(ben.page.locator(".seats button")).to_have_count(0)
    assert ben.wait_for_turn()
    ben.draft()
    anna.wait_for_revision(ben.view()["revision"])
    expect(anna.page.locator(".log b")).to_have_text(["Ben 1"])


@pytest.mark.nightly
def test_a_player_who_lost_a_seat_takes_another_abandoned_one(sit: Sit, stack: Stack) -> None:
    anna, ben = sit(), sit(390, 800)
    take_the_seat_of_anna(stack, anna, ben, turns=1)
    assert ben.wait_for_turn()
    ben.draft()
    anna.wait_for_revision(ben.view()["revision"])
    expect(anna.page.locator(".log b")).to_have_text(["Anna", "Ben 2", "Ben 1"])
    anna.page.reload()
    expect(anna.page.get_by_text("Someone else took your seat. You are watching.")).to_be_visible()
    expect(anna.page.locator(".board svg")).to_be_visible()
    back = anna.page.get_by_role("button", name="Take this seat: Ben 2")
    expect(anna.page.get_by_text("Playing as Anna")).to_be_visible()
    anna.shoot("may-come-back")
    back.click()
    assert anna.wait_for_turn()
    expect(anna.page.locator(".banner")).to_have_count(0)
    expect(ben.places).to_have_count(0)


@pytest.mark.nightly
def test_a_player_without_a_link_sees_that_their_seat_was_taken(sit: Sit, stack: Stack) -> None:
    player = sit()
    game = create_game(stack, OPEN, PERSON, PERSON, clock={"turn_s": TURN_S})
    take_a_seat(player, game, "Anna")
    forget_links(player)
    claim_for_another(player, game, 0)
    actual = player.page.get_by_text("Someone else took your seat.")
    expect(actual).to_be_visible()
    player.shoot("taken")
    assert {} == player.tokens["seats"]
    player.page.reload()
    expect(actual).to_be_visible()


@pytest.mark.nightly
def test_a_seat_taken_while_the_page_was_closed_cannot_be_played(sit: Sit, stack: Stack) -> None:
    player, other = sit(), sit()
    game = create_game(stack, OPEN, PERSON, PERSON, clock={"turn_s": TURN_S})
    take_a_seat(player, game, "Anna")
    url = player.page.url
    player.page.goto("about:blank")
    other.page.goto(f"{url}?watch={game['tokens']['watch']}")
    claim_for_another(other, game, 0)
    expect(other.page.locator(".seats")).to_contain_text("Cleo")
    expect(other.page.locator(".seats button")).to_have_count(0)
    player.page.goto(url)
    expect(player.page.get_by_text("Someone else took your seat. You are watching.")).to_be_visible()
    assert {} == player.tokens["seats"]


@pytest.mark.nightly
def test_two_tabs_of_a_browser_have_the_same_seats(sit: Sit, stack: Stack) -> None:
    player = sit()
    game = create_game(stack, OPEN, OPEN)
    player.page.goto(f"{player.url}/play#/{game['game']['id']}?invite={game['tokens']['invite']}")
    tab = player.page.context.new_page()
    tab.goto(player.page.url)
    expect(tab.get_by_role("button", name="Take a seat")).to_be_visible()
    take_a_seat(player, game, "Anna")
    expect(tab.locator(".seats")).to_contain_text("Anna (you)")
    ben = {"name": "Ben", "token": game["tokens"]["invite"]}
    assert 201 == requests.post(f"{player.api}/seats", json=ben, timeout=10).status_code
    expect(tab.locator(".status")).to_contain_text("Your turn")
    assert player.wait_for_turn()


@pytest.mark.nightly
def test_a_player_who_lost_on_time_cannot_return(sit: Sit, stack: Stack) -> None:
    player = sit(locale="de-DE")
    game = create_game(stack, OPEN, PERSON, PERSON, PERSON, clock={"turn_s": 1, "bank_s": 1, "on_timeout": "lose"})
    player.page.goto(f"{player.url}/play#/{game['game']['id']}?invite={game['tokens']['invite']}")
    player.page.get_by_role("button", name="Platz nehmen").click()
    expect(seat_of(player, 0)).to_contain_text("Zeit abgelaufen")
    expect(player.places).to_have_count(0)
    expect(player.page.get_by_role("button", name="Aufgeben")).to_have_count(0)
    player.shoot("lost")
    expect(player.page.locator(".seats button")).to_have_count(0)
