"""A game in short, out of its view: for listings and notices, without loading rules."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from service.rulesets.wire import Json
from service.storage.listing import Page

WITHOUT = ("position", "outcome", "offers", "rematch_of", "rematch", "seed_commitment", "seed")


def summarised(view: Json) -> Json:
    """What a listing shows of a game."""
    return {key: value for key, value in view.items() if key not in WITHOUT}


def of(page: Page, game_ids: Iterable[str]) -> list[Json]:
    """What is shown of these games of a page."""
    return [summarised(orjson.loads(page.found[game_id].view)) for game_id in game_ids]
