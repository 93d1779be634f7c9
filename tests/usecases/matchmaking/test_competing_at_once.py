"""Two keepers run a Swiss while Redis is killed: each game once, each result once."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis

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
from tests.patience import wait_until

PLAYERS, ROUNDS, KEEPERS = 6, 2, 2
WANTED = NewCompetition(
    "Open", "swiss", "azul", "coloured", ClockRule(60, 600, "lose", "greedy"), rounds=ROUNDS, pause_s=1
)
BROKEN = (RedisError, OSError)


class Storm:
    """Players who resign as soon as they sit second, and keepers, while Redis is killed."""

    def __init__(self, valkey: EmbeddedRedis) -> None:
        settings = Settings.from_environment({"REDIS_URL": valkey.socket_url})
        self.contexts = [open_context(settings) for _ in range(KEEPERS + 2)]
        self.over = threading.Event()
        created = [players.create(self.contexts[0], {}) for _ in range(PLAYERS)]
        self.people = {one["player"]["id"]: Caller(one["token"]) for one in created}
        self.host = Caller(players.create(self.contexts[0], {})["token"])
        self.id = competitions.announce(self.contexts[0], self.host, WANTED)["id"]

    def load(self, context: Context) -> Competition:
        return kept.get(context, self.id)

    def has_begun(self, number: int) -> bool:
        with contextlib.suppress(*BROKEN):
            return self.load(self.contexts[-2]).round >= number
        return False

    def keep(self, context: Context) -> None:
        back_off = duties.BackOff()
        while not self.over.is_set():
            with contextlib.suppress(*BROKEN):
                duties.run_due(context, back_off)
            self.over.wait(0.02)

    def play(self, context: Context) -> None:
        while not self.over.is_set():
            with contextlib.suppress(*BROKEN):
                competition = self.load(context)
                if competition.status == OVER:
                    self.over.set()
                for contest in competition.running_contests:
                    loser = competition.by_number[contest.entrants[1]].player or ""
                    with contextlib.suppress(GameError):
                        playing.resign(context, Request(self.people[loser], contest.id), None)
            self.over.wait(0.02)


def test_kills_of_redis_neither_lose_nor_repeat_games_and_results(
    valkey: EmbeddedRedis, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "WATCH_MS", 500)  # after which a result is found whose notice was lost
    storm = Storm(valkey)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda caller: competitions.join(storm.contexts[0], caller, storm.id), storm.people.values()))
    competitions.start(storm.contexts[0], storm.host, storm.id)
    workers = [threading.Thread(target=storm.keep, args=(context,)) for context in storm.contexts[:KEEPERS]]
    workers.append(threading.Thread(target=storm.play, args=(storm.contexts[-1],)))
    for worker in workers:
        worker.start()
    for number in range(1, ROUNDS + 1):
        wait_until(lambda: storm.has_begun(number), f"round {number} begins")  # noqa: B023
        valkey.kill9()  # in this thread: a server ends with the thread that has started it
        valkey.restart()
    wait_until(storm.over.is_set, lambda: str(storm.load(storm.contexts[-2])))
    for worker in workers:
        worker.join()
    competition = storm.load(storm.contexts[0])
    games = [contest for contest in competition.contests if not contest.is_bye]
    meetings = Counter(frozenset(contest.entrants) for contest in games)
    assert (ROUNDS * PLAYERS // 2, {1}) == (len(games), set(meetings.values()))
    assert {(2, 0)} == {contest.halves for contest in games}
    assert {ROUNDS} == {len(storm.contexts[0].players.game_ids(name)) for name in storm.people}
    assert {contest.id for contest in games} == {
        game for name in storm.people for game in storm.contexts[0].players.game_ids(name)
    }
    for context in storm.contexts:
        context.hub.close()
