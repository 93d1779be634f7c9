"""A game: what never changes (Meta), and what the log has made of it so far (Game).

The revision of a game is the number of events in its log. Event number r is the one that made revision r.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

from service.games.chance import commitment
from service.games.state.bounds import CHECKPOINT_EVERY
from service.games.state.clocks import LOSE, Clock, ClockRule
from service.games.state.endpoints import Endpoint
from service.games.state.moments import unix_ms
from service.games.state.offers import REMATCH, Offer
from service.games.state.seats import AI, AWAY, HTTP, PLAYER, Seat
from service.games.state.statuses import ABORTED, CALL, FINISHED, OPEN, PLAYING, TIME, TURN
from service.levels import FALLBACK
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position, Ruleset

VISIBILITIES = ("public", "unlisted", "private")


@dataclass(frozen=True)
class Meta:
    """What is fixed when a game is created. The seed is secret until the game is over, endpoints for ever."""

    id: str
    ruleset: str
    ruleset_version: int
    variant: str
    visibility: str
    first_seat: int | None  # None: drawn
    seed: str  # hex
    fair: bool  # False where the creator chose the seed
    created_at: str  # RFC 3339
    seats: tuple[Seat, ...]
    clock: ClockRule | None = None
    rematch_of: str | None = None  # the game before
    position: Json | None = None  # where it begins, in wire form; None: at the set-up
    help: bool = True  # whether it may be analysed before it is over
    seed_from: int = 0  # the draws of later revisions come from the seed
    endpoints: tuple[Endpoint | None, ...] = ()  # by seat; none where no seat has one
    rated: bool = False  # whether its end changes its players' ratings
    mixed: bool = False  # whether people and bots are rated in it together, as all of them have said

    @cached_property
    def seed_commitment(self) -> str:
        """SHA-256 of the seed, published before the game is over."""
        return commitment(bytes.fromhex(self.seed))

    def start(self) -> Position:
        """Where the game begins."""
        ruleset = RULESETS[self.ruleset]
        if self.position is not None:
            return ruleset.read(self.position)
        return ruleset.start(self.variant, len(self.seats), self.first_seat)

    def to_json(self) -> Json:
        """For the store only: it holds the secrets."""
        return plain(self)  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """What `to_json` gave."""
        clock = None if json["clock"] is None else ClockRule(**json["clock"])
        seats = tuple(Seat(**seat) for seat in json["seats"])
        endpoints = tuple(None if one is None else Endpoint(**one) for one in json.get("endpoints", ()))
        return cls(**{**json, "seats": seats, "clock": clock, "endpoints": endpoints})


@dataclass(frozen=True)
class Base:
    """Where replaying begins after a change of the rules: older entries of the log are text only."""

    revision: int
    ruleset_version: int
    position: Json
    state: Json  # what else the game was then


@dataclass(frozen=True)
class Game:
    """A game at a revision: the fold of its log up to there."""

    meta: Meta
    revision: int
    status: str
    seats: tuple[Seat, ...]
    position: Position | None  # None while open
    updated_at: str
    acted: tuple[bool, ...]  # which seats have made an action
    fair: bool  # whether nobody could know a draw before it was made
    waiting_since: str  # since when the present decision has been waiting
    clock: Clock | None  # None where the game has none
    offers: tuple[Offer, ...] = ()
    declined: tuple[tuple[int, str], ...] = ()  # seat and kind of offers that were declined since the last move
    paused_until: str | None = None
    rematch: str | None = None  # id of the game that follows
    base: Base | None = None

    @classmethod
    def new(cls, meta: Meta) -> Self:
        """Revision 0: nothing has happened."""
        clock = None if meta.clock is None else Clock((1000 * meta.clock.bank_s,) * len(meta.seats))
        return cls(
            meta=meta,
            revision=0,
            status=OPEN,
            seats=meta.seats,
            position=None,
            updated_at=meta.created_at,
            acted=(False,) * len(meta.seats),
            fair=meta.fair,
            waiting_since=meta.created_at,
            clock=clock,
        )

    @property
    def ruleset(self) -> Ruleset:
        """The rules it is played by."""
        return RULESETS[self.meta.ruleset]

    @cached_property
    def to_decide(self) -> int | None:
        """The seat to decide; None before the start, while chance decides, and after the end."""
        return self.position.seat if self.position is not None and self.status == PLAYING else None

    @property
    def is_paused(self) -> bool:
        """Whether its people agreed to a pause."""
        return self.paused_until is not None

    @property
    def level_to_decide(self) -> str | None:
        """The level of the AI that decides next; None where nobody does, a person or an endpoint. It stands in, too."""
        if self.to_decide is None or self.is_paused:
            return None
        seat = self.seats[self.to_decide]
        if seat.is_person or seat.is_called:
            return None
        if seat.kind in (AI, HTTP):
            return seat.level
        return FALLBACK if self.meta.clock is None else self.meta.clock.level

    @property
    def person_to_decide(self) -> int | None:
        """The seat whose person everybody waits for; None where an AI decides, or nobody."""
        seat = None if self.is_paused else self.to_decide
        return seat if seat is not None and self.seats[seat].is_person else None

    @property
    def endpoint_to_decide(self) -> Endpoint | None:
        """Who is asked over HTTP for the next decision; None where nobody is."""
        seat = None if self.is_paused else self.to_decide
        return self.meta.endpoints[seat] if seat is not None and self.seats[seat].is_called else None

    @property
    def deadline(self) -> int | None:
        """Unix ms when the time of the seat to decide is up; None without a clock, or while it stands still."""
        if self.clock is None or self.meta.clock is None:
            return None
        return self.clock.deadline(self.meta.clock)

    @cached_property
    def due(self) -> str | None:
        """What must happen by itself, one of `statuses.DUE`; None: nothing."""
        if self.is_over:
            return None
        if self.is_paused:
            return TIME
        if self.endpoint_to_decide is not None:
            return CALL
        if self.level_to_decide is not None:
            return TURN
        return None if self.deadline is None else TIME

    @property
    def due_at(self) -> int | None:
        """Unix ms when that must happen; 0: at once; None: never."""
        due = self.due
        if due == TIME:
            return self.deadline if self.paused_until is None else unix_ms(self.paused_until)
        if due == CALL and self.to_decide is not None:
            retry_at = self.seats[self.to_decide].retry_at
            return 0 if retry_at is None else unix_ms(retry_at)
        return None if due is None else 0

    @property
    def is_checkpoint(self) -> bool:
        """Whether the game is kept as it is at this revision."""
        return self.position is not None and self.revision % CHECKPOINT_EVERY == 0

    @property
    def people(self) -> list[int]:
        """The seats that people hold, whether they still play or not."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == PLAYER]

    @property
    def is_over(self) -> bool:
        """Finished or aborted."""
        return self.status in (FINISHED, ABORTED)

    def awaiting(self, offer: Offer) -> list[int]:
        """The seats whose answer the offer needs: of the other people who play (of a rematch, all), as yet silent.

        Nobody is asked twice: a player who offers or accepts does it for all their seats.
        """
        agreed = (offer.seat, *offer.accepted)
        players = {self.seats[seat].player for seat in agreed} - {None}
        return [
            seat
            for seat in self.people
            if seat not in agreed
            and (offer.kind == REMATCH or self.seats[seat].is_person)
            and self.seats[seat].player not in players
        ]

    def with_seat(self, number: int, **changes: Any) -> Self:
        """The game with a seat changed."""
        seats = list(self.seats)
        seats[number] = replace(seats[number], **changes)
        return replace(self, seats=tuple(seats))

    # ------------------------------------------------------------------------------- what events do to it

    def moved(self, position: Position, **changes: Any) -> Self:
        """The game with another position, and what else changes with it."""
        status = FINISHED if position.status == "over" else self.status
        return replace(self, offers=(), declined=(), position=position, status=status, **changes)

    def unsettled(self) -> Self:
        """It has moved on, or its people are others: what was offered is no longer, and may be offered again."""
        return replace(self, offers=(), declined=())

    def lost_by(self, seat: int, status: str) -> Self:
        """The seat can no longer win: with one seat left the game ends."""
        game = self.with_seat(seat, status=status).unsettled()
        left = sum(not other.is_out for other in game.seats)
        return replace(game, status=FINISHED, paused_until=None) if left == 1 else game

    def left(self, seat: int, then: str, status: str, at: str) -> Self:
        """The seat does not decide: it loses, with this status, or an AI plays on."""
        if then == LOSE:
            return self.lost_by(seat, status)
        return self.with_seat(seat, status=AWAY, away_at=at).unsettled()

    # ------------------------------------------------------------------------------- what the store keeps

    def state_json(self) -> Json:
        """What is not in Meta and not in the position."""
        return {name: plain(value) for name, value in self.state().items()}

    def state(self) -> dict[str, Any]:
        """The same as it is; orjson writes it as it writes `state_json`."""
        return {name: getattr(self, name) for name in STATE}

    @classmethod
    def restored(cls, meta: Meta, revision: int, state: Json, position: Position | None) -> Self:
        """The game that `state_json` was taken of."""
        clock, base = state["clock"], state["base"]
        read = {
            "seats": tuple(Seat(**seat) for seat in state["seats"]),
            "acted": tuple(state["acted"]),
            "clock": None if clock is None else Clock(**{**clock, "banks": tuple(clock["banks"])}),
            "offers": tuple(Offer(**{**offer, "accepted": tuple(offer["accepted"])}) for offer in state["offers"]),
            "declined": tuple((seat, kind) for seat, kind in state["declined"]),
            "base": None if base is None else Base(**base),
        }
        return cls(meta=meta, revision=revision, position=position, **{**state, **read})


STATE = tuple(field.name for field in fields(Game) if field.name not in ("meta", "revision", "position"))


def position_of(game: Game) -> Position:
    """The position of a game that has started."""
    if game.position is None:
        raise ValueError("the log plays before the game has started")
    return game.position


def plain(value: Any) -> Any:
    """The value as JSON can hold it; `dataclasses.asdict` copies, which takes six times as long."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    names = getattr(type(value), "__dataclass_fields__", None)
    return value if names is None else {name: plain(getattr(value, name)) for name in names}
