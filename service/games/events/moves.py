"""What changes the position: a draw, an action, a takeback."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from service.games.chance import generator_of_draw
from service.games.events.entry import Entry, ImpossibleError, must
from service.games.events.event import Action, After, Draw, Event, Named, Revision, described
from service.games.model import Game, position_of
from service.games.takebacks import Line, Target
from service.rulesets.ruleset import Json


@dataclass(frozen=True)
class DrawEvent(Event):
    """Chance decided."""

    kind: ClassVar = "draw"
    while_playing: ClassVar = True
    waits_anew: ClassVar = True
    new_turn: ClassVar = True
    notifies_again: ClassVar = True

    draw: Draw = field(metadata=described())
    effects: list[Named] = field(default_factory=list)

    def apply(self, game: Game, after: After = None) -> Game:
        """What was drawn lies on the table."""
        return game.moved(after or position_of(game).resolve_draw(game.ruleset.wire.read_draw(self.draw)))

    def extend(self, line: Line) -> None:
        """A step that is nobody's."""
        line.step(self.revision, None)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """Chance can bring it, and the seed does, where that is known."""
        game, position = entry.game, position_of(entry.game)
        must(position.status == "drawing", "nothing is drawn here")
        drawn = game.ruleset.wire.read_draw(entry.named("draw"))
        effects, after = position.step_draw(drawn)
        if entry.seed is not None and game.revision >= game.meta.seed_from:
            expected = position.sample(generator_of_draw(entry.seed, game.revision + 1))
            must(tuple(drawn) == tuple(expected), "the seed brings another draw")
        named = game.ruleset.wire.name_draw(position.table_state(), drawn)
        return cls(*entry.head, draw=named, effects=effects), after


@dataclass(frozen=True)
class ActionEvent(Event):
    """A seat decided."""

    kind: ClassVar = "action"
    while_playing: ClassVar = True
    waits_anew: ClassVar = True

    seat: int
    action: Action = field(metadata=described())
    effects: list[Named] = field(default_factory=list)

    def apply(self, game: Game, after: After = None) -> Game:
        """It is done; an endpoint that decides has failed no more."""
        acted = tuple(done or seat == self.seat for seat, done in enumerate(game.acted))
        moved = game.moved(after or position_of(game).play(game.ruleset.wire.encode(self.action)), acted=acted)
        if game.seats[self.seat].is_called:
            return moved.with_seat(self.seat, failures=0, failure=None, rule=None, retry_at=None)
        return moved

    def extend(self, line: Line) -> None:
        """A step of the seat."""
        line.step(self.revision, self.seat)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """It is the seat's turn, and the rules allow it."""
        seat, game = entry.seat(), entry.game
        must(game.to_decide == seat and not game.is_paused, "it is not the seat's turn")
        action = game.ruleset.wire.encode(entry.named("action"))
        effects, after = position_of(game).step(action)
        return cls(*entry.head, seat=seat, action=game.ruleset.wire.decode(action), effects=effects), after


@dataclass(frozen=True)
class TakebackEvent(Event):
    """The position of an earlier revision came back."""

    kind: ClassVar = "takeback"
    while_playing: ClassVar = True
    waits_anew: ClassVar = True
    new_turn: ClassVar = True
    notifies_again: ClassVar = True

    seat: int
    to: Revision = field(metadata=described("The revision whose position comes back."))
    across_draw: bool = field(metadata=described("Whether a draw was undone."))
    position: Json  # in wire form

    def apply(self, game: Game, after: After = None) -> Game:
        """The position is another; once a draw is undone, somebody knows what was drawn."""
        position = after or game.ruleset.read(self.position)
        return replace(game.unsettled(), position=position, fair=game.fair and not self.across_draw)

    def extend(self, line: Line) -> None:
        """The steps since then are none of the present position."""
        line.cut(self.to)

    @classmethod
    def check(cls, entry: Entry) -> tuple[Self, After]:
        """It leads to before the seat's last turn."""
        seat = entry.seat()
        to, across_draw = back(entry, seat)
        after = position_of(entry.past[to])
        view = entry.game.ruleset.view(after)
        return cls(*entry.head, seat=seat, to=to, across_draw=across_draw, position=view), after


def back(entry: Entry, seat: int) -> Target:
    """Where a takeback of the seat leads, if this is one."""
    goal = entry.line.target(seat)
    if goal is None or entry.given.get("to") != goal.revision:
        raise ImpossibleError("the seat's last turn began at another revision")
    return goal
