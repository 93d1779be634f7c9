"""A chaos run: tables at which people and AIs play while parts fail, and checks of everything afterwards."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from service.rulesets.registry import RULESETS
from tests.e2e.stack import ROOT, Stack
from tests.faults import checks
from tests.faults.breaking import Breaker
from tests.faults.hostile import HostileStranger
from tests.faults.journal import Journal, Json, violation_line
from tests.faults.people import Orders, Table
from tests.faults.persistent_client import Asker, Request
from tests.faults.schedule import PlannedFault, planned_faults
from tests.faults.strangers import (
    APPLIED,
    GAMES_OF_A_PAIR,
    Counted,
    Meeting,
    PlayerStatistics,
    Stranger,
    counting_faults,
    faults_of_competition,
    new_meetings,
)
from tests.patience import HANG_S, wait_until

LONGEST_GAME_S = 25.0
"""No game begins later than this before the end of the faults, so that most are over by then."""
FINISHING_S = 60.0
"""The time for games to end after the last fault. Then people resign."""
LEVELS = ("random", "beginner", "greedy", "planner")
CLOCKS: tuple[Json | None, ...] = (
    None,
    {"turn_s": 60, "on_timeout": "ai", "level": "random"},  # only a jump of a clock uses it up
    {"turn_s": 2, "bank_s": 4, "on_timeout": "ai", "level": "random"},  # a pause of Redis uses it up
)
ENVIRONMENT = {"OUTGOING": "loopback", "DIALERS": "2", "WEB_WORKERS": "2"}


@dataclass(frozen=True)
class Wanted:
    """The plan of a run: faults for `seconds`, or until `games` have ended. `hostile`: number of hostile strangers."""

    seed: str
    seconds: float
    games: int | None
    tables: int
    hostile: int = 0


def new_games(seed: str, bot_url: str) -> Iterator[Json]:
    """Yield requests for games without end: all rulesets, boards and numbers of seats in turn."""
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
        if number % 6:  # one of six games may have no person
            kinds[0] = {"kind": "player"}
        if ruleset == "azul" and rng.random() < 0.5:
            endpoint = {"url": bot_url, "attempts": 10}
            kinds[-1] = {"kind": "http", "level": "random", "endpoint": endpoint}
        rng.shuffle(kinds)
        yield {"ruleset": ruleset, "variant": variant, "seats": kinds, "clock": CLOCKS[number % len(CLOCKS)]}


def _seat(rng: random.Random) -> Json:
    return {"kind": "player"} if rng.random() < 0.5 else {"kind": "ai", "level": rng.choice(LEVELS)}


Faults = Callable[["Run"], None]
"""Applies the faults of a run, and returns when they are over."""


def schedule_faults(breaker: Breaker) -> Faults:
    """Return a function that applies the schedule until the run is over."""

    def faults(run: Run) -> None:
        at_work = []
        for fault in planned_faults(run.wanted.seed):
            if run.is_enough(fault):
                break
            time.sleep(max(0.0, run.began + fault.at_s - time.monotonic()))
            at_work.append(threading.Thread(target=breaker.break_it, args=(fault,)))
            at_work[-1].start()
        for thread in at_work:
            thread.join()

    return faults


class Run:
    """A run on a running service."""

    def __init__(
        self, wanted: Wanted, stack: Stack, journal: Journal, faults: Faults, bot_url: str, hanging_url: str = ""
    ) -> None:
        self.wanted = wanted
        self.stack = stack
        self.journal = journal
        self.faults = faults
        self.orders = Orders()
        self.no_more = threading.Event()  # no further games begin
        self.tables: list[Table] = []
        self.played_on_s = 0.0  # after the last fault
        self.lost = 0  # acknowledged requests lost in a kill of Redis
        self.rated = 0  # rated games of strangers
        self._new_tables, self._new_meetings = self._games(bot_url), self._meetings()
        self._lock = threading.Lock()
        self._processes = stack.counts()
        self.hostile = [
            HostileStranger(
                stack.api, journal, random.Random(f"{wanted.seed} hostile {number}"), self._list_players, hanging_url
            )
            for number in range(wanted.hostile)
        ]
        self.began = time.monotonic()

    def go(self) -> None:
        """Play and apply faults, wait until all processes are back, and play to the end."""
        new = [self._new_tables] * self.wanted.tables + [self._new_meetings]
        places = [threading.Thread(target=self._place, args=(each,), daemon=True) for each in new]
        attacks = [threading.Thread(target=one.run, args=(self.no_more,), daemon=True) for one in self.hostile]
        for thread in (*places, *attacks):
            thread.start()
        self.faults(self)
        ended = time.monotonic()
        self.orders.hurry.set()
        self.no_more.set()
        if not self._all_back():
            self.orders.stop.set()
        for patience_s, order in ((FINISHING_S, self.orders.end), (HANG_S, self.orders.stop), (HANG_S, None)):
            end = time.monotonic() + patience_s
            for place in places:
                place.join(max(0.0, end - time.monotonic()))
            if order is not None and any(place.is_alive() for place in places):
                order.set()
        self.played_on_s = time.monotonic() - ended

    def _list_players(self) -> list[str]:
        """Return the ids of the strangers who meet."""
        return sorted({one.id for table in self.tables if isinstance(table, Meeting) for one in table.pair})

    def is_enough(self, fault: PlannedFault) -> bool:
        """Return whether the run is over before this fault."""
        if self.journal.violations:  # further faults would hide them
            return True
        if self.wanted.games is not None:
            return len(self.finished_tables) >= self.wanted.games
        if fault.at_s > self.wanted.seconds - LONGEST_GAME_S:
            self.no_more.set()
        return fault.at_s + fault.for_s > self.wanted.seconds

    @property
    def finished_tables(self) -> list[Table]:
        """The tables whose games are over."""
        return [table for table in self.tables if table.is_over]

    def _games(self, bot_url: str) -> Iterator[Table]:
        for number, new in enumerate(new_games(self.wanted.seed, bot_url)):
            rng = random.Random(f"{self.wanted.seed} table {number}")
            yield Table(self.stack.api, self.journal, rng, new, self.orders)

    def _meetings(self) -> Iterator[Table]:
        pair: list[Stranger] = []
        for number, new in enumerate(new_meetings(self.wanted.seed)):
            if number % GAMES_OF_A_PAIR == 0:
                pair = []
            rng = random.Random(f"{self.wanted.seed} meeting {number}")
            yield Meeting(self.stack.api, self.journal, rng, new, self.orders, pair)

    def _place(self, new: Iterator[Table]) -> None:
        """Play one game after the other."""
        while not self.no_more.is_set():
            with self._lock:
                table = next(new)
                self.tables.append(table)
            try:
                table.play()
            except Exception as error:  # noqa: BLE001 - recorded, and the next game begins
                self.journal.violate(table.id, None, f"the driver failed: {error!r}")

    def _all_back(self) -> bool:
        """Wait until all kinds of processes are as many as before and the service is ready. Return whether they are."""

        def missing() -> list[str]:
            counts = self.stack.counts()
            return [kind for kind, count in self._processes.items() if counts[kind] < count]

        try:
            wait_until(
                lambda: not missing() and self.stack.is_ready(),
                lambda: f"not all is back: {', '.join(missing()) or 'the service is not ready'}",
            )
        except AssertionError as error:
            self.journal.violate("", None, str(error))
            return False
        return True

    # ------------------------------------------------------------------------------------------ afterwards

    def check(self) -> list[str]:
        """Return all violations, a line each."""
        if not self._all_back():
            return list(self.journal.violations)
        results = list(self.journal.violations)
        asker = Asker(self.stack.api, self.journal, random.Random(0))
        for table in self.tables:
            if table.id:
                results += self._check_table(table, asker)
        results += self._faults_of_counting(asker)
        document = json.loads((ROOT / "openapi" / "openapi.json").read_text())
        return results + checks.faults_of_answers(self.journal, checks.documented_codes(document))

    @property
    def meetings(self) -> list[Meeting]:
        """The meetings of strangers that led to a game."""
        return [table for table in self.tables if isinstance(table, Meeting) and table.id]

    def _faults_of_counting(self, asker: Asker) -> list[str]:
        """Return the faults of games, competitions, ratings and statistics of the strangers."""

        def get(operation: str, path: str, token: str | None = None) -> Json:
            answer = asker.ask(Request(operation, "GET", path, token=token), waits=False)
            return {} if answer is None or answer.status != 200 else answer.json

        def final_answer(operation: str, path: str, unsettled: str) -> Json:
            """Return the response when its status has changed, or the last one."""
            answer: Json = {}

            def is_settled() -> bool:
                answer.update(get(operation, path))
                return answer.get("status") != unsettled

            with contextlib.suppress(AssertionError):
                wait_until(is_settled)
            return answer

        results, games = list[str](), list[Counted]()
        for meeting in self.meetings:
            rating = final_answer("getGameRating", f"/games/{meeting.id}/rating", "pending")
            seats = (get("getGame", f"/games/{meeting.id}").get("outcome") or {"seats": []})["seats"]
            won = tuple(meeting.player(number) for number, seat in enumerate(seats) if seat["won"])
            pair = (meeting.pair[0].id, meeting.pair[1].id)
            games.append(Counted(meeting.id, meeting.new["ruleset"], pair, won, rating or {"status": "unknown"}))
            if meeting.competition:
                path = f"/competitions/{meeting.competition}"
                competition = final_answer("getCompetition", path, "running")
                listed = get("listCompetitionGames", f"{path}/games").get("games", [])
                results += faults_of_competition(meeting.id, competition, listed)
        statistics = {}
        for stranger in {one for meeting in self.meetings for one in meeting.pair}:
            listed = get("listMyGames", "/me/games?limit=100", stranger.token).get("games", [])
            ratings = get("getPlayerRatings", f"/players/{stranger.id}/ratings").get("ratings", [])
            rulesets = get("getPlayerStatistics", f"/players/{stranger.id}/statistics").get("rulesets", [])
            statistics[stranger.id] = PlayerStatistics([game["id"] for game in listed], ratings, rulesets)
        self.rated = sum(one.rating["status"] == APPLIED for one in games)
        return results + counting_faults(games, statistics)

    def _check_table(self, table: Table, asker: Asker) -> list[str]:
        exported = asker.ask(Request("exportGame", "GET", f"/games/{table.id}/export", game=table.id), waits=False)
        view = asker.ask(Request("getGame", "GET", f"/games/{table.id}", game=table.id), waits=False)
        if exported is None or view is None or (exported.status, view.status) != (200, 200):
            return [violation_line(table.id, None, "it does not exist")]
        log, seats = exported.json["events"], exported.json["seats"]
        self.lost += checks.lost_in_a_kill(self.journal, log, table.id)
        results = checks.faults_of_log(self.journal, table.id, seats, log)
        results += checks.faults_of_state(exported.json, view.json, time.time_ns() // 1_000_000)
        if view.json["status"] != "finished":
            results.append(
                violation_line(table.id, view.json["revision"], f"it has not ended, to_decide {view.json['to_decide']}")
            )
        return results
