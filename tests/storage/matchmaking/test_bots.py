"""Bots in a store of one bucket and on a cluster, and the commits that start their games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis

from service.storage.base.connect import connect
from service.storage.base.keys import Buckets, Keys
from service.storage.matchmaking.bots import DAY_OF_ARENA_MS, Bots, StoredBot
from service.storage.matchmaking.seeks import Pairing, Partner, Seeks

BOT = StoredBot("bot-a", ("azul",), (2,), (0, 9), (0, 9), True, 1, "bots", "bots", True, None, "2026-01-01T00:00:00Z")
OTHER = replace(BOT, id="bot-b")
NOW = 100 * DAY_OF_ARENA_MS
MOST = (9, 9)


def pairing_of(game: str) -> Pairing:
    return Pairing(game, {"ruleset": "azul"}, tuple(Partner(one.id, None, None) for one in (BOT, OTHER)))


def store_bots(client: Redis, buckets: Buckets = 1) -> Bots:
    """Store the two bots."""
    bots = Bots(client, buckets)
    assert ["done", "done"] == [bots.publish(one, 1) for one in (BOT, OTHER)]
    return bots


def test_bots_are_stored_and_paired_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        bots, seeks = store_bots(client, 16), Seeks(client, 16)
        assert ["done", "done"] == [bots.set_owner(one.id, "ana") for one in (BOT, OTHER)]
        assert {("bot-a", "ana"), ("bot-b", "ana")} == {(one.id, one.owner) for one in bots.get_all()}
        assert "done" == bots.pair(bots.arena_bots(), (1, 1), pairing_of("game"), (NOW, NOW + 5), MOST, 60)
        assert pairing_of("game") == seeks.get_pairing("game")
        assert {"bot-a": 1, "bot-b": 1, "bot-a bot-b": 1} == bots.arena_games_today(NOW)
        bots.remove_games(["bot-a", "bot-b"], ["game"])
        assert {"bot-a": {}, "bot-b": {}} == bots.games(["bot-a", "bot-b"])
        assert [True, False] == [bots.withdraw("bot-a") for _ in range(2)]
        assert [None, OTHER] == bots.get_many(["bot-a", "bot-b"])


def test_a_repeated_pairing_is_counted_once(client: Redis) -> None:
    """Redis may have committed it though its answer was lost."""
    bots = store_bots(client)
    places = bots.arena_bots()
    for _ in range(2):
        assert "done" == bots.pair(places, (1, 1), pairing_of("game"), (NOW, NOW + 5), MOST, 60)
    assert {"bot-a": 1, "bot-b": 1, "bot-a bot-b": 1} == bots.arena_games_today(NOW)
    assert {"bot-a": {"game": NOW}, "bot-b": {"game": NOW}} == bots.games(["bot-a", "bot-b"])


@pytest.mark.parametrize(
    ("at_once", "limits", "word"),
    [((1, 2), MOST, "busy"), ((2, 1), MOST, "busy"), ((2, 2), (1, 9), "full"), ((2, 2), (9, 1), "full")],
)
def test_a_pairing_beyond_a_limit_changes_nothing(
    client: Redis, at_once: tuple[int, int], limits: tuple[int, int], word: str
) -> None:
    bots = store_bots(client)
    bots.pair(bots.arena_bots(), (1, 1), pairing_of("first"), (NOW, NOW + 5), MOST, 60)
    before = {key: client.dump(key) for key in client.scan_iter()}
    assert word == bots.pair(bots.arena_bots(), at_once, pairing_of("second"), (NOW + 9, NOW + 9), limits, 60)
    assert before == {key: client.dump(key) for key in client.scan_iter()}


def test_limits_are_per_day_and_days_expire_after_two(client: Redis) -> None:
    bots, tomorrow = store_bots(client), NOW + DAY_OF_ARENA_MS
    bots.pair(bots.arena_bots(), (9, 9), pairing_of("first"), (NOW, NOW), (1, 1), 60)
    assert "done" == bots.pair(bots.arena_bots(), (9, 9), pairing_of("second"), (tomorrow, tomorrow), (1, 1), 60)
    lifetimes = [client.pttl(key) for key in client.scan_iter("*bot_arena_day*")]
    assert [True, True] == [DAY_OF_ARENA_MS < lifetime <= 2 * DAY_OF_ARENA_MS for lifetime in lifetimes]


def test_the_games_of_a_bot_live_as_long_as_games(client: Redis) -> None:
    bots = store_bots(client)
    bots.pair(bots.arena_bots(), (9, 9), pairing_of("first"), (NOW, NOW), MOST, 1_000)
    bots.add_game(["bot-a"], "second", NOW + 1, 9_000)
    assert {"first": NOW, "second": NOW + 1} == bots.games(["bot-a"])["bot-a"]
    games = Keys(1).matchmaking_bucket.bot_games
    assert 0 < client.pttl(games("bot-b")) <= 1_000_000 < client.pttl(games("bot-a")) <= 9_000_000


def test_only_bots_have_times_of_polls_and_failures(client: Redis) -> None:
    bots = store_bots(client)
    for name in ("bot-a", "somebody"):
        bots.record_visit(name, 7)
        bots.record_failure(name, 8)
    bots.record_visit("bot-a", 6)  # from a process with a slow clock
    (seen, other) = sorted(bots.get_all(), key=lambda one: one.id)
    assert ((7, 8), (0, 0)) == ((seen.seen_at, seen.failed_at), (other.seen_at, other.failed_at))
    assert client.zscore(Keys(1).matchmaking_bucket.bots_seen, "somebody") is None
