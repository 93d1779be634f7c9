"""Players over HTTP with their tokens, and the games in which they sit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.rulesets.registry import RULESETS
from tests.web.client import Client, Json, body_of
from tests.web.table import Table


@dataclass
class Person:
    """A player and a client with their token."""

    id: str
    client: Client

    @property
    def token(self) -> str:
        assert self.client.token is not None
        return self.client.token

    def turns(self, wait: int = 0) -> list[str]:
        """Return the ids of the games that wait for the player."""
        return [game["id"] for game in body_of(self.client.get(f"/v1/me/turns?wait={wait}"))["games"]]

    def games(self, query: str = "") -> Json:
        return body_of(self.client.get(f"/v1/me/games{query}"))


def new_player(anyone: Client, name: str | None = None, **profile: Any) -> Person:
    made = body_of(anyone.post("/v1/players", {"name": name, **profile}), 201)
    return Person(made["player"]["id"], anyone.with_token(made["token"]))


def new_staff_token(admin: Client, role: str) -> str:
    """Return the token of a new member of staff."""
    made = admin.post("/v1/admin/staff", {"name": role, "role": role})
    return str(body_of(made, 201)["token"])


def logged_acts(member: Client) -> list[tuple[str, str, str | None]]:
    """Return act, object and reason of all entries of the audit log, oldest first, except those of new staff."""
    entries = reversed(body_of(member.get("/v1/admin/log"))["entries"])
    found = [(entry["act"], entry["object"]["id"], entry["reason"]) for entry in entries]
    return [entry for entry in found if entry[0] != "create_staff"]


def seat_players(*people: Person, **changes: Any) -> Table:
    """Create a game of these players, the first its creator, each in the seat of their number."""
    ruleset = RULESETS[changes.get("ruleset", "azul")]
    seats = [{"kind": "player"}, *({"kind": "open"} for _ in people[1:])]
    body = {"ruleset": ruleset.id, "variant": ruleset.variants[0], "seats": seats, "first_seat": 0, **changes}
    made = body_of(people[0].client.post("/v1/games", body), 201)
    table = Table(made["game"]["id"], made["tokens"], people[0].client.with_token(None))
    for person in people[1:]:
        body_of(person.client.post(f"{table.path}/seats", {"token": table.tokens["invite"]}), 201)
    return table


def open_table(person: Person) -> Table:
    """Create a game of this player and two open seats."""
    return seat_players(person, seats=[{"kind": "player"}, {"kind": "open"}, {"kind": "open"}])


def act(table: Table, client: Client) -> Json:
    """Play the first legal action as this client."""
    body = {"id": table.actions(1)[0]["id"], "revision": table.view()["revision"]}
    return body_of(client.post(f"{table.path}/actions", body), 201)
