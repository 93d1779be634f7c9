"""What is written of a game, and what is read of it: bytes that only the layers above understand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from service.storage.base.follow_ups import Noted
from service.storage.base.packing import UnreadableFrameError, packed, unpacked
from service.storage.base.pipelining import good
from service.storage.base.transactions import flat

LOADED = (
    *("revision", "meta", "state", "snapshot", "tag", "position", "facts"),
    *("view", "visibility", "attempts", "expires", "cause"),
)
"""Fields of a game, as the store reads them."""
PACKED = frozenset({"meta", "state", "snapshot", "view"})
"""Fields that are stored as frames; facts are read more often than they are long."""
TURN, SEATED, LEFT = "turn", "game", "none"
"""What a game is to a player: it waits for their decision; they have a seat; it is no longer theirs."""


@dataclass(frozen=True)
class Commit:
    """What one decision, and the draws that follow it, add to a game."""

    expected: int
    """Revision the log must have; 0 for a new game."""
    events: tuple[bytes, ...]
    """One or more, each a line; the first becomes revision `expected + 1`."""
    fields: Mapping[str, bytes]
    """Set in the game: state, snapshot, tag, form, facts, view, cause; when creating also meta and visibility."""
    tokens: Mapping[str, str]
    """SHA-256 hex, or ``player:<id>`` -> roles, set."""
    due_at_ms: int | None
    """When the keeper must look at the game, 0: at once; None: no longer. Attempts begin at 0 again."""
    timed: bool = field(default=False, kw_only=True)
    """Whether time is what is due then, and not a decision."""
    listed: bool
    """Stands in the public listing, as changed now; else it is taken out."""
    ttl_s: int
    """From now until all the game's keys expire."""
    idempotency: tuple[str, bytes, int] | None
    """Key suffix (``idem:<digest>``), record, its lifetime in seconds (at most the game's)."""
    dropped_tokens: tuple[str, ...] = ()
    """Fields of the tokens that end."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Player id -> `TURN`, `SEATED` or `LEFT`."""
    notices: tuple[tuple[str, bytes], ...] = ()
    """(player id, notice): put into the outbox where they have a webhook."""
    checkpoints: Mapping[int, bytes] = field(default_factory=dict)
    """Revision -> the game as it was then."""
    ended: bool = False
    """Whether hardly another event will follow: all of the log is packed."""
    follow_up: Noted | None = None
    """What it leaves to be done in other slots."""
    to_archive: bool = False
    """Whether the game is to be archived as it is now."""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of commit.lua that need nothing but this commit."""
        follow_up = None
        if self.follow_up is not None:
            noted, due_ms = self.follow_up
            follow_up = {"id": noted.id, "content": noted.to_bytes(), "due": due_ms}
        return {
            "expected": self.expected,
            "events": len(self.events),
            "lifetime": 1000 * self.ttl_s,
            "due": self.due_at_ms,
            "timed": self.timed,
            "listed": self.listed,
            "to_archive": self.to_archive,
            "tokens": flat(self.tokens),
            "dropped_tokens": self.dropped_tokens,
            "players": [*self.players.items()],
            "notices": self.notices,
            "follow_up": follow_up,
        }


@dataclass(frozen=True)
class Glance:
    """What a hot read needs."""

    revision: int
    visibility: str
    view: bytes


@dataclass(frozen=True)
class Outline:
    """What the service asks of a game without loading it."""

    revision: int
    visibility: str
    facts: bytes
    """Nothing, where the game was stored by a version that knew none."""


@dataclass(frozen=True)
class Stored:
    """A game as it was last committed."""

    revision: int
    meta: bytes
    state: bytes
    snapshot: bytes
    tag: str
    position: bytes
    """Nothing, where it stands in the view alone."""
    facts: bytes
    """Nothing, where the game was stored by a version that knew none."""
    view_stored: bytes
    visibility: str
    attempts: int
    """Leases granted for the decision that is due."""
    expires_at_ms: int
    cause: bytes
    """Which request and trace made the decision due; nothing where none is."""
    roles: str
    """The roles of the holder that was asked about, separated by spaces."""

    @property
    def view(self) -> bytes:
        """Unpacked where it is asked for: who acts does not."""
        return unpacked(self.view_stored)


def fields_packed(fields: Mapping[str, bytes], level: int) -> dict[str, bytes]:
    """Fields of a game as they are stored."""
    return {name: packed(value, level) if name in PACKED else value for name, value in fields.items()}


def _unpacked_if_whole(stored: bytes) -> bytes:
    """Of what bears a seal: it is looked at above, and what is damaged is computed again."""
    try:
        return unpacked(stored)
    except UnreadableFrameError:
        return stored


def glance_of(reply: list[bytes | None]) -> Glance | None:
    """Of revision, visibility and view; None if there is no such game."""
    revision, visibility, view = reply
    if revision is None:
        return None
    return Glance(int(revision), (visibility or b"").decode(), unpacked(view or b""))


def outline_of(reply: list[bytes | None]) -> Outline | None:
    """Of revision, visibility and facts; None if there is no such game."""
    revision, visibility, facts = reply
    if revision is None:
        return None
    return Outline(int(revision), (visibility or b"").decode(), facts or b"")


def stored_of(replies: list[Any]) -> Stored | None:
    """Of the fields that are loaded, and roles where a holder was asked about; None if there is no such game."""
    reply, *roles = good(replies)
    if reply[0] is None:
        return None
    values = (value or b"" for value in reply)
    revision, meta, state, snapshot, tag, position, facts, view, visibility, attempts, expires, cause = values
    return Stored(
        revision=int(revision),
        meta=unpacked(meta),
        state=unpacked(state),
        snapshot=_unpacked_if_whole(snapshot),
        tag=tag.decode(),
        position=position,
        facts=facts,
        view_stored=view,
        visibility=visibility.decode(),
        attempts=int(attempts),
        expires_at_ms=int(expires),
        cause=cause,
        roles=roles[0].decode() if roles and roles[0] is not None else "",
    )
