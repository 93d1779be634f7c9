"""Schemas of query parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from service.rulesets.pictures.drawing import AUTO, LAYOUTS, THEMES, WIDE
from service.usecases.work.tournaments import MAX_GAMES, MAX_RECORDS
from service.web.api import Request
from service.web.schemas.base.fields import MAX_REVISION, PAGE, choice, matching, text
from service.web.schemas.base.names import GAME_STATUS, RULESET
from service.web.schemas.base.unions import PositionInNotation

CURSOR = "Cursor from `Link` or `next_cursor`."


class QueryInteger(fields.Integer):
    """An integer in decimal digits. `int` would also read `1_0`, ` 1`, `+1` and digits of other scripts."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **named: Any) -> int:
        if not re.fullmatch("-?[0-9]+", str(value)):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **named)


def query_integer(description: str, least: int, most: int, **options: Any) -> fields.Integer:
    """Return an optional integer field of a query."""
    return QueryInteger(validate=validate.Range(least, most), metadata={"description": description}, **options)


def query_counter(description: str, **options: Any) -> fields.Integer:
    """Return an optional field of a query for a revision or a version."""
    return query_integer(description, 0, MAX_REVISION, **options)


def query_flag(description: str, **options: Any) -> fields.Boolean:
    """Return an optional boolean field of a query: `true` or `false`."""
    return fields.Boolean(truthy={"true"}, falsy={"false"}, metadata={"description": description}, **options)


def wait_field(description: str) -> fields.Integer:
    """Return the field for the seconds that a request may wait for a change."""
    return query_integer(description, 0, 60, load_default=0)


def cursor_field() -> fields.String:
    """Return the field for the cursor of a page."""
    return text(CURSOR, 200, required=False)


def first_field(most: int) -> fields.Integer:
    """Return the field for the index of the first result."""
    return query_integer("Index of the first result, from 0.", 0, most, load_default=0)


def limit_field(default: int = 50, most: int = 100) -> fields.Integer:
    """Return the field for the length of a page."""
    return query_integer("Maximum number of results.", 1, most, load_default=default)


def ticket_field() -> fields.String:
    """Return the field for a ticket, which replaces the token."""
    description = "Ticket from `POST …/tickets`, for clients that cannot send `Authorization`."
    return text(description, 100, required=False)


class FilteredQuery(Request):
    """Filters and paging of a list of games."""

    ruleset = choice(RULESET, "Filter by ruleset.", required=False)
    variant = text("Filter by variant.", 40, required=False)
    status = choice(GAME_STATUS, "Filter by status.", required=False)
    updated_since = fields.AwareDateTime(
        format="iso", metadata={"description": "Only games changed since this time (RFC 3339 with a time zone)."}
    )
    cursor = cursor_field()
    limit = limit_field()


class ListGamesQuery(FilteredQuery):
    """Filters and paging of the list of games."""

    open_seats = query_flag("Filter by whether a seat can be claimed.")


class OwnGamesQuery(FilteredQuery):
    """Filters and paging of the list of the caller's games."""

    opponent = text("Filter by another player in the game, by id or handle.", 40, required=False)


class DocumentQuery(Request):
    """Part of the document."""

    ruleset = choice(RULESET, "Restrict the document to this ruleset.", required=False)


class TurnsQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for a game that needs the caller before returning an empty list.")


class MessagesQuery(Request):
    """Paging and long polling of messages."""

    after = query_counter("Return messages after this number.", load_default=0)
    limit = limit_field(200, 200)
    wait = wait_field("Seconds to wait for a message before returning an empty list.")


class LookingQuery(Request):
    """How the caller appears among the viewers of a game."""

    hidden = query_flag(
        "Whether to count a watching player without naming them; see `getPresence`.", load_default=False
    )
    viewer = matching(
        "^[A-Za-z0-9_-]{8,32}$",
        "must be 8 to 32 characters from A-Z, a-z, 0-9, _ and -",
        "Random text chosen by the client. Anonymous connections with the same text count as one watcher.",
        load_default=None,
    )


class GetGameQuery(LookingQuery):
    """Long polling and extras."""

    wait = wait_field("Seconds to wait for a revision newer than `If-None-Match` before returning 304.")
    include = choice(["actions"], "`actions` adds up to 500 legal actions with their sentences.", required=False)


class ListActionsQuery(Request):
    """Paging of legal actions. Any other parameter filters by that field of the actions."""

    cursor = matching(
        r"^[0-9]{1,15}\.[0-9]{1,9}$", "must be a cursor returned by this operation", CURSOR, required=False
    )
    limit = limit_field(PAGE, PAGE)


class HistoryQuery(Request):
    """Paging of the log."""

    after = query_counter("Return events after this revision.", load_default=0)
    limit = limit_field(PAGE, PAGE)


class StreamQuery(LookingQuery):
    """Where to resume."""

    after = query_counter("Last revision that the client has seen. If omitted, the stream starts with a snapshot.")
    ticket = ticket_field()


class BoardTextQuery(Request):
    """Revision of the picture."""

    revision = query_counter("Revision to show; the current one if omitted.")


LAYOUT_TEXT = (
    "`narrow`: one board wide, for phones in portrait orientation. "
    "`columns`: the shared supply left of the boards, for three or four seats on a landscape screen."
)


class PictureQuery(Request):
    """Theme and layout of a picture."""

    theme = choice(
        THEMES, "`auto`: light or dark, as the viewer prefers. `contrast`: high contrast on white.", load_default=AUTO
    )
    layout = choice(LAYOUTS, LAYOUT_TEXT, load_default=WIDE)


class PositionBoardQuery(PictureQuery):
    """A position and rendering options of its picture."""

    position = PositionInNotation(
        data_key="position_notation", required=True, metadata={"description": "The position in notation."}
    )


class LooksQuery(PictureQuery):
    """Rendering options of a picture of a game."""

    ticket = ticket_field()


class BoardQuery(BoardTextQuery, LooksQuery):
    """Revision and rendering options of a picture."""


class AnimationQuery(LooksQuery):
    """Rendering options of an animation."""

    seconds = fields.Float(
        allow_nan=False,
        validate=validate.Range(0.1, 5),
        metadata={
            "description": "Seconds per picture. If omitted, the animation lasts about 30 seconds.",
            "example": 0.5,
        },
    )
    loop = fields.Boolean(load_default=True, metadata={"description": "Whether to repeat the animation."})


class ExportQuery(Request):
    """Format of a record."""

    format = choice(["json", "text"], "Format of the record.", load_default="json")


class TaskQuery(Request):
    """Long polling of an analysis or tournament."""

    after = query_counter(
        "Last version that the client has seen. If omitted, the response is immediate.", load_default=None
    )
    wait = wait_field("Seconds to wait for a version newer than `after` before returning 204.")


class FollowQuery(Request):
    """Where to resume."""

    after = query_counter("Last version that the client has seen.", load_default=None)


class GamesQuery(Request):
    """Paging of the games of a tournament."""

    first = query_integer("Number of the first game.", 0, MAX_GAMES, load_default=0)
    limit = limit_field(MAX_RECORDS, MAX_RECORDS)
