"""Schemas of the log: one per kind of event, and the items of the stream."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from types import NoneType
from typing import Any, get_args, get_type_hints

from marshmallow import fields

from service.games.events import KINDS, Filled, event
from service.web.api import Schema
from service.web.schemas.base.fields import (
    array,
    choice,
    constant,
    counter,
    flag,
    instant,
    integer,
    nest,
    seat_number,
    text,
)
from service.web.schemas.base.names import ADJUDICATED_RESULT, CALL_FAILURE, LEAVING, OFFER_KIND, STAND_IN
from service.web.schemas.base.unions import Action, Draw, Effect, tagged_union
from service.web.schemas.games.games import Game

FIELDS: Mapping[Any, Callable[..., fields.Field[Any]]] = {
    str: text,
    bool: flag,
    event.Moment: instant,
    event.Revision: partial(counter, least=1),
    event.Seconds: partial(integer, least=1),
    event.SeatNumber: seat_number,
    event.Consequence: partial(choice, STAND_IN),
    event.Failure: partial(choice, CALL_FAILURE),
    event.Cause: partial(choice, LEAVING),
    event.OfferKind: partial(choice, OFFER_KIND),
    event.Result: partial(choice, ADJUDICATED_RESULT),
    event.Action: lambda _: nest(Action),
    event.Draw: lambda _: nest(Draw),
    tuple[Filled, ...]: lambda _: array(_schema(Filled, {})),
}
"""Field factories by the type of the event's member."""


def _schema(declared: type, common: Mapping[str, Any]) -> type[Schema]:
    """Return the schema of a dataclass: the common members, and its own members that have a description."""
    types = get_type_hints(declared, include_extras=True)
    own = {
        member.name: _field(types[member.name], member.metadata["description"])
        for member in dataclasses.fields(declared)
        if "description" in member.metadata
    }
    name = declared.__name__
    return type(name, (Schema,), {**common, **own, "component": name, "__doc__": declared.__doc__})


def _field(declared: Any, description: str) -> fields.Field[Any]:
    """Return the field for a member of this type."""
    if NoneType not in get_args(declared):
        return FIELDS[declared](description)
    (present,) = set(get_args(declared)) - {NoneType}
    return FIELDS[present](description, allow_none=True)


def _event(kind: type[event.Event]) -> type[Schema]:
    """Return the schema of a kind of event: the common members and its own."""
    common: dict[str, Any] = {
        "kind": constant(kind.kind),
        "revision": counter("", 1),
        "seat": seat_number(allow_none=True),
        "action": nest(Action, allow_none=True),
        "draw": nest(Draw, allow_none=True),
        "effects": array(Effect),
        "notation": text("Notation of the action or draw, or null.", allow_none=True),
        "text": text(),
        "at": instant(),
        "game": nest(Game, "Only on streams.", required=False),
    }
    return _schema(kind, common)


class Snapshot(Schema):
    """The current game, first on a stream."""

    kind = constant("snapshot")
    revision = counter("", 1)
    game = nest(Game)


EVENTS = {name: _event(kind) for name, kind in KINDS.items()}
Event = tagged_union("Event", "kind", EVENTS, "An entry of a game's log, which creates `revision`.")
StreamItem = tagged_union("StreamItem", "kind", {"snapshot": Snapshot, **EVENTS}, "An item of a game's stream.")


class Decided(Schema):
    """Result of a decision or its preview."""

    events = array(Event, "The events in order, including draws.")
    game = nest(Game, "The game after the events.")


class History(Schema):
    """A page of a game's log."""

    revision = counter("Current revision of the game.", 1)
    events = array(Event)
