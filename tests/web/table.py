"""A game over HTTP, with a client for each of its tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from werkzeug.test import TestResponse

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.web.client import Client, Json, body_of

EVERY_VARIANT = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
PLAYERS = ({"kind": "player", "name": "Ana"}, {"kind": "player", "name": "Ben"})
SEED = "07" * 32


@dataclass
class Table:
    """A game and a client for each token."""

    id: str
    tokens: Json
    anyone: Client

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"

    @property
    def host(self) -> Client:
        return self.anyone.with_token(self.tokens["host"])

    def seat(self, number: int) -> Client:
        return self.anyone.with_token(self.tokens["seats"][str(number)])

    def view(self) -> Json:
        return body_of(self.host.get(self.path))

    def actions(self, limit: int = 500) -> list[Json]:
        return list(body_of(self.host.get(f"{self.path}/actions?limit={limit}"))["actions"])

    def position(self) -> Position:
        view = self.view()
        return RULESETS[view["ruleset"]].read(view["position"])

    def legal(self) -> list[Json]:
        """Return the legal actions of the position, which the API should list."""
        position = self.position()
        return [position.ruleset.wire.decode(action) for action in position.legal_actions()]

    def act(self, **headers: str) -> TestResponse:
        """Play the first legal action of the seat whose turn it is."""
        view, chosen = self.view(), self.actions(1)[0]
        body = {"id": chosen["id"], "revision": view["revision"]}
        return self.seat(view["to_decide"]).post(f"{self.path}/actions", body, **headers)


NewTable = Callable[..., Table]
"""Creates a game over HTTP."""
Wait = Callable[[float], None]
"""Moves the clock by seconds, and executes due work."""
Work = Callable[[], None]
"""Executes all queued jobs."""
