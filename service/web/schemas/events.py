"""The log as it is answered: an event of each kind, and the items of the stream."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from types import NoneType
from typing import Any, get_args, get_type_hints

from marshmallow import fields, validate

from service.games.events import KINDS, Filled, event
from service.web.api import Schema
from service.web.schemas.fields import choice, counter, flag, seat_number, text, when, whole
from service.web.schemas.games import Game
from service.web.schemas.names import CALL_FAILURE, OFFER_KIND, STAND_IN
from service.web.schemas.unions import Action, Draw, Effect, tagged

FIELDS: Mapping[Any, Callable[..., fields.Field[Any]]] = {
    str: text,
    bool: flag,
    event.Moment: when,
    event.Revision: partial(counter, least=1),
    event.Seconds: partial(whole, least=1),
    event.SeatNumber: seat_number,
    event.Consequence: partial(choice, STAND_IN),
    event.Failure: partial(choice, CALL_FAILURE),
    event.OfferKind: partial(choice, OFFER_KIND),
    event.Action: lambda _: fields.Nested(Action, required=True),
    event.Draw: lambda _: fields.Nested(Draw, required=True),
    tuple[Filled, ...]: lambda _: fields.List(fields.Nested(_schema(Filled, {})), required=True),
}
"""By the types that members of events have."""


def _schema(declared: type, common: Mapping[str, Any]) -> type[Schema]:
    """The schema of a dataclass: members that others have in common with it, and those that it describes."""
    types = get_type_hints(declared, include_extras=True)
    own = {
        member.name: _field(types[member.name], member.metadata["description"])
        for member in dataclasses.fields(declared)
        if "description" in member.metadata
    }
    name = declared.__name__
    return type(name, (Schema,), {**common, **own, "component": name, "__doc__": declared.__doc__})


def _field(declared: Any, description: str) -> fields.Field[Any]:
    """The field of a member of this type."""
    if NoneType not in get_args(declared):
        return FIELDS[declared](description)
    (present,) = set(get_args(declared)) - {NoneType}
    return FIELDS[present](description, allow_none=True)


def _event(kind: type[event.Event]) -> type[Schema]:
    """An event of a kind: the members all events have, and its own."""
    common: dict[str, Any] = {
        "kind": fields.String(required=True, validate=validate.OneOf([kind.kind]), metadata={"enum": [kind.kind]}),
        "revision": counter("The revision it made.", 1),
        "seat": seat_number("The seat that the event is of; null where it is of none.", allow_none=True),
        "action": fields.Nested(Action, required=True, allow_none=True),
        "draw": fields.Nested(Draw, required=True, allow_none=True),
        "effects": fields.List(
            fields.Nested(Effect), required=True, metadata={"description": "The effects, in order."}
        ),
        "notation": text(
            "The action or the draw as a short text; null of other events, and of those by older rules.",
            allow_none=True,
        ),
        "text": text("The sentence for people."),
        "at": when("When it happened."),
        "game": fields.Nested(Game, metadata={"description": "The view it left; on the stream only."}),
    }
    return _schema(kind, common)


class Snapshot(Schema):
    """The game as it stands, first on a stream."""

    kind = fields.String(required=True, validate=validate.OneOf(["snapshot"]), metadata={"enum": ["snapshot"]})
    revision = counter("The game's revision.", 1)
    game = fields.Nested(Game, required=True)


EVENTS = {name: _event(kind) for name, kind in KINDS.items()}
Event = tagged("Event", "kind", EVENTS, "An entry of the log.")
StreamItem = tagged("StreamItem", "kind", {"snapshot": Snapshot, **EVENTS}, "An item of the stream.")


class Decided(Schema):
    """What a decision did, or would do."""

    events = fields.List(
        fields.Nested(Event), required=True, metadata={"description": "The events, in order, draws included."}
    )
    game = fields.Nested(Game, required=True, metadata={"description": "The view after them."})


class History(Schema):
    """A page of the log."""

    revision = counter("The game's present one.", 1)
    events = fields.List(fields.Nested(Event), required=True)
