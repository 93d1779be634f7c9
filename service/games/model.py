"""A game: what never changes (Meta), what the log has made of it so far (Game), and its view.

The revision of a game is the number of events in its log. Event number r is the one that made revision r.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

from service.games.chance import commitment
from service.levels import FALLBACK
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position, Ruleset

OPEN, PLAYING, FINISHED, ABORTED = "open", "playing", "finished", "aborted"
STATUSES = (OPEN, PLAYING, FINISHED, ABORTED)
VISIBILITIES = ("public", "unlisted", "private")


@dataclass(frozen=True)
class Seat:
    """A place at the game. `kind`: `player` (a person holds it), `open` (may be claimed), `ai`."""

    kind: str
    name: str | None = None
    level: str | None = None  # of an AI
    resigned: bool = False


@dataclass(frozen=True)
class Meta:
    """What is fixed when a game is created. The seed is secret until the game is over."""

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

    def to_json(self) -> Json:
        """For the store only: it holds the seed."""
        return asdict(self)

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """What `to_json` gave."""
        return cls(**{**json, "seats": tuple(Seat(**seat) for seat in json["seats"])})


@dataclass(frozen=True)
class Base:
    """Where replaying begins after a change of the rules: older entries of the log are text only."""

    revision: int
    ruleset_version: int
    position: Json


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
    base: Base | None = None

    @classmethod
    def new(cls, meta: Meta) -> Self:
        """Revision 0: nothing has happened."""
        none_acted = (False,) * len(meta.seats)
        return cls(meta, 0, OPEN, meta.seats, None, meta.created_at, none_acted)

    @property
    def ruleset(self) -> Ruleset:
        """The rules it is played by."""
        return RULESETS[self.meta.ruleset]

    @property
    def to_decide(self) -> int | None:
        """The seat to decide; None before the start, while chance decides, and after the end."""
        return self.position.seat if self.position is not None and self.status == PLAYING else None

    @property
    def level_to_decide(self) -> str | None:
        """The level of the AI that decides next; None where a person does, or nobody. A resigned seat is an AI's."""
        if self.to_decide is None:
            return None
        seat = self.seats[self.to_decide]
        if seat.resigned:
            return FALLBACK
        return seat.level if seat.kind == "ai" else None

    @property
    def is_over(self) -> bool:
        """Finished or aborted."""
        return self.status in (FINISHED, ABORTED)

    def with_seat(self, number: int, **changes: Any) -> Self:
        """The game with a seat changed."""
        seats = list(self.seats)
        seats[number] = replace(seats[number], **changes)
        return replace(self, seats=tuple(seats))

    # ------------------------------------------------------------------------------- what the store keeps

    def state_json(self) -> Json:
        """What is not in Meta and not in the position."""
        return {
            "status": self.status,
            "seats": [asdict(seat) for seat in self.seats],
            "updated_at": self.updated_at,
            "acted": list(self.acted),
            "base": None if self.base is None else asdict(self.base),
        }

    @classmethod
    def restored(cls, meta: Meta, revision: int, state: Json, position: Position | None) -> Self:
        """The game that `state_json` was taken of."""
        return cls(
            meta=meta,
            revision=revision,
            status=state["status"],
            seats=tuple(Seat(**seat) for seat in state["seats"]),
            position=position,
            updated_at=state["updated_at"],
            acted=tuple(state["acted"]),
            base=None if state["base"] is None else Base(**state["base"]),
        )


# ---------------------------------------------------------------------------------------------- the view


def outcome(game: Game) -> Json | None:
    """How it ended, by seat; None before the end. Who resigned ranks behind all who did not."""
    if game.status != FINISHED or game.position is None:
        return None
    results = game.position.outcome()
    order = [(game.seats[seat].resigned, result.rank) for seat, result in enumerate(results)]
    ranks = [1 + sum(other < own for other in order) for own in order]
    seats = [
        {"score": result.score, "rank": rank, "won": rank == 1, "breakdown": dict(result.breakdown)}
        for result, rank in zip(results, ranks, strict=True)
    ]
    return {"reason": "completed" if game.position.status == "over" else "resignation", "seats": seats}


def _later(at: str, seconds: int) -> str:
    later = datetime.fromisoformat(at) + timedelta(seconds=seconds)
    return later.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def summary(game: Game, ttl_s: int) -> Json:
    """What a listing tells of a game; it expires so many seconds after its last event."""
    scores = (None,) * len(game.seats) if game.position is None else game.position.scores
    return {
        "id": game.meta.id,
        "ruleset": game.meta.ruleset,
        "ruleset_version": game.meta.ruleset_version if game.base is None else game.base.ruleset_version,
        "variant": game.meta.variant,
        "visibility": game.meta.visibility,
        "revision": game.revision,
        "status": game.status,
        "fair": game.meta.fair,
        "seats": [{**asdict(seat), "score": score} for seat, score in zip(game.seats, scores, strict=True)],
        "to_decide": game.to_decide,
        "created_at": game.meta.created_at,
        "updated_at": game.updated_at,
        "expires_at": _later(game.updated_at, ttl_s),
    }


def view(game: Game, ttl_s: int) -> Json:
    """The game as everybody may see it: the same for every viewer, so that its ETag is the revision."""
    return {
        **summary(game, ttl_s),
        "position": None if game.position is None else game.ruleset.view(game.position),
        "outcome": outcome(game),
        "seed_commitment": commitment(bytes.fromhex(game.meta.seed)),
        "seed": game.meta.seed if game.is_over else None,
    }
