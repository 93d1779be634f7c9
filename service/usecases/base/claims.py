"""What is one player's at most: their handle, and who they are elsewhere. See `service.storage.people.claims`."""

from __future__ import annotations

from collections.abc import Mapping

from service.storage.people.claims import HANDLE, IDENTITY
from service.storage.people.players import StoredPlayer
from service.usecases.base.context import Context
from service.usecases.base.handles import folded

UNCONFIRMED_S = 3_600
"""So long a name is claimed before its player is changed."""


def of(context: Context, player: StoredPlayer | None) -> dict[str, list[str]]:
    """All names that the player has, by kind."""
    if player is None:
        return {HANDLE: [], IDENTITY: []}
    identities = context.players.identities(player.id)
    own = [] if player.handle is None else [folded(player.handle)]
    return {HANDLE: own, IDENTITY: [identity.name for identity in identities.values()]}


def keep(context: Context, player: StoredPlayer, ttl_s: int) -> None:
    """They stay the player's for so long at least."""
    names = of(context, player)
    for kind, claims in ((HANDLE, context.handles), (IDENTITY, context.identities)):
        for name in names[kind]:
            claims.claim(name, player.id, ttl_s)


def settle(context: Context, player_id: str, names: Mapping[str, list[str]]) -> None:
    """Have the player's names be theirs for as long as they are kept, and others of these, by kind, not any more.

    It may be called at any time and by several at once: what is so already is not changed. Where a name was lost
    because nobody confirmed it for an hour, and is another player's now, the player is without it.
    """
    player = context.players.get(player_id)
    own = of(context, player)
    for kind, claims in ((HANDLE, context.handles), (IDENTITY, context.identities)):
        for name in names.get(kind, ()):
            if name not in own[kind]:
                claims.give_back(name, player_id)
        for name in own[kind]:
            if player is not None and not claims.claim(name, player_id, max(player.ttl_s, 1)):
                _take_away(context, player, kind, name)


def _take_away(context: Context, player: StoredPlayer, kind: str, name: str) -> None:
    if kind == HANDLE:
        context.players.change(player, {"handle": None}, unchanged="handle")
        return
    for provider, identity in context.players.identities(player.id).items():
        if identity.name == name:
            context.players.unlink(player, provider, identity)
