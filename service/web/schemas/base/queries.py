"""Schemas of query parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.rulesets.pictures.drawing import AUTO, LAYOUTS, THEMES, WIDE
from service.usecases.work.tournaments import MOST_GAMES, MOST_RECORDS
from service.web.api import Request
from service.web.schemas.base.fields import MOST_REVISION, PAGE
from service.web.schemas.base.names import GAME_STATUS, RULESET

MOST = "Maximum number of results."


def wait_field(description: str) -> fields.Integer:
    """Return the parameter for long polling: 0 to 60 seconds."""
    return fields.Integer(load_default=0, validate=validate.Range(0, 60), metadata={"description": description})


class FilteredQuery(Request):
    """Filters and paging of a list of games."""

    ruleset = fields.String(validate=validate.OneOf(RULESET), metadata={"description": "Filter by ruleset."})
    variant = fields.String(validate=validate.Length(1, 40), metadata={"description": "Filter by variant."})
    status = fields.String(validate=validate.OneOf(GAME_STATUS), metadata={"description": "Filter by status."})
    updated_since = fields.AwareDateTime(
        format="iso", metadata={"description": "Only games changed since this time (RFC 3339 with a time zone)."}
    )
    cursor = fields.String(
        validate=validate.Length(1, 200), metadata={"description": "Cursor from `Link` or `next_cursor`."}
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})


class ListGamesQuery(FilteredQuery):
    """Filters and paging of the list of games."""

    open_seats = fields.Boolean(
        truthy={"true"}, falsy={"false"}, metadata={"description": "Filter by whether a seat can be claimed."}
    )


class DocumentQuery(Request):
    """Part of the document."""

    ruleset = fields.String(
        validate=validate.OneOf(RULESET), metadata={"description": "Restrict the document to this ruleset."}
    )


class PageQuery(Request):
    """Paging."""

    cursor = fields.String(
        validate=validate.Length(1, 200), metadata={"description": "Cursor from `Link` or `next_cursor`."}
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})


class TurnsQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for a game that needs the caller before returning an empty list.")


class MessagesQuery(Request):
    """Paging and long polling of messages."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Return messages after this number."},
    )
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 200), metadata={"description": MOST})
    wait = wait_field("Seconds to wait for a message before returning an empty list.")


class LookingQuery(Request):
    """How the caller appears among the viewers of a game."""

    hidden = fields.Boolean(
        load_default=False,
        truthy={"true"},
        falsy={"false"},
        metadata={"description": "Whether to count a watching player without naming them; see `getPresence`."},
    )
    viewer = fields.String(
        load_default=None,
        validate=validate.Regexp(
            r"^[A-Za-z0-9_-]{8,32}\Z", error="must be 8 to 32 characters from A-Z, a-z, 0-9, _ and -"
        ),
        metadata={
            "description": "Random text chosen by the client. Anonymous connections with the same text count as one "
            "watcher.",
            "pattern": "^[A-Za-z0-9_-]{8,32}$",
        },
    )


class GetGameQuery(LookingQuery):
    """Long polling and extras."""

    wait = wait_field("Seconds to wait for a revision newer than `If-None-Match` before returning 304.")
    include = fields.String(
        validate=validate.OneOf(["actions"]),
        metadata={"description": "`actions` adds up to 500 legal actions with their sentences."},
    )


FORMS = ("list", "choices")


class ListActionsQuery(Request):
    """Form and paging. Any other parameter filters by that field of the actions."""

    form = fields.String(
        load_default=FORMS[0],
        validate=validate.OneOf(FORMS),
        metadata={
            "description": "`choices`: all legal actions at once in factored form, for highlighting the next choices. "
            "Cannot be combined with paging or filters."
        },
    )
    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9]{1,15}\.[0-9]{1,9}\Z", error="must be a cursor returned by this operation"),
        metadata={"description": "Cursor from `Link` or `next_cursor`.", "pattern": r"^[0-9]{1,15}\.[0-9]{1,9}$"},
    )
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE), metadata={"description": MOST})

    @validates_schema(pass_original=True)
    def _choices_stand_alone(self, loaded: Mapping[str, Any], given: Mapping[str, Any], **_: Any) -> None:
        if loaded["form"] == "choices" and len(given) > 1:
            raise ValidationError({name: ["cannot be combined with form=choices"] for name in given if name != "form"})


class ActQuery(Request):
    """Dry run."""

    dry_run = fields.Boolean(
        load_default=False,
        truthy={"true"},
        falsy={"false"},
        metadata={"description": "Whether to return the result up to the first draw without changing the game."},
    )


class HistoryQuery(Request):
    """Paging of the log."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Return events after this revision."},
    )
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE), metadata={"description": MOST})


class StreamQuery(LookingQuery):
    """Where to resume."""

    after = fields.Integer(
        validate=validate.Range(0, MOST_REVISION),
        metadata={
            "description": "Last revision that the client has seen. If omitted, the stream starts with a snapshot."
        },
    )
    ticket = fields.String(
        validate=validate.Length(1, 100),
        metadata={"description": "Ticket from `POST …/tickets`, for clients that cannot send `Authorization`."},
    )


class BoardTextQuery(Request):
    """Revision of the picture."""

    revision = fields.Integer(
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Revision to show; the current one if omitted."},
    )


class LooksQuery(Request):
    """Rendering options of a picture."""

    theme = fields.String(
        load_default=AUTO,
        validate=validate.OneOf(THEMES),
        metadata={"description": "`auto`: light or dark, as the viewer prefers."},
    )
    layout = fields.String(
        load_default=WIDE,
        validate=validate.OneOf(LAYOUTS),
        metadata={"description": "`narrow`: one board wide, for phones in portrait orientation."},
    )
    ticket = fields.String(
        validate=validate.Length(1, 100),
        metadata={"description": "Ticket from `POST …/tickets`, for clients that cannot send `Authorization`."},
    )


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
    loop = fields.Boolean(
        load_default=True,
        metadata={"description": "Whether to repeat the animation."},
    )


class ExportQuery(Request):
    """Format of a record."""

    format = fields.String(
        load_default="json",
        validate=validate.OneOf(["json", "text"]),
        metadata={"description": "Format of the record."},
    )


class NoQuery(Request):
    """No parameters."""


class TaskQuery(Request):
    """Long polling of an analysis or tournament."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Last version that the client has seen. If omitted, the response is immediate."},
    )
    wait = wait_field("Seconds to wait for a version newer than `after` before returning 204.")


class FollowQuery(Request):
    """Where to resume."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Last version that the client has seen."},
    )


class GamesQuery(Request):
    """Paging of the games of a tournament."""

    first = fields.Integer(
        load_default=0, validate=validate.Range(0, MOST_GAMES), metadata={"description": "Number of the first game."}
    )
    limit = fields.Integer(
        load_default=MOST_RECORDS,
        validate=validate.Range(1, MOST_GAMES),
        metadata={"description": f"Maximum number of results, up to {MOST_RECORDS}."},
    )
