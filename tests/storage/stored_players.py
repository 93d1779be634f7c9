"""A stored player and their token."""

from __future__ import annotations

from dataclasses import replace

from service.storage.people.players import SCOPES, Players, StoredPlayer, StoredToken

TOKEN = StoredToken("d" * 64, None, SCOPES, "2026-01-01T00:00:00.000Z")
ANA = StoredPlayer("ana", "2026-01-01T00:00:00.000Z", "Ana", token=TOKEN)


def keep(players: Players, player: StoredPlayer = ANA, ttl_s: int = 100) -> StoredPlayer:
    """Store a player and return them with their token."""
    players.create(player, TOKEN, ttl_s)
    return replace(player, token=TOKEN)
