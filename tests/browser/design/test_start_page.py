"""The start page of a new visitor, and of a player with games."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.player import Player, Sit
from tests.browser.test_phone import MAX_SHIFT, WATCHING_SHIFTS
from tests.e2e.stack import Stack

PHONE = (390, 844)
KEY = "'azul-table-games'"
IS_COMPLETE = "image => image.complete && image.naturalWidth > 0"


def create_two_seat_game(stack: Stack, ruleset: str, *, first_seat: int, visibility: str) -> dict[str, Any]:
    """Create a running game of Mia and Noah."""
    seats = [{"kind": "player", "name": name} for name in ("Mia", "Noah")]
    variant = "coloured"
    return stack.create(ruleset=ruleset, variant=variant, seats=seats, first_seat=first_seat, visibility=visibility)


def store(player: Player, *created: dict[str, Any]) -> None:
    """Store games in the browser as if seat 0 had been played in it, the first one as the newest."""
    games = {
        game["game"]["id"]: {
            "id": game["game"]["id"],
            "ruleset": game["game"]["ruleset"],
            "since": {},
            "taken": False,
            "at": -at,
            "seats": {"0": game["tokens"]["seats"]["0"]},
            "host": game["tokens"]["host"],
        }
        for at, game in enumerate(created)
    }
    stored = json.dumps(json.dumps(games))
    player.page.add_init_script(f"localStorage.getItem({KEY}) ?? localStorage.setItem({KEY}, {stored})")


def expect_loaded(image: Locator) -> None:
    """Wait until a picture is visible and loaded."""
    expect(image).to_be_visible()
    handle = image.element_handle()
    assert handle is not None
    image.page.wait_for_function(IS_COMPLETE, arg=handle)


def test_a_visitor_sees_a_board_and_plays_at_once(sit: Sit) -> None:
    player = sit(*PHONE, locale="de-DE")
    player.page.add_init_script(WATCHING_SHIFTS)
    player.page.goto(f"{player.url}/play")
    play = player.page.get_by_role("button", name="Gegen eine KI spielen")
    expect(play).to_be_in_viewport(ratio=1)
    expect_loaded(player.page.get_by_role("img", name="Eine Partie Azul"))
    expect(player.page.get_by_role("contentinfo").get_by_role("link")).to_have_count(4)
    expect(player.page.locator(".bar a[href=docs]")).to_have_count(0)
    daily = player.page.get_by_role("region", name="Rätsel des Tages")
    expect(daily.get_by_role("link", name="Finde den besten Zug")).to_have_attribute("href", "#/puzzles/daily")
    daily.scroll_into_view_if_needed()
    expect_loaded(daily.locator("img"))
    player.page.evaluate("scrollTo(0, 0)")
    player.shoot("visitor")
    assert player.page.evaluate("window.shift") < MAX_SHIFT
    play.click()
    assert player.wait_for_turn()
    assert "azul" == player.view()["ruleset"]


def test_a_player_continues_games_and_watches_others(sit: Sit, stack: Stack) -> None:
    theirs = create_two_seat_game(stack, "azul", first_seat=1, visibility="private")
    ours = create_two_seat_game(stack, "summer-pavilion", first_seat=0, visibility="public")
    public = create_two_seat_game(stack, "azul", first_seat=0, visibility="public")
    player = sit(*PHONE)
    store(player, theirs, ours)
    player.page.add_init_script(WATCHING_SHIFTS)
    player.page.goto(f"{player.url}/play")
    cards = player.page.locator("section:has(h1) .game-card")
    expect(cards).to_have_text(["Summer Pavilionagainst NoahYour turn", "Azulagainst NoahNoah's turn"])
    for card in cards.all():
        card.scroll_into_view_if_needed()
        expect_loaded(card.locator("img"))
    player.shoot("player")
    assert player.page.evaluate("window.shift") < MAX_SHIFT
    watched = player.page.get_by_role("region", name="Games to watch").locator(".game-card")
    live = watched.filter(has=player.page.locator(f"a[href$='{public['game']['id']}']"))
    expect(live).to_have_text("AzulMia, NoahMia's turn")
    live.scroll_into_view_if_needed()
    expect_loaded(live.locator("img"))
    expect(watched.locator(f"a[href$='{ours['game']['id']}']")).to_have_count(0)
    cards.last.get_by_role("button", name="Forget: Azul").click()
    dialog = player.page.get_by_role("alertdialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    player.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    cards.last.get_by_role("button", name="Forget: Azul").click()
    dialog.get_by_role("button", name="Forget").click()
    expect(cards).to_have_count(1)
    cards.first.get_by_role("link").click()
    assert player.wait_for_turn()
    assert ours["game"]["id"] == player.game


def test_two_people_take_turns_on_one_device(sit: Sit) -> None:
    player = sit()
    player.page.goto(f"{player.url}/play")
    player.page.get_by_label("Opponent").select_option(label="Somebody next to me")
    expect(player.page.get_by_text("you take turns on this device")).to_be_visible()
    player.page.get_by_role("button", name="Play now: Azul").click()
    deciding = []
    for _ in range(2):
        assert player.wait_for_turn()
        deciding.append(player.view()["to_decide"])
        player.draft()
    assert [0, 1] == sorted(deciding)
