"""Pages of games, as every list of them is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response
from orjson import Fragment

from service.usecases.views.listings import Filters
from service.web.http.problems import abort
from service.web.http.responses import json_answer, link_next

Read = Callable[[Filters, str | None, int], tuple[list[Fragment], str | None]]
"""Of (filters, cursor, limit): games, and the cursor of the next page; ValueError where it is none."""


def game_page(query: dict[str, Any], read: Read) -> Response:
    """The page that a query asks for."""
    cursor, limit = query.pop("cursor", None), query.pop("limit")
    try:
        games, following = read(Filters(**query), cursor, limit)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "must be a cursor returned by this operation"}, where="query")
    answer = json_answer({"games": games, "next_cursor": following})
    if following is not None:
        link_next(answer, cursor=following)
    return answer
