"""Schemas of seeks: players who look for opponents."""

from __future__ import annotations

from marshmallow import fields, validate

from service.rulesets.seats import MOST_SEATS
from service.usecases.matchmaking.seeking import LEAVE_S, MOST_SHOWN
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import UNTIMED, VARIANT, choice, flag, text, when, whole
from service.web.schemas.base.names import LEVEL, RULESET, SEEK_STATUS, STAND_IN
from service.web.schemas.base.queries import wait_field
from service.web.schemas.base.request_fields import StrictBoolean, mixed_field
from service.web.schemas.base.requests import ClockRequest

LONGEST_KEPT_S = 86_400
LONGEST_FILL_S = 3_600
WIDEST_RANGE = 5_000


class Fill(Schema):
    """AIs that fill empty seats."""

    level = text("Level of the AIs.")
    after_s = whole("Seconds to wait before the AIs take seats.")


class ClockSettings(Schema):
    """Time per turn, plus a bank for longer turns."""

    turn_s = whole("Seconds per turn.")
    bank_s = whole("Seconds in each seat's bank.")
    on_timeout = choice(STAND_IN)
    level = text("Level of the AI that takes over.")


class Seek(Schema):
    """A player who looks for opponents."""

    id = text()
    player = fields.Nested(Player, required=True)
    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = whole("Number of seats.", 2)
    clock = fields.Nested(ClockSettings, required=True, allow_none=True, metadata={"description": UNTIMED})
    rated = flag()
    points = whole("The player's rating for this game; 1500 for a new player.", None)
    rating_range = whole(
        "Initial maximum rating difference, or null for any. It grows while the player waits.",
        allow_none=True,
    )
    mixed = flag("Whether to allow rated games of people and bots.")
    fill = fields.Nested(
        Fill,
        required=True,
        allow_none=True,
        metadata={"description": "AIs that fill empty seats, or null."},
    )
    created_at = when()
    ends_at = when("When the seek expires unless the player polls it; null if no longer open.", allow_none=True)
    status = choice(SEEK_STATUS)
    game_id = text("Id of the resulting game, or null.", allow_none=True)


class SeekList(Schema):
    """Open seeks."""

    seeks = fields.List(
        fields.Nested(Seek), required=True, metadata={"description": f"Longest waiting first, at most {MOST_SHOWN}."}
    )


class FillRequest(Request):
    """AIs that fill empty seats."""

    level = fields.String(required=True, validate=validate.OneOf(LEVEL), metadata={"description": "Level of the AIs."})
    after_s = fields.Integer(
        strict=True,
        load_default=30,
        validate=validate.Range(0, LONGEST_FILL_S),
        metadata={"description": "Seconds to wait before the AIs take seats."},
    )


class SettingsRequest(Request):
    """Settings of a game to offer."""

    ruleset = choice(RULESET)
    variant = fields.String(required=True, validate=validate.Length(1, 40), metadata={"description": VARIANT})
    clock = fields.Nested(
        ClockRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": UNTIMED},
    )
    rated = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether the game is rated. Rated games require a clock and are public."},
    )
    mixed = mixed_field()


class SeekRequest(SettingsRequest):
    """The seek to create."""

    seats = fields.Integer(
        strict=True,
        load_default=2,
        validate=validate.Range(2, MOST_SEATS),
        metadata={"description": "Number of seats."},
    )
    rating_range = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, WIDEST_RANGE),
        metadata={
            "description": "Maximum rating difference, or null for any. It doubles after 30 seconds, triples after 60, "
            "and so on."
        },
    )
    fill = fields.Nested(
        FillRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "AIs that fill empty seats, or null to wait for people."},
    )
    keep_s = fields.Integer(
        strict=True,
        load_default=60,
        validate=validate.Range(LEAVE_S, LONGEST_KEPT_S),
        metadata={
            "description": "Seconds that the seek stays open without polling. Use a long time if a webhook receives "
            "`game_started`."
        },
    )


class JoinRequest(Request):
    """Options for joining a seek."""

    mixed = mixed_field()


class LobbyQuery(Request):
    """Filters of the lobby."""

    ruleset = fields.String(validate=validate.OneOf(RULESET), metadata={"description": "Filter by ruleset."})
    variant = fields.String(validate=validate.Length(1, 40), metadata={"description": "Filter by variant."})
    seats = fields.Integer(
        validate=validate.Range(2, MOST_SEATS), metadata={"description": "Filter by number of seats."}
    )


class SeekQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for a game before returning the current state.")
