"""The games of a tournament, played by the levels themselves, with no clock and no store in between.

Endpoints that take part are asked as in any other game, but of an attempt that has failed the next follows a second
later: here nobody waits for them but other games.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Sequence

from service.games.chance import generator_of_draw
from service.games.events import CallFailedEvent
from service.games.session import GameSession
from service.games.state.endpoints import PAUSES_S
from service.games.state.moments import rfc3339
from service.games.view import outcome
from service.levels import LEVELS
from service.outgoing.outbound_http import DialError
from service.rulesets.ruleset import Json, Position
from service.rulesets.seats import MAX_SEATS
from service.usecases.base.context import Context
from service.usecases.games import endpoints
from service.usecases.games.endpoints import Call
from service.usecases.work.tournaments import Fixture, game_of
from workers import calls
from workers.search import players
from workers.search.decisions import Searches, by_level
from workers.tasks import playing


def play(context: Context, request: Json, fixture: Fixture, task_id: str, between: Callable[[], object]) -> Json:
    """One game to its end: its moves, scores and ranks. Its draws come from its seed, as in any other game.

    `between` is called before each decision.

    A level that chooses at random does it by the seed, too: a tournament of random and greedy levels can be repeated.
    """
    at = rfc3339(context.now_ms())
    session = game_of(request, fixture, task_id, at)
    if fixture.is_called:
        return {"at": at, **_called(context, session, fixture, between)}
    position, revision = session.game.position, session.game.revision
    if position is None:
        raise ValueError("it has not started")

    def counted() -> int:
        nonlocal revision
        revision += 1
        return revision

    searches = Searches(MAX_SEATS)

    def draw(position: Position) -> Sequence[int]:
        return position.sample(generator_of_draw(fixture.seed, counted()))

    def decide(position: Position) -> int:
        between()
        return _choice(position, fixture.seats[position.seat or 0].level, fixture, counted(), searches)

    last, moves = playing.play(position, draw, decide)
    results = last.outcome()
    return {
        "at": at,
        "moves": moves,
        "scores": [seat.score for seat in results],
        "ranks": [seat.rank for seat in results],
    }


def _called(context: Context, session: GameSession, fixture: Fixture, between: Callable[[], object]) -> Json:
    """A game with endpoints; of a failure the moves hold its reason and the rule it broke."""
    moves: list[int | list[str | None]] = []
    searches = Searches(MAX_SEATS)
    while not session.game.is_over:
        between()
        written = len(session.events)
        call = endpoints.call_of(session.game)
        if call is not None:
            action = _ask(context, session, call)
        elif session.game.position is not None and session.game.to_decide is not None:
            level = str(session.game.level_to_decide)
            action = _choice(session.game.position, level, fixture, session.game.revision + 1, searches)
            session.act(session.game.to_decide, action)
        event = session.events[written]
        if isinstance(event, CallFailedEvent):
            moves.append([event.reason, event.rule])
        elif action is not None:
            moves.append(action)
    ended = outcome(session.game)
    if ended is None:
        raise ValueError("it has not come to its end")
    return {
        "moves": moves,
        "scores": [seat["score"] for seat in ended["seats"]],
        "ranks": [seat["rank"] for seat in ended["seats"]],
    }


def _ask(context: Context, session: GameSession, call: Call) -> int | None:
    action = None
    try:
        action = endpoints.write(session, call, calls.answer_to(context, call))
    except DialError as error:
        session.fail(error.code)
    if session.game.endpoint_to_decide is not None and session.game.seats[call.seat].failures:
        time.sleep(PAUSES_S[0])
    return action


def _choice(position: Position, name: str, fixture: Fixture, revision: int, searches: Searches) -> int:
    """What a level does."""
    if LEVELS[name].is_quick:  # for a level's own chance, which has nothing to do with the game's
        seed = hmac.digest(fixture.seed, f"level {revision}".encode(), "sha256")
        return by_level(position, name, seed).choose().action
    player = players.of(position.ruleset, LEVELS[name])
    search = searches.at(position.seat, position, player, secrets.token_bytes(32))
    action = search.choose().action
    search.advance(action)
    return action
