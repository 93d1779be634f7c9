"""Schemas of responses about positions outside games."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.base.catalogue import Reason
from service.web.schemas.base.fields import choice, flag, seat_number, text, whole
from service.web.schemas.base.names import POSITION_STATUS
from service.web.schemas.base.unions import Action, Choices, Effect, Position, tagged
from service.web.schemas.games.games import LegalAction, SeatOutcome


class PositionState(Schema):
    """A position and its status."""

    position = fields.Nested(Position, required=True)
    notation = text("The position in notation.")
    status = choice(POSITION_STATUS)
    to_decide = seat_number("Seat to decide, or null.", allow_none=True)
    seats = fields.List(
        fields.Nested(SeatOutcome),
        required=True,
        metadata={"description": "Scores, ranks and points by source, as if the game ended now."},
    )


def _form(name: str, **members: Any) -> type[Schema]:
    form = choice([name])
    component = f"Position{name.capitalize()}"
    doc = f"Legal actions of a position, {'as a list' if name == 'list' else 'in factored form'}."
    return type(
        component, (Schema,), {"form": form, "total": whole("Number of legal actions."), **members, "__doc__": doc}
    )


PositionLegal = tagged(
    "PositionLegal",
    "form",
    {
        "list": _form("list", actions=fields.List(fields.Nested(LegalAction), required=True)),
        "choices": _form("choices", choices=fields.Nested(Choices, required=True, allow_none=True)),
    },
    "Legal actions of a position, in the requested form.",
)


class TriedAction(Schema):
    """A tried action and its effects up to the first draw."""

    id = text()
    action = fields.Nested(
        Action, required=True, allow_none=True, metadata={"description": "The action, or null if illegal."}
    )
    notation = text("Notation, or null if illegal.", allow_none=True)
    text = text("Sentence, or null if illegal.", allow_none=True)
    legal = flag()
    reason = fields.Nested(
        Reason, required=True, allow_none=True, metadata={"description": "Why the action is illegal, or null if legal."}
    )
    effects = fields.List(fields.Nested(Effect), required=True)
    after = fields.Nested(
        PositionState,
        required=True,
        allow_none=True,
        metadata={"description": "The position after the action, or null if illegal."},
    )


class Examined(PositionState):
    """An examined position."""

    legal = fields.Nested(
        PositionLegal,
        required=True,
        allow_none=True,
        metadata={"description": "Legal actions, or null if not requested."},
    )
    action = fields.Nested(
        TriedAction,
        required=True,
        allow_none=True,
        metadata={"description": "The tried action, or null."},
    )
