"""Who may do what. A game's tokens have roles: `host`, `watch`, `invite`, and `seat:<number>`.

Public and unlisted games are read by anyone who knows the id. To those who may not read a private game it does
not exist: the same answer as for an unknown id.
"""

from __future__ import annotations

from service.cases.context import Caller, Cases
from service.games.errors import GameError

SEAT = "seat:"


def role_of(cases: Cases, caller: Caller, game_id: str) -> str | None:
    """The role of the caller's token in the game; None without a token, or with one of another game."""
    return None if caller.digest is None else cases.store.role(game_id, caller.digest)


def must_read(visibility: str, role: str | None) -> None:
    """404 for a private game of which the caller holds no token."""
    if visibility == "private" and role is None:
        raise GameError("game/not_found")


def must_hold_role(caller: Caller, visibility: str, role: str | None) -> str:
    """The caller's role. 401 without a token or with an unknown one (404 where the game is private)."""
    if caller.token is None and visibility != "private":
        raise GameError("auth/token_required")
    if role is None:
        raise GameError("game/not_found" if visibility == "private" else "auth/token_unknown")
    return role


def seat_of(role: str) -> int:
    """The seat a role plays. 403 for the host's, a watcher's or an invitation's token."""
    if not role.startswith(SEAT):
        raise GameError("auth/wrong_seat")
    return int(role.removeprefix(SEAT))
