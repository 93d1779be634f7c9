"""Schemas of request bodies. Checks that depend on the game follow in the use cases."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import ValidationError, post_load, validate

from service.games.errors import GameError
from service.games.state.clocks import AI_PLAYS_ON
from service.games.state.offers import LONGEST_PAUSE_S
from service.levels import FALLBACK
from service.rulesets.notation import LONGEST_LINE
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import Json, pointers
from service.usecases.games import creating
from service.usecases.positions import notations
from service.usecases.positions.actions import ONE_FORM, read_action
from service.usecases.positions.ruleset_fit import ruleset_errors
from service.web.api import Request
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.endpoint_requests import NewEndpointRequest
from service.web.schemas.base.fields import (
    MAX_REVISION,
    PAGE,
    UNTIMED,
    VARIANT,
    array,
    choice,
    flag,
    integer,
    nest,
    optional_seat,
    text,
)
from service.web.schemas.base.names import LEVEL, RULESET, SEAT_KIND, STAND_IN, TOKEN_ROLE, VISIBILITY
from service.web.schemas.base.request_fields import (
    action_notation,
    line_field,
    mixed_field,
    optional_name,
    own_seat,
    revision_field,
    seed_field,
)
from service.web.schemas.base.unions import Action, PostedPosition, starting_position

DAY_S = 86_400
LONGEST_TURN_S = 30 * DAY_S
ACTION_FORMS = ("id", "action", "notation")


class RulesetRequest(CheckedRequest):
    """A request for games of a ruleset."""

    def contradictions(self, members: Members) -> Faults:
        """Return what the ruleset lacks."""
        return ruleset_errors(members.valid.get("ruleset"), members.valid.get("variant"), members.valid.get("seats"))


class PositionedRequest(CheckedRequest):
    """A request with a position, as JSON or in notation. Both are loaded as `position`."""

    needs_position: ClassVar = True

    position = PostedPosition()
    position_notation = text("The position in notation, instead of `position`.", LONGEST_LINE, load_default=None)

    def contradictions(self, members: Members) -> Faults:
        """Read the notation. Return its errors, or what is wrong with the choice between both forms."""
        valid, given = members
        if given.get("position_notation") is None:
            is_missing = self.needs_position and "position" not in given
            return {"/position": "this or `position_notation` is required"} if is_missing else {}
        if given.get("position") is not None:
            return {"/position_notation": "cannot be combined with `position`"}
        if "position_notation" not in valid:
            return {}
        try:
            valid["position"] = self.fields["position"].deserialize(notations.read_position(valid["position_notation"]))
        except GameError as error:
            return error.errors
        except ValidationError as error:
            return dict(pointers(error.messages, "/position"))
        return {}

    @post_load
    def _drop_notation(self, loaded: Json, **_: Any) -> Json:
        del loaded["position_notation"]
        return loaded

    def handle_error(self, error: ValidationError, data: Any, **_: Any) -> None:
        """Refuse notation that is the only fault with notation/unreadable, which has its line and column."""
        valid: Any = error.valid_data
        if {*error.messages} == {"position_notation"} and "position_notation" in valid and not data.get("position"):
            notations.read_position(valid["position_notation"])


class RecordedSeatRequest(Request):
    """A seat of a record."""

    kind = choice(SEAT_KIND)
    name = optional_name()
    level = choice(
        LEVEL,
        "Level of the AI; required for `ai`. For `http`, of the AI that takes over; has a default.",
        load_default=None,
    )


class NewSeatRequest(RecordedSeatRequest):
    """A seat to create. The response contains the tokens of `player` seats."""

    endpoint = nest(
        NewEndpointRequest, "Endpoint of an `http` seat; required there and not allowed elsewhere.", load_default=None
    )


class ClockRequest(CheckedRequest):
    """Time per turn, plus a bank for longer turns."""

    turn_s = integer("Seconds per turn.", 0, LONGEST_TURN_S, load_default=0)
    bank_s = integer(
        "Seconds in each seat's bank. `turn_s` and `bank_s` must not both be 0.", 0, LONGEST_TURN_S, load_default=0
    )
    on_timeout = choice(
        STAND_IN, "`ai`: an AI plays until the seat is claimed. `lose`: the seat loses.", load_default=AI_PLAYS_ON
    )
    level = choice(LEVEL, "Level of the AI that takes over.", load_default=FALLBACK)

    def contradictions(self, members: Members) -> Faults:
        """Return an error if the clock has no time."""
        has_time = members.valid.get("turn_s", 1) + members.valid.get("bank_s", 1) > 0
        return {} if has_time else {"": "must have time in `turn_s` or `bank_s`"}


class CreateGameRequest(PositionedRequest):
    """The game to create."""

    needs_position = False

    ruleset = choice(RULESET)
    variant = text(VARIANT, 40)
    seats = array(NewSeatRequest, "Seats in turn order.", validate=validate.Length(2, MAX_SEATS))
    first_seat = optional_seat("Starting seat; drawn if null.")
    seed = seed_field("Makes the draws repeatable; the game is then not `fair`.")
    visibility = choice(VISIBILITY, "Visibility of the game.", load_default="unlisted")
    clock = nest(ClockRequest, UNTIMED, load_default=None)
    help = flag("Whether the game may be analysed before it is over; never for rated games.", load_default=True)
    rated = flag(
        "Whether the game is rated. Requires a player's token, a clock, one `player` seat (the "
        "creator's; others are `open`), and no `seed`, `position` or `http` seat. Rated games allow no analysis "
        "and no takebacks, and running out of time loses.",
        load_default=False,
    )
    mixed = mixed_field()
    position = starting_position()

    def contradictions(self, members: Members) -> Faults:
        """Return contradictions between the game, its ruleset, its seats and its position."""
        faults = {**super().contradictions(members), **creating.contradictions(members.valid)}
        if "/position" in faults and members.valid.get("position_notation") is not None:
            faults["/position_notation"] = faults.pop("/position")
        return faults


class ClaimSeatRequest(Request):
    """The seat to claim: an open seat, or one of an absent person."""

    seat = optional_seat("Seat to claim; the first open seat if null.")
    name = optional_name()
    token = text(
        "Invite token or token of a handed-over seat, if `Authorization` carries a player's token.",
        100,
        load_default=None,
    )
    mixed = mixed_field()


class HandOverRequest(Request):
    """The new holder of a seat."""

    name = optional_name()


class RotateRequest(Request):
    """The token to replace."""

    role = choice(TOKEN_ROLE, "Role whose token is replaced. Seat tokens change when a seat is handed over.")


class SayRequest(Request):
    """A message to send."""

    text = line_field()
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

    seconds = integer("Maximum length of the pause, in seconds.", 1, LONGEST_PAUSE_S, load_default=DAY_S)


class AnswerRequest(SeatDecideRequest):
    """An answer to an offer."""

    accept = flag("Whether to accept. False withdraws the caller's own offer.")


class ActionRequest(Request):
    """One action, given by `id`, `action` or `notation`."""

    id = text("Id from the list of legal actions.", 20, required=False)
    action = nest(Action, required=False)
    notation = action_notation("Notation, such as `3b4`.")


class ActRequest(ActionRequest):
    """One action, given by `id`, `action` or `notation`."""

    revision = revision_field()


class ExamineRequest(PositionedRequest):
    """A position to examine, and an action to try."""

    id = text("Action to try, by id.", 20, required=False)
    action = nest(Action, "Action to try, by its fields.", required=False)
    notation = action_notation("Action to try, in notation.")
    form = choice(["list", "choices"], "Form of the legal actions; null to omit them.", load_default=None)
    first = integer("Number of actions to skip.", 0, MAX_REVISION, load_default=0)
    limit = integer("Maximum number of actions.", 1, PAGE, load_default=PAGE)

    def contradictions(self, members: Members) -> Faults:
        """Return the errors of the position and of the action, which depends on the position's ruleset."""
        faults = super().contradictions(members)
        forms = [members.valid.get(name) for name in ACTION_FORMS]
        if len(members.given.keys() & {*ACTION_FORMS}) > 1:
            return {**faults, "": ONE_FORM}
        if any(form is not None for form in forms) and (ruleset := _ruleset_of(members)):
            try:
                read_action(ruleset, *forms)
            except GameError as error:
                return {**faults, **error.errors}
        return faults

    def handle_error(self, error: ValidationError, data: Any, **more: Any) -> None:
        """Refuse an unreadable action that is the only fault with notation/unreadable, too."""
        super().handle_error(error, data, **more)
        valid: Any = error.valid_data
        if {*error.messages} == {"notation"} and "notation" in valid:
            read_action(valid["position"].ruleset, None, None, valid["notation"])


def _ruleset_of(members: Members) -> Ruleset | None:
    """Return the ruleset of the position, even if the position is inconsistent."""
    if isinstance(position := members.valid.get("position"), Position):
        return position.ruleset
    json = members.given.get("position")
    return RULESETS.get(str(json.get("ruleset"))) if isinstance(json, dict) else None
