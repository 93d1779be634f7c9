"""Schemas of responses about positions outside games."""

from __future__ import annotations

from typing import Any

from service.web.api import Schema
from service.web.schemas.base.catalogue import Reason
from service.web.schemas.base.fields import array, choice, flag, integer, nest, seat_number, text
from service.web.schemas.base.names import POSITION_STATUS
from service.web.schemas.base.unions import Action, Choices, Effect, Position, tagged_union
from service.web.schemas.games.games import LegalAction, SeatOutcome


class PositionState(Schema):
    """A position and its status."""

    position = nest(Position)
    notation = text("The position in notation.")
    status = choice(POSITION_STATUS)
    to_decide = seat_number("Seat to decide, or null.", allow_none=True)
    seats = array(SeatOutcome, "Scores, ranks and points by source, as if the game ended now.")


def _form(name: str, **members: Any) -> type[Schema]:
    form = choice([name])
    component = f"Position{name.capitalize()}"
    doc = f"Legal actions of a position, {'as a list' if name == 'list' else 'in factored form'}."
    return type(
        component, (Schema,), {"form": form, "total": integer("Number of legal actions."), **members, "__doc__": doc}
    )


PositionLegal = tagged_union(
    "PositionLegal",
    "form",
    {
        "list": _form("list", actions=array(LegalAction)),
        "choices": _form("choices", choices=nest(Choices, allow_none=True)),
    },
    "Legal actions of a position, in the requested form.",
)


class TriedAction(Schema):
    """A tried action and its effects up to the first draw."""

    id = text()
    action = nest(Action, "The action, or null if illegal.", allow_none=True)
    notation = text("Notation, or null if illegal.", allow_none=True)
    text = text("Sentence, or null if illegal.", allow_none=True)
    legal = flag()
    reason = nest(Reason, "Why the action is illegal, or null if legal.", allow_none=True)
    effects = array(Effect)
    after = nest(PositionState, "The position after the action, or null if illegal.", allow_none=True)


class Examined(PositionState):
    """An examined position."""

    legal = nest(PositionLegal, "Legal actions, or null if not requested.", allow_none=True)
    action = nest(TriedAction, "The tried action, or null.", allow_none=True)
