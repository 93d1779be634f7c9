"""Players as the staff find and see them."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from service.rulesets.wire import Json
from service.storage.people.player_index import BY_BAN, BY_CREATION, BY_HANDLE, BY_NAME, entries_of
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.keeping import sanctions
from service.usecases.people import ratings
from service.usecases.views import summaries

MAX_GAMES_SHOWN = 10


@dataclass(frozen=True)
class Search:
    """Beginning of a handle or of a name, and whether only banned players are wanted. Upper case does not matter."""

    handle: str | None = None
    name: str | None = None
    banned: bool = False


def search(
    context: Context, caller: Caller, wanted: Search, cursor: str | None, limit: int
) -> tuple[list[Json], str | None]:
    """Return players and the cursor of the next page.

    Players with a handle or a name are in its order, others newest first, banned ones by the time of the ban. A page
    may have fewer players than `limit`. Raises `ValueError` for an invalid cursor.
    """
    access.must_be_staff(context, caller)
    field, prefix = BY_BAN if wanted.banned else BY_CREATION, ""
    if wanted.handle is not None:
        field, prefix = BY_HANDLE, wanted.handle
    elif wanted.name is not None:
        field, prefix = BY_NAME, wanted.name
    after = None if cursor is None else urlsafe_b64decode(cursor.encode()).decode()
    entries = context.players.index.page(field, prefix, after, limit + 1)
    shown = entries[:limit]
    players = context.players.get_many(entry.rpartition("\0")[2] for entry in shown)
    found, outdated = [], []
    for entry, player in zip(shown, players, strict=True):
        if player is None or entry not in entries_of(player.fields(), player.id):
            outdated.append(entry)
        elif (player.banned_at is not None or not wanted.banned) and _has_name(player.name, wanted.name):
            found.append({"player": player_json(player), "banned_at": player.banned_at})
    context.players.index.remove(outdated)
    return found, urlsafe_b64encode(shown[-1].encode()).decode() if len(entries) > limit else None


def _has_name(name: str | None, prefix: str | None) -> bool:
    return prefix is None or (name or "").casefold().startswith(prefix.casefold())


def get(context: Context, caller: Caller, word: str) -> Json:
    """Return all that the staff see of the player with this id or handle. Raises: player/not_found."""
    access.must_be_staff(context, caller)
    player = handles.must_find(context, word)
    tokens, games = context.players.tokens(player), context.players.games(player.id, None, MAX_GAMES_SHOWN)
    return {
        **sanctions.moderated_json(context, player),
        "tokens": len(tokens),
        "last_used_at": max((token.used_at or token.created_at for token in tokens), default=None),
        "devices": len(context.devices.get_all(player.id)),
        "webhooks": len(context.webhooks.get_all(player.id)),
        "identities": sorted(context.players.identities(player.id)),
        "ratings": ratings.of_player(context, player.id, None, None)["ratings"],
        "games": summaries.summaries_json(games, [game_id for game_id, _ in games.games]),
    }
