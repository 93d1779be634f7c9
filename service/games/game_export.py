"""Export a game as a record in JSON, and replay records for import.

A record contains the settings of the game and its log. An import replays the log by the current rules and refuses it at
the first impossible event. Members that follow from the rules, such as effects and sentences, are recomputed. The other
members are normalized, so that exporting an imported game and importing it again does not change it.

The author of a record could have chosen the seed, so imported games are never `fair`. If the record contains the seed,
the draws must follow from it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from service.games.errors import GameError
from service.games.events import KINDS, CreatedEvent, Event
from service.games.events.entry import Entry, ImpossibleError, require
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
    """Return the record of a game. `events`: its whole log."""
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
    """The result of replaying a record: the game, its normalized log, and the game at its checkpoints."""

    game: Game
    events: list[Event]
    checkpoints: list[Game]


def replay_game(meta: Meta, events: list[Json], seed: bytes | None, latest_ms: int | None = None) -> Replayed:
    """Replay a log from the beginning.

    `seed`: the source of the draws after `meta.seed_from`; if None, draws only have to be possible. `latest_ms`: the
    latest possible time of an event, if known. Raise GameError `record/illegal_event` at the first impossible event.
    """
    game, log = Game.new(meta), list[Event]()
    past, line = {0: game}, Line()
    for number, members in enumerate(events, 1):
        try:
            event, after = _check_entry(Entry(members, game, past, line, seed, latest_ms))
            game = fold(game, event, after)
        except (ImpossibleError, InconsistentStateError, IllegalActionError, IllegalDrawError) as error:
            raise GameError("record/illegal_event", _describe(error), event=number) from None
        past[number] = game
        log.append(event)
        event.extend(line)
    return Replayed(game, log, [earlier for earlier in past.values() if earlier.is_checkpoint])


def _describe(error: Exception) -> str:
    if isinstance(error, IllegalActionError):
        return f"The action is illegal: {error.reason}."
    if isinstance(error, InconsistentStateError):
        return "; ".join(f"{pointer or '/'}: {text}" for pointer, text in error.errors.items())
    return str(error)


def _check_entry(entry: Entry) -> tuple[Event, Position | None]:
    """Return the normalized event and the position after it. Raise ImpossibleError if `fold` could not apply it."""
    game, kind, number = entry.game, entry.members.get("kind"), entry.game.revision + 1
    require(isinstance(kind, str) and kind in KINDS, "The kind of the event is unknown.")
    event = KINDS[str(kind)]
    require(entry.members.get("revision") == number, f"The revision must be {number}.")
    require(
        (event is CreatedEvent) == (number == 1), "The kind created must be that of the first event, and of no other."
    )
    at = entry.moment("at")
    require(at >= unix_ms(game.updated_at), "The time must not be earlier than that of the previous event.")
    require(entry.latest_ms is None or at <= entry.latest_ms, "The time must not be in the future.")
    require(game.status == PLAYING or not event.while_playing, "The game must be running.")
    return event.check(entry)
