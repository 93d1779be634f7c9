"""Events that change the position: draws, actions and takebacks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from service.games.chance import generator_of_draw
from service.games.events.entry import Entry, ImpossibleError, require
from service.games.events.event import Action, After, Draw, Event, Named, Revision, api_description
from service.games.state.model import Game, position_of
from service.games.state.takebacks import Line, Target
from service.rulesets.ruleset import Json


@dataclass(frozen=True)
class DrawEvent(Event):
    """A random draw."""

    kind: ClassVar = "draw"
    while_playing: ClassVar = True
    restarts_waiting: ClassVar = True
    new_turn: ClassVar = True
    notifies_again: ClassVar = True

    draw: Draw = field(metadata=api_description())
    effects: list[Named] = field(default_factory=list)

    def apply(self, game: Game, after: After = None) -> Game:
        """Apply the draw to the position."""
        return game.with_position(after or position_of(game).resolve_draw(game.ruleset.wire.read_draw(self.draw)))

    def extend(self, line: Line) -> None:
        """Add a step without a seat."""
        line.step(self.revision, None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the draw is possible, and that it follows from the seed, if known."""
        game, position = entry.game, position_of(entry.game)
        require(position.status == "drawing", "No draw is due.")
        drawn = game.ruleset.wire.read_draw(entry.json_object("draw"))
        effects, after = position.step_draw(drawn)
        if entry.seed is not None and game.revision >= game.meta.seed_from:
            expected = position.sample(generator_of_draw(entry.seed, game.revision + 1))
            require(tuple(drawn) == tuple(expected), "The draw does not match the seed.")
        named = game.ruleset.wire.name_draw(position.table_state(), drawn)
        return cls(*entry.head, draw=named, effects=effects), after


@dataclass(frozen=True)
class ActionEvent(Event):
    """A seat acted."""

    kind: ClassVar = "action"
    while_playing: ClassVar = True
    restarts_waiting: ClassVar = True

    seat: int
    action: Action = field(metadata=api_description())
    effects: list[Named] = field(default_factory=list)

    def apply(self, game: Game, after: After = None) -> Game:
        """Apply the action and reset the failures of the seat's endpoint."""
        acted = tuple(done or seat == self.seat for seat, done in enumerate(game.acted))
        moved = game.with_position(after or position_of(game).play(game.ruleset.wire.encode(self.action)), acted=acted)
        if game.seats[self.seat].is_called:
            return moved.with_seat(self.seat, failures=0, failure=None, rule=None, retry_at=None)
        return moved

    def extend(self, line: Line) -> None:
        """Add a step of the seat."""
        line.step(self.revision, self.seat)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that it is the seat's turn and the action is legal."""
        seat, game = entry.seat(), entry.game
        require(game.to_decide == seat and not game.is_paused, "It is not this seat's turn.")
        action = game.ruleset.wire.encode(entry.json_object("action"))
        effects, after = position_of(game).step(action)
        return cls(*entry.head, seat=seat, action=game.ruleset.wire.decode(action), effects=effects), after


@dataclass(frozen=True)
class TakebackEvent(Event):
    """A takeback restored an earlier position."""

    kind: ClassVar = "takeback"
    while_playing: ClassVar = True
    restarts_waiting: ClassVar = True
    new_turn: ClassVar = True
    notifies_again: ClassVar = True

    seat: int
    to: Revision = field(metadata=api_description("Restored revision."))
    across_draw: bool = field(metadata=api_description("Whether a draw was undone."))
    position: Json  # in wire form

    def apply(self, game: Game, after: After = None) -> Game:
        """Restore the position. The game is no longer fair if a draw was undone."""
        position = after or game.ruleset.read(self.position)
        return replace(game.without_offers(), position=position, fair=game.fair and not self.across_draw)

    def extend(self, line: Line) -> None:
        """Remove the undone steps."""
        line.truncate(self.to)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Check that the takeback undoes the seat's last turn."""
        seat = entry.seat()
        to, across_draw = takeback_target(entry, seat)
        after = position_of(entry.past[to])
        view = entry.game.ruleset.view(after)
        return cls(*entry.head, seat=seat, to=to, across_draw=across_draw, position=view), after


def takeback_target(entry: Entry, seat: int) -> Target:
    """Return the target of the seat's takeback."""
    goal = entry.line.target(seat)
    if goal is None or entry.members.get("to") != goal.revision:
        raise ImpossibleError("The last turn of the seat started at another revision.")
    return goal
