"""The stream of a player over HTTP: its forms, tokens, limits, and how it resumes."""

from __future__ import annotations

import itertools
import re
from typing import Any

import orjson
import pytest

from service.operate.redis.launcher import EmbeddedRedis
from tests.web.client import Client, body_of, refusal_of
from tests.web.limited_service import Serve
from tests.web.players import Person, act, new_player, seat_players

PATH = "/v1/me/events"
NDJSON = "application/x-ndjson"


def first_lines(answer: Any, count: int) -> list[Any]:
    """Return the first items of a stream of lines, and close it."""
    assert (200, NDJSON) == (answer.status_code, answer.mimetype)
    parts = (part for part in answer.iter_encoded() if part.strip())
    items = [orjson.loads(part) for part in itertools.islice(parts, count)]
    answer.close()
    return items


def first_event(answer: Any) -> tuple[str, Any]:
    """Return the id and the data of the first event of a stream, and close it."""
    assert (200, "text/event-stream") == (answer.status_code, answer.mimetype)
    parts = (part for part in answer.iter_encoded() if part.startswith(b"id:"))
    found = re.fullmatch(rb"id: ([0-9]+)\ndata: (.*)\n\n", next(parts))
    answer.close()
    assert found is not None
    return found[1].decode(), orjson.loads(found[2])


def test_a_stream_sends_the_state_of_games_and_challenges(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    challenge = body_of(
        ben.client.post(f"/v1/players/{ana.id}/challenges", {"ruleset": "azul", "variant": "grey"}), 201
    )
    game, challenged = first_lines(ana.client.get(PATH, Accept=NDJSON), 2)
    expected = {"game_id": table.id, "revision": table.view()["revision"], "status": "playing", "seats": [0]}
    assert {"kind": "game", **expected, "your_turn": True, "offers": []} == game
    assert {"kind": "challenge", "challenge": challenge} == challenged


def test_a_client_resumes_with_the_id_of_its_last_event(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    event_id, event = first_event(ana.client.get(PATH))
    assert (table.id, True) == (event["game_id"], event["your_turn"])
    act(table, ana.client)
    for resumed in ({"Last-Event-ID": event_id}, {"Last-Event-ID": "0"}):
        answer = ana.client.send("GET", f"{PATH}?after=999999999999999", headers=resumed)
        later_id, event = first_event(answer)
        assert (table.id, False, table.view()["revision"]) == (event["game_id"], event["your_turn"], event["revision"])
        assert int(later_id) >= int(event_id)


def test_only_the_token_of_a_player_opens_the_stream(ana: Person, ben: Person, anyone: Client) -> None:
    table = seat_players(ana, ben)
    for token, expected in (
        (None, (401, "auth/token_required")),
        (f"{ana.id}.{'x' * 43}", (401, "auth/token_unknown")),
        (table.tokens["host"], (403, "auth/player_required")),
    ):
        assert expected == refusal_of(anyone.with_token(token).get(PATH)), token
    readable = body_of(ana.client.post("/v1/me/tokens", {"scopes": ["read"]}), 201)["token"]
    assert table.id == first_event(anyone.with_token(readable).get(PATH))[1]["game_id"]
    assert (406, "request/not_acceptable") == refusal_of(ana.client.get(PATH, Accept="text/html"))


def test_the_token_of_a_deleted_player_opens_no_stream(ana: Person) -> None:
    assert 204 == ana.client.delete("/v1/me").status_code
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get(PATH))


def test_streams_count_against_the_limit_of_open_streams(serve: Serve) -> None:
    person = new_player(serve(LIMIT_STREAMS="2"))
    answers = [person.client.get(PATH) for _ in range(3)]
    assert [200, 200, 429] == [answer.status_code for answer in answers]
    assert (429, "limit/streams") == refusal_of(answers[2])
    for answer in answers:
        answer.close()


@pytest.mark.usefixtures("redis_client")
def test_a_stream_ends_while_redis_is_down_and_resumes_afterwards(
    ana: Person, ben: Person, valkey: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.usecases.people.player_events.OVERLAP_MS", 0)
    table = seat_players(ana, ben)
    answer = ana.client.get(PATH)
    parts = answer.iter_encoded()
    event_id = next(part for part in parts if part.startswith(b"id:")).split()[1].decode()
    act(table, ana.client)
    next(part for part in parts if part.startswith(b"id:"))
    valkey.kill9()
    assert [] == [part for part in parts if not part.startswith(b":")]
    assert 503 == ana.client.get(PATH).status_code
    valkey.restart()
    resumed = first_event(ana.client.send("GET", PATH, headers={"Last-Event-ID": event_id}))
    assert (table.id, False) == (resumed[1]["game_id"], resumed[1]["your_turn"])


def test_the_replaced_stream_is_deprecated(ana: Person) -> None:
    answer = ana.client.get("/v1/me/challenges/events")
    assert ("@1796083200", "Tue, 01 Jun 2027 00:00:00 GMT") == (
        answer.headers["Deprecation"],
        answer.headers["Sunset"],
    )
    assert 'rel="deprecation"' in answer.headers["Link"]
    answer.close()
    current = ana.client.get(PATH)
    assert "Deprecation" not in current.headers
    current.close()
