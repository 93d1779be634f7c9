"""What all events have in common, and the types of their members.

A kind of event is a dataclass, and all there is to say of it stands there: its members, what it does to a game, and
what must hold where a record tells of one. Everything `apply` needs stands in the event (a takeback bears the position
it brought back), so any part of a log can be folded onto the game it begins at. The order of the members is the order
in which they are stored. The schemas of the API are made of the members (`described` tells which) and of their types.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Self

from service.games.clocks import ON_TIMEOUT
from service.games.endpoints import FAILURES
from service.games.events.entry import Entry
from service.games.model import Game, plain
from service.games.offers import OFFERS
from service.games.takebacks import Line
from service.rulesets.ruleset import Json, Position

Named = dict[str, Any]
"""An action, a draw or an effect, in the words of its ruleset."""
Action = Annotated[Named, "action"]
Draw = Annotated[Named, "draw"]
Moment = Annotated[str, "RFC 3339"]
Revision = Annotated[int, "of the game"]
Seconds = Annotated[int, "seconds"]
SeatNumber = Annotated[int, "counted from 0"]
Consequence = Annotated[str, ON_TIMEOUT]
Failure = Annotated[str, FAILURES]
OfferKind = Annotated[str, OFFERS]
OF_ALL = 2  # members: revision and moment
After = Position | None
"""The position that an event leads to, where it is known already: to compute it again takes longer than all else."""


def described(description: str = "") -> dict[str, str]:
    """What a member of its own, beside those that all events have, is told with by the API."""
    return {"description": description}


@dataclass(frozen=True)
class Event:
    """An entry of the log. It made `revision`."""

    kind: ClassVar[str]
    while_playing: ClassVar[bool] = False  # it happens only in a game that is being played
    waits_anew: ClassVar[bool] = False  # a person is waited for from now
    new_person: ClassVar[bool] = False  # likewise, where it is this person that is waited for
    new_turn: ClassVar[bool] = False  # of whichever seat decides then, the one that decided before included
    notifies_again: ClassVar[bool] = False  # a player who was waited for before is notified again

    revision: int
    at: Moment

    def apply(self, game: Game, _: After = None) -> Game:
        """The game after it, but for what all events change; `after`: the position it leads to."""
        return game

    def extend(self, line: Line) -> None:
        """Put it into the line of the present position, if it is a step of that."""

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """The event as it is kept, after all that `apply` takes for granted has been looked at; and where it leads.

        ImpossibleError, or what the ruleset says of an action or a draw.
        """
        return cls(*entry.head), None

    def to_json(self) -> Json:
        """As it is told."""
        return {"revision": self.revision, "kind": self.kind, "at": self.at, **self.members()}

    def members(self) -> Json:
        """What it has beside what all events have."""
        return {own.name: plain(getattr(self, own.name)) for own in fields(self)[OF_ALL:]}

    @classmethod
    def from_json(cls, json: Json) -> Self:
        """What `to_json` gave; of an older version, which may not have known all members."""
        return cls(**{known.name: json[known.name] for known in fields(cls) if known.name in json})
