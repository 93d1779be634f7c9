"""Events of seats that do not decide: time-outs and failed endpoints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from service.games.events.entry import Entry, ImpossibleError, require
from service.games.events.event import After, Consequence, Event, Failure, Moment, api_description
from service.games.state.clocks import ON_TIMEOUT
from service.games.state.endpoints import FAILURES
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.games.state.seats import AI, FAILED, TIMED_OUT


@dataclass(frozen=True)
class CallFailedEvent(Event):
    """The endpoint of a seat made no decision."""

    kind: ClassVar = "call_failed"
    while_playing: ClassVar = True

    seat: int
    reason: Failure = field(metadata=api_description())
    rule: str | None = field(metadata=api_description("Reason code of the rules if the action was illegal; else null."))
    retry_at: Moment | None = field(metadata=api_description("Time of the next attempt, or null."))
    then: Consequence | None = field(
        metadata=api_description("Consequence of the last failure, or null if it is retried.")
    )

    def apply(self, game: Game, _: After = None) -> Game:
        """Count the failure and apply the agreed consequence, if any."""
        failures = game.seats[self.seat].failures + 1
        game = game.with_seat(self.seat, failures=failures, failure=self.reason, rule=self.rule, retry_at=self.retry_at)
        return game if self.then is None else game.with_absent_seat(self.seat, self.then, FAILED, self.at)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the seat has to decide. Exports contain no URLs, so endpoints are imported as AIs."""
        seat, game, members, rule = entry.seat(), entry.game, entry.members, entry.members.get("rule")
        require(
            game.to_decide == seat and game.seats[seat].kind == AI and not game.is_paused,
            "No call to this seat is due.",
        )
        require(members.get("reason") in FAILURES, "The reason of the failure is unknown.")
        require(members.get("then") in (None, *ON_TIMEOUT), "The consequence is unknown.")
        require(
            rule is None or (isinstance(rule, str) and 0 < len(rule) <= 100),
            "`rule` must be a text of 1 to 100 characters.",
        )
        retry_at = None if members.get("retry_at") is None else rfc3339(entry.moment("retry_at"))
        reason, consequence = members["reason"], members.get("then")
        return cls(*entry.head, seat, reason=reason, rule=rule, retry_at=retry_at, then=consequence), None


@dataclass(frozen=True)
class TimeoutEvent(Event):
    """A seat ran out of time."""

    kind: ClassVar = "timeout"
    while_playing: ClassVar = True

    seat: int
    then: Consequence = field(metadata=api_description())

    def apply(self, game: Game, _: After = None) -> Game:
        """Apply the agreed consequence."""
        return game.with_absent_seat(self.seat, self.then, TIMED_OUT, self.at)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the seat's clock ran out."""
        seat, game = entry.seat(), entry.game
        deadline = game.deadline
        if deadline is None or game.meta.clock is None or game.clock is None or game.clock.seat != seat:
            raise ImpossibleError("The clock of the seat is not running.")
        require(entry.moment("at") >= deadline, "The time of the seat is not up.")
        return cls(*entry.head, seat=seat, then=game.meta.clock.on_timeout), None
