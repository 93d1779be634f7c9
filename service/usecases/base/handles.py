"""Handles: their syntax, and the comparison of similar ones.

Handles are equal if they have the same skeleton (`service.games.people_text`). A handle is always shorter than a
player's id, so a word cannot be both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from service.games.errors import GameError
from service.games.people_text import skeleton
from service.levels import LEVELS
from service.storage.people.players import StoredPlayer
from service.usecases.base.context import Context

MIN_LENGTH, MAX_LENGTH = 3, 15
PATTERN = "[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*"
RESERVED_WORDS = (
    *("admin", "administrator", "moderator", "mod", "owner", "operator", "host", "root", "system", "server", "service"),
    *("staff", "team", "official", "support", "help", "helpdesk", "info", "contact", "security", "abuse", "webmaster"),
    *("api", "www", "mail", "bot", "bots", "computer", "engine", "ai", "random", "player", "players", "person", "me"),
    *("you", "self", "everyone", "nobody", "anonymous", "unknown", "deleted", "guest", "null", "none", "undefined"),
    *("nextmove", "planb"),
)


RESERVED = frozenset(map(skeleton, (*RESERVED_WORDS, *LEVELS)))


def error_of(handle: str, reserved: Iterable[str] = ()) -> str | None:
    """Return why the word is not allowed as a handle, in English, or None. `reserved` adds reserved words."""
    if not MIN_LENGTH <= len(handle) <= MAX_LENGTH or not re.fullmatch(PATTERN, handle):
        return (
            f"must have {MIN_LENGTH} to {MAX_LENGTH} characters: ASCII letters and digits, starting with a letter, "
            "with single dashes or underscores between them"
        )
    return "is reserved; choose another handle" if skeleton(handle) in {*RESERVED, *map(skeleton, reserved)} else None


def find(context: Context, word: str) -> StoredPlayer | None:
    """Return the player with this id or handle, or None."""
    if len(word) > MAX_LENGTH:
        return context.players.get(word)
    owners = filter(None, context.handles.owners(_possible_names(word)))
    found = {player.handle.lower(): player for player in context.players.get_many(owners) if player and player.handle}
    similar = (player for handle, player in found.items() if skeleton(handle) == skeleton(word))
    return found.get(word.lower()) or next(similar, None)


def reserved_name(context: Context, player_id: str, handle: str) -> str:
    """Return the name under which the player's handle is reserved, or its skeleton if it is not."""
    names = _possible_names(handle)
    owners = context.handles.owners(names) if len(names) > 1 else ()
    return next((name for name, owner in zip(names, owners, strict=False) if owner == player_id), names[0])


def _possible_names(word: str) -> list[str]:
    """Return the names under which a handle like this may be reserved: its skeleton, then those of earlier versions.

    They read `vv` as `w`, `5` as `s` and `8` as `b`, and `cl` as `d`, but neither `ci` nor `c1`.
    """
    name = skeleton(word)
    first, *parts = name.replace("vv", "w").replace("5", "s").replace("8", "b").split("cl")
    earlier = [first]
    for part in parts:
        earlier = [f"{start}{letters}{part}" for start in earlier for letters in ("cl", "d")]
    return list(dict.fromkeys((name, *earlier)))


def must_find(context: Context, word: str) -> StoredPlayer:
    """Return the player with this id or handle. Raises: player/not_found."""
    player = find(context, word)
    if player is None:
        raise GameError("player/not_found")
    return player
