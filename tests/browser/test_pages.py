"""The documentation in a browser: reading, searching, and sending requests."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious_in_light_and_dark
from tests.e2e.stack import bearer

PHONE = (390, 844)
MAX_SENT_BYTES = 64_000
"""For the list of all operations with everything that the page loads."""


@pytest.fixture
def reader(sit: Sit) -> Player:
    """Open a page on a phone. Refused resources and requests to other hosts are complaints."""
    player = sit(*PHONE)
    complaints = player.complaints

    def check_console(message: ConsoleMessage) -> None:
        if message.type == "error" and "status of 4" not in message.text:  # an expected refusal
            complaints.append(message.text)

    def check_request(request: Request) -> None:
        if not request.url.startswith(player.url):
            complaints.append(request.url)

    player.page.on("console", check_console)
    player.page.on("request", check_request)
    return player


def body_of(page: Page) -> Any:
    """Return the shown JSON answer."""
    body = page.locator("output .body")
    expect(body).not_to_be_empty()  # the body follows the status
    return json.loads(body.inner_text())


def send(page: Page, status: str) -> None:
    """Press the button and wait for the status."""
    page.get_by_role("button", name="Send").click()
    expect(page.locator("output .status")).to_contain_text(status)


def test_the_list_of_operations_is_small(reader: Player) -> None:
    page, sent = reader.page, list[float]()

    def count_bytes(finished: dict[str, Any]) -> None:
        sent.append(finished["encodedDataLength"])

    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", count_bytes)
    page.goto(f"{reader.url}/docs", wait_until="load")
    expect(page.get_by_role("link", name="Create a game")).to_be_visible()
    reader.shoot("list")
    assert 6 == len(sent), "the page, three style sheets, a script and the typeface"
    assert 1_000 < sum(sent) <= MAX_SENT_BYTES


@pytest.mark.nightly
def test_the_documentation_is_readable_without_scripts(sit: Sit) -> None:
    reader = sit(*PHONE, java_script_enabled=False)
    reader.page.goto(f"{reader.url}/docs")
    reader.page.get_by_role("link", name="Submit an action").click()
    reader.page.get_by_text("One of 11, by type").first.click()
    expect(reader.page.get_by_text("azul.draft", exact=True).first).to_be_visible()
    expect(reader.page.get_by_text("needs JavaScript")).to_be_visible()
    reader.page.goto(f"{reader.url}/docs/tutorials/first-game")
    reader.page.get_by_label("Python", exact=True).first.click()
    expect(reader.page.get_by_text("import requests")).to_be_visible()


def test_the_reference_is_searched_and_opened_by_keyboard(reader: Player) -> None:
    page = reader.page
    page.goto(f"{reader.url}/docs#game/stale_revision")
    expect(page.locator(":target")).to_be_in_viewport()
    page.goto(f"{reader.url}/docs?q=stale")
    expect(page.locator("[data-search]:visible")).to_have_count(1)
    expect(page.get_by_role("link", name="game/stale_revision")).to_be_visible()
    search = page.get_by_role("searchbox")
    search.fill("AZULDRAFT")
    expect(page.get_by_role("link", name="AzulDraft", exact=True)).to_be_visible()
    search.fill("no such thing")
    expect(page.get_by_role("status")).to_be_visible()
    search.fill("")
    expect(page.get_by_role("link", name="Create a game")).to_be_visible()
    page.get_by_role("searchbox").focus()
    page.keyboard.type("submit action")
    expect(page.get_by_role("link", name="Create a game")).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Submit an action")).to_be_visible()
    union = page.locator("summary", has_text="One of 11, by type").first
    union.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    draft = page.locator("details[open] details[open]", has_text="azul.draft")
    expect(draft.get_by_text('"factory_0"').first).to_be_visible()
    reader.shoot("union")


def test_requests_are_sent_with_a_token_and_answers_shown(reader: Player) -> None:
    page = reader.page
    page.goto(f"{reader.url}/docs/api/createGame")
    seats = [{"kind": "player", "name": "Ana"}, {"kind": "ai", "level": "random"}]
    game = {"ruleset": "azul", "variant": "grey", "visibility": "private", "first_seat": 0, "seats": seats}
    page.locator("textarea").fill(json.dumps(game))
    send(page, "201")
    created = body_of(page)
    reader.shoot("created")
    page.goto(f"{reader.url}/docs/api/getGame")
    page.get_by_label("game_id").fill(created["game"]["id"])
    send(page, "404")
    assert "game/not_found" == body_of(page)["code"]
    page.get_by_label("Token").fill(created["tokens"]["seats"]["0"])
    send(page, "200")
    assert created["game"]["id"] == body_of(page)["id"]
    page.goto(f"{reader.url}/docs/api/previewAction")  # the page remembers game and token
    page.locator("textarea").fill(json.dumps({"id": "999999", "revision": body_revision(reader, created)}))
    send(page, "409")
    page.get_by_text("As a curl command").click()
    curl = page.locator("output .curl").inner_text()
    assert re.search(r"^curl -X POST '.*/actions/preview' \\\n  -H 'Authorization: Bearer ", curl)


def body_revision(reader: Player, created: Any) -> int:
    """Return the game's revision from the API."""
    url = f"{reader.url}/v1/games/{created['game']['id']}"
    return int(reader.page.request.get(url, headers=bearer(created["tokens"]["host"])).json()["revision"])


@pytest.mark.nightly
def test_a_stream_is_shown_until_it_is_stopped(reader: Player) -> None:
    page = reader.page
    seats = [{"kind": "player"}, {"kind": "player"}]
    game = {"ruleset": "azul", "variant": "grey", "seats": seats}
    created = page.request.post(f"{reader.url}/v1/games", data=game).json()
    page.goto(f"{reader.url}/docs/api/streamEvents")
    page.get_by_label("game_id").fill(created["game"]["id"])
    page.locator("select[name=Accept]").select_option("application/x-ndjson")
    send(page, "200")
    expect(page.locator("output .body")).to_contain_text('{"kind":"snapshot"')
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def test_pages_keep_the_chosen_language(reader: Player) -> None:
    page = reader.page
    page.goto(f"{reader.url}/docs/tutorials/first-game")
    expect(page.get_by_text("curl -s $API/games").first).to_be_visible()
    page.get_by_role("radio", name="curl").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("import requests")).to_be_visible()
    expect(page.get_by_text("curl -s $API/games").first).to_be_hidden()
    page.get_by_text("Guides", exact=True).click()
    page.get_by_role("link", name="Seats", exact=False).first.click()
    expect(page.get_by_text("import requests")).to_be_visible()
    reader.shoot("guide")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "path",
    [
        *("", "docs", "docs/api/streamEvents", "docs/schemas/Effect", "docs/tutorials/first-game"),
        *("docs/rules/queens-garden/de", "docs/conduct/players/de"),
    ],
)
def test_pages_are_accessible(reader: Player, path: str) -> None:
    reader.page.goto(f"{reader.url}/{path}")
    assert PHONE[0] == reader.page.evaluate("document.scrollingElement.scrollWidth")
    for details in reader.page.locator("details").all()[:30]:
        details.evaluate("details => details.open = true")
    assert [] == serious_in_light_and_dark(reader)
