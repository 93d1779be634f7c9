"""Schemas of request bodies. Checks that depend on the ruleset or the game follow in the use cases."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from service.games.state.clocks import AI_PLAYS_ON
from service.games.state.offers import LONGEST_PAUSE_S
from service.levels import FALLBACK
from service.rulesets.notation import LONGEST_LINE
from service.rulesets.seats import MOST_SEATS
from service.usecases.positions import notations
from service.web.api import Request
from service.web.schemas.base.endpoint_requests import NewEndpointRequest
from service.web.schemas.base.fields import MOST_REVISION, PAGE, UNTIMED, VARIANT, choice, optional_seat
from service.web.schemas.base.names import LEVEL, RULESET, SEAT_KIND, STAND_IN, TOKEN_ROLE, VISIBILITY
from service.web.schemas.base.request_fields import (
    StrictBoolean,
    action_notation,
    mixed_field,
    own_seat,
    person_name,
    revision_field,
    sayable,
    seed_field,
)
from service.web.schemas.base.unions import Action, PostedPosition

DAY_S = 86_400
LONGEST_TURN_S = 30 * DAY_S
MOST_CHARACTERS = 500


class PositionedRequest(Request):
    """A request with a position, as JSON or in notation."""

    needs_position: ClassVar = True

    position = PostedPosition()
    position_notation = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_LINE),
        metadata={"description": "The position in notation, instead of `position`."},
    )

    @post_load
    def _with_position(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        line = loaded.pop("position_notation")
        if line is None:
            if self.needs_position and "position" not in loaded:
                raise ValidationError("this or `position_notation` is required", "position")
            return loaded
        if loaded.get("position") is not None:
            raise ValidationError("cannot be combined with `position`", "position_notation")
        return {**loaded, "position": notations.read_position(line)}


class RecordedSeatRequest(Request):
    """A seat of a record."""

    kind = choice(SEAT_KIND)
    name = person_name()
    level = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(LEVEL),
        metadata={
            "description": "Level of the AI; required for `ai`. For `http`, of the AI that takes over; has a default."
        },
    )


class NewSeatRequest(RecordedSeatRequest):
    """A seat to create. The response contains the tokens of `player` seats."""

    endpoint = fields.Nested(
        NewEndpointRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "Endpoint of an `http` seat; required there and not allowed elsewhere."},
    )


class ClockRequest(Request):
    """Time per turn, plus a bank for longer turns."""

    turn_s = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "Seconds per turn."},
    )
    bank_s = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "Seconds in each seat's bank. `turn_s` and `bank_s` must not both be 0."},
    )
    on_timeout = fields.String(
        load_default=AI_PLAYS_ON,
        validate=validate.OneOf(STAND_IN),
        metadata={"description": "`ai`: an AI plays until the seat is claimed. `lose`: the seat loses."},
    )
    level = fields.String(
        load_default=FALLBACK,
        validate=validate.OneOf(LEVEL),
        metadata={"description": "Level of the AI that takes over."},
    )


class CreateGameRequest(PositionedRequest):
    """The game to create."""

    needs_position = False

    ruleset = choice(RULESET)
    variant = fields.String(required=True, validate=validate.Length(1, 40), metadata={"description": VARIANT})
    seats = fields.List(
        fields.Nested(NewSeatRequest),
        required=True,
        validate=validate.Length(2, MOST_SEATS),
        metadata={"description": "Seats in turn order."},
    )
    first_seat = optional_seat("Starting seat; drawn if null.")
    seed = seed_field("Makes the draws repeatable; the game is then not `fair`.")
    visibility = fields.String(
        load_default="unlisted",
        validate=validate.OneOf(VISIBILITY),
        metadata={"description": "Visibility of the game."},
    )
    clock = fields.Nested(
        ClockRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": UNTIMED},
    )
    help = StrictBoolean(
        load_default=True,
        metadata={"description": "Whether the game may be analysed before it is over; never for rated games."},
    )
    rated = StrictBoolean(
        load_default=False,
        metadata={
            "description": "Whether the game is rated. Requires a player's token, a clock, one `player` seat (the "
            "creator's; others are `open`), and no `seed`, `position` or `http` seat. Rated games allow no analysis "
            "and no takebacks, and running out of time loses."
        },
    )
    mixed = mixed_field()
    position = PostedPosition(
        allow_none=True,
        load_default=None,
        metadata={"description": "Starting position, or null for the standard setup."},
    )


class ClaimSeatRequest(Request):
    """The seat to claim: an open seat, or one of an absent person."""

    seat = optional_seat("Seat to claim; the first open seat if null.")
    name = person_name()
    token = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 100),
        metadata={
            "description": "Invite token or token of a handed-over seat, if `Authorization` carries a player's token."
        },
    )
    mixed = mixed_field()


class HandOverRequest(Request):
    """The new holder of a seat."""

    name = person_name()


class RotateRequest(Request):
    """The token to replace."""

    role = choice(TOKEN_ROLE, "Role whose token is replaced. Seat tokens change when a seat is handed over.")


class SayRequest(Request):
    """A message to send."""

    text = fields.String(
        required=True,
        validate=[validate.Length(1, MOST_CHARACTERS), sayable],
        metadata={"description": "1 to 500 characters. Line breaks are the only allowed control characters."},
    )
    seat = own_seat()


class NothingRequest(Request):
    """An empty object."""


class DecideRequest(Request):
    """The expected revision, optional."""

    revision = revision_field()


class SeatDecideRequest(DecideRequest):
    """The caller's seat and the expected revision, both optional."""

    seat = own_seat()


class PauseRequest(SeatDecideRequest):
    """A pause to offer."""

    seconds = fields.Integer(
        strict=True,
        load_default=DAY_S,
        validate=validate.Range(1, LONGEST_PAUSE_S),
        metadata={"description": "Maximum length of the pause, in seconds."},
    )


class AnswerRequest(SeatDecideRequest):
    """An answer to an offer."""

    accept = StrictBoolean(
        required=True,
        metadata={"description": "Whether to accept. False withdraws the caller's own offer."},
    )


class ActRequest(Request):
    """One action, given by `id`, `action` or `notation`."""

    id = fields.String(validate=validate.Length(1, 20), metadata={"description": "Id from the list of legal actions."})
    action = fields.Nested(Action)
    notation = action_notation("Notation, such as `3b4`.")
    revision = revision_field()


class ExamineRequest(PositionedRequest):
    """A position to examine, and an action to try."""

    id = fields.String(validate=validate.Length(1, 20), metadata={"description": "Action to try, by id."})
    action = fields.Nested(Action, metadata={"description": "Action to try, by its fields."})
    notation = action_notation("Action to try, in notation.")
    form = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(["list", "choices"]),
        metadata={"description": "Form of the legal actions; null to omit them."},
    )
    first = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Number of actions to skip."},
    )
    limit = fields.Integer(
        strict=True,
        load_default=PAGE,
        validate=validate.Range(1, PAGE),
        metadata={"description": "Maximum number of actions."},
    )
