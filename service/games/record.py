"""A game as a record: one self-contained JSON text that anybody can keep, replay and check; and the way back.

A record is what was agreed at the beginning, and the log. Reading one plays it again from its beginning by the present
rules: every event must be possible where it stands, and the first that is not is told by its number. What an event
says of itself that follows from the rules (its effects, its sentence) is not believed but left out.

Whoever writes a record could have chosen its seed to his liking, so a game that comes out of one is never `fair`. But
where the seed is told, its draws must be the ones that the seed brings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from service.games.chance import commitment, generator_of_draw
from service.games.errors import GameError
from service.games.log import FOLDS, fold, position_of
from service.games.model import OPEN, PLAYING, Game, Meta
from service.games.moments import unix_ms
from service.games.offers import OFFERS
from service.games.seats import OPEN_SEAT, PLAYER
from service.games.view import outcome
from service.levels import LEVELS
from service.rulesets.ruleset import IllegalAction, IllegalDraw, Json
from service.rulesets.wire import Inconsistent

FORMAT = "azul-games/1"
WHILE_PLAYING = ("action", "draw", "timeout", "takeback", "pause", "resume")


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
        "events": events,
    }


@dataclass(frozen=True)
class Replayed:
    """A record that was played again: the game, and its log as it is kept."""

    game: Game
    events: list[Json]


def replayed(meta: Meta, events: list[Json], seed: bytes | None) -> Replayed:
    """Play a log again from the beginning. record/illegal_event with the number of the first that cannot be.

    `seed`: what the draws must come from; None: they need only be possible.
    """
    game, kept = Game.new(meta), []
    past = {0: game}
    for number, told in enumerate(events, 1):
        try:
            event = _checked(game, told, number, past, seed)
            game = fold(game, event)
        except (_ImpossibleError, Inconsistent, IllegalAction, IllegalDraw) as error:
            raise GameError("record/illegal_event", _why(error), event=number) from None
        past[number] = game
        kept.append(event)
    return Replayed(game, kept)


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


def _checked(game: Game, told: Json, number: int, past: Mapping[int, Game], seed: bytes | None) -> Json:
    """The event as it is kept, after all that its fold takes for granted has been looked at."""
    kind = told.get("kind")
    _must(kind in FOLDS, "there is no such kind of event")
    _must(told.get("revision") == number, f"its revision must be {number}")
    _must((kind == "created") == (number == 1), "the first event, and no other, is of kind created")
    try:
        _must(unix_ms(told["at"]) >= unix_ms(game.updated_at), "it is earlier than the one before")
    except (KeyError, TypeError, ValueError):
        raise _ImpossibleError("its time is not RFC 3339") from None
    if kind in WHILE_PLAYING:
        _must(game.status == PLAYING, "the game is not being played")
    members = {} if kind == "created" else CHECKS[str(kind)](game, told, past, seed)
    return {"revision": number, "kind": kind, "at": told["at"], **members}


def _seat(game: Game, told: Json) -> int:
    seat = told.get("seat")
    _must(type(seat) is int and 0 <= seat < len(game.seats), "there is no such seat")
    return int(seat)  # type: ignore[arg-type]


def _join(game: Game, told: Json, *_: Any) -> Json:
    seat = _seat(game, told)
    _must(not game.is_over and game.seats[seat].kind in (OPEN_SEAT, PLAYER), "the seat cannot be taken")
    return {"seat": seat, "name": _name(told), "player": None}


def _name(told: Json) -> str | None:
    name = told.get("name")
    _must(name is None or (isinstance(name, str) and 0 < len(name) <= 40 and name.isprintable()), "its name is none")
    return name


def _hand_over(game: Game, told: Json, *_: Any) -> Json:
    seat = _seat(game, told)
    _must(not game.is_over and game.seats[seat].kind == PLAYER, "nobody has the seat")
    return {"seat": seat, "name": _name(told)}


def _start(game: Game, told: Json, *_: Any) -> Json:
    _must(game.status == OPEN, "the game has started")
    empty = [number for number, seat in enumerate(game.seats) if seat.kind == OPEN_SEAT]
    filled = told.get("filled")
    _must(isinstance(filled, list) and all(isinstance(seat, dict) for seat in filled), "`filled` is not a list")
    filled = [{"seat": seat.get("seat"), "level": seat.get("level")} for seat in filled or []]
    _must([seat["seat"] for seat in filled] == empty, "exactly the open seats are filled")
    _must(all(seat["level"] in LEVELS for seat in filled), "there is no such level")
    return {"filled": filled}


def _draw(game: Game, told: Json, _: Any, seed: bytes | None) -> Json:
    position = position_of(game)
    _must(position.status == "drawing", "nothing is drawn here")
    draw = game.ruleset.read_draw(_object(told, "draw"))
    effects = position.effects_of_draw(draw)
    if seed is not None:
        wanted = position.sample(generator_of_draw(seed, game.revision + 1))
        _must(tuple(draw) == tuple(wanted), "the seed brings another draw")
    return {"draw": game.ruleset.name_draw(position.record(), draw), "effects": effects}


def _object(told: Json, name: str) -> Json:
    found = told.get(name)
    _must(isinstance(found, dict), f"`{name}` is not an object")
    return dict(found or {})


def _action(game: Game, told: Json, *_: Any) -> Json:
    seat = _seat(game, told)
    _must(game.to_decide == seat and not game.is_paused, "it is not the seat's turn")
    action = game.ruleset.encode(_object(told, "action"))
    effects = position_of(game).effects(action)
    return {"seat": seat, "action": game.ruleset.decode(action), "effects": effects}


def _resignation(game: Game, told: Json, *_: Any) -> Json:
    seat = _seat(game, told)
    _must(game.status == PLAYING and not game.seats[seat].is_out, "the seat cannot resign")
    return {"seat": seat}


def _timeout(game: Game, told: Json, *_: Any) -> Json:
    seat, rule = _seat(game, told), game.meta.clock
    _must(rule is not None and game.clock is not None and game.clock.seat == seat, "no time of the seat runs")
    _must(unix_ms(told["at"]) >= (game.deadline or 0), "its time is not up")
    return {"seat": seat, "then": rule.on_timeout if rule is not None else None}


def _abort(game: Game, *_: Any) -> Json:
    _must(not game.is_over, "the game is over")
    return {}


def _offer(game: Game, told: Json, past: Mapping[int, Game], *_: Any) -> Json:
    kind, to, seconds = told.get("offer_kind"), told.get("to"), told.get("seconds")
    _must(kind in OFFERS, "there is no such kind of offer")
    _must(to is None or to in past, "there is no such revision")
    _must(seconds is None or (type(seconds) is int and seconds > 0), "its seconds are none")
    return {
        "seat": _seat(game, told),
        "offer_kind": kind,
        "to": to,
        "across_draw": told.get("across_draw") is True,
        "seconds": seconds,
    }


def _answer(game: Game, told: Json, *_: Any) -> Json:
    _must(any(offer.id == told.get("offer") for offer in game.offers), "there is no such offer")
    return {"seat": _seat(game, told), "offer": told["offer"], "accept": told.get("accept") is True}


def _takeback(game: Game, told: Json, past: Mapping[int, Game], *_: Any) -> Json:
    back = past.get(told.get("to", -1))
    _must(back is not None and back.position is not None and back.to_decide is not None, "there is no such revision")
    position = position_of(back or game)
    return {
        "seat": _seat(game, told),
        "to": told["to"],
        "across_draw": told.get("across_draw") is True,
        "position": game.ruleset.view(position),
    }


def _pause(game: Game, told: Json, *_: Any) -> Json:
    try:
        _must(unix_ms(told["until"]) > unix_ms(told["at"]), "it ends before it begins")
    except (KeyError, TypeError, ValueError):
        raise _ImpossibleError("its end is not RFC 3339") from None
    return {"seat": _seat(game, told), "until": told["until"]}


def _resume(game: Game, *_: Any) -> Json:
    _must(game.is_paused, "the game is not paused")
    return {"seat": None}


CHECKS: dict[str, Callable[..., Json]] = {
    "join": _join,
    "hand_over": _hand_over,
    "start": _start,
    "draw": _draw,
    "action": _action,
    "resignation": _resignation,
    "timeout": _timeout,
    "abort": _abort,
    "offer": _offer,
    "answer": _answer,
    "takeback": _takeback,
    "pause": _pause,
    "resume": _resume,
}
