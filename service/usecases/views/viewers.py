"""Viewers of a game: open connections, each of a seat, a player or an anonymous person.

The stream of a player's own events has a viewer too, so that others can see that the player is online.

A stream registers its viewer at the start and renews it about every 20 seconds, with one Redis command each. A long
poll registers it when it begins to wait. Other requests do not register viewers.

A viewer is stored as a random number of the connection with the seat or player. For an anonymous person it has a random
word from their browser, if any, but never an address.
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
from service.storage.games.presence import SEATS
from service.usecases.base import access
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, Context

Item = TypeVar("Item")
LOG = structlog.get_logger()
REFRESH_S = 20.0
"""A stream renews its viewer with the first item or keep-alive after this time."""
STREAM_LIFETIME_S = 45.0
"""Lifetime of a stream's viewer after the last renewal."""
GRACE_S = 20.0
"""Lifetime of a viewer after a long poll, which is usually followed by another."""
MIN_WAIT_S = 10
"""Shorter polls register no viewer, because that would cost more than the poll itself."""
MAX_WATCHING, MAX_CONNECTIONS = 1_000, 1_100
"""Maximum number of viewers of a game; the difference is reserved for seats."""
PLAYER, HIDDEN, UNKNOWN = "player", "hidden", "unknown"
POLL = "poll"  # instead of a number, for clients that poll repeatedly


class Viewers(NamedTuple):
    """The viewers of a game, each counted once."""

    seats: list[int]
    players: list[str]  # watchers who may be named, sorted by id
    unnamed: int  # number of other watchers


@dataclass(frozen=True)
class ViewerOptions:
    """How a viewer is shown to others."""

    hidden: bool = False  # count a watching player without naming them
    viewer: str | None = None  # identifies an anonymous viewer with several connections


DEFAULT_OPTIONS = ViewerOptions()


class Viewer:
    """The viewer of one connection: a seat if the roles have one, else a named or hidden player, else anonymous.

    `viewed`: id of a game, or of a player.
    """

    def __init__(self, context: Context, viewed: str, roles: Roles, player: str | None, options: ViewerOptions) -> None:
        seats = access.seats_of(roles)
        self._context = context
        self._viewed = viewed
        self._is_known = bool(seats or player or options.viewer)
        self._limit = MAX_CONNECTIONS if seats else MAX_WATCHING
        if seats:
            self._identity = f"{SEATS} {','.join(map(str, seats))}"
        elif player:
            self._identity = f"{HIDDEN if options.hidden else PLAYER} {player}"
        else:
            self._identity = f"{UNKNOWN} {options.viewer}" if options.viewer else UNKNOWN

    def show_during(self, items: Iterator[Item]) -> Generator[Item, None, None]:
        """Yield the items, and show the viewer until they end. Items must come at least every `hub.KEEP_ALIVE_S`."""
        number = secrets.token_urlsafe(6)
        renew_at = self._show(number, STREAM_LIFETIME_S)
        try:
            for item in items:
                yield item  # raises if the client has disconnected
                if time.monotonic() >= renew_at:
                    renew_at = self._show(number, STREAM_LIFETIME_S)
        finally:
            self._leave(number)

    @contextmanager
    def waiting(self, wait_s: float) -> Iterator[None]:
        """Show the viewer during a long poll of `wait_s` seconds. An identified viewer stays for GRACE_S after it."""
        number = POLL if self._is_known else secrets.token_urlsafe(6)
        self._show(number, wait_s + GRACE_S)
        try:
            yield
        finally:
            if not self._is_known:
                self._leave(number)

    def _show(self, number: str, lifetime_s: float) -> float:
        """Register or renew the viewer. Return the monotonic time of the next renewal."""
        try:
            self._context.presence.show(self._viewed, f"{number} {self._identity}", lifetime_s, self._limit)
        except RedisError as error:  # reading still works
            LOG.warning("viewer not registered", viewed=self._viewed, error=str(error))
        return time.monotonic() + REFRESH_S

    def _leave(self, number: str) -> None:
        try:
            self._context.presence.leave(self._viewed, f"{number} {self._identity}")
        except RedisError as error:  # it expires by itself
            LOG.warning("viewer not removed", viewed=self._viewed, error=str(error))


def of_player(context: Context, player_id: str) -> Viewer:
    """Return the viewer of a stream of the player's own events."""
    return Viewer(context, player_id, frozenset(), player_id, DEFAULT_OPTIONS)


def waiting(
    context: Context, caller: Caller, game_id: str, wait_s: float, options: ViewerOptions
) -> AbstractContextManager[None]:
    """Return a context manager that shows the viewer of a long poll."""
    if wait_s < MIN_WAIT_S:
        return nullcontext()
    roles, player = access.find_roles(context, caller, game_id)
    return Viewer(context, game_id, roles, player, options).waiting(wait_s)


def current_viewers(context: Context, game_id: str) -> Viewers:
    """Return the viewers of the game. A player who is hidden in one connection is never named."""
    by_kind: dict[str, set[str]] = {kind: set() for kind in (SEATS, PLAYER, HIDDEN, UNKNOWN)}
    for viewer in context.presence.viewers(game_id, context.now_ms()):
        number, kind, *who = viewer.split(" ")
        by_kind[kind].add(who[0] if who else number)
    seats = sorted({int(seat) for several in by_kind[SEATS] for seat in several.split(",")})
    named = sorted(by_kind[PLAYER] - by_kind[HIDDEN])
    return Viewers(seats, named, len(by_kind[HIDDEN]) + len(by_kind[UNKNOWN]))
