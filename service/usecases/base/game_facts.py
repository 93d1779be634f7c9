"""Facts of stored games, read without loading the games or their rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson

from service.games.facts import Facts
from service.storage.base.listing import Listed
from service.storage.games.stored_game import Glance, Outline, StoredGame
from service.usecases.base.context import Context


class KnownGame(NamedTuple):
    """Visibility and facts of a stored game."""

    visibility: str
    facts: Facts


def facts_of(stored: StoredGame | Listed) -> Facts:
    """Return the game's facts. An old version stored none, so they are computed from its view."""
    return Facts.from_bytes(stored.facts, stored.revision) or Facts.from_old_view(orjson.loads(stored.view))


def get_many(context: Context, game_ids: Sequence[str]) -> list[KnownGame | None]:
    """Return the facts of each game, or None for a game that no longer exists."""
    outlines = context.store.outlines(game_ids)
    old = [
        game_id
        for game_id, outline in zip(game_ids, outlines, strict=True)
        if outline is not None and Facts.from_bytes(outline.facts, outline.revision) is None
    ]
    views = dict(zip(old, context.store.glances(old), strict=True)) if old else {}
    return [_known_game(outline, views.get(game_id)) for game_id, outline in zip(game_ids, outlines, strict=True)]


def _known_game(outline: Outline | None, glance: Glance | None) -> KnownGame | None:
    if outline is None:
        return None
    facts = Facts.from_bytes(outline.facts, outline.revision)
    if facts is None and glance is not None:
        facts = Facts.from_old_view(orjson.loads(glance.view))
    return None if facts is None else KnownGame(outline.visibility, facts)
