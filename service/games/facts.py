"""What the service itself asks of a stored game without loading it: is it over, who is waited for, what is due.

It is kept beside the view, and for our own use: the view is the API's, and may change with it. A fact bears the
revision it is of; where that is not the game's, a process of an older version has written last, and the facts count
as absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import orjson

from service.games.state.moments import unix_ms
from service.games.state.seats import ACTIVE, HTTP, OPEN_SEAT
from service.games.state.statuses import CALL, OPEN, TIME, TURN
from service.rulesets.wire import Json

if TYPE_CHECKING:  # the keeper reads facts, and knows no rules
    from service.games.state.model import Game

FORM = 1
"""Raised when the members change; what is stored in another form counts as absent."""


@dataclass(frozen=True)
class Facts:
    """A game's facts at a revision."""

    revision: int
    ruleset: str
    variant: str
    status: str
    has_open_seat: bool
    updated_ms: int
    to_decide: int | None
    due: str | None
    """What must happen by itself, one of `statuses.DUE`; None: nothing."""

    @classmethod
    def of(cls, game: Game) -> Self:
        """The facts of a game."""
        return cls(
            revision=game.revision,
            ruleset=game.meta.ruleset,
            variant=game.meta.variant,
            status=game.status,
            has_open_seat=game.status == OPEN and any(seat.kind == OPEN_SEAT for seat in game.seats),
            updated_ms=unix_ms(game.updated_at),
            to_decide=game.to_decide,
            due=game.due,
        )

    def to_bytes(self) -> bytes:
        """As they are stored."""
        return orjson.dumps({"form": FORM, **vars(self)})

    @classmethod
    def stored(cls, content: bytes, revision: int) -> Self | None:
        """What `to_bytes` gave at this revision; None for anything else."""
        loaded = orjson.loads(content) if content else {}
        if (loaded.pop("form", None), loaded.get("revision")) != (FORM, revision):
            return None
        return cls(**loaded)

    @classmethod
    def of_old_view(cls, view: Json) -> Self:
        """The facts of a game whose store has none: the view was their source, in the form it had then."""
        paused, clock, seat = view["paused_until"], view["clock"], view["to_decide"]
        timed = paused is not None or (clock is not None and clock["deadline"] is not None)
        called = seat is not None and (view["seats"][seat]["kind"], view["seats"][seat]["status"]) == (HTTP, ACTIVE)
        return cls(
            revision=view["revision"],
            ruleset=view["ruleset"],
            variant=view["variant"],
            status=view["status"],
            has_open_seat=view["status"] == OPEN and any(seat["kind"] == OPEN_SEAT for seat in view["seats"]),
            updated_ms=unix_ms(view["updated_at"]),
            to_decide=seat,
            due=TIME if timed else CALL if called else TURN,
        )
