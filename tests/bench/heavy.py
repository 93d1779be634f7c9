"""The most expensive accepted request of each kind, for `bench_limits`.

Logs have their maximum length: they are played at random with as many takebacks as possible.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from flask import Flask

from service.games.events import TakebackEvent
from service.games.log import steps
from service.games.session import GameSession
from service.games.state.bounds import CHECKPOINT_EVERY, ROOM
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.games.state.takebacks import find_target
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.work import imports
from tests.bench.direct import call
from tests.rulesets.playing import random_walk

Json = dict[str, Any]
LISTED = 2_000
POSITIONS = 3_000  # searched for the one with most legal actions


@dataclass(frozen=True)
class Long:
    """A stored game with a log of maximum length."""

    id: str
    tokens: Json
    revision: int


def long_game(context: Context, ruleset: str, seats: int) -> Long:
    """Play at random and take back until the log has no room for takebacks, then play to the end."""
    kinds = (NewSeat("player"),) * seats
    new = NewGame(ruleset, RULESETS[ruleset].variants[0], kinds, seed=bytes(range(1, 33)), visibility="public")
    meta = creating.meta_of(new, "", rfc3339(context.now_ms()), None)

    def begin(game_id: str, _: object) -> GameSession:
        from dataclasses import replace

        session = GameSession(Game.new(replace(meta, id=game_id)), rfc3339(context.now_ms()))
        past: dict[int, Game] = {}
        session._past = past.__getitem__
        session.create()
        rng = generator(bytes(range(3, 35)))
        for _, then in steps(Game.new(session.game.meta), session.events):
            past[then.revision] = then
        turn = 0
        while (seat := session.game.to_decide) is not None and session.game.position is not None:
            before = len(session.events)
            session.act(seat, session.game.position.random_action(rng))
            turn += 1
            if turn % 2 and session.game.revision < ROOM and not session.game.is_over:
                goal = find_target(session.events, seat)
                if goal is not None:
                    for event, then in steps(past[before], session.events[before:]):
                        past[event.revision] = then
                    position = past[goal.revision].position
                    assert position is not None
                    view = session.game.ruleset.view(position)
                    session.add(TakebackEvent(*session.head, seat, *goal, position=view), position)
                    session.draw()
            for event, then in steps(past[before], session.events[before:]):
                past[event.revision] = then
        return session

    made = creating.create_with(context, Caller(), "bench", None, begin)
    return Long(made["game"]["id"], made["tokens"], made["game"]["revision"])


def widest(ruleset: str) -> Position:
    """Return the position with the most legal actions out of many."""
    rules, rng = RULESETS[ruleset], generator(bytes(range(7, 39)))
    start = rules.start(rules.variants[0], rules.seat_counts[-1], None)
    positions = (position for _ in itertools.count() for position in random_walk(start, rng))
    deciding = (position for position in positions if position.status == "deciding")
    return max(itertools.islice(deciding, POSITIONS), key=lambda position: len(position.legal_actions()))


Act = Callable[[], object]


def requests(app: Flask) -> Iterator[tuple[str, Act]]:
    """Yield each kind of request with a function that sends it."""
    context: Context = app.extensions["context"]
    for ruleset, rules in RULESETS.items():
        yield from _of_a_log(app, context, long_game(context, ruleset, rules.seat_counts[-1]), ruleset)
        yield from _of_a_position(app, widest(ruleset), ruleset)
    yield from _of_many_games(app, context)


def _of_a_log(app: Flask, context: Context, game: Long, ruleset: str) -> Iterator[tuple[str, Act]]:
    path, name = f"/v1/games/{game.id}", f"{ruleset}, {game.revision} events:"
    far = (game.revision // CHECKPOINT_EVERY) * CHECKPOINT_EVERY - 1

    def without_caches(read: Act) -> Act:
        def act() -> object:
            context.views.clear()
            context.pictures.clear()
            context.animations.clear()
            context.steps.clear()
            return read()

        return act

    yield f"{name} export", lambda: call(app, "GET", f"{path}/export")
    yield f"{name} 500 events of history", lambda: call(app, "GET", f"{path}/history", query="limit=500")
    yield f"{name} position at a revision", without_caches(lambda: call(app, "GET", f"{path}/history/{far}"))
    board = f"revision={far}"
    yield f"{name} board at a revision", without_caches(lambda: call(app, "GET", f"{path}/board.svg", query=board))
    yield f"{name} animation", without_caches(lambda: call(app, "GET", f"{path}/animation.svg"))
    exported = orjson.loads(call(app, "GET", f"{path}/export"))
    short = {**exported, "events": exported["events"][: imports.SHORT]}
    yield f"{name} {imports.SHORT} of them imported", lambda: call(app, "POST", "/v1/games/import", short)
    yield f"{name} import asked for", lambda: call(app, "POST", "/v1/games/import", exported)


def _of_a_position(app: Flask, position: Position, ruleset: str) -> Iterator[tuple[str, Act]]:
    described, count = position.ruleset.view(position), len(position.legal_actions())
    name = f"{ruleset}, {count} actions:"
    for form in ("list", "choices"):
        body = {"position": described, "form": form}
        yield f"{name} examined as {form}", lambda body=body: call(app, "POST", "/v1/positions", body)  # type: ignore[misc]
    new = {
        "ruleset": ruleset,
        "variant": position.variant,
        "seats": [{"kind": "player"}] * position.seats,
        "position": described,
    }
    yield f"{name} a game begins there", lambda: call(app, "POST", "/v1/games", new)
    made = orjson.loads(call(app, "POST", "/v1/games", new))
    path = f"/v1/games/{made['game']['id']}"
    yield f"{name} listed", lambda: call(app, "GET", f"{path}/actions", query="limit=500")
    by_type = f"type={[*position.ruleset.wire.action_schemas][-1]}&limit=500"
    yield f"{name} filtered by type", lambda: call(app, "GET", f"{path}/actions", query=by_type)
    if ruleset == "queens-garden":
        yield f"{name} filtered by value", lambda: call(app, "GET", f"{path}/actions", query="value=blue&limit=500")
    yield f"{name} as choices", lambda: call(app, "GET", f"{path}/choices")


def _of_many_games(app: Flask, context: Context) -> Iterator[tuple[str, Act]]:
    new = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}] * 2, "visibility": "public"}
    for _ in range(LISTED):
        call(app, "POST", "/v1/games", new)
    yield f"{LISTED} games: 100 listed", lambda: call(app, "GET", "/v1/games", query="limit=100")
    nothing = "ruleset=queens-garden&limit=100&open_seats=true"
    yield f"{LISTED} games: a filter without matches", lambda: call(app, "GET", "/v1/games", query=nothing)
    wanted = {"ruleset": "azul", "variant": "grey", "seats": 2, "deals": 8, "levels": LEVELS_OF_ALL}
    task = orjson.loads(call(app, "POST", "/v1/tournaments", wanted))
    for number in range(task["games"]):
        game = {"at": "2026-01-01T00:00:00.000Z", "moves": [1] * 80, "scores": [40, 30], "ranks": [1, 2]}
        context.tasks.add_part(task["id"], number, orjson.dumps(game))
    yield f"a tournament of {task['games']} games", lambda: call(app, "GET", f"/v1/tournaments/{task['id']}")


LEVELS_OF_ALL = [
    *("random", "novice", "beginner", "learner", "casual", "club", "greedy", "planner", "strategist", "veteran"),
    *("expert", "candidate-master", "master"),
]
