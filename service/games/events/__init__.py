"""Events of a game: one dataclass per kind. A log is a sequence of events."""

from __future__ import annotations

from service.games.events.event import Event
from service.games.events.failing import CallFailedEvent, TimeoutEvent
from service.games.events.moves import ActionEvent, DrawEvent, TakebackEvent
from service.games.events.offering import AnswerEvent, OfferEvent, PauseEvent, RematchEvent, ResumeEvent
from service.games.events.seating import (
    AbortEvent,
    AdjudicationEvent,
    CreatedEvent,
    Filled,
    HandOverEvent,
    ImportedEvent,
    JoinEvent,
    ResignationEvent,
    StartEvent,
)
from service.games.state.moments import rfc3339
from service.rulesets.ruleset import Json
from service.stored_json import NewerRecordError, must_be_readable

__all__ = [
    "KINDS",
    "AbortEvent",
    "ActionEvent",
    "AdjudicationEvent",
    "AnswerEvent",
    "CallFailedEvent",
    "CreatedEvent",
    "DrawEvent",
    "Event",
    "Filled",
    "HandOverEvent",
    "ImportedEvent",
    "JoinEvent",
    "OfferEvent",
    "PauseEvent",
    "RematchEvent",
    "ResignationEvent",
    "ResumeEvent",
    "StartEvent",
    "TakebackEvent",
    "TimeoutEvent",
    "read",
]

EVERY: tuple[type[Event], ...] = (
    CreatedEvent,
    JoinEvent,
    HandOverEvent,
    StartEvent,
    DrawEvent,
    ActionEvent,
    CallFailedEvent,
    ResignationEvent,
    TimeoutEvent,
    AbortEvent,
    AdjudicationEvent,
    OfferEvent,
    AnswerEvent,
    TakebackEvent,
    PauseEvent,
    ResumeEvent,
    ImportedEvent,
    RematchEvent,
)
KINDS = {event.kind: event for event in EVERY}


def read(json: Json, revision: int) -> Event:
    """Load the event that made a revision, from the format of `to_stored` or of `to_json` (older logs).

    Raises NewerRecordError.
    """
    must_be_readable(json)
    at = json["at"] if isinstance(json["at"], str) else rfc3339(json["at"])
    if json["kind"] not in KINDS:
        raise NewerRecordError(f"a newer version has written an event of the kind {json['kind']}")
    return KINDS[json["kind"]].from_json({**json, "revision": revision, "at": at})
