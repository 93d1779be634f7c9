"""Seeking others to play with."""

from __future__ import annotations

from marshmallow import fields, validate

from service.rulesets.seats import MOST_SEATS
from service.usecases.requests.seeking import LEAVE_S, MOST_SHOWN
from service.web.api import Request, Schema
from service.web.schemas.accounts import Player
from service.web.schemas.fields import choice, flag, text, when, whole
from service.web.schemas.names import LEVEL, RULESET, SEEK_STATUS, STAND_IN
from service.web.schemas.queries import wait_field
from service.web.schemas.request_fields import StrictBoolean, mixed_field
from service.web.schemas.requests import ClockRequest

LONGEST_KEPT_S = 86_400
LONGEST_FILL_S = 3_600
WIDEST_RANGE = 5_000


class Fill(Schema):
    """AIs that take the seats for which nobody comes."""

    level = text("The level of the AIs.")
    after_s = whole("Seconds after which they sit down.")


class ClockSettings(Schema):
    """Time for each turn, and a bank for what turns take beyond it."""

    turn_s = whole("Seconds every turn has of its own.")
    bank_s = whole("Seconds each seat has in its bank.")
    on_timeout = choice(STAND_IN, "What a seat meets whose time is up.")
    level = text("The level of the AI that plays on.")


class Seek(Schema):
    """A player who looks for others to play with."""

    id = text("96 random bits.")
    player = fields.Nested(Player, required=True)
    ruleset = choice(RULESET, "What is to be played.")
    variant = text("The ruleset's: a side of the board.")
    seats = whole("How many seats the game is to have.", 2)
    clock = fields.Nested(
        ClockSettings, required=True, allow_none=True, metadata={"description": "The clock; null: time does not count."}
    )
    rated = flag("Whether the game is to be rated.")
    points = whole("The player's rating at what is to be played; 1500 for somebody new.", None)
    rating_range = whole(
        "Points that others' ratings may be from the player's at first; it widens while they wait. Null: any.",
        allow_none=True,
    )
    mixed = flag("Whether the player wants to be rated with people and programs.")
    fill = fields.Nested(
        Fill,
        required=True,
        allow_none=True,
        metadata={"description": "AIs that fill the game; null: people only."},
    )
    created_at = when("The moment since which the player has been waiting.")
    ends_at = when("When it ends unless the player asks for it; null: it waits no more.", allow_none=True)
    status = choice(
        SEEK_STATUS,
        "`open`: the player waits; `paired`: it is a game; `ended`: another seek of theirs is one.",
    )
    game_id = text("The game that it has become; null: none.", allow_none=True)


class SeekList(Schema):
    """The lobby: seeks that wait."""

    seeks = fields.List(
        fields.Nested(Seek), required=True, metadata={"description": f"Longest waiting first, at most {MOST_SHOWN}."}
    )


class FillRequest(Request):
    """AIs that are to take the seats for which nobody comes."""

    level = fields.String(
        required=True, validate=validate.OneOf(LEVEL), metadata={"description": "The level of the AIs."}
    )
    after_s = fields.Integer(
        strict=True,
        load_default=30,
        validate=validate.Range(0, LONGEST_FILL_S),
        metadata={"description": "Seconds after which they sit down."},
    )


class SettingsRequest(Request):
    """What is to be played with others."""

    ruleset = choice(RULESET, "What is to be played.")
    variant = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "The ruleset's: a side of the board."}
    )
    clock = fields.Nested(
        ClockRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "The clock; null: time does not count."},
    )
    rated = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether the game is to be rated; then a clock is needed, and the game is public."},
    )
    mixed = mixed_field()


class SeekRequest(SettingsRequest):
    """What the player wants to play."""

    seats = fields.Integer(
        strict=True,
        load_default=2,
        validate=validate.Range(2, MOST_SEATS),
        metadata={"description": "How many seats the game is to have."},
    )
    rating_range = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, WIDEST_RANGE),
        metadata={
            "description": "Points that others' ratings may be from the player's; after half a minute twice as many, "
            "after a minute three times, and so on. Null: any."
        },
    )
    fill = fields.Nested(
        FillRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "AIs that fill the game where too few people come; null: it waits for people."},
    )
    keep_s = fields.Integer(
        strict=True,
        load_default=60,
        validate=validate.Range(LEAVE_S, LONGEST_KEPT_S),
        metadata={
            "description": "Seconds for which the seek waits though its player does not ask for it; with a webhook, "
            "which is told `game_started`, that may be long."
        },
    )


class JoinRequest(Request):
    """What whoever joins a seek says."""

    mixed = mixed_field()


class LobbyQuery(Request):
    """Filters of the lobby."""

    ruleset = fields.String(validate=validate.OneOf(RULESET), metadata={"description": "What is to be played."})
    variant = fields.String(validate=validate.Length(1, 40), metadata={"description": "A variant of the ruleset."})
    seats = fields.Integer(
        validate=validate.Range(2, MOST_SEATS), metadata={"description": "How many seats the game is to have."}
    )


class SeekQuery(Request):
    """Waiting."""

    wait = wait_field("Seconds to wait until the seek is a game; as it is when they run out.")
