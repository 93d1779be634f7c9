"""Following a game: a snapshot, then events; and on from wherever the caller was cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from flask import Flask

from tests.usecases.waiting import woken
from tests.web.client import faults
from tests.web.table import Table

NDJSON = "application/x-ndjson"


def lines(answer: Any) -> Iterator[dict[str, Any]]:
    """The items of a stream of lines."""
    for chunk in answer.response:
        if chunk.strip():
            item = orjson.loads(chunk)
            assert [] == faults({"$ref": "#/components/schemas/StreamItem"}, item)
            yield item


def follow(table: Table, query: str = "", **headers: str) -> Any:
    answer = table.anyone.flask.get(f"{table.path}/events{query}", headers={"Accept": NDJSON, **headers})
    assert (200, NDJSON) == (answer.status_code, answer.mimetype)
    return answer


def test_a_stream_begins_with_a_snapshot_and_tells_each_event_with_the_view_it_left(app: Flask, table: Table) -> None:
    view = table.view()
    answer = follow(table)
    items = lines(answer)
    assert {"kind": "snapshot", "revision": view["revision"], "game": view} == next(items)
    event = woken(app.extensions["context"], lambda: next(items), table.act)
    assert (view["revision"] + 1, "action", 0) == (event["revision"], event["kind"], event["seat"])
    assert table.view() == event["game"]
    answer.close()


def test_a_stream_is_answered_before_there_is_news(table: Table) -> None:
    """By an empty line: the headers go with what comes first."""
    answer = follow(table, f"?after={table.view()['revision']}")
    assert b"\n" == next(iter(answer.response))
    answer.close()


def test_who_was_cut_off_goes_on_where_it_was(table: Table) -> None:
    seen = table.view()["revision"]
    table.act()
    table.act()
    for answer in (follow(table, f"?after={seen}"), follow(table, "?after=1", **{"Last-Event-ID": str(seen)})):
        items = lines(answer)
        assert [seen + 1, seen + 2] == [next(items)["revision"], next(items)["revision"]]
        answer.close()


def test_a_stream_ends_with_the_game_and_is_not_opened_again(table: Table) -> None:
    revision = table.view()["revision"]
    table.seat(0).post(f"{table.path}/resignation")
    assert ["resignation"] == [item["kind"] for item in lines(follow(table, f"?after={revision}"))]
    assert ["snapshot"] == [item["kind"] for item in lines(follow(table))]
    assert 204 == table.anyone.get(f"{table.path}/events", Last_Event_ID=str(revision + 1)).status_code


def test_server_sent_events_carry_the_revision_as_their_id(table: Table) -> None:
    table.host.post(f"{table.path}/abort")
    answer = table.anyone.get(f"{table.path}/events", Accept="text/event-stream")
    view = table.view()
    retry, event, rest = answer.get_data(as_text=True).split("\n\n")
    assert ("retry: 2000", "") == (retry, rest)
    number, data = event.split("\n")
    assert f"id: {view['revision']}" == number
    assert orjson.loads(data.removeprefix("data: "))["game"] == view


def test_a_revision_that_is_not_there_is_refused(table: Table) -> None:
    beyond = table.anyone.get(f"{table.path}/events?after=1000")
    assert "game/revision_not_found" == (beyond.json or {})["code"]
    for bad in ("x", "-1", "1" * 40, "²"):
        assert 422 == table.anyone.get(f"{table.path}/events", Last_Event_ID=bad.encode().decode("latin-1")).status_code


def test_head_of_a_stream_does_not_stream(table: Table) -> None:
    answer = table.anyone.send("HEAD", f"{table.path}/events")
    assert (200, b"") == (answer.status_code, answer.data)
