"""A game in short, out of its view: for listings and notices, without loading rules."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from service.rulesets.wire import Json
from service.usecases.core.context import Context

WITHOUT = ("position", "outcome", "offers", "rematch_of", "rematch", "seed_commitment", "seed")


def summarised(view: Json) -> Json:
    """What a listing shows of a game."""
    return {key: value for key, value in view.items() if key not in WITHOUT}


def of(context: Context, game_ids: Sequence[str]) -> list[Json]:
    """What a listing shows of these games; nothing of those that are gone."""
    seen = context.store.glances(game_ids) if game_ids else []
    return [summarised(orjson.loads(stored.view)) for stored in seen if stored is not None]
