"""A seat does not decide: its time is up, or its endpoint fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from service.games.clocks import ON_TIMEOUT
from service.games.endpoints import FAILURES, FAILURES_TOLD
from service.games.events.entry import Entry, ImpossibleError, must
from service.games.events.event import After, Consequence, Event, Failure, Moment, described
from service.games.model import Game
from service.games.moments import rfc3339
from service.games.seats import AI, FAILED, TIMED_OUT


@dataclass(frozen=True)
class CallFailedEvent(Event):
    """The endpoint that plays a seat made no decision."""

    kind: ClassVar = "call_failed"
    while_playing: ClassVar = True

    seat: int
    reason: Failure = field(metadata=described(FAILURES_TOLD))
    rule: str | None = field(metadata=described("The rules' reason, where its answer was illegal."))
    retry_at: Moment | None = field(metadata=described("When it is asked again; null: never."))
    then: Consequence | None = field(metadata=described("What the last failure brings; null: it is asked again."))

    def apply(self, game: Game, _: After = None) -> Game:
        """It is asked again, or what was agreed comes about."""
        failures = game.seats[self.seat].failures + 1
        game = game.with_seat(self.seat, failures=failures, failure=self.reason, rule=self.rule, retry_at=self.retry_at)
        return game if self.then is None else game.left(self.seat, self.then, FAILED, self.at)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The seat is to decide. An export's endpoints are AIs here: it does not hold their URLs."""
        seat, game, given, rule = entry.seat(), entry.game, entry.given, entry.given.get("rule")
        must(game.to_decide == seat and game.seats[seat].kind == AI and not game.is_paused, "the seat is not called")
        must(given.get("reason") in FAILURES, "there is no such failure")
        must(given.get("then") in (None, *ON_TIMEOUT), "there is no such consequence")
        must(rule is None or (isinstance(rule, str) and 0 < len(rule) <= 100), "its rule is none")
        retry_at = None if given.get("retry_at") is None else rfc3339(entry.moment("retry_at"))
        event = cls(*entry.head, seat, reason=given["reason"], rule=rule, retry_at=retry_at, then=given.get("then"))
        return event, None


@dataclass(frozen=True)
class TimeoutEvent(Event):
    """A seat ran out of time."""

    kind: ClassVar = "timeout"
    while_playing: ClassVar = True

    seat: int
    then: Consequence = field(metadata=described("What that brings."))

    def apply(self, game: Game, _: After = None) -> Game:
        """What was agreed comes about."""
        return game.left(self.seat, self.then, TIMED_OUT, self.at)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The seat's time runs, and is up."""
        seat, game = entry.seat(), entry.game
        deadline = game.deadline
        if deadline is None or game.meta.clock is None or game.clock is None or game.clock.seat != seat:
            raise ImpossibleError("no time of the seat runs")
        must(entry.moment("at") >= deadline, "its time is not up")
        return cls(*entry.head, seat=seat, then=game.meta.clock.on_timeout), None
