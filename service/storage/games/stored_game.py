"""What the store writes and reads of a game: bytes that only the layers above interpret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from service.record_reader import unreadable
from service.storage.base.follow_ups import DueFollowUp
from service.storage.base.packing import UnreadableFrameError, pack, unpack, unpack_object
from service.storage.base.pipelining import raise_errors
from service.storage.base.transactions import flat
from service.stored_json import UnreadableRecordError

LOADED = (
    *("revision", "meta", "state", "snapshot", "tag", "position", "facts"),
    *("view", "visibility", "attempts", "expires", "cause"),
)
"""Fields of a game that `Store.load` reads."""
PACKED_FIELDS = frozenset({"meta", "state", "snapshot", "view"})
"""Fields that are stored as frames. Facts are short and read often, so they are not."""
TURN, SEATED, LEFT = "turn", "game", "none"
"""The relation of a player to a game: the game waits for their decision; they have a seat; they have none."""


@dataclass(frozen=True)
class Commit:
    """What a decision and the draws after it add to a game."""

    expected: int
    """Revision that the log must have; 0 for a new game."""
    events: tuple[bytes, ...]
    """One or more, each a line. The first becomes revision `expected + 1`."""
    fields: Mapping[str, bytes]
    """Fields to set: state, snapshot, tag, form, facts, view, cause; for a new game also meta and visibility."""
    tokens: Mapping[str, str]
    """SHA-256 hex of a token, or ``player:<id>`` -> roles to set."""
    due_at_ms: int | None
    """When a keeper must process the game; 0 at once, None never. Resets the number of attempts."""
    timed: bool = field(default=False, kw_only=True)
    """True if `due_at_ms` is the end of a clock or pause, not the time of a decision."""
    listed: bool
    """True if the game is in the public listing."""
    ttl_s: int
    """Lifetime of all keys of the game from now."""
    idempotency: tuple[str, bytes, int] | None
    """Key suffix (``idem:<digest>``), replay entry, its lifetime in seconds (at most that of the game)."""
    dropped_tokens: tuple[str, ...] = ()
    """Fields of `tokens` to delete."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Player id -> `TURN`, `SEATED` or `LEFT`."""
    notices: tuple[tuple[str, bytes], ...] = ()
    """(player id, notice): put into the outbox if the player has a webhook or device."""
    checkpoints: Mapping[int, bytes] = field(default_factory=dict)
    """Revision -> checkpoint."""
    ended: bool = False
    """True if hardly another event will follow. The whole log is packed densely."""
    follow_up: DueFollowUp | None = None
    """A step that completes the commit in other slots."""
    to_archive: bool = False
    """True if the game must be archived in its new state."""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of commit.lua that depend only on this commit."""
        follow_up = None
        if self.follow_up is not None:
            step, due_ms = self.follow_up
            follow_up = {"id": step.id, "content": step.to_bytes(), "due": due_ms}
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
    """The part of a game that frequent reads need."""

    revision: int
    visibility: str
    view: bytes


@dataclass(frozen=True)
class Outline:
    """The part of a game that the service needs without loading it."""

    revision: int
    visibility: str
    facts: bytes
    """Empty if the game was stored by a version without facts."""


@dataclass(frozen=True)
class StoredGame:
    """A game in the state of its last commit."""

    revision: int
    meta: bytes
    state: bytes
    snapshot: bytes
    tag: str
    position: bytes
    """Empty if only the view contains the position."""
    facts: bytes
    """Empty if the game was stored by a version without facts."""
    view_stored: bytes
    visibility: str
    attempts: int
    """Number of leases granted for the decision that is due."""
    expires_at_ms: int
    cause: bytes
    """Request id and trace of the decision that is due. Empty if there is none."""
    roles: str
    """The roles of the holder that was passed to `load`, separated by spaces."""

    @property
    def view(self) -> bytes:
        """The unpacked view. Commands do not need it, so it is not unpacked before."""
        return unpack_object(self.view_stored)


def pack_fields(fields: Mapping[str, bytes], level: int) -> dict[str, bytes]:
    """Return the stored form of a game's fields."""
    return {name: pack(value, level) if name in PACKED_FIELDS else value for name, value in fields.items()}


def _unpack_snapshot(stored: bytes) -> bytes:
    """Return the content, or the stored bytes if they are damaged, which the seal of a snapshot reveals."""
    try:
        return unpack(stored)
    except UnreadableFrameError:
        return stored


def read_glance(reply: list[bytes | None]) -> Glance | None:
    """Return the glance of a reply with revision, visibility and view, or None if there is no such game."""
    revision, visibility, view = reply
    return None if revision is None else Glance(int(revision), (visibility or b"").decode(), unpack_object(view or b""))


def read_listed_glance(game_id: str, reply: list[bytes | None]) -> Glance | None:
    """Return the glance of a reply, or None if there is no such game or it is unreadable."""
    try:
        return read_glance(reply)
    except UnreadableRecordError as damage:
        unreadable("game", game_id, damage)
        return None


def read_outline(reply: list[bytes | None]) -> Outline | None:
    """Return the outline of a reply with revision, visibility and facts, or None if there is no such game."""
    revision, visibility, facts = reply
    return None if revision is None else Outline(int(revision), (visibility or b"").decode(), facts or b"")


def read_game(replies: list[Any]) -> StoredGame | None:
    """Return the game from its fields and possibly the roles of a holder, or None if there is no such game."""
    reply, *roles = raise_errors(replies)
    if reply[0] is None:
        return None
    values = (value or b"" for value in reply)
    revision, meta, state, snapshot, tag, position, facts, view, visibility, attempts, expires, cause = values
    return StoredGame(
        revision=int(revision),
        meta=unpack(meta),
        state=unpack(state),
        snapshot=_unpack_snapshot(snapshot),
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
