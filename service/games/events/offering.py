"""Events of offers between the people of a game, their answers and their results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from service.games.events.entry import Entry, ImpossibleError, require
from service.games.events.event import After, Event, Moment, OfferKind, Revision, Seconds, api_description
from service.games.events.moves import takeback_target
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.games.state.offers import LONGEST_PAUSE_S, OFFERS, PAUSE, REMATCH, TAKEBACK, Offer


@dataclass(frozen=True)
class OfferEvent(Event):
    """A seat made an offer."""

    kind: ClassVar = "offer"

    seat: int
    offer_kind: OfferKind = field(metadata=api_description())
    to: Revision | None = field(metadata=api_description("As in `Offer`."))
    across_draw: bool = field(metadata=api_description("As in `Offer`."))
    seconds: Seconds | None = field(metadata=api_description("As in `Offer`."))

    def apply(self, game: Game, _: After = None) -> Game:
        """Add the offer to the open offers."""
        offer = Offer(self.revision, self.offer_kind, self.seat, (), self.to, self.across_draw, self.seconds, self.at)
        return replace(game, offers=(*game.offers, offer))

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the offer fits the game and the seat has no other offer."""
        seat, kind, seconds = entry.seat(), entry.members.get("offer_kind"), entry.members.get("seconds")
        require(kind in OFFERS, "The kind of the offer is unknown.")
        require(entry.game.is_over == (kind == REMATCH), "This offer is not possible at this point.")
        require((seconds is None) == (kind != PAUSE), "`seconds` is required for a pause, and only allowed there.")
        require(
            seconds is None or (type(seconds) is int and 0 < seconds <= LONGEST_PAUSE_S),
            f"`seconds` must be between 1 and {LONGEST_PAUSE_S}.",
        )
        require(all(offer.seat != seat for offer in entry.game.offers), "The seat already has an open offer.")
        to, across_draw = takeback_target(entry, seat) if kind == TAKEBACK else (None, False)
        return cls(*entry.head, seat, str(kind), to, across_draw, seconds), None


@dataclass(frozen=True)
class AnswerEvent(Event):
    """A seat answered an offer or withdrew its own."""

    kind: ClassVar = "answer"

    seat: int
    offer: Revision = field(metadata=api_description("Id of the offer."))
    accept: bool = field(metadata=api_description("Whether the seat accepted."))

    def apply(self, game: Game, _: After = None) -> Game:
        """Record the acceptance, or remove the offer. Declined offers cannot be repeated."""
        offer = next(offer for offer in game.offers if offer.id == self.offer)
        others = tuple(other for other in game.offers if other.id != offer.id)
        if self.accept:
            return replace(game, offers=(*others, offer.accepted_by(self.seat)))
        if self.seat == offer.seat:
            return replace(game, offers=others)
        return replace(game, offers=others, declined=(*game.declined, (offer.seat, offer.kind)))

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the seat may answer or withdraw the offer."""
        seat, accept, game = entry.seat(), entry.members.get("accept") is True, entry.game
        offer = next((offer for offer in game.offers if offer.id == entry.members.get("offer")), None)
        if offer is None:
            raise ImpossibleError("The offer does not exist.")
        require(
            seat in game.pending_seats(offer) or (seat == offer.seat and not accept),
            "The seat does not have to answer this offer.",
        )
        return cls(*entry.head, seat=seat, offer=offer.id, accept=accept), None


@dataclass(frozen=True)
class PauseEvent(Event):
    """The game and its clock were paused."""

    kind: ClassVar = "pause"
    while_playing: ClassVar = True

    seat: int
    until: Moment = field(metadata=api_description("When the pause ends."))

    def apply(self, game: Game, _: After = None) -> Game:
        """Pause the game."""
        return replace(game.without_offers(), paused_until=self.until)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check the length of the pause."""
        until, at = entry.moment("until"), entry.moment("at")
        require(until > at, "The pause must end after it starts.")
        require(until - at <= 1000 * LONGEST_PAUSE_S, f"A pause can last at most {LONGEST_PAUSE_S} seconds.")
        return cls(*entry.head, seat=entry.seat(), until=rfc3339(until)), None


@dataclass(frozen=True)
class ResumeEvent(Event):
    """The game was resumed; `seat` is null if the pause expired."""

    kind: ClassVar = "resume"
    while_playing: ClassVar = True
    restarts_waiting: ClassVar = True
    notifies_again: ClassVar = True

    seat: int | None

    def apply(self, game: Game, _: After = None) -> Game:
        """Resume the game."""
        return replace(game.without_offers(), paused_until=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the game was paused."""
        require(entry.game.is_paused, "The game is not paused.")
        return cls(*entry.head, seat=None if entry.members.get("seat") is None else entry.seat()), None


@dataclass(frozen=True)
class RematchEvent(Event):
    """A rematch was created."""

    kind: ClassVar = "rematch"

    seat: int
    game_id: str = field(metadata=api_description("Id of the rematch."))

    def apply(self, game: Game, _: After = None) -> Game:
        """Set the id of the rematch."""
        return replace(game.without_offers(), rematch=self.game_id)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the game is over and the id is valid."""
        game_id = entry.members.get("game_id")
        require(
            entry.game.is_over and isinstance(game_id, str) and len(game_id) <= 64,
            "A rematch needs a finished game and the id of the new game.",
        )
        return cls(*entry.head, seat=entry.seat(), game_id=str(game_id)), None
