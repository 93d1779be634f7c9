"""Handles: which words may be one, and when two are too much alike for two players.

They are compared by their **folded** form: case, dashes and underscores do not count, and letters that look alike in
ASCII are one (after the confusables of Unicode Technical Standard 39). A handle is never as long as a player's id, so
where either may stand, it is known which it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from service.games.errors import GameError
from service.levels import LEVELS
from service.storage.people.players import StoredPlayer
from service.usecases.base.context import Context

SHORTEST, LONGEST = 3, 15
PATTERN = "[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*"
ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"), ("8", "b"))
RESERVED_WORDS = (
    *("admin", "administrator", "moderator", "mod", "owner", "operator", "host", "root", "system", "server", "service"),
    *("staff", "team", "official", "support", "help", "helpdesk", "info", "contact", "security", "abuse", "webmaster"),
    *("api", "www", "mail", "bot", "bots", "computer", "engine", "ai", "random", "player", "players", "person", "me"),
    *("you", "self", "everyone", "nobody", "anonymous", "unknown", "deleted", "guest", "null", "none", "undefined"),
    *("nextmove", "planb"),
)


def folded(handle: str) -> str:
    """The form that no two players' handles share."""
    results = handle.lower().replace("_", "").replace("-", "")
    for alike, letter in ALIKE:
        results = results.replace(alike, letter)
    return results


RESERVED = frozenset(map(folded, (*RESERVED_WORDS, *LEVELS)))


def fault_of(handle: str, reserved: Iterable[str] = ()) -> str | None:
    """Why the word can be nobody's handle, in English; None if it can. `reserved`: more words that nobody may have."""
    if not SHORTEST <= len(handle) <= LONGEST or not re.fullmatch(PATTERN, handle):
        return (
            f"must have {SHORTEST} to {LONGEST} ASCII letters and digits and start with a letter, "
            "with single dashes or underscores in between"
        )
    return "is reserved; choose another handle" if folded(handle) in {*RESERVED, *map(folded, reserved)} else None


def find(context: Context, word: str) -> StoredPlayer | None:
    """The player of this id or handle."""
    if len(word) > LONGEST:
        return context.players.get(word)
    player_id = context.handles.owner(folded(word))
    player = None if player_id is None else context.players.get(player_id)
    return None if player is None or player.handle is None or folded(player.handle) != folded(word) else player


def found(context: Context, word: str) -> StoredPlayer:
    """The same. player/not_found where there is none."""
    player = find(context, word)
    if player is None:
        raise GameError("player/not_found")
    return player
