"""What is asked: bodies and queries. What hangs on the ruleset or on the game is judged further in."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from service.games.clocks import AI_PLAYS_ON
from service.games.offers import LONGEST_PAUSE_S
from service.levels import FALLBACK
from service.rulesets.notation import LONGEST_LINE
from service.rulesets.seats import MOST_SEATS
from service.usecases.core import notations
from service.web.api import Request
from service.web.schemas.endpoint_requests import NewEndpointRequest
from service.web.schemas.fields import MOST_REVISION, PAGE, choice, optional_seat
from service.web.schemas.names import LEVEL, RULESET, SEAT_KIND, STAND_IN, TOKEN_ROLE, VISIBILITY
from service.web.schemas.request_fields import (
    StrictBoolean,
    action_notation,
    mixed_field,
    own_seat,
    person_name,
    revision_field,
    sayable,
    seed_field,
)
from service.web.schemas.unions import Action, PostedPosition

DAY_S = 86_400
LONGEST_TURN_S = 30 * DAY_S
MOST_CHARACTERS = 500


class PositionedRequest(Request):
    """A request about a position, which is told in JSON or as notation."""

    needs_position: ClassVar = True

    position = PostedPosition()
    position_notation = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_LINE),
        metadata={"description": "The position in one line, instead of `position`; the guide has the grammar."},
    )

    @post_load
    def _with_position(self, loaded: dict[str, Any], **_: Any) -> dict[str, Any]:
        line = loaded.pop("position_notation")
        if line is None:
            if self.needs_position and "position" not in loaded:
                raise ValidationError("this or position_notation is needed", "position")
            return loaded
        if loaded.get("position") is not None:
            raise ValidationError("must be null where position is told", "position_notation")
        return {**loaded, "position": notations.read_position(line)}


class RecordedSeatRequest(Request):
    """A seat as a record has it."""

    kind = choice(SEAT_KIND, "The kind of who plays here.")
    name = person_name()
    level = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(LEVEL),
        metadata={
            "description": "Required for kind `ai`; of kind `http`, the level that stands in; null: the usual one."
        },
    )


class NewSeatRequest(RecordedSeatRequest):
    """A seat: `player` (its token is in the answer), `open` (to be claimed), `ai` (with a level), `http` (called)."""

    endpoint = fields.Nested(
        NewEndpointRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "The endpoint; required where `kind` is `http`, and not allowed elsewhere."},
    )


class ClockRequest(Request):
    """Time for each turn, and a bank for what turns take beyond it."""

    turn_s = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "Seconds every turn has of its own."},
    )
    bank_s = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "Seconds each seat has in its bank. Together with `turn_s` at least 1."},
    )
    on_timeout = fields.String(
        load_default=AI_PLAYS_ON,
        validate=validate.OneOf(STAND_IN),
        metadata={"description": "`ai`: an AI plays until the seat is claimed; `lose`: the seat loses."},
    )
    level = fields.String(
        load_default=FALLBACK,
        validate=validate.OneOf(LEVEL),
        metadata={"description": "The level of the AI that plays on."},
    )


class CreateGameRequest(PositionedRequest):
    """A new game."""

    needs_position = False

    ruleset = choice(RULESET, "What is played.")
    variant = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "The ruleset's: a side of the board."}
    )
    seats = fields.List(
        fields.Nested(NewSeatRequest),
        required=True,
        validate=validate.Length(2, MOST_SEATS),
        metadata={"description": "The seats in the order of play."},
    )
    first_seat = optional_seat("The seat that starts; null: it is drawn.")
    seed = seed_field("For tests and repetitions; the game is then not `fair`.")
    visibility = fields.String(
        load_default="unlisted",
        validate=validate.OneOf(VISIBILITY),
        metadata={"description": "`public`: listed; `unlisted`: read by who knows the id; `private`: by token."},
    )
    clock = fields.Nested(
        ClockRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "The clock; null: time does not count."},
    )
    help = StrictBoolean(
        load_default=True,
        metadata={"description": "Whether it may be analysed before it is over; a rated game never may."},
    )
    rated = StrictBoolean(
        load_default=False,
        metadata={
            "description": "Whether its end changes the players' ratings. It needs a player's token, a clock, one seat "
            "of kind `player` (the creator's; other people's are `open`), no `seed`, no `position`, no seat of kind "
            "`http`. It is played without `help` and takebacks, and whose time is up has lost, whatever `help` and "
            "`on_timeout` say."
        },
    )
    mixed = mixed_field()
    position = PostedPosition(
        allow_none=True,
        load_default=None,
        metadata={"description": "Where the game begins, as `POST /v1/positions` accepts it; null: at the set-up."},
    )


class ClaimSeatRequest(Request):
    """Take an open seat, or that of a person who is gone."""

    seat = optional_seat("The seat; null or absent: the first open one.")
    name = person_name()
    token = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, 100),
        metadata={
            "description": "The invite token, or that of the seat which was handed over, where `Authorization` bears "
            "the token of the player who is to have the seat."
        },
    )
    mixed = mixed_field()


class HandOverRequest(Request):
    """Give a seat away."""

    name = person_name()


class RotateRequest(Request):
    """Change a token."""

    role = choice(
        TOKEN_ROLE, "The role whose token is replaced. A seat's token also changes when the seat is handed over."
    )


class SayRequest(Request):
    """A message to send."""

    text = fields.String(
        required=True,
        validate=[validate.Length(1, MOST_CHARACTERS), sayable],
        metadata={"description": "1 to 500 characters; line breaks are kept, other control characters refused."},
    )
    seat = own_seat()


class NothingRequest(Request):
    """There is nothing to say."""


class DecideRequest(Request):
    """Optionally, the revision decided on."""

    revision = revision_field()


class SeatDecideRequest(DecideRequest):
    """Optionally, which of the caller's seats, and the revision decided on."""

    seat = own_seat()


class PauseRequest(SeatDecideRequest):
    """How long the pause may last."""

    seconds = fields.Integer(
        strict=True,
        load_default=DAY_S,
        validate=validate.Range(1, LONGEST_PAUSE_S),
        metadata={"description": "The longest the pause lasts."},
    )


class AnswerRequest(SeatDecideRequest):
    """An answer to an offer: yes or no."""

    accept = StrictBoolean(
        required=True,
        metadata={"description": "Whether the seat agrees; false withdraws the seat's own offer."},
    )


class ActRequest(Request):
    """One action, by `id`, by `action` or by `notation`."""

    id = fields.String(
        validate=validate.Length(1, 20), metadata={"description": "The id as listed by the legal actions."}
    )
    action = fields.Nested(Action)
    notation = action_notation("The action as a short text: `3b4`.")
    revision = revision_field()


class ExamineRequest(PositionedRequest):
    """A position, and what is wanted to know of it."""

    id = fields.String(validate=validate.Length(1, 20), metadata={"description": "An action to try, by its id."})
    action = fields.Nested(Action, metadata={"description": "An action to try, by its fields."})
    notation = action_notation("An action to try, by its notation.")
    form = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(["list", "choices"]),
        metadata={"description": "The form of the legal actions; null: they are left out."},
    )
    first = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "How many actions of the list are skipped."},
    )
    limit = fields.Integer(
        strict=True,
        load_default=PAGE,
        validate=validate.Range(1, PAGE),
        metadata={"description": "The most actions in the list."},
    )
