"""Many who seek at once, over several processes' worth of doors, with keepers, while Redis is killed."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.wire import Json
from service.settings import Settings
from service.storage.base.connect import RedisError
from service.usecases.base.context import Caller, Context, Idempotency, open_context
from service.usecases.keeping import duties
from service.usecases.matchmaking import pairing, seeking
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import players
from tests.patience import until

DOORS = 8
KEEPERS = 2
KINDS = [NewSeek("azul", "coloured", seats, keep_s=3_600) for seats in (2, 3, 4)]


class Crowd:
    """So many players, each of whom seeks a game of two, three or four seats."""

    def __init__(self, valkey: EmbeddedRedis, count: int) -> None:
        self.valkey = valkey
        settings = Settings.from_environment({"REDIS_URL": valkey.socket_url})
        self.doors = [open_context(settings) for _ in range(DOORS + KEEPERS)]
        made = [players.create(self.doors[0], {}) for _ in range(count)]
        self.people = {one["player"]["id"]: Caller(one["token"]) for one in made}
        self.over = threading.Event()

    def seek(self, number: int, name: str) -> Json:
        """The player seeks until they are told that they do."""
        own, key = self.people[name], Idempotency(name, "")

        def ask() -> Json | None:
            with contextlib.suppress(RedisError, OSError):
                return seeking.seek(self.doors[number % DOORS], own, KINDS[number % len(KINDS)], key)
            return None

        return until(ask, "the seek is answered")

    def _keep(self, context: Context) -> None:
        while not self.over.is_set():
            with contextlib.suppress(RedisError, OSError):
                duties.look(context, duties.BackOff())
            self.over.wait(0.1)

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Keepers work meanwhile."""
        keepers = [threading.Thread(target=self._keep, args=(own,)) for own in self.doors[DOORS:]]
        for keeper in keepers:
            keeper.start()
        yield
        self.over.set()
        for keeper in keepers:
            keeper.join()

    def play(self, kills: int, seed: int = 3) -> float:
        """All of them seek at once, in any order, while Redis is killed so often: how many seconds it took."""
        order = list(enumerate(random.Random(seed).sample(list(self.people), len(self.people))))
        began = time.monotonic()
        with self.kept(), ThreadPoolExecutor(DOORS) as pool:
            seeking_now = [pool.submit(self.seek, *pair) for pair in order]
            for number in range(kills):  # in this thread: a server ends with the thread that has started it
                share = len(order) * (number + 1) // (kills + 1)
                until(lambda: sum(one.done() for one in seeking_now) >= share, "they seek")  # noqa: B023
                self.valkey.kill9()
                self.valkey.restart()
            for one in seeking_now:
                one.result()
        took = time.monotonic() - began
        for _ in range(2):
            pairing.look_after(self.doors[0])
        return took

    def games(self) -> dict[str, int]:
        """In how many games each player is."""
        return {name: len(self.doors[0].players.game_ids(name)) for name in self.people}

    def waiting(self) -> set[str]:
        """Who still waits."""
        return {seek.player for seek in self.doors[0].seeks.waiting(self.doors[0].now_ms())}

    def close(self) -> None:
        """All doors."""
        for own in self.doors:
            own.hub.close()
