"""Players that a player follows: the private list, presence, blocks and bans, and games against one player."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis
from redis.connection import AbstractConnection

from service.usecases.base.context import Caller, Context
from service.usecases.people import relations
from tests.web.client import Client, body_of, refusal_of
from tests.web.players import Person, new_player, open_table, seat_players


def follow(person: Person, other: str) -> Any:
    return person.client.put(f"/v1/me/following/{other}", {})


def unfollow(person: Person, other: str) -> Any:
    return person.client.delete(f"/v1/me/following/{other}")


def following(person: Person) -> dict[str, bool]:
    """Return the ids of the players on the list, in its order, and whether each is online."""
    listed = body_of(person.client.get("/v1/me/following"))["following"]
    return {one["player"]["id"]: one["online"] for one in listed}


@contextmanager
def open_stream(person: Person, query: str = "") -> Iterator[None]:
    """Keep the stream of the player's own events open."""
    answer = person.client.get(f"/v1/me/events{query}", Accept="application/x-ndjson")
    list(itertools.islice(answer.iter_encoded(), 2))
    yield
    answer.close()


def test_a_player_is_followed_once_by_handle_or_id(ana: Person, ben: Person, anyone: Client) -> None:
    cleo = new_player(anyone, "Cleo")
    body_of(ben.client.put("/v1/me/handle", {"handle": "Big-Ben"}))
    for other in ("bigben", ben.id, cleo.id):
        assert 204 == follow(ana, other).status_code
    assert [ben.id, cleo.id] == list(following(ana))
    (first, _) = body_of(ana.client.get("/v1/me/following"))["following"]
    assert (body_of(anyone.get(f"/v1/players/{ben.id}")), False) == (first["player"], first["online"])
    assert 204 == unfollow(ana, "big_ben").status_code == unfollow(ana, ben.id).status_code
    assert [cleo.id] == list(following(ana))


def test_nobody_else_sees_whom_a_player_follows(ana: Person, ben: Person, anyone: Client) -> None:
    before = [body_of(ben.client.get(path)) for path in ("/v1/me/export", f"/v1/players/{ana.id}")]
    follow(ana, ben.id)
    assert before == [body_of(ben.client.get(path)) for path in ("/v1/me/export", f"/v1/players/{ana.id}")]
    assert {} == following(ben)
    assert (401, "auth/token_required") == refusal_of(anyone.get("/v1/me/following"))


def test_a_player_cannot_follow_themselves_or_a_missing_player(ana: Person) -> None:
    assert (409, "player/yourself") == refusal_of(follow(ana, ana.id))
    assert (404, "player/not_found") == refusal_of(follow(ana, "nobody-here"))
    assert 204 == unfollow(ana, "nobody-here").status_code


def test_a_player_follows_no_more_than_two_hundred(
    ana: Person, ben: Person, redis_client: Redis, context: Context
) -> None:
    key = context.store.keys.player(ana.id)
    redis_client.hset(key, mapping={f"following:{number:016}": "2026-01-01T00:00:00.000Z" for number in range(200)})
    answer = follow(ana, ben.id)
    assert (409, "limit/following", 200) == (*refusal_of(answer), (answer.json or {})["limit"])
    assert {} == following(ana)  # removes players that do not exist
    assert 204 == follow(ana, ben.id).status_code
    assert [ben.id] == list(following(ana))


@pytest.mark.parametrize("blocker", ["follower", "followed"])
def test_a_block_ends_and_prevents_following(ana: Person, ben: Person, blocker: str) -> None:
    for one, other in ((ana, ben), (ben, ana)):
        assert 204 == follow(one, other.id).status_code
    one, other = (ana, ben) if blocker == "follower" else (ben, ana)
    assert 204 == one.client.put(f"/v1/me/blocked/{other.id}", {}).status_code
    assert {} == following(ana) == following(ben)
    assert (403, "player/blocked") == refusal_of(follow(ana, ben.id)) == refusal_of(follow(ben, ana.id))
    assert 204 == one.client.delete(f"/v1/me/blocked/{other.id}").status_code
    assert {} == following(ana) == following(ben)
    assert 204 == follow(ana, ben.id).status_code


def test_a_block_during_the_request_prevents_following(
    ana: Person, ben: Person, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    relate = context.players.relate

    def block_then_relate(*arguments: Any) -> Any:
        monkeypatch.undo()
        assert 204 == ben.client.put(f"/v1/me/blocked/{ana.id}", {}).status_code
        return relate(*arguments)

    monkeypatch.setattr(context.players, "relate", block_then_relate)
    assert (403, "player/blocked") == refusal_of(follow(ana, ben.id))
    assert {} == following(ana)


def test_banned_and_deleted_players_leave_the_list(
    ana: Person, ben: Person, anyone: Client, context: Context, redis_client: Redis
) -> None:
    cleo = new_player(anyone, "Cleo")
    for other in (ben, cleo):
        assert 204 == follow(ana, other.id).status_code
    banned = context.players.get(ben.id)
    assert banned is not None
    context.players.change(banned, {"banned_at": "2026-01-01T12:00:00.000Z"})
    assert 204 == cleo.client.delete("/v1/me").status_code
    assert {} == following(ana)
    fields: Any = redis_client.hkeys(context.store.keys.player(ana.id))
    assert [f"following:{ben.id}".encode()] == [name for name in fields if name.startswith(b"following:")]
    banned = context.players.get(ben.id)
    assert banned is not None
    context.players.change(banned, {"banned_at": None})
    assert [ben.id] == list(following(ana))


def test_a_followed_player_is_online_while_their_stream_is_open(ana: Person, ben: Person) -> None:
    follow(ana, ben.id)
    with open_stream(ben):
        with open_stream(ben):
            assert {ben.id: True} == following(ana)
        assert {ben.id: True} == following(ana)
    assert {ben.id: False} == following(ana)
    with open_stream(ben, "?hidden=true"):
        assert {ben.id: False} == following(ana)


def test_a_followed_bot_is_online_like_in_the_directory(ana: Person, anyone: Client) -> None:
    bot = new_player(anyone, bot=True)
    follow(ana, bot.id)
    assert {bot.id: False} == following(ana)
    body_of(bot.client.put("/v1/me/bot", {"rulesets": ["azul"]}))
    assert {bot.id: True} == following(ana)
    assert body_of(anyone.get(f"/v1/bots/{bot.id}"))["online"]


def test_a_longer_list_needs_no_more_exchanges(
    ana: Person, anyone: Client, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_thread, exchanges = threading.get_ident(), 0
    send: Any = AbstractConnection.send_packed_command

    def count_exchange(connection: Any, *arguments: Any, **keywords: Any) -> None:
        nonlocal exchanges
        exchanges += threading.get_ident() == own_thread
        send(connection, *arguments, **keywords)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", count_exchange)
    caller, counts = Caller(ana.token), list[tuple[int, int]]()
    for added in (1, 3):
        for _ in range(added):
            follow(ana, new_player(anyone).id)
        context.now_ms()
        exchanges = 0
        listed = relations.list_following(context, caller)
        counts.append((len(listed), exchanges))
    assert [(1, counts[0][1]), (4, counts[0][1])] == counts


def test_an_export_contains_followed_players(ana: Person, ben: Person) -> None:
    follow(ana, ben.id)
    exported = body_of(ana.client.get("/v1/me/export"))["following"]
    assert body_of(ana.client.get("/v1/me/following"))["following"] == exported
    assert [ben.id] == [one["player"]["id"] for one in exported]


def test_a_deleted_player_follows_nobody(ana: Person, ben: Person, redis_client: Redis, context: Context) -> None:
    follow(ana, ben.id)
    assert 204 == ana.client.delete("/v1/me").status_code
    assert 0 == redis_client.exists(context.store.keys.player(ana.id))


def test_own_games_are_filtered_by_opponent(ana: Person, ben: Person, anyone: Client) -> None:
    cleo = new_player(anyone, "Cleo")
    body_of(ben.client.put("/v1/me/handle", {"handle": "Big-Ben"}))
    private = seat_players(ana, ben, visibility="private")
    many = seat_players(cleo, ana, ben)
    for others in ((ana, cleo), (ben, cleo)):
        seat_players(*others)
    open_table(ana)
    for word in (ben.id, "bigben"):
        assert [many.id, private.id] == [game["id"] for game in ana.games(f"?opponent={word}")["games"]]
    first = ana.games(f"?opponent={ben.id}&limit=1")
    second = ana.games(f"?opponent={ben.id}&limit=1&cursor={first['next_cursor']}")
    assert [many.id, private.id] == [game["id"] for page in (first, second) for game in page["games"]]
    assert [] == ana.games(f"?opponent={new_player(anyone).id}")["games"]
    assert (404, "player/not_found") == refusal_of(ana.client.get("/v1/me/games?opponent=nobody-here"))
