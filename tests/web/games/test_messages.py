"""Chat in a game, tickets, and rotated tokens."""

from __future__ import annotations

import itertools
from functools import partial
from operator import itemgetter
from typing import Any

import pytest
from redis import Redis

from service.usecases.base.context import Context
from tests.patience import let_expire, redis_now_ms
from tests.usecases.waiting import has_lifetime, wait_result, waits_without_news
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person, seat_players
from tests.web.table import NewTable, Table
from tests.web.wrong_bodies import MISSING, wrong_bodies

NDJSON = "application/x-ndjson"


def messages_of(client: Client, table: Table, query: str = "") -> list[Json]:
    return list(body_of(client.get(f"{table.path}/messages{query}"))["messages"])


def say(client: Client, table: Table, text: str, **more: Any) -> Json:
    return body_of(client.post(f"{table.path}/messages", {"text": text, **more}), 201)


# ------------------------------------------------------------------------------------------- messages


def test_seats_and_host_write_and_all_members_read_messages(table: Table) -> None:
    before = table.view()
    assert [] == messages_of(table.host, table)
    sent = [
        say(table.seat(0), table, "hello"),
        say(table.seat(1), table, "hi\nBen"),
        say(table.host, table, "welcome"),
    ]
    messages = [*map(itemgetter("number", "seat", "text"), sent)]
    assert [(1, 0, "hello"), (2, 1, "hi\nBen"), (3, None, "welcome")] == messages
    for token in (*table.tokens["seats"].values(), table.tokens["host"], table.tokens["watch"]):
        assert sent == messages_of(table.anyone.with_token(token), table)
    assert before == table.view()
    assert before["revision"] == body_of(table.anyone.get(f"{table.path}/history"))["revision"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_host_without_a_seat_cannot_write_for_a_seat(table: Table, seat: int) -> None:
    refusal = table.host.post(f"{table.path}/messages", {"text": "x", "seat": seat})
    assert (403, "auth/wrong_seat") == refusal_of(refusal)


def test_a_player_writes_for_their_seats(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben, ana)
    assert (0, 2) == (say(ana.client, table, "a")["seat"], say(ana.client, table, "b", seat=2)["seat"])
    refusal = ana.client.post(f"{table.path}/messages", {"text": "c", "seat": 1})
    assert (403, "auth/wrong_seat") == refusal_of(refusal)


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


def test_an_invalid_message_is_refused_and_not_stored(table: Table) -> None:
    texts = ["x" * 501, "", " \n ", "a\x00b", "a\x1b[2Jb", "a\tb", "a\rb", "a\x7fb", "a\u202eb", 7, None, MISSING]
    for pointer, body in wrong_bodies({"text": "x"}, {"/text": texts, "/to": [1], "/seat": [4, "0"]}):
        assert [pointer] == invalid_fields(table.seat(0).post(f"{table.path}/messages", body)), body
    assert [""] == invalid_fields(table.seat(0).post(f"{table.path}/messages", []))
    assert [] == messages_of(table.seat(0), table, "?after=9007199254740991")
    assert [] == messages_of(table.seat(0), table)


def test_a_wait_for_a_message_ends_with_the_next_message(table: Table, context: Context) -> None:
    say(table.seat(0), table, "before")
    wait = partial(messages_of, table.seat(1), table, "?after=1&wait=60")
    messages = wait_result(context, wait, lambda: say(table.seat(0), table, "now"))
    assert ["now"] == [message["text"] for message in messages]
    with waits_without_news(context) as waits:
        assert [] == messages_of(table.seat(1), table, "?after=2&wait=20")
    assert [20] == waits
    assert 2 == len(messages_of(table.seat(1), table, "?wait=20"))


def test_messages_can_be_sent_after_the_end(table: Table) -> None:
    table.host.post(f"{table.path}/abort")
    say(table.seat(0), table, "well played")
    assert ["well played"] == [message["text"] for message in messages_of(table.seat(1), table)]


# ------------------------------------------------------------------------------------------- tickets


def ticket(client: Client, table: Table) -> str:
    return str(body_of(client.post(f"{table.path}/tickets"), 201)["ticket"])


def open_stream(table: Table, ticket_text: str) -> tuple[int, str]:
    """Open a stream with a ticket. Return the status, and the code or the kind of the first item."""
    answer = table.anyone.get(f"{table.path}/events?ticket={ticket_text}", Accept=f"{NDJSON}, application/problem+json")
    if answer.status_code != 200:
        return refusal_of(answer)
    _, first = itertools.islice(iter(answer.response), 2)
    answer.close()
    assert b'"kind":"snapshot"' in bytes(first)  # type: ignore[arg-type]
    return 200, "snapshot"


def test_a_ticket_opens_the_stream_of_a_private_game_once(new_game: NewTable) -> None:
    table = new_game(visibility="private")
    for token in (*table.tokens["seats"].values(), *(table.tokens[role] for role in ("host", "watch", "invite"))):
        ticket_text = ticket(table.anyone.with_token(token), table)
        assert (200, "snapshot") == open_stream(table, ticket_text)
        assert (401, "auth/ticket_unknown") == open_stream(table, ticket_text)


def test_a_ticket_is_valid_for_a_minute(new_game: NewTable, redis_client: Redis) -> None:
    table, began = new_game(visibility="private"), redis_now_ms(redis_client)
    ticket_text = ticket(table.host, table)
    (key,) = redis_client.scan_iter("*:ticket:*")
    assert has_lifetime(redis_client, key, 60, began)
    assert ticket_text.encode() not in key
    let_expire(redis_client, 60)
    assert (401, "auth/ticket_unknown") == open_stream(table, ticket_text)


def test_a_ticket_is_valid_for_its_game_alone(new_game: NewTable) -> None:
    table, other = new_game(visibility="private"), new_game(visibility="private")
    ticket_text = ticket(table.host, table)
    assert (401, "auth/ticket_unknown") == open_stream(other, ticket_text)
    assert (200, "snapshot") == open_stream(table, ticket_text)


def test_a_ticket_cannot_be_used_as_a_token(new_game: NewTable) -> None:
    table = new_game(visibility="private")
    ticket_text = ticket(table.seat(0), table)
    assert 404 == table.anyone.with_token(ticket_text).get(table.path).status_code
    assert 422 == table.anyone.get(f"{table.path}?ticket={ticket_text}").status_code
    assert 422 == table.anyone.get(f"{table.path}/history?ticket={ticket_text}").status_code
    assert (200, "snapshot") == open_stream(table, ticket_text)


def test_an_invalid_request_for_a_ticket_is_refused(table: Table) -> None:
    for body, pointer in (({"seconds": 60}, "/seconds"), ([], "")):
        assert [pointer] == invalid_fields(table.host.post(f"{table.path}/tickets", body))


# ------------------------------------------------------------------------------------------- new tokens


@pytest.mark.parametrize("role", ["host", "invite", "watch"])
def test_a_rotation_ends_the_old_token(new_game: NewTable, role: str) -> None:
    table = new_game(visibility="private")
    rotated = body_of(table.host.post(f"{table.path}/tokens", {"role": role}), 201)
    assert role == rotated["role"]
    assert rotated["token"] != table.tokens[role]
    assert 404 == table.anyone.with_token(table.tokens[role]).get(table.path).status_code
    assert 200 == table.anyone.with_token(rotated["token"]).get(table.path).status_code
    others = [token for name, token in table.tokens.items() if name not in (role, "seats", "secrets")]
    assert [200, 200] == [table.anyone.with_token(token).get(table.path).status_code for token in others]


def test_a_player_stays_host_after_a_rotation_of_the_hosts_token(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    rotated = body_of(ana.client.post(f"{table.path}/tokens", {"role": "host"}), 201)
    assert (401, "auth/token_unknown") == refusal_of(table.host.post(f"{table.path}/abort"))
    for client in (ana.client, table.anyone.with_token(rotated["token"])):
        body_of(client.post(f"{table.path}/tokens", {"role": "watch"}), 201)
