"""The limit on a caller's open streams."""

from __future__ import annotations

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.storage.base.limits import LEASE_S, Limits, budget_key
from service.web.http import limits
from service.web.http.limits import OPEN_STREAMS
from tests.web.limited_service import LOCAL, Serve, code, create
from tests.web.table import Table


@pytest.fixture
def stream_table(serve: Serve) -> Table:
    """Create a game of a service that allows two streams per caller."""
    return create(serve(LIMIT_STREAMS="2"))


def follow(table: Table, address: str = LOCAL) -> TestResponse:
    return table.anyone.send("GET", f"{table.path}/events", environ_base={"REMOTE_ADDR": address})


def test_a_stream_beyond_the_limit_is_refused(stream_table: Table) -> None:
    streams = [follow(stream_table) for _ in range(3)]
    assert [200, 200, 429] == [stream.status_code for stream in streams]
    refusal = streams[2]
    assert ("limit/streams", 2) == (code(refusal), (refusal.json or {})["limit"])
    assert int(refusal.headers["Retry-After"]) >= 1
    elsewhere = follow(stream_table, "192.0.2.1")
    assert 200 == elsewhere.status_code
    streams[0].close()
    again = follow(stream_table)
    assert 200 == again.status_code
    for stream in (*streams[1:], elsewhere, again):
        stream.close()


def places(client: Redis) -> int:
    return int(client.zcard(budget_key(LOCAL, OPEN_STREAMS)))


def test_a_place_is_freed_when_a_stream_ends_or_fails_to_start(stream_table: Table, redis_client: Redis) -> None:
    follow(stream_table).close()
    assert 0 == places(redis_client)
    for request in ({"path": "?after=99"}, {"path": "", "Accept": "text/html"}, {"path": "?after=x"}):
        path = request.pop("path")
        assert stream_table.anyone.get(f"{stream_table.path}/events{path}", **request).status_code >= 400
    assert 200 == stream_table.anyone.send("HEAD", f"{stream_table.path}/events").status_code
    stream_table.host.post(f"{stream_table.path}/abort")
    assert b'"kind":"snapshot"' in follow(stream_table).get_data()
    assert (
        204
        == stream_table.anyone.get(f"{stream_table.path}/events?after={stream_table.view()['revision']}").status_code
    )
    assert 0 == places(redis_client)


def test_places_of_a_killed_process_are_freed_with_their_leases(stream_table: Table, redis_client: Redis) -> None:
    unclosed = [follow(stream_table) for _ in range(2)]
    key = budget_key(LOCAL, OPEN_STREAMS)
    assert 0 < redis_client.pttl(key) <= LEASE_S * 1_000
    redis_client.zadd(key, dict.fromkeys(Limits(redis_client).holders(LOCAL, OPEN_STREAMS), 1))
    stream = follow(stream_table)
    assert (200, 1) == (stream.status_code, places(redis_client))
    for answer in (*unclosed, stream):
        answer.close()


def test_open_streams_keep_a_place(stream_table: Table, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RENEW_S", 0.0)
    stream = follow(stream_table)
    chunks = stream.iter_encoded()
    next(chunks)
    key = budget_key(LOCAL, OPEN_STREAMS)
    redis_client.delete(key)  # as if Redis had lost it, or the lease had run out
    stream_table.act()
    next(chunks)
    next(chunks)
    assert 1 == places(redis_client)
    stream.close()
