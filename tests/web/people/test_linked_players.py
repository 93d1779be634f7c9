"""Moderators see which players were seen at the same address, and nothing that reveals an address is stored."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.people import address_links
from service.storage.people.address_links import PERIOD_MS, period_end
from service.usecases.base.context import Context
from tests.web.client import Client, Json, body_of
from tests.web.conftest import ADMIN_TOKEN, application
from tests.web.limited_service import KEY, KEYS
from tests.web.players import Person, new_player

HOME, SAME_HOME, ELSEWHERE = "2001:db8:1:2::3", "2001:db8:1:2:9::9", "192.0.2.7"
DAY_S = 86_400


@pytest.fixture
def proxy_client(valkey: EmbeddedRedis, redis_client: Redis) -> Client:
    """Return a client of a service behind a proxy, with an application."""
    settings = {"ADMIN_TOKEN": ADMIN_TOKEN, "TRUSTED_PROXIES": "1", "API_KEYS": KEYS}
    return Client(application(valkey.url, **settings).test_client())


def player_at(client: Client, address: str, **headers: str) -> Person:
    made = body_of(client.post("/v1/players", X_Forwarded_For=address, **headers), 201)
    return Person(made["player"]["id"], client.with_token(made["token"]))


def linked_players(client: Client, player_id: str) -> Json:
    return body_of(client.with_token(ADMIN_TOKEN).get(f"/v1/admin/players/{player_id}/linked"))


def linked_ids(client: Client, player_id: str) -> list[str]:
    return [one["player"]["id"] for one in linked_players(client, player_id)["players"]]


def test_players_behind_a_proxy_are_linked_by_address(proxy_client: Client) -> None:
    ana, ben, cleo = (player_at(proxy_client, address) for address in (HOME, SAME_HOME, ELSEWHERE))
    assert ([ben.id], [ana.id], []) == tuple(linked_ids(proxy_client, one.id) for one in (ana, ben, cleo))
    (seen,) = linked_players(proxy_client, ana.id)["players"]
    (own,) = body_of(ben.client.get("/v1/me/export"))["addresses"]
    assert own["last_seen_at"] == seen["last_seen_at"]


def test_players_of_an_application_are_not_linked(proxy_client: Client) -> None:
    ana, _ = (player_at(proxy_client, HOME, X_Api_Key=KEY) for _ in range(2))
    assert [] == linked_ids(proxy_client, ana.id)


def test_a_returning_player_is_seen_at_the_new_address(proxy_client: Client, redis_client: Redis) -> None:
    """The address is recorded when the lifetime of the player is renewed."""
    ana, ben = player_at(proxy_client, HOME), player_at(proxy_client, ELSEWHERE)
    body_of(ana.client.get("/v1/me", X_Forwarded_For=ELSEWHERE))
    assert [] == linked_ids(proxy_client, ana.id)
    (stored,) = redis_client.scan_iter(f"*:player:{ana.id}")
    redis_client.expire(stored, 361 * DAY_S)
    body_of(ana.client.get("/v1/me", X_Forwarded_For=ELSEWHERE))
    assert [ben.id] == linked_ids(proxy_client, ana.id)


def test_a_deleted_player_leaves_nothing(proxy_client: Client, redis_client: Redis) -> None:
    ana, ben = player_at(proxy_client, HOME), player_at(proxy_client, HOME)
    assert 204 == ana.client.delete("/v1/me").status_code
    assert [] == linked_ids(proxy_client, ben.id)
    context = proxy_client.flask.application.extensions["context"]
    context.moderation.address_links.record(ana.id, HOME, context.now_ms())  # by a request that was running
    (players,) = redis_client.scan_iter("*address_players*")
    assert [ben.id.encode()] == redis_client.zrange(players, 0, -1)
    assert [] == [*redis_client.scan_iter(f"*address_*{ana.id}*")]


def test_nothing_outlives_the_key_and_no_address_is_stored(ana: Person, context: Context, redis_client: Redis) -> None:
    now = context.now_ms()
    context.moderation.address_links.record(ana.id, ELSEWHERE, now)
    names = [*redis_client.scan_iter("*address_*")]
    assert (4, {period_end(now)}) == (len(names), {redis_client.pexpiretime(name) for name in names})
    stored = b" ".join([*names, *(redis_client.dump(name) or b"" for name in names)])
    assert not [text for text in (ELSEWHERE, sha256(ELSEWHERE.encode()).hexdigest()[:32]) if text.encode() in stored]
    before = context.moderation.address_links.digests(ana.id)
    context.moderation.address_links.record(ana.id, ELSEWHERE, now + 1)
    assert before.keys() == context.moderation.address_links.digests(ana.id).keys()
    context.moderation.address_links.record(ana.id, ELSEWHERE, now + PERIOD_MS)
    assert 1 == len(context.moderation.address_links.digests(ana.id).keys() - before.keys())


def test_the_numbers_of_players_and_addresses_are_bounded(
    ana: Person, ben: Person, context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    links, now = context.moderation.address_links, context.now_ms()
    monkeypatch.setattr(address_links, "MAX_ADDRESSES", 2)
    monkeypatch.setattr(address_links, "MAX_PLAYERS", 1)
    for person, address in ((ana, HOME), (ana, ELSEWHERE), (ben, ELSEWHERE), (ana, SAME_HOME)):
        links.record(person.id, address, now := now + 1)
    counts = sorted(redis_client.zcard(key) for key in redis_client.scan_iter("*address_players*"))
    assert (2, [1, 1, 1]) == (len(links.digests(ana.id)), counts)  # ana's first address and her own are gone
    assert {ben.id: now - 1, ana.id: now} == links.players(links.digests(ana.id))


def test_without_the_setting_nothing_is_stored(anyone: Client, context: Context, redis_client: Redis) -> None:
    context.settings = replace(context.settings, link_players="off")
    ana, _ = (new_player(anyone) for _ in range(2))
    assert {"since": None, "players": []} == linked_players(anyone, ana.id)
    assert [] == [*redis_client.scan_iter("*address_*")]
