"""Added buckets: existing games continue, and new ones use all buckets."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import requests
from redis import Redis

from tests.e2e.stack import Stack
from tests.e2e.test_games import play_to_the_end
from tests.patience import HANG_S, wait_until

SEATS = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}]


def create_games(stack: Stack, count: int) -> list[dict[str, Any]]:
    """Create public games."""
    return [stack.create(ruleset="azul", variant="grey", seats=SEATS, visibility="public") for _ in range(count)]


def tags(stack: Stack) -> set[bytes]:
    """Return the tags of the buckets that contain games."""
    with Redis.from_url(stack.redis_url) as redis:
        return {key.split(b":")[0] for key in redis.scan_iter("*:game:*", 1000)}


@pytest.mark.nightly
def test_games_continue_after_buckets_were_added(tmp_path: Path) -> None:
    with Stack(tmp_path, BUCKETS="2", OUTGOING="on") as stack:
        old = create_games(stack, 6)
        player = requests.post(f"{stack.api}/players", json={"name": "Ana"}, timeout=HANG_S).json()
        token = {"Authorization": f"Bearer {player['token']}"}
        handle = requests.put(f"{stack.api}/me/handle", json={"handle": "Ana-1"}, headers=token, timeout=HANG_S)
        assert 200 == handle.status_code
        hook = {"url": "https://bot.example/azul"}
        assert 201 == requests.post(f"{stack.api}/me/webhooks", json=hook, headers=token, timeout=HANG_S).status_code
        assert tags(stack) <= {b"{b00}", b"{b01}"}
    with Stack(tmp_path, BUCKETS="2,8") as stack:
        new = create_games(stack, 24)
        with Redis.from_url(stack.redis_url) as redis:  # every bucket knows the players with webhooks
            assert 8 == len([*redis.scan_iter("*:hooked")])
        assert 4 < len(tags(stack)) <= 8
        listed = stack.get("/games?limit=50").json()["games"]
        assert {one["game"]["id"] for one in (*old, *new)} == {one["id"] for one in listed}
        assert player["player"]["id"] == stack.get("/players/ana1").json()["id"]
        for one in (old[0], new[0]):
            view = stack.get(f"/games/{one['game']['id']}").json()
            assert "finished" == play_to_the_end(stack, {**one, "game": view}, random.Random(1))["status"]
        with Redis.from_url(stack.redis_url) as redis:
            redis.set("{b00}:growth", "2,8,16")  # like a keeper of a service with more buckets
        stack.kill9("keeper")
        wait_until(lambda: "wrong_buckets" in stack.output.read_text(), "a keeper that goes by other buckets says so")
