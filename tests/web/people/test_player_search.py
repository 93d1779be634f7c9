"""The staff list players, search for them, and see their accounts."""

from __future__ import annotations

import pytest

from tests.web.client import Client, Json, body_of, read_pages, refusal_of
from tests.web.notifications.test_devices import subscribe
from tests.web.people.test_sanctions import act
from tests.web.players import Person, new_player

PLAYERS = "/v1/admin/players"


def ids(client: Client, query: str) -> list[str]:
    pages = read_pages(client, f"{PLAYERS}?{query}&limit=2", "players")
    return [one["player"]["id"] for page in pages for one in page]


def test_players_are_listed_and_found(moderator: Client, anyone: Client) -> None:
    people = [new_player(anyone, name) for name in ("Ana", "Ben", "anatol", "Cleo", "Ana")]
    for person, handle in zip(people, ("zoe-1", "zoe-2", "Zoe-3"), strict=False):
        body_of(person.client.send("PUT", "/v1/me/handle", json={"handle": handle}))
    all_ids = [person.id for person in people]
    assert set(all_ids) == set(ids(moderator, "banned=false"))
    assert {all_ids[number] for number in (0, 2, 4)} == set(ids(moderator, "name=ANA"))
    assert all_ids[:3] == ids(moderator, "handle=ZOE")
    assert all_ids[2:3] == ids(moderator, "handle=zoe&name=anat")
    for number in (1, 2):
        act(moderator, people[number], "ban", reason="Insults.")
    banned = body_of(moderator.get(f"{PLAYERS}?banned=true"))["players"]
    assert {one["player"]["id"] for one in banned if one["banned_at"]} == {*all_ids[1:3]}
    assert all_ids[2:3] == ids(moderator, "banned=true&name=ana")
    act(moderator, people[1], "unban")
    assert all_ids[2:3] == ids(moderator, "banned=true")
    assert 204 == people[4].client.delete("/v1/me").status_code
    assert set(all_ids[:4]) == set(ids(moderator, "banned=false"))


@pytest.mark.parametrize("cursor", ["x", "gA==", "bmFtZTphAGI="])
def test_an_invalid_cursor_is_refused(moderator: Client, cursor: str) -> None:
    answer = moderator.get(f"{PLAYERS}?handle=a&cursor={cursor}")
    assert (422, "request/invalid") == refusal_of(answer)
    assert ["/cursor"] == [error["pointer"] for error in (answer.json or {})["errors"]]


def test_a_player_is_shown_with_account_and_games(moderator: Client, ana: Person) -> None:
    def details() -> Json:
        return body_of(moderator.get(f"{PLAYERS}/{ana.id}"))

    before = details()
    assert [1, 0, 0, [], [], []] == [
        before[name] for name in ("tokens", "devices", "webhooks", "identities", "ratings", "games")
    ]
    assert (ana.id, None) == (before["player"]["id"], before["ban"])
    body_of(ana.client.put("/v1/me/handle", {"handle": "Ana-1"}))
    assert details() == body_of(moderator.get(f"{PLAYERS}/ana1"))
    body_of(ana.client.post("/v1/me/tokens", {"name": "phone"}), 201)
    subscribe(ana)
    body_of(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    body = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}, {"kind": "open"}]}
    game = body_of(ana.client.post("/v1/games", {**body, "visibility": "private"}), 201)["game"]
    after = details()
    assert [2, 1, 1] == [after[name] for name in ("tokens", "devices", "webhooks")]
    assert [game["id"]] == [one["id"] for one in after["games"]]
    assert after["last_used_at"] >= after["player"]["created_at"]
