"""Somebody at the table: sees what the page shows, and clicks."""

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
from tests.patience import HANG_S, until

PLENTY_MS = 1000 * HANG_S
KEEPS_PICTURES = bool(os.environ.get("PICTURES"))
Which = Callable[[list[Any]], Any]
"""One of the legal actions."""
expect.set_options(timeout=PLENTY_MS)


class Player:
    """A page of the table."""

    def __init__(self, page: Page, url: str, shots: Path) -> None:
        self.page, self.url, self._shots = page, url, shots
        self.complaints: list[str] = []
        page.set_default_timeout(PLENTY_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def shoot(self, name: str) -> None:
        """Save a screenshot in var/browser, if PICTURES is set."""
        if KEEPS_PICTURES:
            self.page.screenshot(path=f"{self._shots}.{name}.png")

    # ------------------------------------------------------------------------------------------ games

    def choose(self) -> None:
        """Open the first page, and all that can be chosen for a new game."""
        self.page.goto(f"{self.url}/play")
        self.page.locator("button.more").click()

    def begin(self, ruleset: str, variant: str, *others: str, clock: str | None = None) -> None:
        """A new game of this seat against others: a level's id, `me` or `open`."""
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
        """A new game, until this seat may choose something."""
        self.begin(ruleset, variant, *others)
        assert self.wait_for_turn()

    @property
    def game(self) -> str:
        """The id of the game that is looked at."""
        return self.page.url.rsplit("/", 1)[1]

    @property
    def tokens(self) -> dict[str, Any]:
        """What the browser remembers of the game."""
        return dict(json.loads(self.page.evaluate("localStorage.getItem('azul-table-games')"))[self.game])

    @property
    def api(self) -> str:
        """Where the game is, for programs."""
        return f"{self.url}/v1/games/{self.game}"

    def view(self) -> dict[str, Any]:
        """The game, as the service tells it."""
        return self.told("")

    def told(self, path: str) -> dict[str, Any]:
        """What the service tells this player at a path below the game's."""
        tokens = self.tokens
        token = tokens["host"] if "host" in tokens else next(iter(tokens["seats"].values()))
        return dict(requests.get(f"{self.api}{path}", headers=bearer(token), timeout=10).json())

    def decide(self, which: Which = itemgetter(0)) -> None:
        """Decide for the seat whose turn it is, without the page: the first legal action, or another of them."""
        legal = self.told("/actions")
        body = {"id": which(legal["actions"])["id"], "revision": legal["revision"]}
        headers = bearer(self.tokens["seats"][str(legal["seat"])])
        requests.post(f"{self.api}/actions", json=body, headers=headers, timeout=10).raise_for_status()

    # ---------------------------------------------------------------------------------------- playing

    @property
    def places(self) -> Locator:
        """What may be clicked in the picture."""
        return self.page.locator(".board .choice")

    @property
    def buttons(self) -> Locator:
        """What may be clicked below it."""
        plain, more = ".options:not(details *) button", ".counter button:last-child:enabled"
        return self.page.locator(f".choosing {plain}, .choosing {more}")

    @property
    def begun(self) -> bool:
        """Whether a choice was begun, and can be gone back on."""
        return self.page.locator(".choosing .back").count() > 0

    @property
    def done(self) -> Locator:
        """Ends a choice of several things."""
        return self.page.locator(".choosing button.primary:enabled")

    @property
    def choices(self) -> Locator:
        """Whatever may be clicked; nothing while another decides, and while what was decided is on its way."""
        return self.places.or_(self.buttons).or_(self.done)

    def wait_for_turn(self) -> bool:
        """Until something may be clicked; False: the game is over."""
        over = self.page.locator(".status strong", has_text="Game over")
        expect(self.choices.or_(over).first).to_be_visible()
        return not over.is_visible()

    def click_something(self, rng: random.Random) -> None:
        """One click at random, in the picture if it can be; what takes several things is soon ended.

        Of a choice that was begun, buttons are clicked more often: a click in the picture may take something away
        again, or say once more what can mean several things.
        """
        if self.done.count() and rng.random() < 0.7:
            self.done.click()
            return
        places, buttons = self.places.count(), self.buttons.count()
        if places + buttons == 0:
            self.done.click()
        elif places and (not buttons or rng.random() < (0.3 if self.begun else 0.97)):
            place = self.places.nth(rng.randrange(places))
            place.locator("rect, polygon").first.click()  # of tiles that are alike, any
        else:
            self.buttons.nth(rng.randrange(buttons)).click()

    def decide_until(self, reached: Callable[[dict[str, Any]], bool], which: Which = itemgetter(0)) -> None:
        """Decide as seat 0 without the page, until the position is such; then it is its turn again."""
        while True:
            view = until(lambda: (now := self.view())["to_decide"] == 0 and now, "our turn")
            if reached(view["position"]):
                self.wait_for_revision(view["revision"])
                assert self.wait_for_turn()
                return
            self.decide(which)

    def draft(self) -> None:
        """Take the first tiles to the first place where they may go."""
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
        """And say that this is meant."""
        self.page.get_by_role("button", name="Resign").click()
        self.page.get_by_role("button", name="Yes").click()

    def wait_for_revision(self, revision: int) -> None:
        """Until the page has heard of it."""
        self.page.locator(f'.log li[data-revision="{revision}"]').wait_for()


Sit = Callable[..., Player]
"""Opens the page in a browser profile of its own."""
