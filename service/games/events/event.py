"""The base class of events and the types of their members.

Each kind of event is a dataclass with its members, its effect on a game, and the checks for imported records. An event
contains everything that `apply` needs (a takeback contains the restored position), so any part of a log can be applied
to the game where it begins. Members are stored in the order of their declaration. The API schemas are generated from
the members with `api_description` and from their types.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from service.games.events.entry import Entry
from service.games.state.clocks import ON_TIMEOUT
from service.games.state.endpoints import FAILURES
from service.games.state.model import Game, plain
from service.games.state.moments import unix_ms
from service.games.state.offers import OFFERS
from service.games.state.seats import OUT
from service.games.state.statuses import RESULTS
from service.games.state.takebacks import Line
from service.rulesets.ruleset import Json, Position

Named = dict[str, Any]
"""An action, a draw or an effect, as JSON of its ruleset."""
Action = Annotated[Named, "action"]
Draw = Annotated[Named, "draw"]
Moment = Annotated[str, "RFC 3339"]
Revision = Annotated[int, "of the game"]
Seconds = Annotated[int, "seconds"]
SeatNumber = Annotated[int, "counted from 0"]
Consequence = Annotated[str, ON_TIMEOUT]
Failure = Annotated[str, FAILURES]
Cause = Annotated[str, OUT]
OfferKind = Annotated[str, OFFERS]
Result = Annotated[str, RESULTS]
COMMON_FIELDS = 2  # members: revision and moment
After = Position | None
"""The position after an event, if already known. Recomputing it is the most expensive step."""


def api_description(description: str = "") -> dict[str, str]:
    """Return the metadata that makes the API show a member."""
    return {"description": description}


@dataclass(frozen=True)
class Event:
    """An entry of the log. It creates `revision`."""

    kind: ClassVar[str]
    while_playing: ClassVar[bool] = False  # possible only while the game is being played
    restarts_waiting: ClassVar[bool] = False  # the waiting time of a person restarts
    new_person: ClassVar[bool] = False  # likewise, if the new person has to decide
    new_turn: ClassVar[bool] = False  # a new turn starts, even if the same seat decides
    notifies_again: ClassVar[bool] = False  # players who were already notified are notified again

    revision: int
    at: Moment

    def apply(self, game: Game, _: After = None) -> Game:
        """Return the game after the event, without the changes common to all events. `after`: the new position."""
        return game

    def extend(self, line: Line) -> None:
        """Add the event to the line of the present position, if it is a step of it."""

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Return the checked event as stored, and the position after it.

        Raises ImpossibleError, or an error of the ruleset for an action or a draw.
        """
        return cls(*entry.head), None

    def to_json(self) -> Json:
        """Serialize for the API."""
        return {"revision": self.revision, "kind": self.kind, "at": self.at, **self.members}

    def to_stored(self) -> Json:
        """Serialize for a log, which implies the revision. `at` is in unix ms."""
        return {"kind": self.kind, "at": unix_ms(self.at), **self.members}

    @cached_property
    def members(self) -> Json:
        """The members that not all events have."""
        return {own.name: plain(getattr(self, own.name)) for own in fields(self)[COMMON_FIELDS:]}

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """Load the result of `to_json`, also of older versions without some members."""
        return cls(**{known.name: json[known.name] for known in fields(cls) if known.name in json})
