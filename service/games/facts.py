"""Facts about a stored game that the service reads without loading the game: its status, seat to decide and due work.

They are stored beside the view, whose format changes with the API. Facts contain their revision. If it differs from
the game's, a process of an older version wrote last, and the facts are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import orjson

from service.games.state.moments import unix_ms
from service.games.state.seats import ACTIVE, HTTP, OPEN_SEAT
from service.games.state.statuses import CALL, OPEN, TIME, TURN
from service.rulesets.wire import Json
from service.stored_json import DAMAGE

if TYPE_CHECKING:  # the keeper reads facts without importing the rules
    from service.games.state.model import Game

FORM = 1
"""Format version, incremented when the members change. Facts in other formats are ignored."""


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
    """Work that is due without a request, one of `statuses.DUE`, or None."""

    @classmethod
    def from_game(cls, game: Game) -> Self:
        """Return the facts of a game."""
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
        """Serialize for the store."""
        return orjson.dumps({"form": FORM, **vars(self)})

    @classmethod
    def from_bytes(cls, content: bytes, revision: int) -> Self | None:
        """Load the result of `to_bytes`; return None for another format or revision, or without readable content."""
        try:
            loaded = orjson.loads(content) if content else {}
            if (loaded.get("form"), loaded.get("revision")) != (FORM, revision):
                return None
            return cls(**{name: loaded[name] for name in cls.__dataclass_fields__})
        except DAMAGE:
            return None

    @classmethod
    def from_old_view(cls, view: Json) -> Self:
        """Return the facts of a game stored without facts, from its view in the format of that version."""
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
