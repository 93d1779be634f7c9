"""What is asked in the query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.rulesets.drawing import AUTO, LAYOUTS, THEMES, WIDE
from service.usecases.tasks.tournaments import MOST_GAMES, MOST_RECORDS
from service.web.api import Request
from service.web.schemas.fields import MOST_REVISION, PAGE
from service.web.schemas.names import GAME_STATUS, RULESET

MOST = "The most entries in the answer."


def wait_field(description: str) -> fields.Integer:
    """How long an answer may wait for news."""
    return fields.Integer(load_default=0, validate=validate.Range(0, 60), metadata={"description": description})


class FilteredQuery(Request):
    """Filters and paging of a list of games."""

    ruleset = fields.String(validate=validate.OneOf(RULESET), metadata={"description": "What is played."})
    variant = fields.String(validate=validate.Length(1, 40), metadata={"description": "A variant of the ruleset."})
    status = fields.String(validate=validate.OneOf(GAME_STATUS), metadata={"description": "How far the game is."})
    updated_since = fields.AwareDateTime(format="iso", metadata={"description": "RFC 3339, with a time zone."})
    cursor = fields.String(
        validate=validate.Length(1, 200), metadata={"description": "The cursor, from `Link` or `next_cursor`."}
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})


class ListGamesQuery(FilteredQuery):
    """Filters and paging of the listing."""

    open_seats = fields.Boolean(
        truthy={"true"}, falsy={"false"}, metadata={"description": "Whether a seat can be claimed."}
    )


class DocumentQuery(Request):
    """Which part of the document."""

    ruleset = fields.String(
        validate=validate.OneOf(RULESET), metadata={"description": "The ruleset that the document is cut down to."}
    )


class PageQuery(Request):
    """Paging."""

    cursor = fields.String(
        validate=validate.Length(1, 200), metadata={"description": "The cursor, from `Link` or `next_cursor`."}
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})


class TurnsQuery(Request):
    """Waiting."""

    wait = wait_field("Seconds to wait until a game waits for the caller; an empty list when they run out.")


class MessagesQuery(Request):
    """Where to begin, and waiting."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The number after which messages are listed."},
    )
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 200), metadata={"description": MOST})
    wait = wait_field("Seconds to wait for a message; an empty list when they run out.")


class LookingQuery(Request):
    """How others see who looks at the game."""

    hidden = fields.Boolean(
        load_default=False,
        truthy={"true"},
        falsy={"false"},
        metadata={"description": "Whether a player who watches is only counted, and not named: see `getPresence`."},
    )
    viewer = fields.String(
        load_default=None,
        validate=validate.Regexp(r"^[A-Za-z0-9_-]{8,32}\Z", error="must be 8 to 32 of A-Z, a-z, 0-9, _ and -"),
        metadata={
            "description": "A text that the caller has drawn at random; connections with the same count as one "
            "watcher, where they are no player's.",
            "pattern": "^[A-Za-z0-9_-]{8,32}$",
        },
    )


class GetGameQuery(LookingQuery):
    """Waiting and extras."""

    wait = wait_field("Seconds to wait for a revision newer than If-None-Match; 304 when they run out.")
    include = fields.String(
        validate=validate.OneOf(["actions"]),
        metadata={"description": "`actions` adds the legal actions, the first 500 of them, with their sentences."},
    )


FORMS = ("list", "choices")


class ListActionsQuery(Request):
    """The form, and paging; any other name is a filter by that field of the actions."""

    form = fields.String(
        load_default=FORMS[0],
        validate=validate.OneOf(FORMS),
        metadata={
            "description": "`choices`: factored, all of it at once, for highlighting what can be chosen next; neither "
            "pages nor filters go with it."
        },
    )
    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9]{1,15}\.[0-9]{1,9}\Z", error="is not a cursor"),
        metadata={"description": "The cursor, from `Link` or `next_cursor`.", "pattern": r"^[0-9]{1,15}\.[0-9]{1,9}$"},
    )
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE), metadata={"description": MOST})

    @validates_schema(pass_original=True)
    def _choices_stand_alone(self, loaded: Mapping[str, Any], given: Mapping[str, Any], **_: Any) -> None:
        if loaded["form"] == "choices" and len(given) > 1:
            raise ValidationError({name: ["does not go with form=choices"] for name in given if name != "form"})


class ActQuery(Request):
    """Trying."""

    dry_run = fields.Boolean(
        load_default=False,
        truthy={"true"},
        falsy={"false"},
        metadata={"description": "Tell what would follow, up to the first draw; write nothing."},
    )


class HistoryQuery(Request):
    """Paging of the log."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The revision after which events are listed."},
    )
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE), metadata={"description": MOST})


class StreamQuery(LookingQuery):
    """Where to go on."""

    after = fields.Integer(
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The last revision the caller has seen; without it, a snapshot comes first."},
    )
    ticket = fields.String(
        validate=validate.Length(1, 100),
        metadata={"description": "A ticket from `POST …/tickets`, where the caller cannot send `Authorization`."},
    )


class BoardTextQuery(Request):
    """Which table."""

    revision = fields.Integer(
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The table as it was then; absent: as it is."},
    )


class LooksQuery(Request):
    """How a table is to look."""

    theme = fields.String(
        load_default=AUTO,
        validate=validate.OneOf(THEMES),
        metadata={"description": "`auto`: light or dark, as the viewer prefers."},
    )
    layout = fields.String(
        load_default=WIDE,
        validate=validate.OneOf(LAYOUTS),
        metadata={"description": "`narrow`: one board wide, for a phone held upright."},
    )
    ticket = fields.String(
        validate=validate.Length(1, 100),
        metadata={"description": "A ticket from `POST …/tickets`, where the caller cannot send `Authorization`."},
    )


class BoardQuery(BoardTextQuery, LooksQuery):
    """Which table, and how it is to look."""


class AnimationQuery(LooksQuery):
    """How a game is to be played again."""

    seconds = fields.Float(
        allow_nan=False,
        validate=validate.Range(0.1, 5),
        metadata={
            "description": "How long each picture is shown; absent: so that a game lasts some 30 seconds.",
            "example": 0.5,
        },
    )
    loop = fields.Boolean(
        load_default=True,
        metadata={"description": "Whether it begins anew at its end, or stays there."},
    )


class ExportQuery(Request):
    """The form of a record."""

    format = fields.String(
        load_default="json",
        validate=validate.OneOf(["json", "text"]),
        metadata={"description": "The form of the record."},
    )


class NoQuery(Request):
    """Takes no parameters."""


class TaskQuery(Request):
    """Waiting for news of an analysis or a tournament."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The version that the caller has seen; without it, the answer is at once."},
    )
    wait = wait_field("The seconds to wait for a version newer than `after`; 204 if none comes.")


class FollowQuery(Request):
    """Where to go on."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The last version the caller has seen."},
    )


class GamesQuery(Request):
    """Which games of a tournament."""

    first = fields.Integer(
        load_default=0, validate=validate.Range(0, MOST_GAMES), metadata={"description": "Number of the first."}
    )
    limit = fields.Integer(
        load_default=MOST_RECORDS,
        validate=validate.Range(1, MOST_GAMES),
        metadata={"description": f"The most entries in the answer, {MOST_RECORDS} at most."},
    )
