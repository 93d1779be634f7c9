"""Who sits where, from the set-up to the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from service.games.clocks import RETURN_MS
from service.games.events.entry import Entry, must
from service.games.events.event import After, Event, SeatNumber, described
from service.games.model import Game
from service.games.seats import ACTIVE, AI, AWAY, OPEN_SEAT, PLAYER, RESIGNED
from service.games.statuses import ABORTED, OPEN, PLAYING
from service.games.takebacks import Line
from service.levels import LEVELS
from service.rulesets.ruleset import Json


@dataclass(frozen=True)
class CreatedEvent(Event):
    """The game was set up."""

    kind: ClassVar = "created"


@dataclass(frozen=True)
class JoinEvent(Event):
    """Somebody took a seat: an open one, that of a person who was gone, or one that was handed over."""

    kind: ClassVar = "join"
    new_person: ClassVar = True

    seat: int
    name: str | None = field(metadata=described("The player's name."))
    player: str | None = field(
        default=None, metadata=described("The player's id; null where a token of the game is all there is.")
    )

    def apply(self, game: Game, _: After = None) -> Game:
        """The seat is theirs; who comes back finds some time on the clock."""
        returned = game.seats[self.seat].status == AWAY
        game = game.unsettled().with_seat(
            self.seat, kind=PLAYER, name=self.name, level=None, player=self.player, status=ACTIVE, away_at=None
        )
        if returned and game.clock is not None:
            bank = max(RETURN_MS, game.clock.banks[self.seat])
            game = replace(game, clock=game.clock.with_bank(self.seat, bank))
        return game

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The seat is free. Of an AI's only one whose endpoint has failed can be."""
        number, game = entry.seat(), entry.game
        seat = game.seats[number]
        free = seat.kind != AI or seat.status == AWAY
        must(not game.is_over and free and not seat.is_out, "the seat cannot be taken")
        return cls(*entry.head, seat=number, name=entry.name(), player=None), None


@dataclass(frozen=True)
class HandOverEvent(Event):
    """The seat's holder gave it away."""

    kind: ClassVar = "hand_over"
    new_person: ClassVar = True

    seat: int
    name: str | None = field(metadata=described("The new holder's name."))

    def apply(self, game: Game, _: After = None) -> Game:
        """It is no player's seat until one makes it their own."""
        return game.unsettled().with_seat(self.seat, name=self.name, player=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Somebody has the seat."""
        seat, game = entry.seat(), entry.game
        must(not game.is_over and game.seats[seat].kind == PLAYER, "nobody has the seat")
        return cls(*entry.head, seat=seat, name=entry.name()), None


@dataclass(frozen=True)
class Filled:
    """An open seat that an AI took at the start."""

    seat: SeatNumber = field(metadata=described("The seat."))
    level: str = field(metadata=described("The AI's level."))


@dataclass(frozen=True)
class StartEvent(Event):
    """The game began."""

    kind: ClassVar = "start"
    waits_anew: ClassVar = True

    filled: tuple[Filled, ...] = field(metadata=described())

    def apply(self, game: Game, _: After = None) -> Game:
        """AIs sit on the seats that were open; nothing is drawn yet."""
        for filled in self.filled:
            game = game.with_seat(filled.seat, kind=AI, level=filled.level)
        return replace(game, status=PLAYING, position=game.meta.start())

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """All open seats are filled, and no other."""
        game, filled = entry.game, entry.given.get("filled")
        must(game.status == OPEN, "the game has started")
        must(isinstance(filled, list) and all(isinstance(seat, dict) for seat in filled), "`filled` is not a list")
        empty = [number for number, seat in enumerate(game.seats) if seat.kind == OPEN_SEAT]
        numbers = [seat.get("seat") for seat in filled or []]
        must(numbers == empty, "the seats that are filled must be those that are open")
        levels = [seat.get("level") for seat in filled or []]
        must(all(isinstance(level, str) and level in LEVELS for level in levels), "there is no such level")
        return cls(*entry.head, filled=tuple(map(Filled, empty, levels))), None

    def extend(self, line: Line) -> None:
        """The line begins here."""
        line.reach(self.revision)

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """What `to_json` gave."""
        return super().from_json({**json, "filled": tuple(Filled(**seat) for seat in json["filled"])})


@dataclass(frozen=True)
class ResignationEvent(Event):
    """A seat gave up."""

    kind: ClassVar = "resignation"

    seat: int

    def apply(self, game: Game, _: After = None) -> Game:
        """The seat can win no more."""
        return game.lost_by(self.seat, RESIGNED)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The seat plays."""
        seat, game = entry.seat(), entry.game
        must(game.status == PLAYING and not game.seats[seat].is_out, "the seat cannot resign")
        return cls(*entry.head, seat=seat), None


@dataclass(frozen=True)
class AbortEvent(Event):
    """The host or the operator ended the game."""

    kind: ClassVar = "abort"

    def apply(self, game: Game, _: After = None) -> Game:
        """It ends without an outcome."""
        return replace(game.unsettled(), status=ABORTED, paused_until=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The game has not ended before."""
        must(not entry.game.is_over, "the game is over")
        return cls(*entry.head), None


@dataclass(frozen=True)
class ImportedEvent(Event):
    """The game up to here was read from a record."""

    kind: ClassVar = "imported"
    waits_anew: ClassVar = True
    new_turn: ClassVar = True
    notifies_again: ClassVar = True

    source: str = field(metadata=described("Id of the game it is of."))

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Its source can be an id."""
        source = entry.given.get("source")
        must(isinstance(source, str) and len(source) <= 64, "its source is none")
        return cls(*entry.head, source=str(source)), None
