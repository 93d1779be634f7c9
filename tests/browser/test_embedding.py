"""A game and the daily puzzle in a frame of another page: /embed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests
from playwright.sync_api import expect

from tests.browser.player import Sit
from tests.browser.test_accessibility import serious
from tests.e2e.stack import Stack, bearer
from tests.patience import wait_until
from tests.serving import Handler, served_by

FONT = """async (text) => {
  await document.fonts.ready;
  return document.fonts.check("16px Figtree") ? getComputedStyle(text).fontFamily : "not loaded";
}"""


@contextmanager
def page_of_another_origin(frame: str) -> Iterator[str]:
    """Serve a page that contains only a frame. Yield its address."""

    class Page(Handler):
        def respond(self) -> None:
            content = f'<!doctype html><html lang="en"><title>Club</title><main><iframe title="Game" src="{frame}"'
            self.answer(f"{content} width=600 height=500></iframe></main></html>".encode(), Content_Type="text/html")

    with served_by(Page) as url:
        yield url.replace("127.0.0.1", "localhost")


def resign(stack: Stack, game: str, token: str) -> None:
    path = f"{stack.api}/games/{game}/resignation"
    requests.post(path, headers=bearer(token), timeout=10).raise_for_status()


def new_game(stack: Stack, visibility: str, ruleset: str = "azul") -> tuple[str, dict[str, Any]]:
    """Create a game. Return its id and tokens."""
    seats = [{"kind": "player", "name": name} for name in ("Ana", "Ben")]
    made = stack.create(ruleset=ruleset, variant="coloured", seats=seats, first_seat=0, visibility=visibility)
    return made["game"]["id"], made["tokens"]


def act(stack: Stack, game: str, token: str) -> str:
    """Play the first legal action of seat 0. Return its sentence in the picture."""
    legal = stack.get(f"/games/{game}/actions", headers=bearer(token)).json()
    answer = stack.act(game, token, legal["actions"][0]["id"], legal["revision"])
    answer.raise_for_status()
    return str(answer.json()["events"][0]["text"]).removeprefix("Seat 1 ")


def test_a_page_of_another_origin_follows_a_game_to_its_end(sit: Sit, stack: Stack) -> None:
    reader = sit(700, 600)
    game, tokens = new_game(stack, "public")
    with page_of_another_origin(f"{stack.url}/embed/{game}?theme=dark") as url:
        reader.page.goto(url)
        frame = reader.page.frame_locator("iframe")
        expect(frame.locator("svg title").first).to_contain_text("Ana")
        assert frame.locator("svg text").first.evaluate(FONT).startswith("Figtree")
        told = act(stack, game, tokens["seats"]["0"])
        expect(frame.locator("svg desc").first).to_contain_text(told.rstrip("."))
        reader.shoot("embedded")
        assert [] == serious(reader)
        resign(stack, game, tokens["seats"]["1"])
        expect(frame.locator("svg")).to_contain_text("resigned")


def test_a_private_game_is_shown_with_its_token(sit: Sit, stack: Stack) -> None:
    reader = sit(400, 600)
    game, tokens = new_game(stack, "private")
    reader.page.goto(f"{stack.url}/embed/{game}#{tokens['watch']}")
    expect(reader.page.locator("svg title").first).to_contain_text("Ana")
    reader.page.goto(f"{stack.url}/embed/{game}?theme=light")
    expect(reader.page.get_by_role("status")).to_be_visible()
    assert 0 == reader.page.locator("svg").count()


def test_a_page_of_another_origin_shows_the_daily_puzzle(sit: Sit, stack: Stack) -> None:
    reader = sit(700, 600)
    with page_of_another_origin(f"{stack.url}/embed/puzzles/daily?theme=dark") as url:
        reader.page.goto(url)
        frame = reader.page.frame_locator("iframe")
        expect(frame.get_by_role("link")).to_contain_text("can you find the best move?")
        picture = frame.locator("img")
        wait_until(lambda: picture.evaluate("img => img.naturalWidth > 0"), "the picture is shown")
        reader.shoot("daily")
        assert [] == serious(reader)
