"""Reading a log: event by event, what it has made of the game.

What an event of a kind does stands with the kind, in `events`; here is what all of them do, to the clock above all.
Whoever has the position that an event leads to at hand passes it on: to compute it once more, or to read it out of a
takeback, takes longer than all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from service.games.events import Event, ResumeEvent, TakebackEvent
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.rulesets.ruleset import Position


def _timed(game: Game, event: Event) -> Game:
    """The clock after an event that has left this game."""
    clock, rule = game.clock, game.meta.clock
    if clock is None or rule is None:
        return game
    at = unix_ms(event.at)
    if game.is_paused:
        return replace(game, clock=clock.stopped(at))
    seat = game.person_to_decide
    if seat == clock.seat and not event.new_turn:
        goes_on = isinstance(event, ResumeEvent) and seat is not None
        return replace(game, clock=clock.resumed(at)) if goes_on else game
    clock = clock.ended(at, rule)
    return replace(game, clock=clock if seat is None else clock.begun(seat, at))


def fold(game: Game, event: Event, after: Position | None = None) -> Game:
    """The game after the event, which leads to the position `after`."""
    waits_anew = event.waits_anew or (event.new_person and getattr(event, "seat", None) == game.to_decide)
    waiting_since = event.at if waits_anew else game.waiting_since
    folded = event.apply(game, after)
    return _timed(replace(folded, revision=event.revision, updated_at=event.at, waiting_since=waiting_since), event)


def steps(game: Game, events: Iterable[Event]) -> Iterator[tuple[Event, Game]]:
    """Each event, with the game after it."""
    seen: dict[int, Position] = {}  # by revision, so that a takeback need not be read
    for event in events:
        back = event.to if isinstance(event, TakebackEvent) else game.revision + 1
        game = fold(game, event, seen.get(back))
        if game.position is not None:
            seen[game.revision] = seen[back] = game.position
        yield event, game


def fold_all(game: Game, events: Iterable[Event]) -> Game:
    """The game after all of them."""
    for _, after in steps(game, events):
        game = after
    return game
