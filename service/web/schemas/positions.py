"""What is answered about a position that belongs to no game."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.catalogue import Reason
from service.web.schemas.fields import choice, flag, seat_number, text, whole
from service.web.schemas.games import LegalAction, SeatOutcome
from service.web.schemas.names import POSITION_STATUS
from service.web.schemas.unions import Action, Choices, Effect, Position, tagged


class PositionState(Schema):
    """A position, and how things stand in it."""

    position = fields.Nested(Position, required=True)
    notation = text("The position in one line, as `position_notation` takes it.")
    status = choice(POSITION_STATUS, "Whether a seat decides, chance does, or nobody any more.")
    to_decide = seat_number("The seat to decide; null where none is.", allow_none=True)
    seats = fields.List(
        fields.Nested(SeatOutcome),
        required=True,
        metadata={"description": "Scores, ranks and where the points came from, as if it ended now."},
    )


def _form(name: str, **members: Any) -> type[Schema]:
    form = choice([name], "The form of the legal actions.")
    component = f"Position{name.capitalize()}"
    doc = "The legal actions of a position, one by one." if name == "list" else "The same in factored form."
    return type(component, (Schema,), {"form": form, "total": whole("How many there are."), **members, "__doc__": doc})


PositionLegal = tagged(
    "PositionLegal",
    "form",
    {
        "list": _form("list", actions=fields.List(fields.Nested(LegalAction), required=True)),
        "choices": _form("choices", choices=fields.Nested(Choices, required=True, allow_none=True)),
    },
    "The legal actions of a position, in the form asked for.",
)


class TriedAction(Schema):
    """An action on a position, and what it would do up to the first draw."""

    id = text("The action's id.")
    action = fields.Nested(
        Action, required=True, allow_none=True, metadata={"description": "The action; null where it is illegal."}
    )
    notation = text("The action as a short text; null where it is illegal.", allow_none=True)
    text = text("The sentence for people; null where it is illegal.", allow_none=True)
    legal = flag("Whether the rules allow it.")
    reason = fields.Nested(
        Reason, required=True, allow_none=True, metadata={"description": "Why not; null where legal."}
    )
    effects = fields.List(fields.Nested(Effect), required=True, metadata={"description": "The effects, in order."})
    after = fields.Nested(
        PositionState,
        required=True,
        allow_none=True,
        metadata={"description": "The position after it; null where it is illegal."},
    )


class Examined(PositionState):
    """What there is to say of a position."""

    legal = fields.Nested(
        PositionLegal,
        required=True,
        allow_none=True,
        metadata={"description": "The legal actions; null where not asked for."},
    )
    action = fields.Nested(
        TriedAction,
        required=True,
        allow_none=True,
        metadata={"description": "The action that was tried; null where none was."},
    )
