"""A Swiss goes from its start to its end by two keepers while Redis is killed: each game once, each result once."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from service.competitions import progress
from service.competitions.model import OVER, Competition
from service.games.errors import GameError
from service.games.state.clocks import ClockRule
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.base.connect import RedisError
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import competition_records as kept
from service.usecases.matchmaking import competitions
from service.usecases.matchmaking.competitions import NewCompetition
from service.usecases.people import players
from tests.patience import until

PLAYERS, ROUNDS, KEEPERS = 6, 2, 2
WANTED = NewCompetition(
    "Open", "swiss", "azul", "coloured", ClockRule(60, 600, "lose", "greedy"), rounds=ROUNDS, pause_s=1
)
BROKEN = (RedisError, OSError)


class Storm:
    """Players who resign as soon as they sit second, and keepers, at a Redis that is killed."""

    def __init__(self, valkey: EmbeddedRedis) -> None:
        settings = Settings.from_environment({"REDIS_URL": valkey.socket_url})
        self.doors = [open_context(settings) for _ in range(KEEPERS + 2)]
        self.over = threading.Event()
        made = [players.create(self.doors[0], {}) for _ in range(PLAYERS)]
        self.people = {one["player"]["id"]: Caller(one["token"]) for one in made}
        self.host = Caller(players.create(self.doors[0], {})["token"])
        self.id = competitions.announce(self.doors[0], self.host, WANTED)["id"]

    def now(self, context: Context) -> Competition:
        return kept.get(context, self.id)

    def has_begun(self, number: int) -> bool:
        """Whether it has come to the round of this number."""
        with contextlib.suppress(*BROKEN):
            return self.now(self.doors[-2]).round >= number
        return False

    def keep(self, context: Context) -> None:
        back_off = duties.BackOff()
        while not self.over.is_set():
            with contextlib.suppress(*BROKEN):
                duties.look(context, back_off)
            self.over.wait(0.02)

    def play(self, context: Context) -> None:
        while not self.over.is_set():
            with contextlib.suppress(*BROKEN):
                competition = self.now(context)
                if competition.status == OVER:
                    self.over.set()
                for contest in competition.unfinished:
                    loser = competition.by_number[contest.entrants[1]].player or ""
                    with contextlib.suppress(GameError):
                        playing.resign(context, Request(self.people[loser], contest.id), None)
            self.over.wait(0.02)


def test_each_game_and_each_result_comes_once_though_redis_is_killed(
    valkey: EmbeddedRedis, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "WATCH_MS", 500)  # after which a result is found whose notice was lost
    storm = Storm(valkey)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda caller: competitions.join(storm.doors[0], caller, storm.id), storm.people.values()))
    competitions.start(storm.doors[0], storm.host, storm.id)
    workers = [threading.Thread(target=storm.keep, args=(own,)) for own in storm.doors[:KEEPERS]]
    workers.append(threading.Thread(target=storm.play, args=(storm.doors[-1],)))
    for one in workers:
        one.start()
    for number in range(1, ROUNDS + 1):
        until(lambda: storm.has_begun(number), f"round {number} begins")  # noqa: B023
        valkey.kill9()  # in this thread: a server ends with the thread that has started it
        valkey.restart()
    until(storm.over.is_set, lambda: str(storm.now(storm.doors[-2])))
    for one in workers:
        one.join()
    competition = storm.now(storm.doors[0])
    games = [contest for contest in competition.contests if not contest.is_bye]
    met = Counter(frozenset(contest.entrants) for contest in games)
    assert (ROUNDS * PLAYERS // 2, {1}) == (len(games), set(met.values()))
    assert {(2, 0)} == {contest.halves for contest in games}
    assert {ROUNDS} == {len(storm.doors[0].players.game_ids(name)) for name in storm.people}
    assert {contest.id for contest in games} == {
        game for name in storm.people for game in storm.doors[0].players.game_ids(name)
    }
    for own in storm.doors:
        own.hub.close()
