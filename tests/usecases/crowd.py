"""Many players who seek at once through several contexts, with keepers, while Redis is killed."""

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
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.keeping import duties
from service.usecases.matchmaking import pairing, seeking
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import players
from tests.patience import wait_until
from tests.usecases.players import issuer_of_retry

CONTEXTS = 8
KEEPERS = 2
KINDS = [NewSeek("azul", "coloured", seats, keep_s=3_600) for seats in (2, 3, 4)]


class Crowd:
    """Players who each seek a game of two, three or four seats."""

    def __init__(self, valkey: EmbeddedRedis, count: int) -> None:
        self.valkey = valkey
        settings = Settings.from_environment({"REDIS_URL": valkey.socket_url})
        self.contexts = [open_context(settings) for _ in range(CONTEXTS + KEEPERS)]
        made = [players.create(self.contexts[0], {}) for _ in range(count)]
        self.people = {one["player"]["id"]: Caller(one["token"]) for one in made}
        self.over = threading.Event()

    def seek(self, number: int, name: str) -> Json:
        """Seek as this player until the request succeeds."""
        caller, issuer = self.people[name], issuer_of_retry(self.people[name])

        def ask() -> Json | None:
            with contextlib.suppress(RedisError, OSError):
                return seeking.seek(self.contexts[number % CONTEXTS], caller, KINDS[number % len(KINDS)], issuer)
            return None

        return wait_until(ask, "the seek is answered")

    def _keep(self, context: Context) -> None:
        while not self.over.is_set():
            with contextlib.suppress(RedisError, OSError):
                duties.run_due(context, duties.BackOff())
            self.over.wait(0.1)

    @contextlib.contextmanager
    def running_keepers(self) -> Iterator[None]:
        """Run keepers in the block."""
        keepers = [threading.Thread(target=self._keep, args=(context,)) for context in self.contexts[CONTEXTS:]]
        for keeper in keepers:
            keeper.start()
        yield
        self.over.set()
        for keeper in keepers:
            keeper.join()

    def play(self, kills: int, seed: int = 3) -> float:
        """Let all players seek at once in random order while Redis is killed. Return the seconds it took."""
        order = list(enumerate(random.Random(seed).sample(list(self.people), len(self.people))))
        began = time.monotonic()
        with self.running_keepers(), ThreadPoolExecutor(CONTEXTS) as pool:
            requests = [pool.submit(self.seek, *pair) for pair in order]
            for number in range(kills):  # in this thread: a server ends with the thread that has started it
                share = len(order) * (number + 1) // (kills + 1)
                wait_until(lambda: sum(request.done() for request in requests) >= share, "they seek")  # noqa: B023
                self.valkey.kill9()
                self.valkey.restart()
            for request in requests:
                request.result()
        took = time.monotonic() - began
        for _ in range(2):
            pairing.run_due(self.contexts[0])
        return took

    def games(self) -> dict[str, int]:
        """Return the number of games of each player."""
        return {name: len(self.contexts[0].players.game_ids(name)) for name in self.people}

    def waiting(self) -> set[str]:
        """Return the ids of players whose seeks are open."""
        return {seek.player for seek in self.contexts[0].seeks.list_waiting(self.contexts[0].now_ms())}

    def close(self) -> None:
        for context in self.contexts:
            context.hub.close()
