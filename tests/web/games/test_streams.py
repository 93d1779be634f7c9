"""Streams of a game: a snapshot, then events, resumable at any revision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from flask import Flask

from tests.usecases.waiting import wait_result
from tests.web.client import faults
from tests.web.table import Table

NDJSON = "application/x-ndjson"


def lines(answer: Any) -> Iterator[dict[str, Any]]:
    """Yield the items of an NDJSON stream."""
    for chunk in answer.response:
        if chunk.strip():
            item = orjson.loads(chunk)
            assert [] == faults({"$ref": "#/components/schemas/StreamItem"}, item)
            yield item


def follow(table: Table, query: str = "", **headers: str) -> Any:
    answer = table.anyone.flask.get(f"{table.path}/events{query}", headers={"Accept": NDJSON, **headers})
    assert (200, NDJSON) == (answer.status_code, answer.mimetype)
    return answer


def test_a_stream_starts_with_a_snapshot_and_sends_each_event_with_its_view(app: Flask, table: Table) -> None:
    view = table.view()
    answer = follow(table)
    items = lines(answer)
    assert {"kind": "snapshot", "revision": view["revision"], "game": view} == next(items)
    event = wait_result(app.extensions["context"], lambda: next(items), table.act)
    assert (view["revision"] + 1, "action", 0) == (event["revision"], event["kind"], event["seat"])
    assert table.view() == event["game"]
    answer.close()


def test_a_stream_is_answered_before_the_first_event(table: Table) -> None:
    """An empty line sends the headers."""
    answer = follow(table, f"?after={table.view()['revision']}")
    assert b"\n" == next(iter(answer.response))
    answer.close()


def test_a_stream_resumes_after_an_interruption(table: Table) -> None:
    seen = table.view()["revision"]
    table.act()
    table.act()
    for answer in (follow(table, f"?after={seen}"), follow(table, "?after=1", **{"Last-Event-ID": str(seen)})):
        items = lines(answer)
        assert [seen + 1, seen + 2] == [next(items)["revision"], next(items)["revision"]]
        answer.close()


def test_a_stream_ends_with_the_game_and_is_not_reopened(table: Table) -> None:
    revision = table.view()["revision"]
    table.seat(0).post(f"{table.path}/resignation")
    assert ["resignation"] == [item["kind"] for item in lines(follow(table, f"?after={revision}"))]
    assert ["snapshot"] == [item["kind"] for item in lines(follow(table))]
    assert 204 == table.anyone.get(f"{table.path}/events", Last_Event_ID=str(revision + 1)).status_code


def test_the_id_of_a_server_sent_event_is_the_revision(table: Table) -> None:
    table.host.post(f"{table.path}/abort")
    answer = table.anyone.get(f"{table.path}/events", Accept="text/event-stream")
    view = table.view()
    retry, event, rest = answer.get_data(as_text=True).split("\n\n")
    assert ("retry: 2000", "") == (retry, rest)
    number, data = event.split("\n")
    assert f"id: {view['revision']}" == number
    assert orjson.loads(data.removeprefix("data: "))["game"] == view


def test_an_unknown_or_malformed_revision_is_refused(table: Table) -> None:
    beyond = table.anyone.get(f"{table.path}/events?after=1000")
    assert "game/revision_not_found" == (beyond.json or {})["code"]
    for bad in ("x", "-1", "1" * 40, "²"):
        assert 422 == table.anyone.get(f"{table.path}/events", Last_Event_ID=bad.encode().decode("latin-1")).status_code


def test_head_of_a_stream_does_not_stream(table: Table) -> None:
    answer = table.anyone.send("HEAD", f"{table.path}/events")
    assert (200, b"") == (answer.status_code, answer.data)
