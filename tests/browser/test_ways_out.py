"""Leaving and cancelling, reasons of disabled buttons, and information about opponents."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta

import pytest
import requests
from playwright.sync_api import expect
from redis import Redis

from service.storage.people.leaderboards import Leaderboards, Place
from service.usecases.people import leaderboard_names
from tests.browser.player import Sit
from tests.browser.test_people import DESK, PHONE, arrive, button, expect_toast, go, identity
from tests.e2e.stack import Stack, bearer

pytestmark = pytest.mark.nightly


def create_player(stack: Stack, name: str) -> tuple[str, dict[str, str]]:
    """Create a player. Return their id and headers."""
    made = requests.post(f"{stack.api}/players", json={"name": name}, timeout=10).json()
    return made["player"]["id"], {"Authorization": f"Bearer {made['token']}"}


def test_signing_out_clears_the_browser_and_ends_the_token(sit: Sit) -> None:
    ana = sit(*PHONE)
    arrive(ana, "Ana")
    ours = identity(ana)
    button(ana.page, "Sign out").click()
    dialog = ana.page.get_by_role("alertdialog", name="Sign out")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    button(ana.page, "Sign out").click()
    dialog.get_by_role("button", name="Sign out").click()
    expect_toast(ana, "Signed out.")
    expect(button(ana.page, "Create a profile now")).to_be_visible()
    assert "null" == ana.page.evaluate("localStorage.getItem('azul-table-player')")
    assert 401 == requests.get(f"{ana.url}/v1/me", headers=bearer(ours["token"]), timeout=10).status_code
    assert 200 == requests.get(f"{ana.url}/v1/players/{ours['id']}", timeout=10).status_code  # the account still exists


def test_disabled_buttons_say_why(sit: Sit, stack: Stack) -> None:
    ben = sit(*DESK)
    ben.page.goto(f"{ben.url}/play#/me")
    create = button(ben.page, "Create a profile now")
    expect(create).to_be_disabled()
    expect(create).to_have_accessible_description("Enter a name first.")
    ben.page.get_by_label("Your name").fill("Ben")
    expect(create).to_be_enabled()
    expect(create).to_have_accessible_description("")
    create.click()
    ben.page.goto(f"{ben.url}/play#/player/{create_player(stack, 'Hanna')[0]}")
    challenge = button(ben.page, "Challenge")
    expect(challenge).to_be_enabled()
    expect(challenge).to_have_accessible_description("")
    go(ben, "Lobby")
    button(ben.page, "Find a game").click()
    ben.page.go_back()
    expect(challenge).to_be_disabled()
    expect(challenge).to_have_accessible_description(
        "You are already looking for a game or waiting for an answer. Cancel that first."
    )
    button(ben.page, "Cancel").click()
    expect(challenge).to_be_enabled()


@pytest.mark.parametrize("screen", [DESK, PHONE])
def test_the_note_on_a_level_is_below_its_field(sit: Sit, screen: tuple[int, int]) -> None:
    player = sit(*screen)
    player.choose()
    note = player.page.locator("form .field .expected").first
    expect(note).to_be_visible()
    field = player.page.locator("form .field:has(.expected) select").first.bounding_box()
    box = note.bounding_box()
    assert field is not None
    assert box is not None
    assert abs(box["x"] - field["x"]) <= 1
    assert box["y"] >= field["y"] + field["height"]
    assert box["x"] + box["width"] <= field["x"] + field["width"] + 1


def test_leaderboards_of_people_and_programs_are_separate(sit: Sit, stack: Stack) -> None:
    ana = sit(*DESK)
    with Redis.from_url(stack.redis_url) as redis:
        table = Leaderboards(redis, (1,))
        for kind, name in ((leaderboard_names.PEOPLE, "Person"), (leaderboard_names.BOTS, "Program")):
            board = leaderboard_names.board("summer-pavilion", "many", kind, leaderboard_names.QUARTER, 0)
            table.place(
                board, Place(create_player(stack, name)[0], 1800, round(1000 * time.time()), is_ranked=True), 1000
            )
    ana.page.goto(f"{ana.url}/play#/leaders/summer-pavilion/many")
    rows = ana.page.locator(".leaders tbody tr")
    expect(rows).to_have_text(["1Person1800"])
    ana.page.get_by_label("Bots").check()
    expect(rows).to_have_text(["1Program1800"])
    ana.page.get_by_label("People", exact=True).check()
    expect(rows).to_have_text(["1Person1800"])


def test_mixed_games_are_marked_and_a_competition_can_be_left(sit: Sit, stack: Stack) -> None:
    ben = sit(*PHONE)
    arrive(ben, "Ben")
    _, host = create_player(stack, "Hanna")
    settings = {"ruleset": "azul", "variant": "grey", "rated": True, "mixed": True, "clock": {"turn_s": 60}}
    seek = requests.post(f"{stack.api}/seeks", json=settings, headers=host, timeout=10)
    assert 201 == seek.status_code, seek.text
    go(ben, "Lobby")
    row = ben.page.locator(".seeks li", has_text="Hanna")
    expect(row).to_contain_text("rated · people and bots")
    soon = (datetime.now(UTC) + timedelta(minutes=20)).isoformat()
    swiss = {"name": "Mixed Open", "format": "swiss", "rounds": 1, "starts_at": soon, "open_to": "everybody"}
    body = {**{name: settings[name] for name in ("ruleset", "variant", "rated", "clock")}, **swiss}
    made = requests.post(f"{stack.api}/competitions", json=body, headers=host, timeout=10)
    assert 201 == made.status_code, made.text
    ben.page.goto(f"{ben.url}/play#/competition/{made.json()['id']}")
    expect(ben.page.get_by_text("People and bots play rated games against each other here.")).to_be_visible()
    button(ben.page, "Join").click()
    own = ben.page.locator(".standings tr[data-own=true]")
    expect(own).to_be_visible()
    button(ben.page, "Leave").click()
    expect(own).to_have_count(0)
    expect(button(ben.page, "Join")).to_be_visible()


def test_a_decision_of_several_steps_is_cancelled_at_once(sit: Sit) -> None:
    player, rng = sit(*DESK), random.Random(5)
    player.begin("queens-garden", "standard", "random")
    cancel = button(player.page, "Cancel")
    for _ in range(60):
        assert player.wait_for_turn()
        if cancel.count():
            break
        player.click_something(rng)
    revision = player.view()["revision"]
    cancel.click()
    expect(cancel).to_have_count(0)
    expect(button(player.page, "Back")).to_have_count(0)
    expect(player.page.locator(".board .taken")).to_have_count(0)
    assert revision == player.view()["revision"]
    assert player.wait_for_turn()  # something can be chosen again
