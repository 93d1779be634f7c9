"""Reservations and follow-ups in the store, with one bucket and many, and on a cluster."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from service.storage.base.connect import connect
from service.storage.base.follow_ups import FollowUp, FollowUps
from service.storage.base.keys import Keys
from service.storage.people.players import MAX_TOKENS, Players, StoredToken
from service.storage.people.reservations import HANDLE, Reservations
from tests.contents import redis_contents
from tests.storage.stored_players import ANA, TOKEN, keep


def assert_exclusive(client: Any) -> None:
    claims = Reservations(client, 16, HANDLE)
    assert claims.reserve("ana", "A", 100)
    assert claims.reserve("ana", "A", 100)
    assert not claims.reserve("ana", "B", 100)
    assert ("A", None) == (claims.owner("ana"), claims.owner("ben"))
    claims.release("ana", "B")
    assert "A" == claims.owner("ana")
    claims.release("ana", "A")
    assert claims.reserve("ana", "B", 100)


def test_a_name_belongs_to_one_player_at_a_time(client: Redis) -> None:
    assert_exclusive(client)


def test_reservations_and_follow_ups_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        assert_exclusive(client)
        assert_stored_with_the_change(client)


def test_a_repeated_reservation_never_shortens_its_lifetime(client: Redis) -> None:
    claims, key = Reservations(client, 1, HANDLE), Keys(1).reservation(HANDLE, "ana")
    for ttl_s, expected_s in ((50, 50), (100, 100), (10, 100)):
        assert claims.reserve("ana", "A", ttl_s)
        assert expected_s == client.ttl(key)


def assert_stored_with_the_change(client: Any) -> None:
    players, follow_ups, ana = Players(client, 16), FollowUps(client, 16), keep(Players(client, 16))
    follow_up = FollowUp("ana", "handle", {"handles": ["Ana"]})
    assert players.change(ana, {"handle": "Ana"}, unchanged="handle", follow_up=(follow_up, 1000))
    assert [] == follow_ups.take(999, 2000, 10)
    assert [follow_up] == follow_ups.take(1000, 2000, 10)
    assert [] == follow_ups.take(1999, 3000, 10)
    assert [follow_up] == follow_ups.take(2000, 3000, 10)
    follow_ups.remove(follow_up)
    assert [] == follow_ups.take(9999, 9999, 10)


@pytest.mark.usefixtures("client")
def test_a_follow_up_is_stored_with_the_change_and_leased_by_one_keeper(client: Redis) -> None:
    assert_stored_with_the_change(client)
    keys = {key.decode() for key in client.scan_iter()}
    assert {Keys(16).player("ana"), Keys(16).home("ana").player_index} == keys


def test_a_change_of_an_outdated_value_writes_nothing(client: Redis) -> None:
    players, ana = Players(client, 1), keep(Players(client, 1))
    assert players.change(ana, {"handle": "Ana"}, unchanged="handle")
    before = redis_contents(client)
    assert not players.change(ana, {"handle": "Ann"}, unchanged="handle", follow_up=(FollowUp("ana", "handle"), 0))
    assert before == redis_contents(client)


def test_changes_of_a_player_are_idempotent(client: Redis) -> None:
    players, ana = Players(client, 1), keep(Players(client, 1))
    follow_up = (FollowUp("ana", "handle"), 0)
    for _ in range(2):
        assert players.change(ana, {"handle": "Ana", "colour": None}, unchanged="handle", follow_up=follow_up)
        assert players.add_token(ana, StoredToken("e" * 64, "phone", ("play",), ana.created_at))
        assert players.replace_token(ana, StoredToken("f" * 64, None, ("play",), ana.created_at))
    assert {"e" * 64, "f" * 64} == {token.digest for token in players.tokens(ana)}


def test_an_expired_player_is_not_restored(client: Redis) -> None:
    players, ana = Players(client, 1), keep(Players(client, 1))
    client.flushdb()
    token = StoredToken("e" * 64, None, ("play",), ana.created_at)
    assert not players.change(ana, {"name": "Anna"})
    assert not players.change(ana, {"handle": "Ana"}, unchanged="handle")
    assert players.add_token(ana, token) is None
    assert not players.replace_token(ana, token)
    players.drop_token(ana, TOKEN)
    players.keep(ana, 100, ana.created_at)
    assert [] == client.keys("*")


def test_a_player_has_ten_tokens_at_most(client: Redis) -> None:
    players, ana = Players(client, 1), keep(Players(client, 1))
    tokens = [StoredToken(f"{number:064}", None, ("read",), ana.created_at) for number in range(MAX_TOKENS)]
    assert [True] * (MAX_TOKENS - 1) + [False] == [players.add_token(ana, token) for token in tokens]
    assert players.replace_token(ana, tokens[-1])
    players.drop_token(ana, tokens[0])
    assert players.add_token(ana, TOKEN)
    assert MAX_TOKENS == len(players.tokens(ana))


def test_the_token_of_an_older_version_is_valid_and_can_be_replaced_and_ended(client: Redis) -> None:
    players, key = Players(client, 1), Keys(1).player("ana")
    client.hset(key, mapping={"name": "Ana", "token": "a" * 64, "created_at": ANA.created_at})
    ana = players.get("ana", "a" * 64)
    assert ana is not None
    assert ana.token is not None
    assert ("play", "read") == ana.token.scopes
    assert (players.get("ana", "b" * 64) or ana).token is None
    players.keep(ana, 100, ana.created_at)
    assert players.add_token(ana, TOKEN)
    assert ["a" * 64, TOKEN.digest] == [token.digest for token in players.tokens(ana)]
    assert players.replace_token(ana, StoredToken("c" * 64, None, ("play",), ana.created_at))
    assert {"c" * 64, TOKEN.digest} == {token.digest for token in players.tokens(ana)}
    client.hset(key, "token", "a" * 64)
    players.drop_token(ana, ana.token)
    assert {"c" * 64, TOKEN.digest} == {token.digest for token in players.tokens(ana)}


def test_using_an_ended_token_does_not_restore_it(client: Redis) -> None:
    players, ana = Players(client, 1), keep(Players(client, 1))
    players.drop_token(ana, TOKEN)
    players.keep(ana, 100, ana.created_at)
    assert [] == players.tokens(ana)
