"""Who looks at a game now: seats, players who watch, others; everybody once, and gone soon after they leave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from redis.connection import AbstractConnection
from redis.exceptions import OutOfMemoryError

from service.storage.base.keys import Keys
from service.usecases.base.context import Caller, Context
from service.usecases.views import reading, viewers
from service.usecases.views.presence import MAX_NAMED
from service.usecases.views.viewers import GRACE_S, MAX_WATCHING, MOST, SHOWN_S, Viewer
from tests.patience import by_redis
from tests.usecases.waiting import in_vain
from tests.web.client import Client, Json, answered, refused
from tests.web.players import Person, new_player, seated
from tests.web.table import Table

NOBODY = {"seats": [], "watching": {"count": 0, "players": []}}


def present(client: Client, table: Table) -> Json:
    return answered(client.get(f"{table.path}/presence"))


def watching(table: Table) -> tuple[int, list[str]]:
    """How many watch, and the names of those that have one."""
    told = present(table.host, table)["watching"]
    return told["count"], [player["name"] for player in told["players"]]


@contextmanager
def following(client: Client, table: Table, query: str = "") -> Iterator[None]:
    """While a stream of the game is open and has begun."""
    stream = client.send("GET", f"{table.path}/events{query}")
    assert 200 == stream.status_code
    next(stream.iter_encoded())
    next(stream.iter_encoded())
    yield
    stream.close()


def key_of(context: Context, table: Table) -> str:
    return Keys(context.settings.buckets).game(table.id).presence


@contextmanager
def shown_for(seconds: float, redis_client: redis.Redis, context: Context, table: Table) -> Iterator[None]:
    """Whoever is there afterwards, one viewer, was shown within and is there for so long."""
    began = by_redis(redis_client)
    yield
    entries: Any = redis_client.zrange(key_of(context, table), 0, -1, withscores=True)
    ((_, until),) = entries
    assert began <= until - 1000 * seconds <= by_redis(redis_client)


def test_seats_and_watchers_are_there_while_their_streams_are_open(table: Table, ana: Person) -> None:
    assert present(table.anyone, table) == NOBODY
    with following(table.seat(1), table), following(ana.client, table), following(table.anyone, table):
        told = present(table.anyone, table)
        assert [1] == told["seats"]
        assert (2, [ana.id]) == (told["watching"]["count"], [player["id"] for player in told["watching"]["players"]])
    assert present(table.anyone, table) == NOBODY


def test_two_tabs_of_one_person_count_once_and_the_second_stays_when_the_first_is_closed(
    table: Table, ana: Person
) -> None:
    with following(ana.client, table), following(table.seat(0), table):
        with following(ana.client, table), following(table.seat(0), table):
            assert (1, ["Ana"]) == watching(table)
        assert ((1, ["Ana"]), [0]) == (watching(table), present(table.host, table)["seats"])


def test_a_player_is_there_with_all_their_seats_and_as_no_watcher(ana: Person, ben: Person) -> None:
    table = seated(ana, ben)
    with following(ben.client, table), following(ana.client, table, "?hidden=true"):
        assert {**NOBODY, "seats": [0, 1]} == present(table.host, table)


def test_who_watches_hidden_is_counted_and_not_named_whatever_another_tab_says(table: Table, ana: Person) -> None:
    with following(ana.client, table, "?hidden=true"):
        assert (1, []) == watching(table)
        with following(ana.client, table):
            assert (1, []) == watching(table)


def test_connections_of_one_browser_count_once_where_they_say_so(table: Table, ana: Person) -> None:
    with following(table.anyone, table, "?viewer=0123abcd"), following(table.anyone, table, "?viewer=0123abcd"):
        assert (1, []) == watching(table)
        with following(table.anyone, table, "?viewer=another_"), following(ana.client, table, "?viewer=0123abcd"):
            assert (3, ["Ana"]) == watching(table)


def test_nobody_is_named_by_a_token_that_is_not_theirs(table: Table, ana: Person) -> None:
    forged = table.anyone.with_token(f"{ana.id}.{'x' * 43}")
    with following(forged, table):
        assert (1, []) == watching(table)


def test_a_ticket_shows_the_seat_that_it_was_given_for(table: Table) -> None:
    ticket = answered(table.seat(1).post(f"{table.path}/tickets"))["ticket"]
    with following(table.anyone, table, f"?ticket={ticket}"):
        assert [1] == present(table.anyone, table)["seats"]


def test_a_player_who_reads_a_private_game_by_a_ticket_is_named(ana: Person, ben: Person) -> None:
    table = seated(ana, new_player(ana.client), visibility="private")
    ticket = answered(table.anyone.with_token(table.tokens["watch"]).post(f"{table.path}/tickets"))["ticket"]
    with following(ben.client, table, f"?ticket={ticket}"):
        assert {"seats": [], "watching": (1, ["Ben"])} == {
            "seats": present(table.host, table)["seats"],
            "watching": watching(table),
        }


def test_who_may_not_read_a_game_does_not_hear_who_is_there(ana: Person, ben: Person) -> None:
    table = seated(ana, ben, visibility="private")
    with following(ana.client, table):
        assert (404, "game/not_found") == refused(table.anyone.get(f"{table.path}/presence"))
        assert (404, "game/not_found") == refused(new_player(table.anyone).client.get(f"{table.path}/presence"))
        assert [0] == present(ben.client, table)["seats"]
    assert (404, "game/not_found") == refused(table.anyone.get("/v1/games/AAAAAAAAAAAAAAAA/presence"))


def test_a_long_poll_shows_who_waits_and_a_known_one_until_the_next(
    table: Table, ana: Person, context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    while_waiting: list[tuple[int, list[str]]] = []

    def wait(*_: Any) -> bool:
        while_waiting.append(watching(table))
        return False

    monkeypatch.setattr(context.hub, "wait", wait)
    tag = table.host.get(table.path).headers["ETag"]
    with shown_for(25 + GRACE_S, redis_client, context, table):
        for client in (table.anyone, ana.client, ana.client):
            assert 304 == client.get(f"{table.path}?wait=25", If_None_Match=tag).status_code
    assert [(1, []), (1, ["Ana"]), (1, ["Ana"])] == while_waiting
    ana.client.get(f"{table.path}?wait=25&hidden=true", If_None_Match=tag)
    assert (1, []) == while_waiting[-1]


def test_neither_actions_nor_reads_nor_short_polls_show_anybody(
    table: Table, context: Context, redis_client: redis.Redis
) -> None:
    table.act()
    tag = table.seat(0).get(table.path).headers["ETag"]
    with in_vain(context) as waits:
        table.seat(0).get(f"{table.path}?wait=1", If_None_Match=tag)
    assert [1] == waits
    table.seat(0).send("HEAD", f"{table.path}/events")
    table.seat(0).get(f"{table.path}/history")
    table.seat(0).post(f"{table.path}/resignation")
    table.seat(0).get(f"{table.path}/events").get_data()
    assert 0 == redis_client.exists(key_of(context, table))


def test_a_stream_costs_one_exchange_more_when_it_begins_and_one_when_it_ends(
    table: Table, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchanges = 0
    here = threading.get_ident()
    send: Any = AbstractConnection.send_packed_command

    def counted(connection: Any, *given: Any, **named: Any) -> None:
        nonlocal exchanges
        exchanges += threading.get_ident() == here
        send(connection, *given, **named)

    def follow() -> list[int]:
        """Exchanges up to the first event, for the next, and to end it."""
        nonlocal exchanges
        seen, told = context.store.revision(table.id), []
        table.act()
        table.act()
        items = reading.follow(context, Caller(), table.id, seen)
        for last in (False, False, True):
            exchanges = 0
            if last:
                items.close()
            else:
                next(items)
            told.append(exchanges)
        return told

    context.now_ms()
    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    opening, going_on, ending = follow()
    context.steps.clear()
    monkeypatch.setattr(Viewer, "during", lambda _, items: items)
    assert [opening - 1, going_on, ending - 1] == follow()


def test_a_stream_shows_its_viewer_again_while_it_lasts(
    table: Table, context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "AGAIN_S", 0.0)
    items = reading.follow(context, Caller(table.tokens["seats"]["0"]), table.id, None, keep_alive_s=0.01)
    with shown_for(SHOWN_S, redis_client, context, table):
        next(items)
    redis_client.delete(key_of(context, table))  # as if it had run out, or Redis had lost it
    assert [None, None] == [next(items), next(items)]
    assert [0] == present(table.anyone, table)["seats"]
    items.close()


def test_who_died_is_gone_when_their_time_is_up(
    table: Table, context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert context.presence.show(table.id, "1 seats 0", 20, MOST)
    assert 0 < redis_client.pttl(key_of(context, table)) <= 20_000
    context.presence.show(table.id, "2 unknown", SHOWN_S, MOST)
    assert [0] == present(table.anyone, table)["seats"]
    later = context.now_ms() + 20_001
    monkeypatch.setattr(context, "now_ms", lambda: later)
    assert {**NOBODY, "watching": {"count": 1, "players": []}} == present(table.anyone, table)
    assert 0 < redis_client.pttl(key_of(context, table)) <= 1000 * SHOWN_S


def test_no_more_than_so_many_connections_are_kept_but_seats_find_a_place(
    table: Table, context: Context, redis_client: redis.Redis
) -> None:
    until = context.now_ms() + 60_000
    redis_client.zadd(key_of(context, table), {f"{number} unknown": until for number in range(MAX_WATCHING)})
    with following(table.anyone, table), following(table.seat(0), table):
        told = present(table.anyone, table)
        assert ([0], MAX_WATCHING) == (told["seats"], told["watching"]["count"])


def test_only_some_of_many_are_named_and_one_who_was_deleted_is_counted_until_their_time_is_up(
    table: Table, ana: Person, context: Context
) -> None:
    people = [new_player(table.anyone) for _ in range(MAX_NAMED)]
    for person in (ana, *people):
        context.presence.show(table.id, f"1 player {person.id}", SHOWN_S, MOST)
    assert (MAX_NAMED + 1, MAX_NAMED) == (watching(table)[0], len(watching(table)[1]))
    for person in people:
        person.client.delete("/v1/me")
    assert MAX_NAMED + 1 == watching(table)[0]
    assert set(watching(table)[1]) <= {"Ana"}


def test_a_store_that_takes_nothing_more_is_still_followed(
    table: Table, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OutOfMemoryError("full")

    for name in ("show", "leave"):
        monkeypatch.setattr(context.presence, name, full)
    with following(table.anyone, table):
        assert present(table.anyone, table) == NOBODY
