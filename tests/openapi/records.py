"""Records of games of every ruleset, side and number of seats, as the service writes them."""

from __future__ import annotations

import functools
import json
from dataclasses import replace

from service.games import game_export
from service.games.events import ActionEvent, TakebackEvent
from service.games.session import GameSession
from service.games.state.model import Game
from service.games.state.takebacks import find_target
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json
from service.usecases.base import repository
from service.usecases.work.tournaments import Fixture, Participant, new_game
from tests.games.test_log import fold_all

AT = "2026-01-01T00:00:00.000Z"
EVERY = [
    (ruleset.id, variant, seats)
    for ruleset in RULESETS.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]


def new_session(ruleset: str, variant: str, seats: int, position: Json | None = None) -> GameSession:
    """Create a game before its first decision, at the setup or at a position."""
    fixture = Fixture(0, (0, 1), 0, 0, (Participant("random", "random"),) * seats, bytes(range(seats, seats + 32)))
    session = new_game({"ruleset": ruleset, "variant": variant}, fixture, "a-game", AT)
    if position is None:
        return session
    session = GameSession(Game.new(replace(session.game.meta, position=position)), AT)
    session.create()
    return session


def record_of(session: GameSession) -> Json:
    """Return the record of the game as the API returns it."""
    exported = game_export.export_game(session.game, repository.events_json(session.game, session.events, "en"))
    return dict(json.loads(json.dumps(exported)))


@functools.cache
def random_record(
    ruleset: str, variant: str, seats: int, *, back_at: int | None = None, begin_at: int | None = None
) -> str:
    """Play a game at random and return its record as JSON.

    At `back_at` decisions a turn is taken back. With `begin_at` the game starts at the position of another game after
    this many decisions.
    """
    session, rng, decisions = new_session(ruleset, variant, seats), generator(bytes(range(1, 33))), 0
    if begin_at is not None:
        session = new_session(ruleset, variant, seats, _position_after(session, begin_at))
    while (seat := session.game.to_decide) is not None:
        if decisions == back_at:
            take_back(session)
        position = session.game.position
        if position is not None and session.game.to_decide == seat:
            session.act(seat, position.random_action(rng))
        decisions += 1
    return json.dumps(record_of(session))


def _position_after(session: GameSession, decisions: int) -> Json:
    """Return the position of a game played at random after this many decisions."""
    rng = generator(bytes(range(2, 34)))
    for _ in range(decisions):
        seat, position = session.game.to_decide, session.game.position
        if seat is not None and position is not None:
            session.act(seat, position.random_action(rng))
    if session.game.position is None:
        raise AssertionError(session.game)
    return session.game.ruleset.view(session.game.position)


def take_back(session: GameSession) -> None:
    """Take back the turn of the seat that decided last, and draw again."""
    seat = next(event.seat for event in reversed(session.events) if isinstance(event, ActionEvent))
    results = find_target(session.events, seat)
    if results is None:
        raise AssertionError(seat)
    past = fold_all(Game.new(session.game.meta), session.events[: results.revision]).position
    if past is None:
        raise AssertionError(results)
    view = session.game.ruleset.view(past)
    session.add(TakebackEvent(*session.head, seat, *results, position=view))
    session.draw()


def forged_records(record: Json) -> dict[str, tuple[Json, int]]:
    """Return forged copies of the record of a finished game, each with the number of the event that must be refused."""

    def copy() -> Json:
        return dict(json.loads(json.dumps(record)))

    draws = [event["revision"] for event in record["events"] if event["kind"] == "draw"]
    deal = next(number for number in reversed(draws) if _several(record["events"][number - 1]["draw"]))
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
