"""Apply the events of a log to a game.

Each kind of event defines its own effect in `events`. This module adds the effects common to all kinds, above all on
the clock. Callers that know the position after an event pass it, because computing it is the most expensive step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from service.games.events import Event, ResumeEvent, TakebackEvent
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.rulesets.ruleset import Position


def _update_clock(game: Game, event: Event) -> Game:
    """Return the game with the clock after the event, which is already applied otherwise."""
    clock, rule = game.clock, game.meta.clock
    if clock is None or rule is None:
        return game
    at = unix_ms(event.at)
    if game.is_paused:
        return replace(game, clock=clock.stop_turn(at))
    seat = game.timed_seat
    if seat == clock.seat and not event.new_turn:
        continues = isinstance(event, ResumeEvent) and seat is not None
        return replace(game, clock=clock.continue_turn(at)) if continues else game
    clock = clock.end_turn(at, rule)
    return replace(game, clock=clock if seat is None else clock.begin_turn(seat, at))


def fold(game: Game, event: Event, after: Position | None = None) -> Game:
    """Return the game after the event. `after`: the new position, if already known."""
    restarts_waiting = event.restarts_waiting or (event.new_person and getattr(event, "seat", None) == game.to_decide)
    waiting_since = event.at if restarts_waiting else game.waiting_since
    changed = event.apply(game, after)
    changed = replace(changed, revision=event.revision, updated_at=event.at, waiting_since=waiting_since)
    return _update_clock(changed, event)


def steps(game: Game, events: Iterable[Event]) -> Iterator[tuple[Event, Game]]:
    """Yield each event with the game after it."""
    seen: dict[int, Position] = {}  # by revision; restoring a seen position is faster than loading it
    for event in events:
        target = event.to if isinstance(event, TakebackEvent) else game.revision + 1
        game = fold(game, event, seen.get(target))
        if game.position is not None:
            seen[game.revision] = seen[target] = game.position
        yield event, game
