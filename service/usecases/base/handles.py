"""Handles: their syntax, and the comparison of similar ones.

Handles are compared in **normalized** form: it ignores case, dashes and underscores, and maps ASCII letters that look
alike to one letter (after the confusables of Unicode Technical Standard 39). A handle is always shorter than a player's
id, so a word cannot be both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from service.games.errors import GameError
from service.levels import LEVELS
from service.storage.people.players import StoredPlayer
from service.usecases.base.context import Context

MIN_LENGTH, MAX_LENGTH = 3, 15
PATTERN = "[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*"
ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("8", "b"))
RESERVED_WORDS = (
    *("admin", "administrator", "moderator", "mod", "owner", "operator", "host", "root", "system", "server", "service"),
    *("staff", "team", "official", "support", "help", "helpdesk", "info", "contact", "security", "abuse", "webmaster"),
    *("api", "www", "mail", "bot", "bots", "computer", "engine", "ai", "random", "player", "players", "person", "me"),
    *("you", "self", "everyone", "nobody", "anonymous", "unknown", "deleted", "guest", "null", "none", "undefined"),
    *("nextmove", "planb"),
)


def normalize(handle: str) -> str:
    """Return the form of a handle that must be unique."""
    results = handle.lower().replace("_", "").replace("-", "")
    for alike, letter in ALIKE:
        results = results.replace(alike, letter)
    return results


RESERVED = frozenset(map(normalize, (*RESERVED_WORDS, *LEVELS)))


def error_of(handle: str, reserved: Iterable[str] = ()) -> str | None:
    """Return why the word is not allowed as a handle, in English, or None. `reserved` adds reserved words."""
    if not MIN_LENGTH <= len(handle) <= MAX_LENGTH or not re.fullmatch(PATTERN, handle):
        return (
            f"must have {MIN_LENGTH} to {MAX_LENGTH} ASCII letters and digits and start with a letter, "
            "with single dashes or underscores in between"
        )
    return "is reserved; choose another handle" if normalize(handle) in {*RESERVED, *map(normalize, reserved)} else None


def find(context: Context, word: str) -> StoredPlayer | None:
    """Return the player with this id or handle, or None."""
    if len(word) > MAX_LENGTH:
        return context.players.get(word)
    player_id = context.handles.owner(normalize(word))
    player = None if player_id is None else context.players.get(player_id)
    return None if player is None or player.handle is None or normalize(player.handle) != normalize(word) else player


def must_find(context: Context, word: str) -> StoredPlayer:
    """Return the player with this id or handle. Raises: player/not_found."""
    player = find(context, word)
    if player is None:
        raise GameError("player/not_found")
    return player
