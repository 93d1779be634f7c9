"""Events of seats, from the setup of a game to its end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from service.games.events.entry import Entry, require
from service.games.events.event import After, Cause, Event, Result, SeatNumber, api_description
from service.games.state.clocks import RETURN_MS
from service.games.state.model import Game
from service.games.state.seats import ACTIVE, AI, AWAY, OPEN_SEAT, OUT, PLAYER, RESIGNED
from service.games.state.statuses import ABORTED, DRAW, FINISHED, OPEN, PLAYING, RESULTS, WIN
from service.games.state.takebacks import Line
from service.levels import LEVELS
from service.rulesets.ruleset import Json
from service.stored_json import select_known


@dataclass(frozen=True)
class CreatedEvent(Event):
    """The game was created."""

    kind: ClassVar = "created"


@dataclass(frozen=True)
class JoinEvent(Event):
    """A person or bot took an open, abandoned or handed-over seat."""

    kind: ClassVar = "join"
    new_person: ClassVar = True

    seat: int
    name: str | None = field(metadata=api_description("Name of the new holder, or null."))
    player: str | None = field(
        default=None, metadata=api_description("Id of the player, or null if the seat belongs to no account.")
    )

    def apply(self, game: Game, _: After = None) -> Game:
        """Assign the seat. A returning player gets some time on the clock."""
        returned = game.seats[self.seat].status == AWAY
        game = game.without_offers().with_seat(
            self.seat, kind=PLAYER, name=self.name, level=None, player=self.player, status=ACTIVE, away_at=None
        )
        if returned and game.clock is not None:
            bank = max(RETURN_MS, game.clock.banks[self.seat])
            game = replace(game, clock=game.clock.with_bank(self.seat, bank))
        return game

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the seat is free. An AI seat is free only after its endpoint failed."""
        number, game = entry.seat(), entry.game
        seat = game.seats[number]
        free = seat.kind != AI or seat.status == AWAY
        require(not game.is_over and free and not seat.is_out, "The seat cannot be claimed.")
        return cls(*entry.head, seat=number, name=entry.name(), player=None), None


@dataclass(frozen=True)
class HandOverEvent(Event):
    """A seat was handed over."""

    kind: ClassVar = "hand_over"
    new_person: ClassVar = True

    seat: int
    name: str | None = field(metadata=api_description("Name of the new holder, or null."))

    def apply(self, game: Game, _: After = None) -> Game:
        """Remove the account until a player claims the seat."""
        return game.without_offers().with_seat(self.seat, name=self.name, player=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that a person has the seat."""
        seat, game = entry.seat(), entry.game
        require(not game.is_over and game.seats[seat].kind == PLAYER, "No player has this seat.")
        return cls(*entry.head, seat=seat, name=entry.name()), None


@dataclass(frozen=True)
class Filled:
    """An open seat that an AI took at the start."""

    seat: SeatNumber = field(metadata=api_description())
    level: str = field(metadata=api_description("Level of the AI."))


@dataclass(frozen=True)
class StartEvent(Event):
    """The game started."""

    kind: ClassVar = "start"
    restarts_waiting: ClassVar = True

    filled: tuple[Filled, ...] = field(metadata=api_description())

    def apply(self, game: Game, _: After = None) -> Game:
        """Fill the open seats with AIs and set the starting position."""
        for filled in self.filled:
            game = game.with_seat(filled.seat, kind=AI, level=filled.level)
        return replace(game, status=PLAYING, position=game.meta.start())

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that exactly the open seats are filled."""
        game, filled = entry.game, entry.members.get("filled")
        require(game.status == OPEN, "The game has already started.")
        require(
            isinstance(filled, list) and all(isinstance(seat, dict) for seat in filled),
            "`filled` must be a list of objects.",
        )
        empty = [number for number, seat in enumerate(game.seats) if seat.kind == OPEN_SEAT]
        numbers = [seat.get("seat") for seat in filled or []]
        require(numbers == empty, "`filled` must contain exactly the open seats.")
        levels = [seat.get("level") for seat in filled or []]
        require(all(isinstance(level, str) and level in LEVELS for level in levels), "The level does not exist.")
        return cls(*entry.head, filled=tuple(map(Filled, empty, levels))), None

    def extend(self, line: Line) -> None:
        """Start the line."""
        line.reach(self.revision)

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Load the result of `to_json`."""
        return super().from_json(
            {**json, "filled": tuple(Filled(**select_known(Filled, seat)) for seat in json["filled"])}
        )


@dataclass(frozen=True)
class ResignationEvent(Event):
    """A seat resigned."""

    kind: ClassVar = "resignation"

    seat: int

    def apply(self, game: Game, _: After = None) -> Game:
        """Mark the seat as resigned."""
        return game.with_lost_seat(self.seat, RESIGNED)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the seat is playing."""
        seat, game = entry.seat(), entry.game
        require(game.status == PLAYING and not game.seats[seat].is_out, "The seat cannot resign.")
        return cls(*entry.head, seat=seat), None


@dataclass(frozen=True)
class AbortEvent(Event):
    """The game was aborted: by the host or the operator, or because a seat of a rated game left too early."""

    kind: ClassVar = "abort"

    seat: int | None = None
    cause: Cause | None = field(
        default=None, metadata=api_description("How the seat left a rated game, or null if nobody left.")
    )

    def apply(self, game: Game, _: After = None) -> Game:
        """End the game without an outcome."""
        if self.seat is not None and self.cause is not None:
            game = game.with_seat(self.seat, status=self.cause)
        return replace(game.without_offers(), status=ABORTED, paused_until=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the game is not over, and the seat that left, if any."""
        cause = entry.members.get("cause")
        require(not entry.game.is_over, "The game is over.")
        require(cause in (None, *OUT), "The cause is unknown.")
        return cls(*entry.head, seat=None if cause is None else entry.seat(), cause=cause), None


@dataclass(frozen=True)
class AdjudicationEvent(Event):
    """The host of a competition, or the operator, decided the result."""

    kind: ClassVar = "adjudication"

    seat: int | None
    result: Result = field(metadata=api_description("`win`: the seat won. `double_forfeit`: nobody won."))

    def ranks(self, seats: int) -> tuple[int, ...]:
        """Return the ranks of the seats. After a double forfeit, nobody is first."""
        if self.result == WIN:
            return tuple(1 if seat == self.seat else 2 for seat in range(seats))
        return (1 if self.result == DRAW else seats,) * seats

    def apply(self, game: Game, _: After = None) -> Game:
        """End the game with these ranks."""
        ranks = self.ranks(len(game.seats))
        return replace(game.without_offers(), status=FINISHED, ranks=ranks, paused_until=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the game is being played and the result is possible."""
        result, seat = entry.members.get("result"), None
        require(entry.game.status == PLAYING, "The game must be running.")
        require(result in RESULTS, "The result is unknown.")
        if result == WIN:
            seat = entry.seat()
        return cls(*entry.head, seat, str(result)), None


@dataclass(frozen=True)
class ImportedEvent(Event):
    """The game up to this point was imported from a record."""

    kind: ClassVar = "imported"
    restarts_waiting: ClassVar = True
    new_turn: ClassVar = True
    notifies_again: ClassVar = True

    source: str = field(metadata=api_description("Id of the exported game."))

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check the id of the exported game."""
        source = entry.members.get("source")
        require(isinstance(source, str) and len(source) <= 64, "`source` must be a text of at most 64 characters.")
        return cls(*entry.head, source=str(source)), None
