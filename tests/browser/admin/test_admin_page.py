"""The admin page: its sections by clicking, as the operator and as a moderator."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from playwright.sync_api import Locator, expect

from tests.browser.conftest import ADMIN_TOKEN
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.e2e.stack import Stack, bearer
from tests.patience import HANG_S, wait_until

DESK, PHONE = (1440, 900), (390, 844)


def post(stack: Stack, path: str, token: str, **body: Any) -> dict[str, Any]:
    """POST, and return the body of the response."""
    answer = requests.post(f"{stack.api}{path}", json=body, headers=bearer(token), timeout=HANG_S)
    assert answer.ok, answer.text
    return dict(answer.json())


def report_message(stack: Stack, text: str) -> str:
    """Let a player report a message of another one, Ben. Return Ben's id."""
    ana, ben = (post(stack, "/players", "", name=name) for name in ("Ana", "Ben"))
    rules = {"ruleset": "azul", "variant": "grey"}
    challenge = post(stack, f"/players/{ben['player']['id']}/challenges", ana["token"], **rules)
    game = post(stack, f"/challenges/{challenge['id']}/accept", ben["token"])["game_id"]
    post(stack, f"/games/{game}/messages", ben["token"], text=text)
    post(stack, "/reports", ana["token"], type="message", category="abuse", game_id=game, message=1, text=text)
    return str(ben["player"]["id"])


def lose_rated_game(stack: Stack) -> str:
    """Let a player, Ben, lose a rated game. Return Ben's id."""
    players = [post(stack, "/players", "", name=name) for name in ("Ana", "Ben")]
    tokens = {each["player"]["id"]: each["token"] for each in players}
    ana, ben = tokens
    rules = {"ruleset": "azul", "variant": "grey", "rated": True, "clock": {"turn_s": 600, "bank_s": 600}}
    challenge = post(stack, f"/players/{ben}/challenges", tokens[ana], **rules)
    game = post(stack, f"/challenges/{challenge['id']}/accept", tokens[ben])["game_id"]
    for _ in players:  # a game counts once everyone has decided
        view = stack.get(f"/games/{game}", headers=bearer(tokens[ana])).json()
        token = tokens[view["seats"][view["to_decide"]]["player"]]
        legal = stack.get(f"/games/{game}/actions", headers=bearer(token)).json()
        stack.act(game, token, legal["actions"][0]["id"], legal["revision"]).raise_for_status()
    post(stack, f"/games/{game}/resignation", tokens[ben])
    path = f"/admin/players/{ben}/rated-games"
    wait_until(lambda: stack.get(path, headers=bearer(ADMIN_TOKEN)).json()["games"], "a rated game")
    return ben


def sign_in(player: Player, token: str) -> None:
    player.page.goto(f"{player.url}/admin")
    player.page.get_by_label("Token").fill(token)
    player.page.get_by_role("button", name="Sign in").click()
    expect(player.page.get_by_role("heading", level=1, name="Reports")).to_be_visible()


def go(player: Player, section: str) -> None:
    """Open a section of the navigation."""
    player.page.get_by_role("navigation", name="Sections").get_by_role("link", name=section).click()
    expect(player.page.get_by_role("heading", level=1, name=section)).to_be_visible()


def press(place: Locator | Player, name: str) -> None:
    within = place.page if isinstance(place, Player) else place
    within.get_by_role("button", name=name, exact=True).click()


def new_moderator(stack: Stack) -> str:
    return str(post(stack, "/admin/staff", ADMIN_TOKEN, name="Moderator 1", role="moderator")["token"])


def test_a_moderator_resolves_a_report_and_finds_it_in_the_log(sit: Sit, stack: Stack) -> None:
    ben, text = report_message(stack, "You are slow."), "You are slow."
    moderator = sit(*DESK)
    sign_in(moderator, new_moderator(stack))
    page = moderator.page
    page.get_by_role("listitem").filter(has_text=text).get_by_role("link").click()
    expect(page.locator("[data-reported=true]")).to_contain_text(text)
    expect(page.locator("figure.position img")).to_be_visible()
    press(moderator, "Mute")
    dialog = page.get_by_role("dialog", name="Mute: Ben")
    dialog.get_by_label("Duration").select_option(label="30 days")
    dialog.get_by_label("Reason (the player sees it)").fill("Insults.")
    press(dialog, "Mute")
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    press(moderator, "Acted on")
    expect(page.locator(".heading .badge")).to_have_text("Acted on")
    assert [] == serious(moderator)
    go(moderator, "Audit log")
    entry = page.get_by_role("listitem").filter(has_text="Insults.")
    expect(entry).to_contain_text("Mute")
    expect(entry.get_by_role("link")).to_have_attribute("href", f"#/players/{ben}")
    expect(page.get_by_role("link", name="Staff")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", level=1, name="Audit log")).to_be_visible()
    press(moderator, "Sign out")
    assert "null" == page.evaluate("sessionStorage.getItem('azul-admin-session')")


@pytest.mark.nightly
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_every_section_is_accessible_and_fits_the_screen(sit: Sit, stack: Stack, size: tuple[int, int]) -> None:
    report_message(stack, "Look at every section.")
    operator = sit(*size)
    sign_in(operator, ADMIN_TOKEN)
    names = operator.page.locator("nav[aria-label=Sections] a")
    if size == PHONE:
        press(operator, "Menu")
    for name in names.all_inner_texts():
        if size == PHONE and not names.first.is_visible():
            press(operator, "Menu")
        go(operator, name.strip())
        expect(operator.page.locator("[aria-busy=true]")).to_have_count(0)
        assert [] == serious_in_light_and_dark(operator), name
        assert 0 == operator.page.evaluate("document.documentElement.scrollWidth - innerWidth"), name
        operator.shoot(name.strip())
    assert names.count() > 8


@pytest.mark.nightly
def test_acts_on_a_player_are_reversed(sit: Sit, stack: Stack) -> None:
    ben = report_message(stack, "Reverse it.")
    moderator = sit(*DESK)
    sign_in(moderator, new_moderator(stack))
    go(moderator, "Players")
    moderator.page.get_by_label("Begins with").fill("be")
    press(moderator, "Find")
    expect(moderator.page.locator(f"a[href='#/players/{ben}']")).to_have_text("Ben")
    moderator.page.get_by_label("Search by").select_option("id")
    moderator.page.get_by_label("Begins with").fill(ben)
    press(moderator, "Find")
    expect(moderator.page.get_by_role("heading", level=1, name="Ben")).to_be_visible()
    for act, label, reversal in (
        ("Warn", "Reason (the player sees it)", "Withdraw warning"),
        ("Mute", "Reason (the player sees it)", "Unmute"),
        ("Exclude from rated games", "Reason (the player sees it)", "Readmit to rated games"),
        ("Ban", "Reason (the player sees it)", "Unban"),
    ):
        press(moderator, act)
        dialog = moderator.page.get_by_role("alertdialog" if act == "Ban" else "dialog")
        dialog.get_by_label(label).fill(f"A reason to {act}.")
        press(dialog, act)
        expect(dialog).to_have_count(0)
        press(moderator, reversal)
        press(moderator.page.get_by_role("dialog"), reversal)
        expect(moderator.page.get_by_text("No warning, mute, exclusion or ban.")).to_be_visible()
    press(moderator, "Remove name")
    press(moderator.page.get_by_role("alertdialog"), "Remove name")
    expect(moderator.page.get_by_role("heading", level=1, name="Anonymous")).to_be_visible()


@pytest.mark.nightly
def test_rated_games_are_removed_and_restored(sit: Sit, stack: Stack) -> None:
    ben = lose_rated_game(stack)
    operator = sit(*DESK)
    sign_in(operator, ADMIN_TOKEN)
    operator.page.goto(f"{operator.url}/admin#/players/{ben}")
    rating = operator.page.get_by_text("points, 1 game")
    expect(rating).to_have_text("1422 points, 1 game")
    remove, restore = "Remove rated games", "Restore rated games"
    for act, reversal, counted in ((remove, restore, 0), (restore, remove, 1)):
        press(operator, act)
        dialog = operator.page.get_by_role("alertdialog", name=f"{act}: Ben")
        dialog.get_by_label("Ended since").fill("2026-01-01T00:00")
        dialog.get_by_label("Reason for the audit log").fill(f"A reason: {act}.")
        press(dialog, act)
        expect(operator.page.get_by_role("button", name=reversal)).to_be_visible()
        expect(rating).to_have_count(counted)
    go(operator, "Audit log")
    expect(operator.page.get_by_role("listitem").filter(has_text=f"A reason: {restore}.")).to_be_visible()


@pytest.mark.nightly
def test_a_message_is_deleted_from_its_report(sit: Sit, stack: Stack) -> None:
    report_message(stack, "Delete this.")
    moderator = sit(*DESK)
    sign_in(moderator, new_moderator(stack))
    moderator.page.get_by_role("listitem").filter(has_text="Delete this.").get_by_role("link").click()
    press(moderator, "Delete message 1")
    press(moderator.page.get_by_role("alertdialog"), "Delete")
    expect(moderator.page.locator("[data-reported=true]")).to_contain_text("The message is deleted.")


@pytest.mark.nightly
def test_the_operator_ends_a_game_and_cancels_a_competition(sit: Sit, stack: Stack) -> None:
    game = stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}] * 2, visibility="private")
    host = post(stack, "/players", "", name="Ana")["token"]
    competition = {"name": "Friday", "format": "swiss", "ruleset": "azul", "variant": "grey"}
    post(stack, "/competitions", host, **competition, clock={"turn_s": 30, "bank_s": 60})
    operator = sit(*DESK)
    sign_in(operator, ADMIN_TOKEN)
    go(operator, "Games")
    end = f"End game {game['game']['id']}"
    press(operator, end)
    press(operator.page.get_by_role("alertdialog"), "End")
    expect(operator.page.get_by_role("button", name=end)).to_have_count(0)
    go(operator, "Competitions")
    press(operator, "Cancel Friday")
    operator.page.get_by_role("alertdialog").locator(".danger").click()
    expect(operator.page.get_by_role("button", name="Cancel Friday")).to_have_count(0)


@pytest.mark.nightly
def test_a_member_of_staff_is_created_and_deleted(sit: Sit) -> None:
    operator, member = sit(*DESK), sit(*PHONE)
    sign_in(operator, ADMIN_TOKEN)
    go(operator, "Staff")
    press(operator, "Add member")
    dialog = operator.page.get_by_role("dialog", name="Add member")
    dialog.get_by_label("Name").fill("Admin of one test")
    dialog.get_by_label("Role").select_option("admin")
    press(dialog, "Create")
    shown = operator.page.get_by_role("dialog", name="Token of Admin of one test")
    token = shown.locator(".secret").inner_text()
    press(shown, "Done")
    expect(operator.page.get_by_text(token)).to_have_count(0)
    sign_in(member, token)
    press(operator, "Delete Admin of one test")
    press(operator.page.get_by_role("alertdialog"), "Delete")
    expect(operator.page.get_by_text("Admin of one test")).to_have_count(0)
    member.page.goto(f"{member.url}/admin#/log")
    member.page.reload()
    expect(member.page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.nightly
def test_a_process_is_drained_and_resumed(sit: Sit) -> None:
    operator = sit(*DESK)
    sign_in(operator, ADMIN_TOKEN)
    go(operator, "Queues and workers")
    process = operator.page.get_by_role("listitem").filter(has_text="Background")
    process.get_by_role("button", name="Drain").click()
    expect(process).to_contain_text("Drained")
    process.get_by_role("button", name="Resume").click()
    expect(process).to_contain_text("Working")


@pytest.mark.nightly
def test_the_log_is_filtered_and_exported(sit: Sit, stack: Stack) -> None:
    new_moderator(stack)
    operator = sit(*DESK)
    sign_in(operator, ADMIN_TOKEN)
    go(operator, "Audit log")
    operator.page.get_by_label("Act").select_option("create_staff")
    expect(operator.page.get_by_role("listitem").first).to_contain_text("Create member of staff")
    with operator.page.expect_download() as download:
        press(operator, "Export")
    assert '"act":"create_staff"' in download.value.path().read_text()
    operator.page.get_by_label("Contains").fill("nothing like this")
    press(operator, "Find")
    expect(operator.page.get_by_text("No entry matches.")).to_be_visible()


@pytest.mark.nightly
def test_players_see_the_announcement_and_the_maintenance(sit: Sit) -> None:
    operator, player = sit(*DESK), sit(*PHONE)
    sign_in(operator, ADMIN_TOKEN)
    go(operator, "Notices")
    operator.page.get_by_label("Text in English").fill("A new ruleset!")
    press(operator, "Announce")
    operator.page.get_by_role("button", name="Remove").wait_for()
    press(operator, "Begin maintenance")
    press(operator.page.get_by_role("alertdialog"), "Begin maintenance")
    operator.page.get_by_role("button", name="End maintenance").wait_for()
    player.page.goto(f"{player.url}/play")
    expect(player.page.locator(".banner")).to_contain_text("Maintenance")
    expect(player.page.get_by_text("A new ruleset!")).to_be_visible()
    press(player, "Close")
    player.page.locator("button.primary:not([aria-disabled])").first.click()
    expect(player.page.locator(".toast p")).to_be_visible()
    assert [] == serious_in_light_and_dark(player)
    player.page.goto(f"{player.url}/play#/lobby")
    heading = player.page.get_by_role("heading", level=1, name="Lobby")
    before = heading.bounding_box()
    expect(player.page.locator(".floating .banner")).to_contain_text("Maintenance")
    player.shoot("lobby")
    assert before == heading.bounding_box()
    assert [] == serious_in_light_and_dark(player)
    press(player, "Close")
    expect(player.page.locator(".banner")).to_have_count(0)
    press(operator, "End maintenance")
    press(operator, "Remove")
    operator.page.get_by_role("button", name="Remove").wait_for(state="detached")
    player.page.goto(f"{player.url}/play")
    player.page.locator("button.primary:not([aria-disabled])").first.click()
    player.page.wait_for_url("**/play#/*")
    assert [0, 0] == [player.page.locator(each).count() for each in (".banner", ".notice")]


@pytest.mark.nightly
def test_the_data_of_a_player_are_exported_and_deleted(sit: Sit, stack: Stack) -> None:
    ben = report_message(stack, "Delete my data.")
    operator = sit(*DESK)
    sign_in(operator, ADMIN_TOKEN)
    operator.page.goto(f"{operator.url}/admin#/players/{ben}")
    press(operator, "Export data")
    with operator.page.expect_download() as download:
        press(operator.page.get_by_role("alertdialog"), "Export data")
    assert ben in download.value.path().read_text()
    press(operator, "Delete player")
    press(operator.page.get_by_role("alertdialog"), "Delete player")
    expect(operator.page.get_by_role("heading", level=1, name="Players")).to_be_visible()
    expect(operator.page.locator(f"a[href='#/players/{ben}']")).to_have_count(0)
    go(operator, "Audit log")
    for act in ("Delete player", "Export data"):
        expect(operator.page.get_by_role("listitem").filter(has_text=act).filter(has_text=ben)).to_be_visible()
