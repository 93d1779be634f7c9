"""Streams over HTTP end with the token of their request, even those that everybody may read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.usecases.base import access
from service.usecases.matchmaking import competitions
from tests.web.client import Client, body_of, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.matchmaking.test_competitions import announce, join
from tests.web.players import Person, act, seat_players

NDJSON = "application/x-ndjson"


def ban(anyone: Client, person: Person) -> None:
    operator, body = anyone.with_token(ADMIN_TOKEN), {"act": "ban", "reason": "Abuse."}
    body_of(operator.post(f"/v1/admin/players/{person.id}/acts", body), 201)


def first_part(answer: Any) -> Any:
    """Return the rest of a stream after its first item."""
    assert 200 == answer.status_code
    parts = (part for part in answer.iter_encoded() if part.strip())
    next(parts)
    return parts


def test_a_banned_player_neither_follows_nor_acts(anyone: Client, ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben, visibility="private", seats=[{"kind": "player"}, {"kind": "open"}])
    streams = [client.get(f"{table.path}/events", Accept=NDJSON) for client in (ana.client, table.host)]
    rest = [first_part(stream) for stream in streams]
    act(table, ana.client)
    ban(anyone, ana)
    body_of(ben.client.post(f"{table.path}/resignation"), 201)
    assert [[], []] == [list(parts)[1:] for parts in rest]
    for client in (ana.client, table.host):
        for path, body in (("messages", {"text": "hello"}), ("abort", {}), ("actions", {"id": "0", "revision": 1})):
            assert (404, "game/not_found") == refusal_of(client.post(f"{table.path}/{path}", body))


def test_the_stream_of_a_banned_player_ends_and_does_not_start_again(anyone: Client, ana: Person, ben: Person) -> None:
    seat_players(ana, ben)
    rest = first_part(ana.client.get("/v1/me/events", Accept=NDJSON))
    ban(anyone, ana)
    assert [] == [part for part in rest if part.strip()]
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me/events"))


def test_streams_of_public_content_end_with_the_token(
    anyone: Client, ana: Person, ben: Person, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(access, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(competitions, "STREAM_INTERVAL_S", 0.001)
    competition = announce(ben)["id"]
    body = {"ruleset": "azul", "variant": "grey", "levels": ["random", "greedy"], "deals": 1}
    task = body_of(anyone.post("/v1/tournaments", body), 202)["id"]
    paths = (f"/v1/competitions/{competition}/events", f"/v1/tournaments/{task}/events")
    rest = [first_part(ana.client.get(path, Accept=NDJSON)) for path in paths]
    ban(anyone, ana)
    now[0] = access.CHECK_S
    join(ben, competition)
    stored = context.tasks.get("tournament", task)
    context.tasks.report(task, stored.status, stored.result)
    assert [[], []] == [list(parts) for parts in rest]
