"""A game as a record: one self-contained JSON text that anybody can keep, replay and check; and the way back.

A record is what was agreed at the beginning, and the log. Reading one plays it again from its beginning by the present
rules: every event must be possible where it stands, and the first that is not is told by its number. What an event
says of itself that follows from the rules (its effects, its sentence) is not believed but left out, and the rest is
kept in our own words, not in the record's: what was imported is exported, and imported again, to the same.

Whoever writes a record could have chosen its seed to their liking, so a game that comes out of one is never `fair`. But
where the seed is told, its draws must be the ones that the seed brings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from service.games.chance import commitment, generator_of_draw
from service.games.clocks import ON_TIMEOUT
from service.games.endpoints import FAILURES
from service.games.errors import GameError
from service.games.log import fold, position_of
from service.games.model import Game, Meta
from service.games.moments import rfc3339, told_ms, unix_ms
from service.games.offers import LONGEST_PAUSE_S, OFFERS, PAUSE, REMATCH, TAKEBACK
from service.games.seats import AI, AWAY, OPEN_SEAT, PLAYER
from service.games.statuses import OPEN, PLAYING
from service.games.takebacks import Line
from service.games.view import outcome
from service.levels import LEVELS
from service.rulesets.ruleset import IllegalAction, IllegalDraw, Json, Position
from service.rulesets.wire import Inconsistent

FORMAT = "azul-games/1"
WHILE_PLAYING = ("action", "call_failed", "draw", "timeout", "takeback", "pause", "resume")


def written(game: Game, events: list[Json]) -> Json:
    """The record of a game, its whole log as `told` at hand."""
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
        "seed_commitment": commitment(bytes.fromhex(meta.seed)),
        "seed": meta.seed if game.is_over else None,
        "seed_from": meta.seed_from,
        "events": events,
    }


@dataclass(frozen=True)
class Replayed:
    """A record that was played again: the game, its log as it is kept, and the game at the revisions to be kept."""

    game: Game
    events: list[Json]
    checkpoints: list[Game]


def replayed(meta: Meta, events: list[Json], seed: bytes | None, latest_ms: int | None = None) -> Replayed:
    """Play a log again from the beginning. record/illegal_event with the number of the first that cannot be.

    `seed`: what the draws after `meta.seed_from` must come from; None: they need only be possible. `latest_ms`: when
    the last event can have been, if that is known.
    """
    game, kept = Game.new(meta), list[Json]()
    past, line = {0: game}, Line()
    for number, told in enumerate(events, 1):
        try:
            event, after = _checked(Standing(game, past, line, seed, latest_ms), told)
            game = fold(game, event, after)
        except (_ImpossibleError, Inconsistent, IllegalAction, IllegalDraw) as error:
            raise GameError("record/illegal_event", _why(error), event=number) from None
        past[number] = game
        kept.append(event)
        line.add(event)
    return Replayed(game, kept, [then for then in past.values() if then.is_checkpoint])


@dataclass(frozen=True)
class Standing:
    """Where an event is to stand: the game, the games before it by revision, their line; what draws come from."""

    game: Game
    past: Mapping[int, Game]
    line: Line
    seed: bytes | None
    latest_ms: int | None


class _ImpossibleError(Exception):
    """Why an event cannot stand where it does."""


def _why(error: Exception) -> str:
    if isinstance(error, IllegalAction):
        return f"the rules do not allow it: {error.reason}"
    if isinstance(error, Inconsistent):
        return "; ".join(f"{pointer or '/'}: {text}" for pointer, text in error.errors.items())
    return str(error)


def _must(condition: object, why: str) -> None:
    if not condition:
        raise _ImpossibleError(why)


def _checked(standing: Standing, told: Json) -> tuple[Json, Position | None]:
    """The event as it is kept, after all that its fold takes for granted has been looked at; and where it leads."""
    game, kind, number = standing.game, told.get("kind"), standing.game.revision + 1
    _must(isinstance(kind, str) and (kind in CHECKS or kind in MOVES), "there is no such kind of event")
    _must(told.get("revision") == number, f"its revision must be {number}")
    _must((kind == "created") == (number == 1), "the first event, and no other, is of kind created")
    at = _moment(told, "at")
    _must(at >= unix_ms(game.updated_at), "it is earlier than the one before")
    _must(standing.latest_ms is None or at <= standing.latest_ms, "it has not been yet")
    if kind in WHILE_PLAYING:
        _must(game.status == PLAYING, "the game is not being played")
    members, after = MOVES[kind](standing, told) if kind in MOVES else (CHECKS[str(kind)](standing, told), None)
    return {"revision": number, "kind": kind, "at": rfc3339(at), **members}, after


def _moment(told: Json, name: str) -> int:
    try:
        return told_ms(told.get(name))
    except ValueError as error:
        raise _ImpossibleError(f"`{name}`: {error}") from None


def _seat(standing: Standing, told: Json) -> int:
    seat = told.get("seat")
    _must(type(seat) is int and 0 <= seat < len(standing.game.seats), "there is no such seat")
    return int(seat)  # type: ignore[arg-type]


def _name(told: Json) -> str | None:
    name = told.get("name")
    _must(name is None or (isinstance(name, str) and 0 < len(name) <= 40 and name.isprintable()), "its name is none")
    return name


def _object(told: Json, name: str) -> Json:
    found = told.get(name)
    _must(isinstance(found, dict), f"`{name}` is not an object")
    return dict(found or {})


def _created(*_: Any) -> Json:
    return {}


def _join(standing: Standing, told: Json) -> Json:
    seat, game = _seat(standing, told), standing.game
    free = game.seats[seat].kind != AI or game.seats[seat].status == AWAY  # of an AI: of an endpoint that has failed
    _must(not game.is_over and free and not game.seats[seat].is_out, "the seat cannot be taken")
    return {"seat": seat, "name": _name(told), "player": None}


def _hand_over(standing: Standing, told: Json) -> Json:
    seat, game = _seat(standing, told), standing.game
    _must(not game.is_over and game.seats[seat].kind == PLAYER, "nobody has the seat")
    return {"seat": seat, "name": _name(told)}


def _start(standing: Standing, told: Json) -> Json:
    game, filled = standing.game, told.get("filled")
    _must(game.status == OPEN, "the game has started")
    _must(isinstance(filled, list) and all(isinstance(seat, dict) for seat in filled), "`filled` is not a list")
    empty = [number for number, seat in enumerate(game.seats) if seat.kind == OPEN_SEAT]
    _must([seat.get("seat") for seat in filled or []] == empty, "the seats that are filled must be those that are open")
    levels = [seat.get("level") for seat in filled or []]
    _must(all(isinstance(level, str) and level in LEVELS for level in levels), "there is no such level")
    return {"filled": [{"seat": seat, "level": level} for seat, level in zip(empty, levels, strict=True)]}


def _draw(standing: Standing, told: Json) -> tuple[Json, Position]:
    game, position = standing.game, position_of(standing.game)
    _must(position.status == "drawing", "nothing is drawn here")
    drawn = game.ruleset.wire.read_draw(_object(told, "draw"))
    effects, after = position.step_draw(drawn)
    if standing.seed is not None and game.revision >= game.meta.seed_from:
        wanted = position.sample(generator_of_draw(standing.seed, game.revision + 1))
        _must(tuple(drawn) == tuple(wanted), "the seed brings another draw")
    return {"draw": game.ruleset.wire.name_draw(position.record(), drawn), "effects": effects}, after


def _action(standing: Standing, told: Json) -> tuple[Json, Position]:
    seat, game = _seat(standing, told), standing.game
    _must(game.to_decide == seat and not game.is_paused, "it is not the seat's turn")
    action = game.ruleset.wire.encode(_object(told, "action"))
    effects, after = position_of(game).step(action)
    return {"seat": seat, "action": game.ruleset.wire.decode(action), "effects": effects}, after


def _call_failed(standing: Standing, told: Json) -> Json:
    """A record's endpoints are AIs here: nobody tells us where they stand."""
    seat, game, rule = _seat(standing, told), standing.game, told.get("rule")
    _must(game.to_decide == seat and game.seats[seat].kind == AI and not game.is_paused, "the seat is not called")
    _must(told.get("reason") in FAILURES, "there is no such failure")
    _must(told.get("then") in (None, *ON_TIMEOUT), "there is no such consequence")
    _must(rule is None or (isinstance(rule, str) and 0 < len(rule) <= 100), "its rule is none")
    retry_at = None if told.get("retry_at") is None else rfc3339(_moment(told, "retry_at"))
    return {"seat": seat, "reason": told["reason"], "rule": rule, "retry_at": retry_at, "then": told.get("then")}


def _resignation(standing: Standing, told: Json) -> Json:
    seat, game = _seat(standing, told), standing.game
    _must(game.status == PLAYING and not game.seats[seat].is_out, "the seat cannot resign")
    return {"seat": seat}


def _timeout(standing: Standing, told: Json) -> Json:
    seat, game = _seat(standing, told), standing.game
    deadline = game.deadline
    if deadline is None or game.meta.clock is None or game.clock is None or game.clock.seat != seat:
        raise _ImpossibleError("no time of the seat runs")
    _must(_moment(told, "at") >= deadline, "its time is not up")
    return {"seat": seat, "then": game.meta.clock.on_timeout}


def _abort(standing: Standing, _: Json) -> Json:
    _must(not standing.game.is_over, "the game is over")
    return {}


def _offer(standing: Standing, told: Json) -> Json:
    seat, kind, seconds = _seat(standing, told), told.get("offer_kind"), told.get("seconds")
    _must(kind in OFFERS, "there is no such kind of offer")
    _must(standing.game.is_over == (kind == REMATCH), "it cannot be offered now")
    _must((seconds is None) == (kind != PAUSE), "seconds are of a pause, and of it alone")
    _must(seconds is None or (type(seconds) is int and 0 < seconds <= LONGEST_PAUSE_S), "its seconds are none")
    _must(all(offer.seat != seat for offer in standing.game.offers), "the seat has an offer open")
    back = _back(standing, seat, told) if kind == TAKEBACK else {"to": None, "across_draw": False}
    return {"seat": seat, "offer_kind": kind, **back, "seconds": seconds}


def _back(standing: Standing, seat: int, told: Json) -> Json:
    """Where a takeback of the seat leads, if that is what is told."""
    found = standing.line.target(seat)
    if found is None or told.get("to") != found.revision:
        raise _ImpossibleError("the seat's last turn began at another revision")
    return {"to": found.revision, "across_draw": found.across_draw}


def _answer(standing: Standing, told: Json) -> Json:
    seat, accept, game = _seat(standing, told), told.get("accept") is True, standing.game
    offer = next((offer for offer in game.offers if offer.id == told.get("offer")), None)
    if offer is None:
        raise _ImpossibleError("there is no such offer")
    _must(seat in game.awaiting(offer) or (seat == offer.seat and not accept), "the seat is not asked")
    return {"seat": seat, "offer": offer.id, "accept": accept}


def _takeback(standing: Standing, told: Json) -> tuple[Json, Position]:
    seat = _seat(standing, told)
    back = _back(standing, seat, told)
    after = position_of(standing.past[back["to"]])
    return {"seat": seat, **back, "position": standing.game.ruleset.view(after)}, after


def _pause(standing: Standing, told: Json) -> Json:
    until, at = _moment(told, "until"), _moment(told, "at")
    _must(until > at, "it ends before it begins")
    _must(until - at <= 1000 * LONGEST_PAUSE_S, "it is longer than any pause")
    return {"seat": _seat(standing, told), "until": rfc3339(until)}


def _resume(standing: Standing, told: Json) -> Json:
    _must(standing.game.is_paused, "the game is not paused")
    return {"seat": None if told.get("seat") is None else _seat(standing, told)}


def _rematch(standing: Standing, told: Json) -> Json:
    game_id = told.get("game_id")
    _must(standing.game.is_over and isinstance(game_id, str) and len(game_id) <= 64, "there is no rematch here")
    return {"seat": _seat(standing, told), "game_id": game_id}


def _imported(_: Standing, told: Json) -> Json:
    source = told.get("source")
    _must(isinstance(source, str) and len(source) <= 64, "its source is none")
    return {"source": source}


CHECKS: dict[str, Callable[[Standing, Json], Json]] = {
    "created": _created,
    "join": _join,
    "hand_over": _hand_over,
    "start": _start,
    "call_failed": _call_failed,
    "resignation": _resignation,
    "timeout": _timeout,
    "abort": _abort,
    "offer": _offer,
    "answer": _answer,
    "pause": _pause,
    "resume": _resume,
    "rematch": _rematch,
    "imported": _imported,
}
MOVES: dict[str, Callable[[Standing, Json], tuple[Json, Position]]] = {
    "draw": _draw,
    "action": _action,
    "takeback": _takeback,
}
"""Those that change the position: they tell the position that follows, too."""
