"""The log: what each kind of event does to a game.

An event is a dict with `revision`, `kind`, `at` and its own members. Folding is all there is to reading a log, and
everything a fold needs stands in the event (a takeback bears the position it brought back), so any part of a log
can be folded onto the game it begins at.

Whoever has the position that an event leads to at hand passes it on: to compute it once more, or to read it out of a
takeback, takes longer than all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from service.games.clocks import LOSE, RETURN_MS
from service.games.model import Game
from service.games.moments import unix_ms
from service.games.offers import Offer
from service.games.seats import ACTIVE, AI, AWAY, FAILED, PLAYER, RESIGNED, TIMED_OUT
from service.games.statuses import ABORTED, FINISHED, PLAYING
from service.rulesets.ruleset import Json, Position

WAITS_ANEW = (
    "start",
    "draw",
    "action",
    "takeback",
    "resume",
    "imported",
)  # a person is waited for from now
NEW_PERSON = ("join", "hand_over")  # likewise, where it is this person that is waited for
NEW_TURN = ("draw", "takeback", "imported")  # of whichever seat decides then, the one that decided before included


After = Position | None
"""The position that an event leads to, where it is known already."""


def _as_it_was(game: Game, _: Json, __: After) -> Game:
    return game


def _join(game: Game, event: Json, _: After) -> Game:
    seat = event["seat"]
    returned = game.seats[seat].status == AWAY
    game = _unsettled(game).with_seat(
        seat, kind=PLAYER, name=event["name"], level=None, player=event["player"], status=ACTIVE, away_at=None
    )
    if returned and game.clock is not None:
        game = replace(game, clock=game.clock.with_bank(seat, max(RETURN_MS, game.clock.banks[seat])))
    return game


def _hand_over(game: Game, event: Json, _: After) -> Game:
    return _unsettled(game).with_seat(event["seat"], name=event["name"], player=None)


def _start(game: Game, event: Json, _: After) -> Game:
    for filled in event["filled"]:
        game = game.with_seat(filled["seat"], kind=AI, level=filled["level"])
    return replace(game, status=PLAYING, position=game.meta.start())


def _draw(game: Game, event: Json, after: After) -> Game:
    return _moved(game, after or position_of(game).deal(game.ruleset.wire.read_draw(event["draw"])))


def _action(game: Game, event: Json, after: After) -> Game:
    acted = tuple(done or seat == event["seat"] for seat, done in enumerate(game.acted))
    moved = _moved(game, after or position_of(game).play(game.ruleset.wire.encode(event["action"])))
    if game.seats[event["seat"]].is_called:
        moved = moved.with_seat(event["seat"], failures=0, failure=None, rule=None, retry_at=None)
    return replace(moved, acted=acted)


def _call_failed(game: Game, event: Json, _: After) -> Game:
    seat = event["seat"]
    failures = game.seats[seat].failures + 1
    told = {name: event[name] for name in ("rule", "retry_at")}
    game = game.with_seat(seat, failures=failures, failure=event["reason"], **told)
    if event["then"] is None:
        return game
    if event["then"] == LOSE:
        return _out(game, seat, FAILED)
    return _unsettled(game.with_seat(seat, status=AWAY, away_at=event["at"]))


def _resignation(game: Game, event: Json, _: After) -> Game:
    return _out(game, event["seat"], RESIGNED)


def _timeout(game: Game, event: Json, _: After) -> Game:
    if event["then"] == LOSE:
        return _out(game, event["seat"], TIMED_OUT)
    return _unsettled(game.with_seat(event["seat"], status=AWAY, away_at=event["at"]))


def _out(game: Game, seat: int, status: str) -> Game:
    game = _unsettled(game.with_seat(seat, status=status))
    left = sum(not other.is_out for other in game.seats)
    return replace(game, status=FINISHED, paused_until=None) if left == 1 else game


def _abort(game: Game, _: Json, __: After) -> Game:
    return replace(_unsettled(game), status=ABORTED, paused_until=None)


def _offer(game: Game, event: Json, _: After) -> Game:
    offer = Offer(
        id=event["revision"],
        kind=event["offer_kind"],
        seat=event["seat"],
        to=event["to"],
        across_draw=event["across_draw"],
        seconds=event["seconds"],
    )
    return replace(game, offers=(*game.offers, offer))


def _answer(game: Game, event: Json, _: After) -> Game:
    offer = next(offer for offer in game.offers if offer.id == event["offer"])
    others = tuple(other for other in game.offers if other.id != offer.id)
    if event["accept"]:
        return replace(game, offers=(*others, offer.accepted_by(event["seat"])))
    if event["seat"] == offer.seat:  # withdrawn
        return replace(game, offers=others)
    return replace(game, offers=others, declined=(*game.declined, (offer.seat, offer.kind)))


def _takeback(game: Game, event: Json, after: After) -> Game:
    position = after or game.ruleset.read(event["position"])
    return replace(_unsettled(game), position=position, fair=game.fair and not event["across_draw"])


def _pause(game: Game, event: Json, _: After) -> Game:
    return replace(_unsettled(game), paused_until=event["until"])


def _resume(game: Game, _: Json, __: After) -> Game:
    return replace(_unsettled(game), paused_until=None)


def _rematch(game: Game, event: Json, _: After) -> Game:
    return replace(_unsettled(game), rematch=event["game_id"])


FOLDS: dict[str, Callable[[Game, Json, After], Game]] = {
    "created": _as_it_was,
    "join": _join,
    "hand_over": _hand_over,
    "start": _start,
    "draw": _draw,
    "action": _action,
    "call_failed": _call_failed,
    "resignation": _resignation,
    "timeout": _timeout,
    "abort": _abort,
    "offer": _offer,
    "answer": _answer,
    "takeback": _takeback,
    "pause": _pause,
    "resume": _resume,
    "rematch": _rematch,
    "imported": _as_it_was,
}


def position_of(game: Game) -> Position:
    """The position of a game that has started."""
    if game.position is None:
        raise ValueError("the log plays before the game has started")
    return game.position


def _moved(game: Game, position: Position) -> Game:
    status = FINISHED if position.status == "over" else game.status
    return replace(_unsettled(game), position=position, status=status)


def _unsettled(game: Game) -> Game:
    """The game has moved on, or its people are others: what was offered is no longer, and may be offered again."""
    return replace(game, offers=(), declined=())


def _timed(game: Game, event: Json) -> Game:
    """The clock after an event whose fold left this game."""
    clock, rule, at = game.clock, game.meta.clock, unix_ms(event["at"])
    if clock is None or rule is None:
        return game
    if game.is_paused:
        return replace(game, clock=clock.stopped(at))
    seat = game.person_to_decide
    if seat == clock.seat and event["kind"] not in NEW_TURN:
        return replace(game, clock=clock.resumed(at)) if event["kind"] == "resume" and seat is not None else game
    clock = clock.ended(at, rule)
    return replace(game, clock=clock if seat is None else clock.begun(seat, at))


def fold(game: Game, event: Json, after: After = None) -> Game:
    """The game after the event, which leads to the position `after`."""
    waits_anew = event["kind"] in WAITS_ANEW or (event["kind"] in NEW_PERSON and event["seat"] == game.to_decide)
    waiting_since = event["at"] if waits_anew else game.waiting_since
    folded = FOLDS[event["kind"]](game, event, after)
    folded = replace(folded, revision=event["revision"], updated_at=event["at"], waiting_since=waiting_since)
    return _timed(folded, event)


def steps(game: Game, events: Iterable[Json]) -> Iterator[tuple[Json, Game]]:
    """Each event, with the game after it."""
    seen: dict[int, Position] = {}  # by revision, so that a takeback need not be read
    for event in events:
        game = fold(game, event, seen.get(event["to"]) if event["kind"] == "takeback" else None)
        if game.position is not None:
            seen[game.revision] = game.position
            if event["kind"] == "takeback":
                seen[event["to"]] = game.position
        yield event, game


def fold_all(game: Game, events: Iterable[Json]) -> Game:
    """The game after all of them."""
    for _, after in steps(game, events):
        game = after
    return game
