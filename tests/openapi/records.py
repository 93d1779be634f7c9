"""Records of games of every ruleset, side and number of seats, as the service writes them."""

from __future__ import annotations

import functools
import json
from dataclasses import replace

from service.games import game_export
from service.games.events import ActionEvent, TakebackEvent
from service.games.log import fold_all
from service.games.session import GameSession
from service.games.state.model import Game
from service.games.state.takebacks import target
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json
from service.usecases.base import repository
from service.usecases.work.tournaments import Fixture, Participant, game_of

AT = "2026-01-01T00:00:00.000Z"
EVERY = [
    (ruleset.id, variant, seats)
    for ruleset in RULESETS.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]


def begun(ruleset: str, variant: str, seats: int, position: Json | None = None) -> GameSession:
    """A game before its first decision, begun at the set-up or at a position."""
    fixture = Fixture(0, (0, 1), 0, 0, (Participant("random", "random"),) * seats, bytes(range(seats, seats + 32)))
    session = game_of({"ruleset": ruleset, "variant": variant}, fixture, "a-game", AT)
    if position is None:
        return session
    session = GameSession(Game.new(replace(session.game.meta, position=position)), AT)
    session.create()
    return session


def written(session: GameSession) -> Json:
    """Its record, as it comes out of the API."""
    described = game_export.export_game(session.game, repository.events_json(session.game, session.events, "en"))
    return dict(json.loads(json.dumps(described)))


@functools.cache
def played(ruleset: str, variant: str, seats: int, *, back_at: int | None = None, begin_at: int | None = None) -> str:
    """The record, as JSON, of a game played at random.

    At `back_at` decisions somebody takes their turn back; with `begin_at` it begins where another was after so many.
    """
    session, rng, decisions = begun(ruleset, variant, seats), generator(bytes(range(1, 33))), 0
    if begin_at is not None:
        session = begun(ruleset, variant, seats, _position_after(session, begin_at))
    while (seat := session.game.to_decide) is not None:
        if decisions == back_at:
            taken_back(session)
        position = session.game.position
        if position is not None and session.game.to_decide == seat:
            session.act(seat, position.random_action(rng))
        decisions += 1
    return json.dumps(written(session))


def _position_after(session: GameSession, decisions: int) -> Json:
    """Where a game played at random is after so many decisions."""
    rng = generator(bytes(range(2, 34)))
    for _ in range(decisions):
        seat, position = session.game.to_decide, session.game.position
        if seat is not None and position is not None:
            session.act(seat, position.random_action(rng))
    if session.game.position is None:
        raise AssertionError(session.game)
    return session.game.ruleset.view(session.game.position)


def taken_back(session: GameSession) -> None:
    """The seat that decided last returns to before its turn, whatever was drawn since."""
    seat = next(event.seat for event in reversed(session.events) if isinstance(event, ActionEvent))
    results = target(session.events, seat)
    if results is None:
        raise AssertionError(seat)
    past = fold_all(Game.new(session.game.meta), session.events[: results.revision]).position
    if past is None:
        raise AssertionError(results)
    view = session.game.ruleset.view(past)
    session.add(TakebackEvent(*session.head, seat, *results, position=view))
    session.draw()


def tampered(told: Json) -> dict[str, tuple[Json, int]]:
    """Spoilt copies of a record of a game that is over, and the event at which each is to be refused."""

    def copy() -> Json:
        return dict(json.loads(json.dumps(told)))

    draws = [event["revision"] for event in told["events"] if event["kind"] == "draw"]
    deal = next(number for number in reversed(draws) if _several(told["events"][number - 1]["draw"]))
    swapped, short, seeded, cut = copy(), copy(), copy(), copy()
    tiles = _tiles(swapped["events"][deal - 1]["draw"])
    other = next(at for at, tile in enumerate(tiles) if tile != tiles[0])
    tiles[0], tiles[other] = tiles[other], tiles[0]
    _tiles(short["events"][deal - 1]["draw"]).pop()
    seeded["seed"] = "11" * 32
    del cut["events"][4]
    return {"swapped": (swapped, deal), "short": (short, deal), "seed": (seeded, 0), "cut": (cut, 5)}


def _tiles(draw: Json) -> list[object]:
    return next((value for value in draw.values() if isinstance(value, list)), [])


def _several(draw: Json) -> bool:
    tiles = _tiles(draw)
    return any(tile != tiles[0] for tile in tiles)
