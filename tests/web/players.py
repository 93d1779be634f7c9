"""People who play over HTTP: players with their tokens, and the games they sit in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.rulesets.registry import RULESETS
from tests.web.client import Client, Json, answered
from tests.web.table import Table


@dataclass
class Person:
    """A player and the client that shows the token."""

    id: str
    client: Client

    @property
    def token(self) -> str:
        assert self.client.token is not None
        return self.client.token

    def turns(self, wait: int = 0) -> list[str]:
        """Ids of the games that wait for the player."""
        return [game["id"] for game in answered(self.client.get(f"/v1/me/turns?wait={wait}"))["games"]]

    def games(self, query: str = "") -> Json:
        return answered(self.client.get(f"/v1/me/games{query}"))


def new_player(anyone: Client, name: str | None = None) -> Person:
    made = answered(anyone.post("/v1/players", {"name": name}), 201)
    return Person(made["player"]["id"], anyone.with_token(made["token"]))


def seated(*people: Person, **changes: Any) -> Table:
    """A game of these players, the first its creator, each in the seat of their number."""
    ruleset = RULESETS[changes.get("ruleset", "azul")]
    seats = [{"kind": "player"}, *({"kind": "open"} for _ in people[1:])]
    body = {"ruleset": ruleset.id, "variant": ruleset.variants[0], "seats": seats, "first_seat": 0, **changes}
    made = answered(people[0].client.post("/v1/games", body), 201)
    table = Table(made["game"]["id"], made["tokens"], people[0].client.with_token(None))
    for person in people[1:]:
        answered(person.client.post(f"{table.path}/seats", {"token": table.tokens["invite"]}), 201)
    return table


def open_table(person: Person) -> Table:
    """A game of this player and two open seats."""
    return seated(person, seats=[{"kind": "player"}, {"kind": "open"}, {"kind": "open"}])


def act(table: Table, client: Client) -> Json:
    """The first legal action, by that client."""
    body = {"id": table.actions(1)[0]["id"], "revision": table.view()["revision"]}
    return answered(client.post(f"{table.path}/actions", body), 201)
