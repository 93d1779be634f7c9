"""Hostile strangers, who use up what everybody shares. The games of other players must not notice them.

Each attack takes as much as the service allows: competitions that nobody starts, abandoned seeks, challenges to
everybody, games that are resigned at once, and bots and webhooks that never respond. Refusals are expected, but each
must be in the document. With three strangers or fewer, the limits of other players are not reached.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.faults.journal import Journal, Json
from tests.faults.persistent_client import Answer, Asker, Request
from tests.serving import Handler, served_by

ODD_CLOCK = {"turn_s": 59, "bank_s": 299}
"""Only hostile strangers seek and challenge with this clock, so that they are not paired with others."""
SETTINGS: Json = {"ruleset": "azul", "variant": "grey", "clock": ODD_CLOCK}
CHALLENGED_AT_ONCE, WEBHOOKS, COMPETITIONS = 5, 6, 4
"""How often each is tried. Limits refuse the last of them."""
PAUSE_S = 0.5
HANGS_S = 8.0
"""Longer than the service waits for a response."""


class Hanging(Handler):
    """Respond too late."""

    def respond(self) -> None:
        """Wait, and then refuse."""
        threading.Event().wait(HANGS_S)
        self.answer(status=503)


@contextmanager
def hanging() -> Iterator[str]:
    """Yield the URL of a server that responds too late."""
    with served_by(Hanging) as url:
        yield f"{url}/"


class HostileStranger:
    """A person, their accomplice and their bot. `list_players` returns the ids of players to challenge."""

    def __init__(
        self, url: str, journal: Journal, rng: random.Random, list_players: Callable[[], list[str]], hanging_url: str
    ) -> None:
        self.rng = rng
        self.asker = Asker(url, journal, rng)
        self.attacks = 0
        self._list_players = list_players
        self._url = hanging_url
        self._accounts: list[tuple[str, str]] = []  # ids and tokens: person, accomplice, bot

    def run(self, no_more: threading.Event) -> None:
        """Attack until `no_more` is set."""
        while not no_more.is_set():
            if self._has_accounts():
                self.rng.choice(self._list_attacks())()
                self.attacks += 1
            no_more.wait(PAUSE_S)

    def _list_attacks(self) -> list[Callable[[], None]]:
        """Return all attacks."""
        meeting = (self.abandon_seeks, self.resign_at_once, self.challenge_everybody)
        return [self.hoard_competitions, *meeting, self.play_with_hanging_bot, self.register_hanging_webhooks]

    def _has_accounts(self) -> bool:
        """Return whether all accounts exist, after creating the missing ones."""
        while len(self._accounts) < 3:
            made = self._send("createPlayer", "POST", "/players", None, {"bot": len(self._accounts) == 2})
            if made is None or made.status != 201:
                return False
            self._accounts.append((made.json["player"]["id"], made.json["token"]))
        return True

    def _send(
        self, operation: str, method: str, path: str, account: int | None = 0, body: Json | None = None
    ) -> Answer | None:
        token = None if account is None else self._accounts[account][1]
        return self.asker.ask(Request(operation, method, path, body, token), waits=False)

    def _id(self, answer: Answer | None) -> Any:
        """Return the id of what was created, or None if that was refused."""
        return None if answer is None or answer.status != 201 else answer.json.get("id")

    # ------------------------------------------------------------------------------------------ attacks

    def hoard_competitions(self) -> None:
        """Announce competitions and start none."""
        plan = {**SETTINGS, "name": "Empty", "format": "swiss", "rounds": 15, "pause_s": 3600}
        for _ in range(COMPETITIONS):
            made = self._id(self._send("createCompetition", "POST", "/competitions", 0, plan))
            if made is not None:
                self._send("joinCompetition", "POST", f"/competitions/{made}/join", 1, {})

    def abandon_seeks(self) -> None:
        """Open seeks, and delete only some."""
        body = {**SETTINGS, "seats": 4, "keep_s": 60}
        for account in (0, 1):
            seek = self._id(self._send("createSeek", "POST", "/seeks", account, body))
            if seek is not None and self.rng.random() < 0.5:
                self._send("deleteSeek", "DELETE", f"/seeks/{seek}", account)

    def resign_at_once(self) -> None:
        """Meet the accomplice in a rated game, and resign without an action."""
        body = {**SETTINGS, "rated": True, "keep_s": 60}
        found = [self._send("createSeek", "POST", "/seeks", account, body) for account in (0, 1)]
        games = {one.json["game_id"] for one in found if one is not None and one.status == 201} - {None}
        for game in games:
            self._send("resignGame", "POST", f"/games/{game}/resignation", 0, {})

    def challenge_everybody(self) -> None:
        """Challenge players, and withdraw nothing."""
        players = self._list_players()
        for player in self.rng.sample(players, min(CHALLENGED_AT_ONCE, len(players))):
            body = {**SETTINGS, "rated": True, "mixed": True, "answer_s": 60}
            self._send("createChallenge", "POST", f"/players/{player}/challenges", 0, body)

    def play_with_hanging_bot(self) -> None:
        """Publish a bot that never responds and play against it, in a challenge and in a game of one's own."""
        bot = {"rulesets": ["azul"], "games_at_once": 20, "endpoint": {"url": self._url, "attempts": 10}}
        self._send("publishBot", "PUT", "/me/bot", 2, bot)
        self._send("createChallenge", "POST", f"/players/{self._accounts[2][0]}/challenges", 0, SETTINGS)
        endpoint = {"kind": "http", "level": "random", "endpoint": {"url": self._url, "attempts": 10}}
        new = {"ruleset": "azul", "variant": "grey", "first_seat": 0, "seats": [endpoint, {"kind": "player"}]}
        self._send("createGame", "POST", "/games", 0, new)

    def register_hanging_webhooks(self) -> None:
        """Register webhooks that never respond, and send to them."""
        for _ in range(WEBHOOKS):
            made = self._send("createWebhook", "POST", "/me/webhooks", 0, {"url": self._url})
            if made is not None and made.status == 201:
                self._send("pingWebhook", "POST", f"/me/webhooks/{made.json['webhook']['id']}/ping")
