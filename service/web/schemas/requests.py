"""What is asked: bodies and queries. What hangs on the ruleset or on the game is judged further in."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from service.games.clocks import AI_PLAYS_ON
from service.games.endpoints import LONGEST_S, MOST_ATTEMPTS
from service.games.moments import parse_ms
from service.games.offers import LONGEST_PAUSE_S
from service.levels import FALLBACK
from service.outgoing import signing
from service.rulesets.notation import LONGEST_LINE
from service.rulesets.seats import MOST_SEATS
from service.usecases.core import notations
from service.web.api import Request
from service.web.schemas.fields import MOST_REVISION, PAGE, choice, optional_seat
from service.web.schemas.names import LEVEL, RULESET, SEAT_KIND, STAND_IN, TOKEN_ROLE, VISIBILITY
from service.web.schemas.unions import Action, PostedPosition

DAY_S = 86_400
LONGEST_TURN_S = 30 * DAY_S
MOST_CHARACTERS = 500
LONGEST_ACTION = 200  # characters; a pass that discards a whole storage has some forty


class StrictBoolean(fields.Boolean):
    """true or false, and nothing that Python takes for them."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class StrictNumber(fields.Float):
    """A number, and no text that Python can read as one."""

    def _deserialize(self, value: Any, *arguments: Any, **more: Any) -> Any:
        if isinstance(value, str | bool):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *arguments, **more)


def printable(name: str) -> None:
    """ValidationError for what a person cannot read or a terminal would obey."""
    if not name.isprintable() or not name.strip():
        raise ValidationError("must be 1 to 40 printable characters")


def person_name(what: str = "", **options: Any) -> fields.String:
    """The name that somebody, or something, goes by. `what`: a sentence about it."""
    return fields.String(
        allow_none=True,
        validate=[validate.Length(1, 40), printable],
        metadata={"description": f"{what} 1 to 40 printable characters.".lstrip()},
        **{"load_default": None, **options},
    )


def own_seat() -> fields.Integer:
    """Which of the caller's seats, for players who have several."""
    return optional_seat("The caller's seat that is meant; null: the one to decide or to answer, or the first.")


def sayable(message: str) -> None:
    """ValidationError for what is blank, or what a terminal would obey."""
    if not message.strip() or not all(character.isprintable() or character == "\n" for character in message):
        raise ValidationError("must be text, without control characters other than line breaks")


def action_notation(description: str) -> fields.String:
    """An action as a short text."""
    return fields.String(validate=validate.Length(1, LONGEST_ACTION), metadata={"description": description})


def revision_field() -> fields.Integer:
    """The revision that was decided on, for clients that cannot send If-Match."""
    return fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The revision decided on; instead of If-Match, or equal to it."},
    )


def seed_field(description: str) -> fields.String:
    """A seed."""
    return fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Regexp(r"^[0-9a-fA-F]{64}\Z", error="must be 64 hexadecimal digits"),
        metadata={"description": f"32 bytes in hex. {description}", "pattern": "^[0-9a-fA-F]{64}$"},
    )


def signing_secret(text: str) -> None:
    """ValidationError for what is no secret to sign with."""
    try:
        signing.key_of(text)
    except ValueError:
        raise ValidationError("must be `whsec_` and base64 of 24 to 64 bytes") from None


def secret_field() -> fields.String:
    """What requests of ours are signed with."""
    return fields.String(
        allow_none=True,
        load_default=None,
        validate=signing_secret,
        metadata={"description": "`whsec_` and base64 of 24 to 64 bytes; null: one is made. It signs our requests."},
    )


def moment(text: str) -> None:
    """ValidationError for what is no moment."""
    try:
        parse_ms(text)
    except ValueError:
        raise ValidationError("must be a moment in RFC 3339, from 1970 to 9000") from None


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


class NewEndpointRequest(Request):
    """An endpoint that plays a seat.

    It gets a POST for each decision, signed as https://www.standardwebhooks.com describes.
    """

    url = fields.String(
        required=True,
        validate=validate.Length(1, 2000),
        metadata={"description": "The https URL, at a port that the operator allows. It is shown to nobody."},
    )
    secret = secret_field()
    timeout_s = StrictNumber(
        load_default=LONGEST_S,
        validate=validate.Range(0.1, LONGEST_S),
        metadata={"description": "Seconds an answer may take, in all."},
    )
    attempts = fields.Integer(
        strict=True,
        load_default=3,
        validate=validate.Range(1, MOST_ATTEMPTS),
        metadata={"description": "How often it is asked for one decision, after 1, 4, 15 and then 60 seconds again."},
    )
    on_failure = fields.String(
        load_default=AI_PLAYS_ON,
        validate=validate.OneOf(STAND_IN),
        metadata={"description": "When all attempts have failed: an `ai` plays on for good, or the seat must `lose`."},
    )


class NewSeatRequest(RecordedSeatRequest):
    """A seat: `player` (its token is in the answer), `open` (to be claimed), `ai` (with a level), `http` (called)."""

    endpoint = fields.Nested(
        NewEndpointRequest,
        allow_none=True,
        load_default=None,
        metadata={"description": "The endpoint; required where `kind` is `http`, and not allowed elsewhere."},
    )


def mixed_field() -> StrictBoolean:
    """Whether somebody wants to be rated with people and programs."""
    return StrictBoolean(
        load_default=False,
        metadata={
            "description": "Whether the player wants a rated game of people and programs. Unless all of them do, "
            "people are rated with people, and programs with programs."
        },
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
