"""Names that belong to one player at most: handles and identities. See `service.storage.people.reservations`."""

from __future__ import annotations

from collections.abc import Mapping

from service.storage.people.players import StoredPlayer
from service.storage.people.reservations import HANDLE, IDENTITY
from service.usecases.base.context import Context
from service.usecases.base.handles import reserved_name

UNCONFIRMED_S = 3_600
"""Lifetime of a reservation before the player record confirms it."""


def names_of(context: Context, player: StoredPlayer | None) -> dict[str, list[str]]:
    """Return all names that the player has, by kind."""
    if player is None:
        return {HANDLE: [], IDENTITY: []}
    identities = context.players.identities(player.id)
    handles = [] if player.handle is None else [reserved_name(context, player.id, player.handle)]
    return {HANDLE: handles, IDENTITY: [identity.name for identity in identities.values()]}


def extend(context: Context, player: StoredPlayer, ttl_s: int) -> None:
    """Extend the lifetime of the player's reservations to at least `ttl_s` seconds."""
    names = names_of(context, player)
    for kind, reservations in ((HANDLE, context.handles), (IDENTITY, context.identities)):
        for name in names[kind]:
            reservations.reserve(name, player.id, ttl_s)


def reconcile(context: Context, player_id: str, names: Mapping[str, list[str]]) -> None:
    """Reserve the player's current names and release those of `names` that they no longer have.

    The call is idempotent and safe to run concurrently. A reservation that is not confirmed within an hour can pass to
    another player. The first player then loses the name.
    """
    player = context.players.get(player_id)
    current_names = names_of(context, player)
    for kind, reservations in ((HANDLE, context.handles), (IDENTITY, context.identities)):
        for name in names.get(kind, ()):
            if name not in current_names[kind]:
                reservations.release(name, player_id)
        for name in current_names[kind]:
            if player is not None and not reservations.reserve(name, player_id, max(player.ttl_s, 1)):
                _take_away(context, player, kind, name)


def _take_away(context: Context, player: StoredPlayer, kind: str, name: str) -> None:
    if kind == HANDLE:
        context.players.change(player, {"handle": None}, unchanged="handle")
        return
    for provider, identity in context.players.identities(player.id).items():
        if identity.name == name:
            context.players.unlink(player, provider, identity)
