"""What happens between the people of a game: offers, answers, and what comes of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from service.games.events.entry import Entry, ImpossibleError, must
from service.games.events.event import After, Event, Moment, OfferKind, Revision, Seconds, described
from service.games.events.moves import back
from service.games.model import Game
from service.games.moments import rfc3339
from service.games.offers import LONGEST_PAUSE_S, OFFERS, PAUSE, REMATCH, TAKEBACK, Offer


@dataclass(frozen=True)
class OfferEvent(Event):
    """A seat offered something."""

    kind: ClassVar = "offer"

    seat: int
    offer_kind: OfferKind = field(metadata=described("The kind of offer."))
    to: Revision | None = field(metadata=described("The same as in the view."))
    across_draw: bool = field(metadata=described("The same as in the view."))
    seconds: Seconds | None = field(metadata=described("The same as in the view."))

    def apply(self, game: Game, _: After = None) -> Game:
        """It waits for answers."""
        offer = Offer(self.revision, self.offer_kind, self.seat, (), self.to, self.across_draw, self.seconds)
        return replace(game, offers=(*game.offers, offer))

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """It fits the game; a seat has one offer at a time."""
        seat, kind, seconds = entry.seat(), entry.given.get("offer_kind"), entry.given.get("seconds")
        must(kind in OFFERS, "there is no such kind of offer")
        must(entry.game.is_over == (kind == REMATCH), "it cannot be offered now")
        must((seconds is None) == (kind != PAUSE), "seconds are of a pause, and of it alone")
        must(seconds is None or (type(seconds) is int and 0 < seconds <= LONGEST_PAUSE_S), "its seconds are none")
        must(all(offer.seat != seat for offer in entry.game.offers), "the seat has an offer open")
        to, across_draw = back(entry, seat) if kind == TAKEBACK else (None, False)
        return cls(*entry.head, seat, str(kind), to, across_draw, seconds), None


@dataclass(frozen=True)
class AnswerEvent(Event):
    """A seat answered an offer, or withdrew its own."""

    kind: ClassVar = "answer"

    seat: int
    offer: Revision = field(metadata=described("The offer's id."))
    accept: bool = field(metadata=described("Whether it agreed."))

    def apply(self, game: Game, _: After = None) -> Game:
        """One more has agreed; or the offer is gone, and may not be repeated if another seat has declined it."""
        offer = next(offer for offer in game.offers if offer.id == self.offer)
        others = tuple(other for other in game.offers if other.id != offer.id)
        if self.accept:
            return replace(game, offers=(*others, offer.accepted_by(self.seat)))
        if self.seat == offer.seat:
            return replace(game, offers=others)
        return replace(game, offers=others, declined=(*game.declined, (offer.seat, offer.kind)))

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """There is the offer, and the seat is asked, or withdraws it."""
        seat, accept, game = entry.seat(), entry.given.get("accept") is True, entry.game
        offer = next((offer for offer in game.offers if offer.id == entry.given.get("offer")), None)
        if offer is None:
            raise ImpossibleError("there is no such offer")
        must(seat in game.awaiting(offer) or (seat == offer.seat and not accept), "the seat is not asked")
        return cls(*entry.head, seat=seat, offer=offer.id, accept=accept), None


@dataclass(frozen=True)
class PauseEvent(Event):
    """The game and its clock stand still."""

    kind: ClassVar = "pause"
    while_playing: ClassVar = True

    seat: int
    until: Moment = field(metadata=described("When they go on by themselves."))

    def apply(self, game: Game, _: After = None) -> Game:
        """It is paused."""
        return replace(game.unsettled(), paused_until=self.until)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """It is no longer than a pause may be."""
        until, at = entry.moment("until"), entry.moment("at")
        must(until > at, "it ends before it begins")
        must(until - at <= 1000 * LONGEST_PAUSE_S, "it is longer than any pause")
        return cls(*entry.head, seat=entry.seat(), until=rfc3339(until)), None


@dataclass(frozen=True)
class ResumeEvent(Event):
    """The game goes on; seat null: the pause was over."""

    kind: ClassVar = "resume"
    while_playing: ClassVar = True
    waits_anew: ClassVar = True
    notifies_again: ClassVar = True

    seat: int | None

    def apply(self, game: Game, _: After = None) -> Game:
        """It is paused no more."""
        return replace(game.unsettled(), paused_until=None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """It was paused."""
        must(entry.game.is_paused, "the game is not paused")
        return cls(*entry.head, seat=None if entry.given.get("seat") is None else entry.seat()), None


@dataclass(frozen=True)
class RematchEvent(Event):
    """Another game follows."""

    kind: ClassVar = "rematch"

    seat: int
    game_id: str = field(metadata=described("The id of the game that follows."))

    def apply(self, game: Game, _: After = None) -> Game:
        """The game names the one that follows."""
        return replace(game.unsettled(), rematch=self.game_id)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The game is over, and the other's id can be one."""
        game_id = entry.given.get("game_id")
        must(entry.game.is_over and isinstance(game_id, str) and len(game_id) <= 64, "there is no rematch here")
        return cls(*entry.head, seat=entry.seat(), game_id=str(game_id)), None
