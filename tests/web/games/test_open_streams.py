"""How many streams a caller may have open at one time."""

from __future__ import annotations

import pytest
import redis
from werkzeug.test import TestResponse

from service.storage.base.limits import LEASE_S, Limits, key_of
from service.web.http import limits
from service.web.http.limits import OPEN_STREAMS
from tests.web.limited import LOCAL, Serve, code, create
from tests.web.table import Table


@pytest.fixture
def followed(serve: Serve) -> Table:
    """A game of a service that allows two streams a caller."""
    return create(serve(LIMIT_STREAMS="2"))


def follow(table: Table, address: str = LOCAL) -> TestResponse:
    return table.anyone.send("GET", f"{table.path}/events", environ_base={"REMOTE_ADDR": address})


def test_a_caller_has_so_many_streams_open_at_one_time(followed: Table) -> None:
    streams = [follow(followed) for _ in range(3)]
    assert [200, 200, 429] == [stream.status_code for stream in streams]
    refused = streams[2]
    assert ("limit/streams", 2) == (code(refused), (refused.json or {})["limit"])
    assert int(refused.headers["Retry-After"]) >= 1
    elsewhere = follow(followed, "192.0.2.1")
    assert 200 == elsewhere.status_code
    streams[0].close()
    again = follow(followed)
    assert 200 == again.status_code
    for stream in (*streams[1:], elsewhere, again):
        stream.close()


def places(client: redis.Redis) -> int:
    return int(client.zcard(key_of(LOCAL, OPEN_STREAMS)))


def test_a_place_is_given_back_when_the_stream_ends_and_where_none_begins(
    followed: Table, redis_client: redis.Redis
) -> None:
    follow(followed).close()
    assert 0 == places(redis_client)
    for asked in ({"path": "?after=99"}, {"path": "", "Accept": "text/html"}, {"path": "?after=x"}):
        path = asked.pop("path")
        assert followed.anyone.get(f"{followed.path}/events{path}", **asked).status_code >= 400
    assert 200 == followed.anyone.send("HEAD", f"{followed.path}/events").status_code
    followed.host.post(f"{followed.path}/abort")
    assert b'"kind":"snapshot"' in follow(followed).get_data()
    assert 204 == followed.anyone.get(f"{followed.path}/events?after={followed.view()['revision']}").status_code
    assert 0 == places(redis_client)


def test_the_places_of_a_killed_process_are_free_when_their_leases_end(
    followed: Table, redis_client: redis.Redis
) -> None:
    lost = [follow(followed) for _ in range(2)]
    key = key_of(LOCAL, OPEN_STREAMS)
    assert 0 < redis_client.pttl(key) <= LEASE_S * 1_000
    redis_client.zadd(key, dict.fromkeys(Limits(redis_client).holders(LOCAL, OPEN_STREAMS), 1))
    stream = follow(followed)
    assert (200, 1) == (stream.status_code, places(redis_client))
    for answer in (*lost, stream):
        answer.close()


def test_an_open_stream_keeps_its_place(
    followed: Table, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RENEW_S", 0.0)
    stream = follow(followed)
    chunks = stream.iter_encoded()
    next(chunks)
    key = key_of(LOCAL, OPEN_STREAMS)
    redis_client.delete(key)  # as if Redis had lost it, or the lease had run out
    followed.act()
    next(chunks)
    next(chunks)
    assert 1 == places(redis_client)
    stream.close()
