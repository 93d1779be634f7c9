"""A game as a record: one self-contained JSON text that anybody can keep, replay and check; and the way back.

A record is what was agreed at the beginning, and the log. Reading one plays it again from its beginning by the present
rules: every event must be possible where it stands, and the first that is not is told by its number. What an event
says of itself that follows from the rules (its effects, its sentence) is not believed but left out, and the rest is
kept in our own words, not in the record's: what was imported is exported, and imported again, to the same.

Whoever writes a record could have chosen its seed to their liking, so a game that comes out of one is never `fair`. But
where the seed is told, its draws must be the ones that the seed brings.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from service.games.errors import GameError
from service.games.events import KINDS, CreatedEvent, Event
from service.games.events.entry import Entry, ImpossibleError, must
from service.games.log import fold
from service.games.state.model import Game, Meta
from service.games.state.moments import unix_ms
from service.games.state.statuses import PLAYING
from service.games.state.takebacks import Line
from service.games.view import outcome
from service.rulesets.ruleset import IllegalActionError, IllegalDrawError, Json, Position
from service.rulesets.wire import InconsistentStateError

FORMAT = "azul-games/1"


def export_game(game: Game, events: list[Json]) -> Json:
    """The export of a game with its whole log."""
    meta = game.meta
    return {
        "format": FORMAT,
        "id": meta.id,
        "ruleset": meta.ruleset,
        "ruleset_version": meta.ruleset_version,
        "variant": meta.variant,
        "seats": [{"kind": seat.kind, "name": seat.name, "level": seat.level} for seat in meta.seats],
        "first_seat": meta.first_seat,
        "position": meta.position,
        "clock": None if meta.clock is None else asdict(meta.clock),
        "created_at": meta.created_at,
        "status": game.status,
        "fair": game.fair,
        "outcome": outcome(game),
        "seed_commitment": meta.seed_commitment,
        "seed": meta.seed if game.is_over else None,
        "seed_from": meta.seed_from,
        "events": events,
    }


@dataclass(frozen=True)
class Replayed:
    """A record that was played again: the game, its log as it is kept, and the game at the revisions to be kept."""

    game: Game
    events: list[Event]
    checkpoints: list[Game]


def replay_game(meta: Meta, events: list[Json], seed: bytes | None, latest_ms: int | None = None) -> Replayed:
    """Play a log again from the beginning. record/illegal_event with the number of the first that cannot be.

    `seed`: what the draws after `meta.seed_from` must come from; None: they need only be possible. `latest_ms`: when
    the last event can have been, if that is known.
    """
    game, kept = Game.new(meta), list[Event]()
    past, line = {0: game}, Line()
    for number, given in enumerate(events, 1):
        try:
            event, after = _checked(Entry(given, game, past, line, seed, latest_ms))
            game = fold(game, event, after)
        except (ImpossibleError, InconsistentStateError, IllegalActionError, IllegalDrawError) as error:
            raise GameError("record/illegal_event", _why(error), event=number) from None
        past[number] = game
        kept.append(event)
        event.extend(line)
    return Replayed(game, kept, [then for then in past.values() if then.is_checkpoint])


def _why(error: Exception) -> str:
    if isinstance(error, IllegalActionError):
        return f"The action is illegal: {error.reason}."
    if isinstance(error, InconsistentStateError):
        return "; ".join(f"{pointer or '/'}: {text}" for pointer, text in error.errors.items())
    return str(error)


def _checked(entry: Entry) -> tuple[Event, Position | None]:
    """The event as it is kept, after all that its fold takes for granted has been looked at; and where it leads."""
    game, kind, number = entry.game, entry.given.get("kind"), entry.game.revision + 1
    must(isinstance(kind, str) and kind in KINDS, "The kind of the event is unknown.")
    event = KINDS[str(kind)]
    must(entry.given.get("revision") == number, f"The revision must be {number}.")
    must((event is CreatedEvent) == (number == 1), "The kind created must be that of the first event, and of no other.")
    at = entry.moment("at")
    must(at >= unix_ms(game.updated_at), "The time must not be earlier than that of the previous event.")
    must(entry.latest_ms is None or at <= entry.latest_ms, "The time must not be in the future.")
    must(game.status == PLAYING or not event.while_playing, "The game must be running.")
    return event.check(entry)
