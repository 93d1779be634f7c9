"""What is known of stored games without loading them: their facts, out of the store. Needs no rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson

from service.games.facts import Facts
from service.storage.base.listing import Listed
from service.storage.games.stored import Glance, Outline, Stored
from service.usecases.base.context import Context


class Known(NamedTuple):
    """A stored game, as far as it is known without loading it."""

    visibility: str
    facts: Facts


def facts_of(stored: Stored | Listed) -> Facts:
    """The game's facts; out of its view, where a version has written it that kept none."""
    return Facts.stored(stored.facts, stored.revision) or Facts.of_old_view(orjson.loads(stored.view))


def games(context: Context, game_ids: Sequence[str]) -> list[Known | None]:
    """What is known of each game; None for one that is gone."""
    outlines = context.store.outlines(game_ids)
    old = [
        game_id
        for game_id, outline in zip(game_ids, outlines, strict=True)
        if outline is not None and Facts.stored(outline.facts, outline.revision) is None
    ]
    views = dict(zip(old, context.store.glances(old), strict=True)) if old else {}
    return [_known(outline, views.get(game_id)) for game_id, outline in zip(game_ids, outlines, strict=True)]


def _known(outline: Outline | None, seen: Glance | None) -> Known | None:
    if outline is None:
        return None
    facts = Facts.stored(outline.facts, outline.revision)
    if facts is None and seen is not None:
        facts = Facts.of_old_view(orjson.loads(seen.view))
    return None if facts is None else Known(outline.visibility, facts)
