"""Responses with a page of games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response
from orjson import Fragment

from service.usecases.views.listings import Filters
from service.web.http.problems import abort
from service.web.http.responses import json_answer, link_next

Read = Callable[[Filters, str | None, int], tuple[list[Fragment], str | None]]
"""Return games and the cursor of the next page for (filters, cursor, limit). Raise ValueError for unknown cursors."""


def game_page(query: dict[str, Any], read: Read) -> Response:
    """Return the response to a query for games."""
    cursor, limit = query.pop("cursor", None), query.pop("limit")
    try:
        games, following = read(Filters(**query), cursor, limit)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "must be a cursor returned by this operation"}, where="query")
    return link_next(json_answer({"games": games, "next_cursor": following}), cursor=following)
