"""A game in short, out of its view: for listings and notices, without loading rules."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from service.storage.base.listing import Page

REST = b',"position":'
"""Where a view goes on with what a summary does not tell. (Within a text its quotes would be escaped.)"""


def summary_json(view: bytes) -> orjson.Fragment:
    """What a listing shows of a game: the view as far as its position, as `games.view` puts them together."""
    return orjson.Fragment(view.partition(REST)[0] + b"}")


def of(page: Page, game_ids: Iterable[str]) -> list[orjson.Fragment]:
    """What is shown of these games of a page."""
    return [summary_json(page.found[game_id].view) for game_id in game_ids]
