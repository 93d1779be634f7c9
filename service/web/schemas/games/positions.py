"""Schemas of responses about positions outside games."""

from __future__ import annotations

from service.web.api import Schema
from service.web.schemas.base.catalogue import Reason
from service.web.schemas.base.fields import array, choice, flag, integer, nest, seat_number, text
from service.web.schemas.base.names import POSITION_STATUS
from service.web.schemas.base.unions import Action, Choices, Effect, Position
from service.web.schemas.games.games import LegalAction, SeatOutcome


class PositionState(Schema):
    """A position and its status."""

    position = nest(Position)
    notation = text("The position in notation.")
    status = choice(POSITION_STATUS)
    to_decide = seat_number("Seat to decide, or null.", allow_none=True)
    seats = array(SeatOutcome, "Scores, ranks and points by source, as if the game ended now.")


class PositionLegal(Schema):
    """Legal actions of a position, as a list or as choices."""

    total = integer("Number of legal actions.")
    actions = array(LegalAction, "A page of the actions, or null unless `form` is `list`.", allow_none=True)
    choices = nest(Choices, "The choices, or null unless `form` is `choices` and a seat decides.", allow_none=True)


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
