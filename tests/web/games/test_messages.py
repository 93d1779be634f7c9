"""What the people of a game say to each other; tickets, and new tokens for old ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

import pytest
import redis

from service.usecases.base.context import Context
from tests.patience import by_redis, let_expire
from tests.usecases.waiting import in_vain, lives, woken
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.players import Person, seated
from tests.web.table import Table
from tests.web.wrong_bodies import MISSING, wrong_bodies

NDJSON = "application/x-ndjson"


def messages_of(client: Client, table: Table, query: str = "") -> list[Json]:
    return list(answered(client.get(f"{table.path}/messages{query}"))["messages"])


def say(client: Client, table: Table, text: str, **more: Any) -> Json:
    return answered(client.post(f"{table.path}/messages", {"text": text, **more}), 201)


# ------------------------------------------------------------------------------------------- messages


def test_seats_and_host_speak_and_all_who_take_part_read(table: Table) -> None:
    before = table.view()
    assert [] == messages_of(table.host, table)
    spoken = [
        say(table.seat(0), table, "hello"),
        say(table.seat(1), table, "hi\nBen"),
        say(table.host, table, "welcome"),
    ]
    told = [*map(itemgetter("number", "seat", "text"), spoken)]
    assert [(1, 0, "hello"), (2, 1, "hi\nBen"), (3, None, "welcome")] == told
    for token in (*table.tokens["seats"].values(), table.tokens["host"], table.tokens["watch"]):
        assert spoken == messages_of(table.anyone.with_token(token), table)
    assert before == table.view()
    assert before["revision"] == answered(table.anyone.get(f"{table.path}/history"))["revision"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_host_who_has_no_seat_speaks_for_none(table: Table, seat: int) -> None:
    refusal = table.host.post(f"{table.path}/messages", {"text": "x", "seat": seat})
    assert (403, "auth/wrong_seat") == refused(refusal)


def test_a_player_speaks_for_his_seats(ana: Person, ben: Person) -> None:
    table = seated(ana, ben, ana)
    assert (0, 2) == (say(ana.client, table, "a")["seat"], say(ana.client, table, "b", seat=2)["seat"])
    refusal = ana.client.post(f"{table.path}/messages", {"text": "c", "seat": 1})
    assert (403, "auth/wrong_seat") == refused(refusal)


def test_the_last_two_hundred_messages_are_kept(table: Table) -> None:
    flask, headers = table.anyone.flask, {"Authorization": f"Bearer {table.tokens['seats']['0']}"}
    for number in range(1, 201):
        flask.post(f"{table.path}/messages", json={"text": f"no. {number}"}, headers=headers)
    assert list(range(1, 201)) == [message["number"] for message in messages_of(table.seat(1), table)]
    assert 201 == say(table.seat(0), table, "one more")["number"]
    kept = messages_of(table.seat(1), table)
    assert (list(range(2, 202)), "one more") == ([message["number"] for message in kept], kept[-1]["text"])
    assert [5, 6, 7] == [message["number"] for message in messages_of(table.seat(1), table, "?after=4&limit=3")]
    assert [] == messages_of(table.seat(1), table, "?after=201")


def test_a_message_has_at_most_500_characters_of_any_language(table: Table) -> None:
    for text in ("x" * 500, "\U0001f3b2" * 500, "Grüße,\n日本語 עברית", "<script>alert(1)</script>"):
        assert text == say(table.seat(0), table, text)["text"]
        assert text == messages_of(table.seat(1), table)[-1]["text"]


def test_a_fault_in_a_message_is_told_and_nothing_is_said(table: Table) -> None:
    texts = ["x" * 501, "", " \n ", "a\x00b", "a\x1b[2Jb", "a\tb", "a\rb", "a\x7fb", "a\u202eb", 7, None, MISSING]
    for pointer, body in wrong_bodies({"text": "x"}, {"/text": texts, "/to": [1], "/seat": [4, "0"]}):
        assert [pointer] == invalid(table.seat(0).post(f"{table.path}/messages", body)), body
    assert [""] == invalid(table.seat(0).post(f"{table.path}/messages", []))
    assert [] == messages_of(table.seat(0), table, "?after=9007199254740991")
    assert [] == messages_of(table.seat(0), table)


def test_waiting_for_a_message_ends_as_soon_as_something_is_said(table: Table, context: Context) -> None:
    say(table.seat(0), table, "before")
    wait = partial(messages_of, table.seat(1), table, "?after=1&wait=60")
    told = woken(context, wait, lambda: say(table.seat(0), table, "now"))
    assert ["now"] == [message["text"] for message in told]
    with in_vain(context) as waits:
        assert [] == messages_of(table.seat(1), table, "?after=2&wait=20")
    assert [20] == waits
    assert 2 == len(messages_of(table.seat(1), table, "?wait=20"))


def test_after_the_end_people_still_talk(table: Table) -> None:
    table.host.post(f"{table.path}/abort")
    say(table.seat(0), table, "well played")
    assert ["well played"] == [message["text"] for message in messages_of(table.seat(1), table)]


# ------------------------------------------------------------------------------------------- tickets


def ticket(client: Client, table: Table) -> str:
    return str(answered(client.post(f"{table.path}/tickets"), 201)["ticket"])


def opened(table: Table, shown: str) -> tuple[int, str]:
    """Status, and the code or the kind of the first item, of a stream opened by a ticket."""
    answer = table.anyone.get(f"{table.path}/events?ticket={shown}", Accept=f"{NDJSON}, application/problem+json")
    if answer.status_code != 200:
        return refused(answer)
    _, first = itertools.islice(iter(answer.response), 2)
    answer.close()
    assert b'"kind":"snapshot"' in bytes(first)  # type: ignore[arg-type]
    return 200, "snapshot"


def test_a_ticket_opens_the_stream_of_a_private_game_once(new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    for token in (*table.tokens["seats"].values(), *(table.tokens[role] for role in ("host", "watch", "invite"))):
        shown = ticket(table.anyone.with_token(token), table)
        assert (200, "snapshot") == opened(table, shown)
        assert (401, "auth/ticket_unknown") == opened(table, shown)


def test_a_ticket_is_good_for_a_minute(new_game: Callable[..., Table], redis_client: redis.Redis) -> None:
    table, began = new_game(visibility="private"), by_redis(redis_client)
    shown = ticket(table.host, table)
    (key,) = redis_client.scan_iter("*:ticket:*")
    assert lives(redis_client, key, 60, began)
    assert shown.encode() not in key
    let_expire(redis_client, 60)
    assert (401, "auth/ticket_unknown") == opened(table, shown)


def test_a_ticket_is_good_for_its_game_alone(new_game: Callable[..., Table]) -> None:
    table, other = new_game(visibility="private"), new_game(visibility="private")
    shown = ticket(table.host, table)
    assert (401, "auth/ticket_unknown") == opened(other, shown)
    assert (200, "snapshot") == opened(table, shown)


def test_a_ticket_is_no_token(new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    shown = ticket(table.seat(0), table)
    assert 404 == table.anyone.with_token(shown).get(table.path).status_code
    assert 422 == table.anyone.get(f"{table.path}?ticket={shown}").status_code
    assert 422 == table.anyone.get(f"{table.path}/history?ticket={shown}").status_code
    assert (200, "snapshot") == opened(table, shown)


def test_faults_in_asking_for_a_ticket_are_told(table: Table) -> None:
    for body, pointer in (({"seconds": 60}, "/seconds"), ([], "")):
        assert [pointer] == invalid(table.host.post(f"{table.path}/tickets", body))


# ------------------------------------------------------------------------------------------- new tokens


@pytest.mark.parametrize("role", ["host", "invite", "watch"])
def test_a_new_token_of_the_game_ends_the_old_one(new_game: Callable[..., Table], role: str) -> None:
    table = new_game(visibility="private")
    given = answered(table.host.post(f"{table.path}/tokens", {"role": role}), 201)
    assert role == given["role"]
    assert given["token"] != table.tokens[role]
    assert 404 == table.anyone.with_token(table.tokens[role]).get(table.path).status_code
    assert 200 == table.anyone.with_token(given["token"]).get(table.path).status_code
    others = [token for name, token in table.tokens.items() if name not in (role, "seats", "secrets")]
    assert [200, 200] == [table.anyone.with_token(token).get(table.path).status_code for token in others]


def test_a_player_who_hosts_does_so_after_the_hosts_token_has_changed(ana: Person, ben: Person) -> None:
    table = seated(ana, ben)
    given = answered(ana.client.post(f"{table.path}/tokens", {"role": "host"}), 201)
    assert (401, "auth/token_unknown") == refused(table.host.post(f"{table.path}/abort"))
    for client in (ana.client, table.anyone.with_token(given["token"])):
        answered(client.post(f"{table.path}/tokens", {"role": "watch"}), 201)
