"""Requests that are repeated with the same key until they are answered.

Some are sent badly on purpose: cut off before the response, or twice at once. The journal records every response.
"""

from __future__ import annotations

import contextlib
import json
import random
import secrets
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import requests

from tests.faults.journal import PERSON, Acknowledged, Journal, Json, Refusal, Wait
from tests.patience import HANG_S

CUT, TWICE = "connection cut", "sent twice at once"


def new_key() -> str:
    """Return an unguessable key."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Request:
    """A request. `operation`: its id in the document; `how`: CUT, TWICE or None."""

    operation: str
    method: str
    path: str
    body: Json | None = None
    token: str | None = None
    revision: int | None = None
    game: str = ""
    how: str | None = None
    key: str = field(default_factory=new_key)

    @property
    def headers(self) -> dict[str, str]:
        """All headers."""
        results = {"Accept-Language": "en"}
        if self.token is not None:
            results["Authorization"] = f"Bearer {self.token}"
        if self.revision is not None:
            results["If-None-Match" if self.method == "GET" else "If-Match"] = f'"{self.revision}"'
        if self.method == "POST":
            results["Idempotency-Key"] = self.key
        return results


@dataclass(frozen=True)
class Answer:
    """A response; `sent`: when the attempt that got it was sent."""

    status: int
    json: Any
    headers: Mapping[str, str]
    sent: float
    answered: float


class Asker:
    """A client with one connection, for one thread."""

    def __init__(self, url: str, journal: Journal, rng: random.Random) -> None:
        self.url = url
        self.journal = journal
        self.rng = rng
        self.http = requests.Session()

    def ask(self, request: Request, *, waits: bool = True) -> Answer | None:
        """Return the final response, or None after HANG_S, which is a violation. `waits`: count it as a wait."""
        began = time.monotonic()
        if request.how == CUT:
            self._cut_off(request)
        twin = self._twin(request) if request.how == TWICE else None
        answer = self._until_answered(request, began)
        if twin is not None:
            twin.join()
        if answer is None:
            self.journal.violate(request.game, request.revision, f"{request.operation}: no answer in {HANG_S:.0f} s")
        if waits:
            with self.journal.lock:
                waited = Wait(PERSON, began, time.monotonic(), request.game, request.revision, request.how)
                self.journal.waits.append(waited)
        return answer

    def act(self, request: Request, seat: int, action: str | None = None) -> Answer | None:
        """Call `ask`, and record an acknowledged action in the journal."""
        answer = self.ask(request)
        if answer is None:
            with self.journal.lock:
                self.journal.unsettled[request.game] += 1
        elif answer.status == 201 and answer.json.get("events"):
            described = (request.game, request.operation, seat, action, request.key, answer.json["events"])
            self.journal.acknowledge(Acknowledged(*described, answer.sent, answer.answered))
        return answer

    def _until_answered(self, request: Request, began: float) -> Answer | None:
        while time.monotonic() - began < HANG_S:
            answer = self._attempt(request, self.http)
            if answer is not None and answer.status not in (500, 502, 503, 504):
                return answer
            time.sleep(self.rng.uniform(0.05, 0.3))
        return None

    def _attempt(self, request: Request, http: requests.Session) -> Answer | None:
        """Make one attempt and record it. Return None without a response."""
        sent = time.monotonic()
        try:
            results = http.request(
                request.method, self.url + request.path, json=request.body, headers=request.headers, timeout=HANG_S
            )
        except requests.RequestException as error:
            self._note(Refusal(request.operation, 0, "", sent, time.monotonic(), request.game, type(error).__name__))
            return None
        answered = time.monotonic()
        body = self._body(results)
        if results.status_code < 400:
            self.journal.count_success(request.operation, results.status_code)
        else:
            code, more = str(body.get("code", "")), f"{body.get('request_id', '')} {body.get('outage', '')}".strip()
            self._note(Refusal(request.operation, results.status_code, code, sent, answered, request.game, more))
        return Answer(results.status_code, body, results.headers, sent, answered)

    def _note(self, refusal: Refusal) -> None:
        with self.journal.lock:
            self.journal.refusals.append(refusal)

    @staticmethod
    def _body(found: requests.Response) -> Any:
        try:
            return found.json() if found.content else {}
        except ValueError:
            return {}

    def _twin(self, request: Request) -> threading.Thread:
        """Send the same request at the same time over another connection."""

        def send() -> None:
            with requests.Session() as other:
                self._attempt(request, other)

        twin = threading.Thread(target=send)
        twin.start()
        return twin

    def _cut_off(self, request: Request) -> None:
        """Send the request and close the connection after a random moment, before or after the response."""
        place, content = urlsplit(self.url), json.dumps(request.body or {}).encode()
        lines = [f"{request.method} {place.path}{request.path} HTTP/1.1", f"Host: {place.netloc}"]
        lines += [f"{name}: {value}" for name, value in request.headers.items()]
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}", "", ""]
        with (
            contextlib.suppress(OSError),
            socket.create_connection((place.hostname or "", place.port or 80), timeout=2) as line,
        ):
            line.sendall("\r\n".join(lines).encode() + content)
            time.sleep(self.rng.choice((0.0, 0.003, 0.03)))
