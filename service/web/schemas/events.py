"""The log as it is answered: an event of each kind, and the items of the stream."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.web.api import Schema
from service.web.schemas.fields import choice, counter, flag, seat_number, text, when, whole
from service.web.schemas.games import FAILURES_TOLD, Game
from service.web.schemas.names import CALL_FAILURE, OFFER_KIND, STAND_IN
from service.web.schemas.unions import Action, Draw, Effect, tagged


class Filled(Schema):
    """An open seat that an AI took at the start."""

    seat = seat_number("Which.")
    level = text("Its level.")


def _event(kind: str, doc: str, **members: Any) -> type[Schema]:
    """An event of a kind: the members all events have, and its own."""
    common: dict[str, Any] = {
        "kind": fields.String(required=True, validate=validate.OneOf([kind]), metadata={"enum": [kind]}),
        "revision": counter("The revision it made.", 1),
        "seat": seat_number("Whose event it is; null where it is nobody's.", allow_none=True),
        "action": fields.Nested(Action, required=True, allow_none=True),
        "draw": fields.Nested(Draw, required=True, allow_none=True),
        "effects": fields.List(fields.Nested(Effect), required=True, metadata={"description": "In order."}),
        "text": text("For people."),
        "at": when("When it happened."),
        "game": fields.Nested(Game, metadata={"description": "The view it left; on the stream only."}),
    }
    component = f"{kind.title().replace('_', '')}Event"
    return type(component, (Schema,), {**common, **members, "component": component, "__doc__": doc})


class Snapshot(Schema):
    """The game as it stands, first on a stream."""

    kind = fields.String(required=True, validate=validate.OneOf(["snapshot"]), metadata={"enum": ["snapshot"]})
    revision = counter("The game's.", 1)
    game = fields.Nested(Game, required=True)


EVENTS = {
    "created": _event("created", "The game was set up."),
    "join": _event(
        "join",
        "Somebody took a seat: an open one, that of a person who was gone, or one that was handed over.",
        name=text("Their name.", allow_none=True),
        player=text("The player's id; null where a token of the game is all there is.", allow_none=True),
    ),
    "hand_over": _event(
        "hand_over", "The seat's holder gave it away.", name=text("The new holder's name.", allow_none=True)
    ),
    "start": _event("start", "The game began.", filled=fields.List(fields.Nested(Filled), required=True)),
    "draw": _event("draw", "Chance decided.", draw=fields.Nested(Draw, required=True)),
    "action": _event("action", "A seat decided.", action=fields.Nested(Action, required=True)),
    "call_failed": _event(
        "call_failed",
        "The endpoint that plays a seat made no decision.",
        reason=choice(CALL_FAILURE, FAILURES_TOLD),
        rule=text("The rules' reason, where its answer was illegal.", allow_none=True),
        retry_at=when("When it is asked again; null: never.", allow_none=True),
        then=choice(STAND_IN, "What the last failure brings; null: it is asked again.", allow_none=True),
    ),
    "resignation": _event("resignation", "A seat gave up."),
    "timeout": _event("timeout", "A seat ran out of time.", then=choice(STAND_IN, "What that brings.")),
    "abort": _event("abort", "The host or the operator ended the game."),
    "offer": _event(
        "offer",
        "A seat offered something.",
        offer_kind=choice(OFFER_KIND, "What."),
        to=counter("As in the view.", 1, allow_none=True),
        across_draw=flag("As in the view."),
        seconds=whole("As in the view.", 1, allow_none=True),
    ),
    "answer": _event(
        "answer",
        "A seat answered an offer, or withdrew its own.",
        offer=counter("The offer's id.", 1),
        accept=flag("Whether it agreed."),
    ),
    "takeback": _event(
        "takeback",
        "The position of an earlier revision came back.",
        to=counter("Which.", 1),
        across_draw=flag("Whether a draw was undone."),
    ),
    "pause": _event("pause", "The game and its clock stand still.", until=when("When they go on by themselves.")),
    "resume": _event("resume", "The game goes on; seat null: the pause was over."),
    "imported": _event(
        "imported", "The game up to here was read from a record.", source=text("Id of the game it is of.")
    ),
    "rematch": _event("rematch", "Another game follows.", game_id=text("Its id.")),
}
Event = tagged("Event", "kind", EVENTS, "An entry of the log.")
StreamItem = tagged("StreamItem", "kind", {"snapshot": Snapshot, **EVENTS}, "An item of the stream.")


class Decided(Schema):
    """What a decision did, or would do."""

    events = fields.List(fields.Nested(Event), required=True, metadata={"description": "In order, draws included."})
    game = fields.Nested(Game, required=True, metadata={"description": "The view after them."})


class History(Schema):
    """A page of the log."""

    revision = counter("The game's present one.", 1)
    events = fields.List(fields.Nested(Event), required=True)
