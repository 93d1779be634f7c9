"""The log: what each kind of event does to a game, and how commands become events.

An event is a dict with `revision`, `kind`, `at` and its own members. Folding is all there is to reading a log;
a Ledger folds as it writes, so a command sees what the events before it have made of the game, and draws that
follow a decision stand in the same ledger, to be committed together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from service.games.chance import generator_of_draw
from service.games.errors import GameError
from service.games.model import ABORTED, FINISHED, OPEN, PLAYING, Game
from service.levels import FALLBACK
from service.rulesets.ruleset import IllegalAction, Json, Position

# ----------------------------------------------------------------------------------------------- folding


def _created(game: Game, _: Json) -> Game:
    return game


def _join(game: Game, event: Json) -> Game:
    return game.with_seat(event["seat"], kind="player", name=event["name"])


def _start(game: Game, event: Json) -> Game:
    for filled in event["filled"]:
        game = game.with_seat(filled["seat"], kind="ai", level=filled["level"])
    position = game.ruleset.start(game.meta.variant, len(game.seats), game.meta.first_seat)
    return replace(game, status=PLAYING, position=position)


def _draw(game: Game, event: Json) -> Game:
    return _moved(game, _position(game).deal(game.ruleset.read_draw(event["draw"])))


def _action(game: Game, event: Json) -> Game:
    acted = tuple(done or seat == event["seat"] for seat, done in enumerate(game.acted))
    moved = _moved(game, _position(game).play(game.ruleset.encode(event["action"])))
    return replace(moved, acted=acted)


def _resignation(game: Game, event: Json) -> Game:
    game = game.with_seat(event["seat"], resigned=True)
    left = sum(not seat.resigned for seat in game.seats)
    return replace(game, status=FINISHED) if left == 1 else game


def _abort(game: Game, _: Json) -> Game:
    return replace(game, status=ABORTED)


FOLDS: dict[str, Callable[[Game, Json], Game]] = {
    "created": _created,
    "join": _join,
    "start": _start,
    "draw": _draw,
    "action": _action,
    "resignation": _resignation,
    "abort": _abort,
}


def _position(game: Game) -> Position:
    if game.position is None:
        raise ValueError("the log plays before the game has started")
    return game.position


def _moved(game: Game, position: Position) -> Game:
    return replace(game, position=position, status=FINISHED if position.status == "over" else game.status)


def fold(game: Game, event: Json) -> Game:
    """The game after the event."""
    folded = FOLDS[event["kind"]](game, event)
    return replace(folded, revision=event["revision"], updated_at=event["at"])


def fold_all(game: Game, events: Iterable[Json]) -> Game:
    """The game after all of them."""
    for event in events:
        game = fold(game, event)
    return game


# ----------------------------------------------------------------------------------------------- writing


class Ledger:
    """A game and the events that are to be appended to its log, written by commands at one time `now` (RFC 3339)."""

    def __init__(self, game: Game, now: str) -> None:
        self.before = game
        self.game = game
        self.now = now
        self.events: list[Json] = []

    def add(self, kind: str, **members: Any) -> None:
        """Append an event and fold it."""
        event = {"revision": self.game.revision + 1, "kind": kind, "at": self.now, **members}
        self.game = fold(self.game, event)
        self.events.append(event)

    def create(self) -> None:
        """The first event of every log; the game starts at once where no seat is open."""
        self.add("created")
        self._start_if_full()

    def join(self, seat: int, name: str | None) -> None:
        """Someone takes an open seat; the game starts when none is left."""
        if self.game.status != OPEN:
            raise GameError("game/already_started")
        if self.game.seats[seat].kind != "open":
            raise GameError("game/seat_taken")
        self.add("join", seat=seat, name=name)
        self._start_if_full()

    def _start_if_full(self) -> None:
        if all(seat.kind != "open" for seat in self.game.seats):
            self.start()

    def start(self) -> None:
        """The game starts; AIs of the fallback level fill the seats that are still open."""
        if self.game.status != OPEN:
            raise GameError("game/already_started")
        empty = [number for number, seat in enumerate(self.game.seats) if seat.kind == "open"]
        self.add("start", filled=[{"seat": seat, "level": FALLBACK} for seat in empty])
        self.draw()

    def draw(self) -> None:
        """All draws that are due now, each an event with what it brought."""
        while self.game.status == PLAYING and (position := _position(self.game)).status == "drawing":
            rng = generator_of_draw(bytes.fromhex(self.game.meta.seed), self.game.revision + 1)
            drawn = position.sample(rng)
            named = self.game.ruleset.name_draw(position.record(), drawn)
            self.add("draw", draw=named, effects=position.effects_of_draw(drawn))

    def act(self, seat: int, action: int, *, draw: bool = True) -> None:
        """A decision of a seat, and the draws that follow (unless it is only tried)."""
        self._must_play()
        if self.game.to_decide != seat:
            raise GameError("game/not_your_turn", to_decide=self.game.to_decide)
        try:
            effects = _position(self.game).effects(action)
        except IllegalAction as illegal:
            raise GameError("game/illegal_action", reason=illegal.reason) from None
        self.add("action", seat=seat, action=self.game.ruleset.decode(action), effects=effects)
        if draw:
            self.draw()

    def resign(self, seat: int) -> None:
        """A seat gives up. With one seat left the game ends; else an AI plays on for it, and it ranks last."""
        self._must_play()
        if self.game.seats[seat].resigned:
            raise GameError("game/resigned")
        self.add("resignation", seat=seat)

    def abort(self) -> None:
        """The game ends without an outcome: while nobody else would lose by it."""
        if self.game.is_over:
            raise GameError("game/over")
        people = [seat for seat, held in enumerate(self.game.seats) if held.kind == "player"]
        if len(people) > 1 and all(self.game.acted[seat] for seat in people):
            raise GameError("game/too_late_to_abort")
        self.add("abort")

    def _must_play(self) -> None:
        if self.game.status == OPEN:
            raise GameError("game/not_started")
        if self.game.is_over:
            raise GameError("game/over")
