"""A player at the table that reads the page and clicks."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Locator, Page, expect

from tests.e2e.stack import bearer
from tests.patience import HANG_S, wait_until

PLENTY_MS = 1000 * HANG_S
KEEPS_PICTURES = bool(os.environ.get("PICTURES"))
Which = Callable[[list[Any]], Any]
"""Selects a legal action."""
expect.set_options(timeout=PLENTY_MS)


class Player:
    """A page of the table."""

    def __init__(self, page: Page, url: str, shots: Path) -> None:
        self.page, self.url, self._shots = page, url, shots
        self.complaints: list[str] = []
        page.set_default_timeout(PLENTY_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def shoot(self, name: str) -> None:
        """Save a screenshot in var/browser if PICTURES is set."""
        if KEEPS_PICTURES:
            self.page.screenshot(path=f"{self._shots}.{name}.png")

    # ------------------------------------------------------------------------------------------ games

    def choose(self) -> None:
        """Open the first page with all options of a new game."""
        self.page.goto(f"{self.url}/play")
        self.page.locator("button.more").click()

    def begin(self, ruleset: str, variant: str, *others: str, clock: str | None = None) -> None:
        """Start a game against others: a level's id, `me` or `open`."""
        self.choose()
        self.page.locator(f'input[name="ruleset"][value="{ruleset}"]').check()
        self.page.locator(f'input[name="variant"][value="{variant}"]').check()
        self.page.locator(f'input[name="count"][value="{1 + len(others)}"]').check()
        for seat, who in enumerate(others, start=1):
            self.page.locator("form select").nth(seat).select_option(who)
        if clock:
            self.page.locator("form select").last.select_option(label=clock)
        self.page.locator("form button.primary").click()
        self.page.wait_for_url("**/play#/*")

    def begin_first(self, ruleset: str, variant: str, *others: str) -> None:
        """Start a game and wait for this seat's turn."""
        self.begin(ruleset, variant, *others)
        assert self.wait_for_turn()

    @property
    def game(self) -> str:
        """Id of the shown game."""
        return self.page.url.rsplit("/", 1)[1]

    @property
    def tokens(self) -> dict[str, Any]:
        """Tokens of the game stored in the browser."""
        return dict(json.loads(self.page.evaluate("localStorage.getItem('azul-table-games')"))[self.game])

    @property
    def api(self) -> str:
        """URL of the game's resource."""
        return f"{self.url}/v1/games/{self.game}"

    def view(self) -> dict[str, Any]:
        """Return the game."""
        return self.read("")

    def read(self, path: str) -> dict[str, Any]:
        """Return a resource of the game as this player."""
        tokens = self.tokens
        token = tokens["host"] if "host" in tokens else next(iter(tokens["seats"].values()))
        return dict(requests.get(f"{self.api}{path}", headers=bearer(token), timeout=10).json())

    def decide(self, which: Which = itemgetter(0)) -> None:
        """Play a legal action (default: the first) of the seat to decide, without the page."""
        legal = self.read("/actions")
        body = {"id": which(legal["actions"])["id"], "revision": legal["revision"]}
        headers = bearer(self.tokens["seats"][str(legal["seat"])])
        requests.post(f"{self.api}/actions", json=body, headers=headers, timeout=10).raise_for_status()

    # ---------------------------------------------------------------------------------------- playing

    @property
    def places(self) -> Locator:
        """Clickable parts of the picture."""
        return self.page.locator(".board .choice")

    @property
    def buttons(self) -> Locator:
        """Clickable buttons below the picture."""
        plain, more = ".options:not(details *) button", ".counter button:last-child:not([aria-disabled])"
        return self.page.locator(f".choosing {plain}, .choosing {more}")

    @property
    def has_started_choice(self) -> bool:
        """True if a choice was started and can be undone."""
        return self.page.locator(".choosing .back").count() > 0

    @property
    def complete_button(self) -> Locator:
        """Button that completes a choice of several things."""
        return self.page.locator(".choosing button.primary:not([aria-disabled])")

    @property
    def choices(self) -> Locator:
        """Everything clickable. Empty while another seat decides or a decision is sent."""
        return self.places.or_(self.buttons).or_(self.complete_button)

    def wait_for_turn(self) -> bool:
        """Wait until something is clickable. Return False if the game is over."""
        over = self.page.locator(".status strong", has_text="Game over")
        expect(self.choices.or_(over).first).to_be_visible()
        return not over.is_visible()

    def click_something(self, rng: random.Random) -> None:
        """Click at random, preferably in the picture, and complete choices of several things soon.

        After a started choice buttons are preferred, because clicks in the picture can undo it or be ambiguous.
        """
        if self.complete_button.count() and rng.random() < 0.7:
            self.complete_button.click()
            return
        places, buttons = self.places.count(), self.buttons.count()
        if places + buttons == 0:
            self.complete_button.click()
        elif places and (not buttons or rng.random() < (0.3 if self.has_started_choice else 0.97)):
            place = self.places.nth(rng.randrange(places))
            place.locator("rect, polygon").first.click()  # equal tiles are interchangeable
        else:
            self.buttons.nth(rng.randrange(buttons)).click()

    def decide_until(self, is_reached: Callable[[dict[str, Any]], bool], which: Which = itemgetter(0)) -> None:
        """Decide as seat 0 without the page until the position matches. Then it is its turn again."""
        while True:
            view = wait_until(lambda: (now := self.view())["to_decide"] == 0 and now, "our turn")
            if is_reached(view["position"]):
                self.wait_for_revision(view["revision"])
                assert self.wait_for_turn()
                return
            self.decide(which)

    def draft(self) -> None:
        """Take the first tiles to the first possible place."""
        before = self.view()["revision"]
        self.places.first.locator("rect").first.click()
        self.places.first.click()
        self.wait_for_revision(before + 1)

    def drop(self) -> None:
        """Take the first tiles to the floor."""
        before = self.view()["revision"]
        self.places.first.locator("rect").first.click()
        self.page.get_by_role("button", name=re.compile("^floor line")).last.click()
        self.wait_for_revision(before + 1)

    def resign(self) -> None:
        """Resign and confirm."""
        self.page.get_by_role("button", name="Resign").click()
        self.page.get_by_role("alertdialog").get_by_role("button", name="Resign").click()

    def wait_for_revision(self, revision: int) -> None:
        """Wait until the page shows the revision."""
        self.page.locator(f'.log li[data-revision="{revision}"]').wait_for()


Sit = Callable[..., Player]
"""Opens the page in a new browser profile."""
