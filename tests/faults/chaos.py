"""A chaos run: tables at which people and AIs play while everything breaks; and afterwards, was all kept?"""

from __future__ import annotations

import itertools
import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from service.rulesets.registry import RULESETS
from tests.e2e.stack import MARKS, ROOT, Stack
from tests.faults import checks
from tests.faults.asking import Asker, Request
from tests.faults.breaking import Breaker
from tests.faults.journal import Journal, Json, violation_line
from tests.faults.people import Orders, Table
from tests.faults.schedule import Planned, planned

LONGEST_GAME_S = 25.0
"""No game is begun so shortly before the faults end: most are over by then."""
FINISHING_S = 60.0
"""Games have so long to be played to their end after the last fault; then people resign."""
RESIGNING_S = 60.0
BACK_S = 60.0
LEVELS = ("random", "beginner", "greedy", "club")
CLOCKS: tuple[Json | None, ...] = (
    None,
    {"turn_s": 60, "on_timeout": "ai", "level": "random"},  # only a clock that has jumped uses it up
    {"turn_s": 2, "bank_s": 4, "on_timeout": "ai", "level": "random"},  # a pause of Redis does
)
ENVIRONMENT = {"OUTGOING": "loopback", "DIALERS": "2"}


@dataclass(frozen=True)
class Wanted:
    """What is asked of a run: faults for so many seconds or, with `games`, until so many have ended."""

    seed: str
    seconds: float
    games: int | None
    tables: int


def new_games(seed: str, bot_url: str) -> Iterator[Json]:
    """Games to be created, for ever: all rulesets, boards and numbers of seats in turn, with people and others."""
    rng = random.Random(f"{seed} games")
    sides = [
        (ruleset.id, variant, seats)
        for ruleset in RULESETS.values()
        for variant in ruleset.variants
        for seats in ruleset.seat_counts
    ]
    for number in itertools.count():
        if number % len(sides) == 0:
            rng.shuffle(sides)
        ruleset, variant, seats = sides[number % len(sides)]
        kinds = [_seat(rng) for _ in range(seats)]
        if number % 6:  # of six games, one may have no person at all
            kinds[0] = {"kind": "player"}
        if ruleset == "azul" and rng.random() < 0.5:
            endpoint = {"url": bot_url, "attempts": 10}
            kinds[-1] = {"kind": "http", "level": "random", "endpoint": endpoint}
        rng.shuffle(kinds)
        yield {"ruleset": ruleset, "variant": variant, "seats": kinds, "clock": CLOCKS[number % len(CLOCKS)]}


def _seat(rng: random.Random) -> Json:
    return {"kind": "player"} if rng.random() < 0.5 else {"kind": "ai", "level": rng.choice(LEVELS)}


class Run:
    """One run on a running service."""

    def __init__(self, wanted: Wanted, stack: Stack, breaker: Breaker, bot_url: str) -> None:
        self.wanted = wanted
        self.stack = stack
        self.breaker = breaker
        self.journal: Journal = breaker.journal
        self.orders = Orders()
        self.no_more = threading.Event()  # games are begun
        self.tables: list[Table] = []
        self.played_on_s = 0.0  # after the last fault
        self.lost = 0  # acknowledged in the moment of a kill of Redis
        self._new_games = zip(itertools.count(), new_games(wanted.seed, bot_url), strict=False)
        self._lock = threading.Lock()
        self._processes = {kind: len(stack.pids(kind)) for kind in MARKS}
        self.began = time.monotonic()

    def go(self) -> None:
        """Play and break; look whether all processes are back; play on to the end."""
        places = [threading.Thread(target=self._place, daemon=True) for _ in range(self.wanted.tables)]
        for place in places:
            place.start()
        self._break()
        ended = time.monotonic()
        self.orders.hurry.set()
        self.no_more.set()
        if not self._all_back():
            self.orders.stop.set()
        for patience_s, order in ((FINISHING_S, self.orders.end), (RESIGNING_S, self.orders.stop), (RESIGNING_S, None)):
            end = time.monotonic() + patience_s
            for place in places:
                place.join(max(0.0, end - time.monotonic()))
            if order is not None and any(place.is_alive() for place in places):
                order.set()
        self.played_on_s = time.monotonic() - ended

    def _break(self) -> None:
        """The schedule, as long as the run is to take."""
        at_work = []
        for fault in planned(self.wanted.seed):
            if self._is_enough(fault):
                break
            time.sleep(max(0.0, self.began + fault.at_s - time.monotonic()))
            at_work.append(threading.Thread(target=self.breaker.break_it, args=(fault,)))
            at_work[-1].start()
        for thread in at_work:
            thread.join()

    def _is_enough(self, fault: Planned) -> bool:
        if self.journal.violations:  # what is broken from now on would hide it
            return True
        if self.wanted.games is not None:
            return len(self.ended) >= self.wanted.games
        if fault.at_s > self.wanted.seconds - LONGEST_GAME_S:
            self.no_more.set()
        return fault.at_s + fault.for_s > self.wanted.seconds

    @property
    def ended(self) -> list[Table]:
        """The tables whose games are over."""
        return [table for table in self.tables if table.is_over]

    def _place(self) -> None:
        """One game after the other."""
        while not self.no_more.is_set():
            with self._lock:
                number, new = next(self._new_games)
                rng = random.Random(f"{self.wanted.seed} table {number}")
                table = Table(self.stack.api, self.journal, rng, new, self.orders)
                self.tables.append(table)
            try:
                table.play()
            except Exception as error:  # noqa: BLE001 - told, and the next game begins
                self.journal.violate(table.id, None, f"the driver failed: {error!r}")

    def _all_back(self) -> bool:
        """As many processes of each kind as there were, and the service says that it is ready."""
        end = time.monotonic() + BACK_S
        while time.monotonic() < end:
            missing = [kind for kind, count in self._processes.items() if len(self.stack.pids(kind)) < count]
            if not missing and self.stack.is_ready():
                return True
            time.sleep(0.2)
        self.journal.violate("", None, f"not all is back: {', '.join(missing) or 'the service is not ready'}")
        return False

    # ------------------------------------------------------------------------------------------ afterwards

    def check(self) -> list[str]:
        """All that is wrong, a line each."""
        results = list(self.journal.violations)
        if not self.stack.is_ready():
            return [*results, "the service is not ready: no game can be looked at"]
        asker = Asker(self.stack.api, self.journal, random.Random(0))
        for table in self.tables:
            if table.id:
                results += self._faults_of(table, asker)
        document = json.loads((ROOT / "openapi" / "openapi.json").read_text())
        return results + checks.faults_of_answers(self.journal, checks.documented(document))

    def _faults_of(self, table: Table, asker: Asker) -> list[str]:
        exported = asker.ask(Request("exportGame", "GET", f"/games/{table.id}/export", game=table.id), waits=False)
        view = asker.ask(Request("getGame", "GET", f"/games/{table.id}", game=table.id), waits=False)
        if exported is None or view is None or (exported.status, view.status) != (200, 200):
            return [violation_line(table.id, None, "it is gone")]
        log, seats = exported.json["events"], exported.json["seats"]
        self.lost += checks.lost_in_a_kill(self.journal, log, table.id)
        results = checks.faults_of_log(self.journal, table.id, seats, log)
        results += checks.faults_of_state(exported.json, view.json, time.time_ns() // 1_000_000)
        if view.json["status"] != "finished":
            results.append(
                violation_line(table.id, view.json["revision"], f"it has not ended, to_decide {view.json['to_decide']}")
            )
        return results
