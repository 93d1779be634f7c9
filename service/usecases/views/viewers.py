"""Who looks at a game: connections that wait for its news, each of a seat, a player, or somebody unknown.

A stream shows its viewer when it begins and again while it lasts, so that it costs one exchange with Redis in some 20
seconds; a long poll does when it begins to wait. Nothing else shows anybody: no action, no plain read.

What is kept of a viewer is a number that the connection draws, and who that is. Of somebody without an account that is
a word that their browser has drawn, or nothing, and never an address.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import structlog

from service.storage.base.connect import RedisError
from service.usecases.base import access
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, Context

Item = TypeVar("Item")
LOG = structlog.get_logger()
AGAIN_S = 20.0
"""A stream shows its viewer again with the first item or keep-alive after so long: 35 s later at the latest."""
SHOWN_S = 45.0
"""So long after the last sign of a stream its viewer is there."""
GRACE_S = 20.0
"""So long after a long poll its viewer is, who is about to ask again."""
MIN_WAIT_S = 10
"""Who waits for less is not shown: it would cost more than the asking."""
MAX_WATCHING, MOST = 1_000, 1_100
"""Connections of a game; seats find places where watchers do not."""
SEATS, PLAYER, HIDDEN, UNKNOWN = "seats", "player", "hidden", "unknown"
POLL = "poll"  # instead of a connection's number: of one who polls each time anew


class Viewers(NamedTuple):
    """Who looks at a game, everybody once."""

    seats: list[int]
    players: list[str]  # who watch and may be named, in the order of their ids
    unnamed: int  # others who watch


@dataclass(frozen=True)
class Look:
    """How somebody wants to be seen."""

    hidden: bool = False  # a player who watches is counted, and not named
    viewer: str | None = None  # of one who is no player: connections that say the same count as one


OPENLY = Look()


class Viewer:
    """One connection's viewer: a seat, where the roles have one; else a player, to be named or not; else unknown."""

    def __init__(self, context: Context, game_id: str, roles: Roles, player: str | None, look: Look) -> None:
        seats = access.seats_of(roles)
        self._context = context
        self._game_id = game_id
        self._is_known = bool(seats or player or look.viewer)
        self._most = MOST if seats else MAX_WATCHING
        if seats:
            self._who = f"{SEATS} {','.join(map(str, seats))}"
        elif player:
            self._who = f"{HIDDEN if look.hidden else PLAYER} {player}"
        else:
            self._who = f"{UNKNOWN} {look.viewer}" if look.viewer else UNKNOWN

    def during(self, items: Iterator[Item]) -> Generator[Item, None, None]:
        """The same items; while they come, one every 15 seconds at least, the viewer is there, and then no more."""
        number = secrets.token_urlsafe(6)
        again_at = self._shown(number, SHOWN_S)
        try:
            for item in items:
                yield item  # fails where nobody is there to take it
                if time.monotonic() >= again_at:
                    again_at = self._shown(number, SHOWN_S)
        finally:
            self._leave(number)

    @contextmanager
    def waiting(self, wait_s: float) -> Iterator[None]:
        """For a long poll of so many seconds. Who is known stays for a moment after it: they are about to ask again."""
        number = POLL if self._is_known else secrets.token_urlsafe(6)
        self._shown(number, wait_s + GRACE_S)
        try:
            yield
        finally:
            if not self._is_known:
                self._leave(number)

    def _shown(self, number: str, lifetime_s: float) -> float:
        """Show the viewer; the monotonic moment from which to do so again."""
        try:
            self._context.presence.show(self._game_id, f"{number} {self._who}", lifetime_s, self._most)
        except RedisError as error:  # who cannot be shown can still read
            LOG.warning("a viewer could not be shown", game=self._game_id, error=str(error))
        return time.monotonic() + AGAIN_S

    def _leave(self, number: str) -> None:
        try:
            self._context.presence.leave(self._game_id, f"{number} {self._who}")
        except RedisError as error:  # it expires
            LOG.warning("a viewer could not be removed", game=self._game_id, error=str(error))


def waiting(context: Context, caller: Caller, game_id: str, wait_s: float, look: Look) -> AbstractContextManager[None]:
    """The viewer of a long poll, for as long as it waits."""
    if wait_s < MIN_WAIT_S:
        return nullcontext()
    holder = access.holder_of(context, caller)
    roles = access.NOBODY if holder is None else access.roles_in(context, caller, context.store.roles(game_id, holder))
    player = caller.player_id if holder is not None else None
    return Viewer(context, game_id, roles, player, look).waiting(wait_s)


def looking(context: Context, game_id: str) -> Viewers:
    """Who looks at the game now. Who asks not to be named is not, whatever their other connections say."""
    by_kind: dict[str, set[str]] = {kind: set() for kind in (SEATS, PLAYER, HIDDEN, UNKNOWN)}
    for viewer in context.presence.viewers(game_id, context.now_ms()):
        number, kind, *who = viewer.split(" ")
        by_kind[kind].add(who[0] if who else number)
    seats = sorted({int(seat) for several in by_kind[SEATS] for seat in several.split(",")})
    named = sorted(by_kind[PLAYER] - by_kind[HIDDEN])
    return Viewers(seats, named, len(by_kind[HIDDEN]) + len(by_kind[UNKNOWN]))
