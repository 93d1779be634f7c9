"""Summaries of games for lists and notices, taken from the view without loading the rules."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from service.storage.base.listing import Page

REST = b',"position":'
"""Start of the part of a view that a summary omits. In a string, its quotes would be escaped."""


def summary_json(view: bytes) -> orjson.Fragment:
    """Return the summary of a game: its view up to the position, in the order in which `games.view` builds it."""
    return orjson.Fragment(view.partition(REST)[0] + b"}")


def summaries_json(page: Page, game_ids: Iterable[str]) -> list[orjson.Fragment]:
    """Return the summaries of these games of a page."""
    return [summary_json(page.found[game_id].view) for game_id in game_ids]
