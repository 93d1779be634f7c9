"""What is asked: bodies and queries. What hangs on the ruleset or on the game is judged further in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.games.model import STATUSES, VISIBILITIES
from service.levels import LEVELS
from service.rulesets.kernel import MOST_SEATS
from service.rulesets.registry import RULESETS
from service.web.api import Request
from service.web.members import MOST_REVISION, PAGE, SEAT_KINDS, choice, seat_number
from service.web.unions import Action


def printable(name: str) -> None:
    """ValidationError for what a person cannot read or a terminal would obey."""
    if not name.isprintable() or not name.strip():
        raise ValidationError("must be 1 to 40 printable characters")


def seat_name() -> fields.String:
    """The name a person goes by at the table."""
    return fields.String(
        allow_none=True,
        load_default=None,
        validate=[validate.Length(1, 40), printable],
        metadata={"description": "1 to 40 printable characters."},
    )


def revision_field() -> fields.Integer:
    """The revision that was decided on, for clients that cannot send If-Match."""
    return fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The revision decided on; instead of If-Match, or equal to it."},
    )


class NewSeatRequest(Request):
    """A seat: `player` (its token is in the answer), `open` (to be claimed), `ai` (with a level)."""

    kind = choice(SEAT_KINDS, "Who plays here.")
    name = seat_name()
    level = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(list(LEVELS)),
        metadata={"description": "The level of an AI; only, and always, where `kind` is `ai`."},
    )


class CreateGameRequest(Request):
    """A new game."""

    ruleset = choice(list(RULESETS), "What is played.")
    variant = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "The ruleset's: a side of the board."}
    )
    seats = fields.List(
        fields.Nested(NewSeatRequest),
        required=True,
        validate=validate.Length(2, MOST_SEATS),
        metadata={"description": "In the order of play."},
    )
    first_seat = seat_number("Who starts; null: drawn.", required=False, allow_none=True, load_default=None)
    seed = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Regexp(r"^[0-9a-fA-F]{64}\Z", error="must be 64 hexadecimal digits"),
        metadata={
            "description": "32 bytes in hex, for tests and repetitions; the game is then not `fair`.",
            "pattern": "^[0-9a-fA-F]{64}$",
        },
    )
    visibility = fields.String(
        load_default="unlisted",
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": "`public`: listed; `unlisted`: read by who knows the id; `private`: by token."},
    )


class ClaimSeatRequest(Request):
    """Take an open seat."""

    seat = seat_number("Which; null or absent: the first open one.", required=False, allow_none=True, load_default=None)
    name = seat_name()


class DecideRequest(Request):
    """Optionally, the revision decided on."""

    revision = revision_field()


class ActRequest(Request):
    """One action, by `id` or by `action`."""

    id = fields.String(validate=validate.Length(1, 20), metadata={"description": "As listed by the legal actions."})
    action = fields.Nested(Action)
    revision = revision_field()


# ------------------------------------------------------------------------------------------------ queries


class ListGamesQuery(Request):
    """Filters and paging of the listing."""

    ruleset = fields.String(validate=validate.OneOf(list(RULESETS)))
    status = fields.String(validate=validate.OneOf(STATUSES))
    open_seats = fields.Boolean(
        truthy={"true"}, falsy={"false"}, metadata={"description": "Whether a seat can be claimed."}
    )
    updated_since = fields.AwareDateTime(format="iso", metadata={"description": "RFC 3339, with a time zone."})
    cursor = fields.String(validate=validate.Length(1, 200), metadata={"description": "From `Link` or `next_cursor`."})
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100))


class GetGameQuery(Request):
    """Waiting and extras."""

    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 60),
        metadata={"description": "Seconds to wait for a revision newer than If-None-Match; 304 when they run out."},
    )
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
        metadata={"description": "From `Link` or `next_cursor`.", "pattern": r"^[0-9]{1,15}\.[0-9]{1,9}$"},
    )
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE))

    @validates_schema(pass_original=True)
    def _choices_stand_alone(self, said: Mapping[str, Any], given: Mapping[str, Any], **_: Any) -> None:
        if said["form"] == "choices" and len(given) > 1:
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

    after = fields.Integer(load_default=0, validate=validate.Range(0, MOST_REVISION))
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE))


class StreamQuery(Request):
    """Where to go on."""

    after = fields.Integer(
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The last revision the caller has seen; without it, a snapshot comes first."},
    )


class NoQuery(Request):
    """Takes no parameters."""
