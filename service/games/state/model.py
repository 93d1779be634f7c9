"""A game: its constant part (Meta), and its state after the events of its log (Game).

The revision of a game is the number of events in its log. Event r creates revision r.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

from service.games.chance import commitment
from service.games.state.bounds import CHECKPOINT_EVERY
from service.games.state.clocks import LOSE, Clock, ClockRule
from service.games.state.endpoints import Endpoint
from service.games.state.moments import LATEST_MS, unix_ms
from service.games.state.offers import LIVE_OFFER_MS, REMATCH, SLOW_OFFER_MS, Offer
from service.games.state.seats import AI, AWAY, HTTP, PLAYER, Seat
from service.games.state.statuses import ABORTED, CALL, FINISHED, OPEN, PLAYING, TIME, TURN
from service.levels import FALLBACK
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position, Ruleset
from service.stored_json import select_known

VISIBILITIES = ("public", "unlisted", "private")


@dataclass(frozen=True)
class Meta:
    """The settings of a game, fixed at creation. The seed is secret until the game is over, endpoints always."""

    id: str
    ruleset: str
    ruleset_version: int
    variant: str
    visibility: str
    first_seat: int | None  # None: drawn by lot
    seed: str  # hex
    fair: bool  # False if the creator chose the seed
    created_at: str  # RFC 3339
    seats: tuple[Seat, ...]
    clock: ClockRule | None = None
    rematch_of: str | None = None  # id of the previous game
    position: Json | None = None  # starting position in wire form; None: the standard setup
    help: bool = True  # whether the game may be analysed before it is over
    seed_from: int = 0  # only draws of later revisions come from the seed
    endpoints: tuple[Endpoint | None, ...] = ()  # by seat; empty without endpoints
    rated: bool = False  # whether the result changes the players' ratings
    mixed: bool = False  # whether people and bots are rated together, with the consent of all
    competition: str | None = None  # id of the competition

    @cached_property
    def seed_commitment(self) -> str:
        """SHA-256 of the seed, published at creation."""
        return commitment(bytes.fromhex(self.seed))

    def start(self) -> Position:
        """Return the starting position."""
        ruleset = RULESETS[self.ruleset]
        if self.position is not None:
            return ruleset.read(self.position)
        return ruleset.start(self.variant, len(self.seats), self.first_seat)

    def to_json(self) -> Json:
        """Serialize for the store, including the secrets."""
        return plain(self)  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Load the result of `to_json`."""
        clock = None if json["clock"] is None else ClockRule(**select_known(ClockRule, json["clock"]))
        seats = tuple(Seat(**select_known(Seat, seat)) for seat in json["seats"])
        endpoints = tuple(
            None if endpoint is None else Endpoint(**select_known(Endpoint, endpoint))
            for endpoint in json.get("endpoints", ())
        )
        return cls(**{**select_known(cls, json), "seats": seats, "clock": clock, "endpoints": endpoints})


@dataclass(frozen=True)
class Base:
    """The state where replaying starts after a change of the rules. Older log entries are kept as text only."""

    revision: int
    ruleset_version: int
    position: Json
    state: Json  # the other fields of the game at this revision


@dataclass(frozen=True)
class Game:
    """A game at a revision: the result of applying its events up to there."""

    meta: Meta
    revision: int
    status: str
    seats: tuple[Seat, ...]
    position: Position | None  # None before the start
    updated_at: str
    acted: tuple[bool, ...]  # whether each seat has acted
    fair: bool  # whether nobody could know a draw in advance
    waiting_since: str  # since when the game waits for the current decision
    clock: Clock | None
    offers: tuple[Offer, ...] = ()
    declined: tuple[tuple[int, str], ...] = ()  # seat and kind of the offers declined since the last move
    paused_until: str | None = None
    rematch: str | None = None  # id of the next game
    base: Base | None = None
    ranks: tuple[int, ...] | None = None  # by seat, if the result was adjudicated

    @classmethod
    def new(cls, meta: Meta) -> Self:
        """Return the game at revision 0, before its first event."""
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
        """The rules of the game."""
        return RULESETS[self.meta.ruleset]

    @cached_property
    def to_decide(self) -> int | None:
        """The seat to decide; None before the start, during a draw and after the end."""
        return self.position.seat if self.position is not None and self.status == PLAYING else None

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused."""
        return self.paused_until is not None

    @property
    def level_to_decide(self) -> str | None:
        """The level of the AI that decides next, also in place of a person or an endpoint; None if no AI decides."""
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
        """The seat to decide if a person holds it and the game is not paused, else None."""
        seat = None if self.is_paused else self.to_decide
        return seat if seat is not None and self.seats[seat].is_person else None

    @property
    def endpoint_to_decide(self) -> Endpoint | None:
        """The endpoint to call for the next decision, or None."""
        seat = None if self.is_paused else self.to_decide
        return self.meta.endpoints[seat] if seat is not None and self.seats[seat].is_called else None

    @property
    def timed_seat(self) -> int | None:
        """The seat to decide if its clock runs, else None. Endpoints have a clock only in competitions."""
        if self.meta.competition is not None and self.endpoint_to_decide is not None:
            return self.to_decide
        return self.person_to_decide

    @property
    def deadline(self) -> int | None:
        """Unix ms when the seat to decide runs out of time; None without a clock or while it is stopped."""
        return None if self.clock is None or self.meta.clock is None else self.clock.deadline(self.meta.clock)

    @cached_property
    def due(self) -> str | None:
        """The work that is due without a request, one of `statuses.DUE`, or None."""
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
        """Unix ms when the work is due; 0: at once; None: never."""
        due = self.due
        if due == TIME:
            return self.deadline if self.paused_until is None else unix_ms(self.paused_until)
        if due == CALL and self.to_decide is not None:
            retry_at = self.seats[self.to_decide].retry_at
            if retry_at is None:
                return 0
            return min(unix_ms(retry_at), self.deadline or LATEST_MS)
        return None if due is None else 0

    @property
    def is_checkpoint(self) -> bool:
        """Whether the store keeps a snapshot of this revision."""
        return self.position is not None and self.revision % CHECKPOINT_EVERY == 0

    @property
    def people(self) -> list[int]:
        """The seats held by people, including those who no longer play."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == PLAYER]

    @property
    def is_over(self) -> bool:
        """Whether the game is finished or aborted."""
        return self.status in (FINISHED, ABORTED)

    @property
    def is_live(self) -> bool:
        """Whether the game has a clock by which its players must be present."""
        return self.meta.clock is not None and self.meta.clock.is_live

    def offer_made_ms(self, offer: Offer) -> int:
        """Return when the offer was made, in unix ms."""
        return unix_ms(offer.at or self.updated_at)

    def offer_ends_ms(self, offer: Offer) -> int:
        """Return when the offer lapses, in unix ms."""
        return self.offer_made_ms(offer) + (LIVE_OFFER_MS if self.is_live else SLOW_OFFER_MS)

    def is_aborted_without(self, seat: int) -> bool:
        """Return whether the game is aborted if this seat leaves now: it is rated, and a player has not decided yet."""
        players = (number for number, one in enumerate(self.seats) if one.kind != AI)
        return self.meta.rated and self.seats[seat].kind != AI and not all(self.acted[number] for number in players)

    def pending_seats(self, offer: Offer) -> list[int]:
        """Return the seats that have not accepted the offer yet: other people who still play, for a rematch all.

        A player with several seats offers and accepts for all of them.
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
        """Return the game with changed fields of a seat."""
        seat = replace(self.seats[number], **changes)
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    # ------------------------------------------------------------------------------- changes by events

    def with_position(self, position: Position, **changes: Any) -> Self:
        """Return the game after a move to another position."""
        status = FINISHED if position.status == "over" else self.status
        return replace(self, offers=(), declined=(), position=position, status=status, **changes)

    def without_offers(self) -> Self:
        """Return the game without open and declined offers, after a move or a change of its people."""
        return replace(self, offers=(), declined=())

    def with_lost_seat(self, seat: int, status: str) -> Self:
        """Return the game with a seat that can no longer win. If one other seat is left, the game is finished."""
        game = self.with_seat(seat, status=status).without_offers()
        remaining = sum(not other.is_out for other in game.seats)
        return replace(game, status=FINISHED, paused_until=None) if remaining == 1 else game

    def with_absent_seat(self, seat: int, then: str, status: str, at: str) -> Self:
        """Return the game after a seat failed to decide: it loses with this status, or an AI plays for it."""
        if then == LOSE:
            return self.with_lost_seat(seat, status)
        return self.with_seat(seat, status=AWAY, away_at=at).without_offers()

    # ------------------------------------------------------------------------------- storage

    def state_json(self) -> Json:
        """Return the state as JSON, without Meta and the position."""
        return {name: plain(value) for name, value in self.state().items()}

    def state(self) -> dict[str, Any]:
        """Return the fields except meta, revision and position, not copied. orjson writes them like `state_json`."""
        return {name: getattr(self, name) for name in STATE}

    @classmethod
    def from_state(cls, meta: Meta, revision: int, state: Json, position: Position | None) -> Self:
        """Load the result of `state_json`, also of newer versions with more members."""
        try:
            return cls._from_known_state(meta, revision, state, position)
        except TypeError:
            known_state = _known_state(state)
            if known_state == state:
                raise
            return cls._from_known_state(meta, revision, known_state, position)

    @classmethod
    def _from_known_state(cls, meta: Meta, revision: int, state: Json, position: Position | None) -> Self:
        clock, base, ranks = state["clock"], state["base"], state.get("ranks")
        loaded = {
            "seats": tuple(Seat(**seat) for seat in state["seats"]),
            "acted": tuple(state["acted"]),
            "clock": None if clock is None else Clock(**{**clock, "banks": tuple(clock["banks"])}),
            "offers": tuple(Offer(**{**offer, "accepted": tuple(offer["accepted"])}) for offer in state["offers"]),
            "declined": tuple((seat, kind) for seat, kind in state["declined"]),
            "base": None if base is None else Base(**base),
            "ranks": None if ranks is None else tuple(ranks),
        }
        return cls(meta=meta, revision=revision, position=position, **{**state, **loaded})


STATE = tuple(field.name for field in fields(Game) if field.name not in ("meta", "revision", "position"))


def _known_state(state: Json) -> Json:
    """Return the state without the members of newer versions. Raises NewerRecordError."""
    return {
        **select_known(Game, state),
        "seats": [select_known(Seat, seat) for seat in state["seats"]],
        "clock": state["clock"] and select_known(Clock, state["clock"]),
        "offers": [select_known(Offer, offer) for offer in state["offers"]],
        "base": state["base"] and select_known(Base, state["base"]),
    }


def position_of(game: Game) -> Position:
    """Return the position of a game. Raise ValueError if the game has not started."""
    if game.position is None:
        raise ValueError(f"game {game.meta.id} has no position at revision {game.revision}: it has not started")
    return game.position


def plain(value: Any) -> Any:
    """Return the value as JSON. `dataclasses.asdict` would copy it, which takes six times as long."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    names = getattr(type(value), "__dataclass_fields__", None)
    return value if names is None else {name: plain(getattr(value, name)) for name in names}
