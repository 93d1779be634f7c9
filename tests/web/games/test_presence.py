"""Presence: seats, named watchers and others, each counted once until shortly after they leave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis
from redis.connection import AbstractConnection
from redis.exceptions import OutOfMemoryError

from service.storage.base.keys import Keys
from service.usecases.base.context import Caller, Context
from service.usecases.views import reading, viewers
from service.usecases.views.presence import MAX_NAMED
from service.usecases.views.viewers import GRACE_S, MAX_CONNECTIONS, MAX_WATCHING, STREAM_LIFETIME_S, Viewer
from tests.patience import redis_now_ms
from tests.usecases.waiting import waits_without_news
from tests.web.client import Client, Json, body_of, refusal_of
from tests.web.players import Person, new_player, seat_players
from tests.web.table import Table

NOBODY = {"seats": [], "watching": {"count": 0, "players": []}}


def present(client: Client, table: Table) -> Json:
    return body_of(client.get(f"{table.path}/presence"))


def watching(table: Table) -> tuple[int, list[str]]:
    """Return the number of watchers and the names of those who have one."""
    shown = present(table.host, table)["watching"]
    return shown["count"], [player["name"] for player in shown["players"]]


@contextmanager
def following(client: Client, table: Table, query: str = "") -> Iterator[None]:
    """Keep a stream of the game open."""
    stream = client.send("GET", f"{table.path}/events{query}")
    assert 200 == stream.status_code
    next(stream.iter_encoded())
    next(stream.iter_encoded())
    yield
    stream.close()


def key_of(context: Context, table: Table) -> str:
    return Keys(context.settings.buckets).home(table.id).presence(table.id)


@contextmanager
def shown_for(seconds: float, redis_client: Redis, context: Context, table: Table) -> Iterator[None]:
    """Check that the block adds one viewer and that the viewer stays for this many seconds."""
    began = redis_now_ms(redis_client)
    yield
    entries: Any = redis_client.zrange(key_of(context, table), 0, -1, withscores=True)
    ((_, until),) = entries
    assert began <= until - 1000 * seconds <= redis_now_ms(redis_client)


def test_seats_and_watchers_are_present_while_their_streams_are_open(table: Table, ana: Person) -> None:
    assert present(table.anyone, table) == NOBODY
    with following(table.seat(1), table), following(ana.client, table), following(table.anyone, table):
        shown = present(table.anyone, table)
        assert [1] == shown["seats"]
        assert (2, [ana.id]) == (shown["watching"]["count"], [player["id"] for player in shown["watching"]["players"]])
    assert present(table.anyone, table) == NOBODY


def test_two_tabs_of_a_person_count_once_until_both_are_closed(table: Table, ana: Person) -> None:
    with following(ana.client, table), following(table.seat(0), table):
        with following(ana.client, table), following(table.seat(0), table):
            assert (1, ["Ana"]) == watching(table)
        assert ((1, ["Ana"]), [0]) == (watching(table), present(table.host, table)["seats"])


def test_a_player_is_present_with_all_their_seats_and_not_as_a_watcher(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    with following(ben.client, table), following(ana.client, table, "?hidden=true"):
        assert {**NOBODY, "seats": [0, 1]} == present(table.host, table)


def test_a_hidden_watcher_is_counted_and_not_named(table: Table, ana: Person) -> None:
    with following(ana.client, table, "?hidden=true"):
        assert (1, []) == watching(table)
        with following(ana.client, table):
            assert (1, []) == watching(table)


def test_connections_with_the_same_viewer_id_count_once(table: Table, ana: Person) -> None:
    with following(table.anyone, table, "?viewer=0123abcd"), following(table.anyone, table, "?viewer=0123abcd"):
        assert (1, []) == watching(table)
        with following(table.anyone, table, "?viewer=another_"), following(ana.client, table, "?viewer=0123abcd"):
            assert (3, ["Ana"]) == watching(table)


def test_a_forged_token_names_no_watcher(table: Table, ana: Person) -> None:
    forged = table.anyone.with_token(f"{ana.id}.{'x' * 43}")
    with following(forged, table):
        assert (1, []) == watching(table)


def test_a_ticket_shows_the_seat_of_its_owner(table: Table) -> None:
    ticket = body_of(table.seat(1).post(f"{table.path}/tickets"))["ticket"]
    with following(table.anyone, table, f"?ticket={ticket}"):
        assert [1] == present(table.anyone, table)["seats"]


def test_a_player_who_reads_a_private_game_by_a_ticket_is_named(ana: Person, ben: Person) -> None:
    table = seat_players(ana, new_player(ana.client), visibility="private")
    ticket = body_of(table.anyone.with_token(table.tokens["watch"]).post(f"{table.path}/tickets"))["ticket"]
    with following(ben.client, table, f"?ticket={ticket}"):
        assert {"seats": [], "watching": (1, ["Ben"])} == {
            "seats": present(table.host, table)["seats"],
            "watching": watching(table),
        }


def test_presence_of_a_private_game_is_hidden_from_strangers(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben, visibility="private")
    with following(ana.client, table):
        assert (404, "game/not_found") == refusal_of(table.anyone.get(f"{table.path}/presence"))
        assert (404, "game/not_found") == refusal_of(new_player(table.anyone).client.get(f"{table.path}/presence"))
        assert [0] == present(ben.client, table)["seats"]
    assert (404, "game/not_found") == refusal_of(table.anyone.get("/v1/games/AAAAAAAAAAAAAAAA/presence"))


def test_a_long_poll_shows_its_caller_until_the_next_poll(
    table: Table, ana: Person, context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
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


def test_actions_reads_and_short_polls_show_no_viewer(table: Table, context: Context, redis_client: Redis) -> None:
    table.act()
    tag = table.seat(0).get(table.path).headers["ETag"]
    with waits_without_news(context) as waits:
        table.seat(0).get(f"{table.path}?wait=1", If_None_Match=tag)
    assert [1] == waits
    table.seat(0).send("HEAD", f"{table.path}/events")
    table.seat(0).get(f"{table.path}/history")
    table.seat(0).post(f"{table.path}/resignation")
    table.seat(0).get(f"{table.path}/events").get_data()
    assert 0 == redis_client.exists(key_of(context, table))


def test_presence_adds_one_redis_exchange_at_the_start_and_end_of_a_stream(
    table: Table, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchanges = 0
    own_thread = threading.get_ident()
    send: Any = AbstractConnection.send_packed_command

    def count_exchange(connection: Any, *arguments: Any, **keywords: Any) -> None:
        nonlocal exchanges
        exchanges += threading.get_ident() == own_thread
        send(connection, *arguments, **keywords)

    def follow() -> list[int]:
        """Exchanges up to the first event, for the next, and to end it."""
        nonlocal exchanges
        seen, shown = context.store.revision(table.id), []
        table.act()
        table.act()
        items = reading.follow(context, Caller(), table.id, seen)
        for last in (False, False, True):
            exchanges = 0
            if last:
                items.close()
            else:
                next(items)
            shown.append(exchanges)
        return shown

    context.now_ms()
    monkeypatch.setattr(AbstractConnection, "send_packed_command", count_exchange)
    opening, going_on, ending = follow()
    context.steps.clear()
    monkeypatch.setattr(Viewer, "show_during", lambda _, items: items)
    assert [opening - 1, going_on, ending - 1] == follow()


def test_an_open_stream_renews_its_viewer(
    table: Table, context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "REFRESH_S", 0.0)
    items = reading.follow(context, Caller(table.tokens["seats"]["0"]), table.id, None, keep_alive_s=0.01)
    with shown_for(STREAM_LIFETIME_S, redis_client, context, table):
        next(items)
    redis_client.delete(key_of(context, table))  # as if it had run out, or Redis had lost it
    assert [None, None] == [next(items), next(items)]
    assert [0] == present(table.anyone, table)["seats"]
    items.close()


def test_viewers_of_a_killed_process_expire(
    table: Table, context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert context.presence.show(table.id, "1 seats 0", 20, MAX_CONNECTIONS)
    assert 0 < redis_client.pttl(key_of(context, table)) <= 20_000
    context.presence.show(table.id, "2 unknown", STREAM_LIFETIME_S, MAX_CONNECTIONS)
    assert [0] == present(table.anyone, table)["seats"]
    later = context.now_ms() + 20_001
    monkeypatch.setattr(context, "now_ms", lambda: later)
    assert {**NOBODY, "watching": {"count": 1, "players": []}} == present(table.anyone, table)
    assert 0 < redis_client.pttl(key_of(context, table)) <= 1000 * STREAM_LIFETIME_S


def test_connections_are_limited_but_seats_always_added(table: Table, context: Context, redis_client: Redis) -> None:
    until = context.now_ms() + 60_000
    redis_client.zadd(key_of(context, table), {f"{number} unknown": until for number in range(MAX_WATCHING)})
    with following(table.anyone, table), following(table.seat(0), table):
        shown = present(table.anyone, table)
        assert ([0], MAX_WATCHING) == (shown["seats"], shown["watching"]["count"])


def test_some_of_many_watchers_are_named_and_deleted_ones_counted_until_they_expire(
    table: Table, ana: Person, context: Context
) -> None:
    people = [new_player(table.anyone) for _ in range(MAX_NAMED)]
    for person in (ana, *people):
        context.presence.show(table.id, f"1 player {person.id}", STREAM_LIFETIME_S, MAX_CONNECTIONS)
    assert (MAX_NAMED + 1, MAX_NAMED) == (watching(table)[0], len(watching(table)[1]))
    for person in people:
        person.client.delete("/v1/me")
    assert MAX_NAMED + 1 == watching(table)[0]
    assert set(watching(table)[1]) <= {"Ana"}


def test_streams_work_while_the_store_is_full(table: Table, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_full(*_: Any) -> None:
        raise OutOfMemoryError("full")

    for name in ("show", "leave"):
        monkeypatch.setattr(context.presence, name, raise_full)
    with following(table.anyone, table):
        assert present(table.anyone, table) == NOBODY
