"""The people of one game: they take legal actions at random, and sometimes take back, resign or return.

One thread plays all people of a game, and watches games without people. It records the time that each AI takes, from
the response that showed its turn to the response that shows its action.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field

from tests.faults.journal import AI, ENDPOINT, Journal, Json, Wait
from tests.faults.persistent_client import CUT, TWICE, Answer, Asker, Request
from tests.patience import HANG_S

HOW = (None,) * 45 + (CUT,) * 3 + (TWICE,) * 2
"""How requests are sent, by chance."""
TAKEBACKS, RESIGNATIONS, STALE = 0.02, 0.002, 0.02
OPENING = 16  # events after which everybody has decided, so that a rated game is not aborted
"""Probabilities per decision."""
WAIT_S = 5
THINKING_S = 0.1


@dataclass
class Orders:
    """Orders for all tables of a run."""

    hurry: threading.Event = field(default_factory=threading.Event)
    """Do not wait before decisions."""
    end: threading.Event = field(default_factory=threading.Event)
    """Resign."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Stop, although the game is not over."""


class Table:
    """A game and its people."""

    def __init__(self, url: str, journal: Journal, rng: random.Random, new: Json, orders: Orders) -> None:
        self.journal = journal
        self.rng = rng
        self.new = new
        self.orders = orders
        self.asker = Asker(url, journal, rng)
        self.id = ""
        self.tokens: dict[int, str] = {}
        self.view: Json = {}
        self.ended_early = False
        self._moved = time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.view.get("status") in ("finished", "aborted")

    def play(self) -> None:
        """Play to the end."""
        if not self._begin():
            return
        while not self.is_over and not self.orders.stop.is_set():
            self._go_on()
            if time.monotonic() - self._moved > HANG_S:
                self.journal.violate(self.id, self.view["revision"], f"nothing has happened for {HANG_S:.0f} s")
                self._moved = time.monotonic()

    def _begin(self) -> bool:
        """Create the game. Return whether it was created."""
        created = self.asker.ask(Request("createGame", "POST", "/games", self.new))
        if created is None or created.status != 201:
            self.journal.violate("", None, f"a game cannot be created: {created and (created.status, created.json)}")
            return False
        self.id, self._moved = created.json["game"]["id"], created.answered
        self.tokens = {int(seat): token for seat, token in created.json["tokens"]["seats"].items()}
        self._see(created.json["game"], created.answered)
        return True

    def _see(self, view: Json, at: float) -> None:
        """Record a newer view, and the wait for an AI that has decided since. The view may be older after a kill."""
        if self.view and self._is_ai(self.view) and view["revision"] > self.view["revision"]:
            who = ENDPOINT if self.view["seats"][self.view["to_decide"]]["kind"] == "http" else AI
            with self.journal.lock:
                self.journal.waits.append(Wait(who, self._moved, at, self.id, self.view["revision"]))
        if not self.view or view["revision"] != self.view["revision"]:
            self._moved = at
        self.view = view

    @staticmethod
    def _is_ai(view: Json) -> bool:
        seat = view["to_decide"]
        return seat is not None and (view["seats"][seat]["kind"], view["seats"][seat]["status"]) != ("player", "active")

    def _go_on(self) -> None:
        """Take the next step."""
        seat = self.view["to_decide"]
        if self.orders.end.is_set() and self.view["revision"] > OPENING and self._resign():
            return
        if self._answer_offer() or self._return():
            return
        if seat in self.tokens and not self._is_ai(self.view):
            self._decide(seat)
        else:
            self._read_game(WAIT_S)

    def _read_game(self, wait_s: int = 0) -> None:
        path = f"/games/{self.id}" + (f"?wait={wait_s}" if wait_s else "")
        known = self.view["revision"] if wait_s else None
        answer = self.asker.ask(Request("getGame", "GET", path, revision=known, game=self.id), waits=not wait_s)
        if answer is not None and answer.status == 200:
            self._see(answer.json, answer.answered)
        elif answer is None or answer.status != 304:
            self.journal.violate(self.id, known, f"the game cannot be read: {answer and (answer.status, answer.json)}")

    def _decide(self, seat: int) -> None:
        if not self.orders.hurry.is_set():
            time.sleep(self.rng.uniform(0, THINKING_S))
            if self.view["revision"] > OPENING and self.rng.random() < RESIGNATIONS:
                self._send("resignGame", "resignation", seat)
                return
            if self.rng.random() < TAKEBACKS:
                self._send("requestTakeback", "takebacks", seat)
                return
        path = f"/games/{self.id}/actions?limit=50"
        legal = self.asker.ask(Request("listLegalActions", "GET", path, game=self.id))
        if legal is None or legal.status != 200 or legal.json["seat"] != seat or not legal.json["actions"]:
            self._read_game()
            return
        action, revision = self.rng.choice(legal.json["actions"])["id"], legal.json["revision"]
        if self.rng.random() < STALE:
            self._send("submitAction", "actions", seat, {"id": action}, revision - 1)
        self._send("submitAction", "actions", seat, {"id": action}, revision)

    def _send(
        self, operation: str, what: str, seat: int, body: Json | None = None, revision: int | None = None
    ) -> Answer | None:
        """Send a request that changes the game, and read the game afterwards."""
        revision = self.view["revision"] if revision is None else revision
        request = Request(
            operation,
            "POST",
            f"/games/{self.id}/{what}",
            body or {},
            self.tokens[seat],
            revision,
            self.id,
            self.rng.choice(HOW),
        )
        answer = self.asker.act(request, seat, (body or {}).get("id"))
        if answer is not None and answer.status == 201 and "game" in answer.json:
            self._see(answer.json["game"], answer.answered)
        else:
            self._read_game()
        return answer

    def _answer_offer(self) -> bool:
        for offer in self.view["offers"]:
            for seat in offer["awaiting"]:
                if seat in self.tokens:
                    body = {"seat": seat, "accept": self.rng.random() < 0.7}
                    self._send("answerOffer", f"offers/{offer['id']}/answer", seat, body)
                    return True
        return False

    def _return(self) -> bool:
        """Claim a seat again that an AI has taken over, with some probability. Return whether this was tried."""
        away = [seat for seat in self.tokens if self.view["seats"][seat]["status"] == "away"]
        if not away or self.orders.hurry.is_set() or self.rng.random() < 0.5:
            return False
        seat = away[0]
        path, how = f"/games/{self.id}/seats", self.rng.choice(HOW)
        request = Request("claimSeat", "POST", path, {"seat": seat}, self.tokens[seat], None, self.id, how)
        answer = self.asker.ask(request)
        if answer is not None and answer.status == 201:
            self.tokens[seat] = answer.json["token"]
        self._read_game()
        return True

    def _resign(self) -> bool:
        """Resign with an active seat, to end the game. Return whether there was one."""
        for seat in self.tokens:
            if self.view["seats"][seat]["status"] == "active":
                self.ended_early = True
                self._send("resignGame", "resignation", seat)
                return True
        return False
