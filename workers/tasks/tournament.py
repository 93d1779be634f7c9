"""Games of a tournament, without clock and store.

Endpoints are called as in other games, but a failed attempt is repeated after RETRY_PAUSE_S, because no person waits.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Sequence

from service.games.chance import generator_of_draw
from service.games.events import CallFailedEvent
from service.games.session import GameSession
from service.games.state.moments import rfc3339
from service.games.view import outcome
from service.levels import LEVELS
from service.outgoing.outbound_http import DialError
from service.rulesets.ruleset import Json, Position
from service.rulesets.seats import MAX_SEATS
from service.usecases.base.context import Context
from service.usecases.games import endpoints
from service.usecases.games.endpoints import Call
from service.usecases.work.tournaments import RETRY_PAUSE_S, Fixture, new_game
from workers import calls
from workers.search import players
from workers.search.decisions import Searches, search_at_level
from workers.tasks import playing


def play(context: Context, request: Json, fixture: Fixture, task_id: str, between: Callable[[], object]) -> Json:
    """Play a game. Return its moves, scores and ranks. `between`: called before each decision.

    Draws come from the seed, as in any game. Levels without search choose by the seed, too, so their tournaments can be
    repeated.
    """
    at = rfc3339(context.now_ms())
    session = new_game(request, fixture, task_id, at)
    if fixture.is_called:
        return {"at": at, **_play_with_endpoints(context, session, fixture, between)}
    position, revision = session.game.position, session.game.revision
    if position is None:
        raise ValueError("the game has not started")

    def next_revision() -> int:
        nonlocal revision
        revision += 1
        return revision

    searches = Searches(MAX_SEATS)

    def draw(position: Position) -> Sequence[int]:
        return position.sample(generator_of_draw(fixture.seed, next_revision()))

    def decide(position: Position) -> int:
        between()
        return _choice(position, fixture.seats[position.seat or 0].level, fixture, next_revision(), searches)

    last, moves = playing.play(position, draw, decide)
    results = last.outcome()
    return {
        "at": at,
        "moves": moves,
        "scores": [seat.score for seat in results],
        "ranks": [seat.rank for seat in results],
    }


def _play_with_endpoints(
    context: Context, session: GameSession, fixture: Fixture, between: Callable[[], object]
) -> Json:
    """Play a game with endpoints. A failed call appears in the moves as its reason and the broken rule."""
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
        raise ValueError("the game has not ended")
    return {
        "moves": moves,
        "scores": [seat["score"] for seat in ended["seats"]],
        "ranks": [seat["rank"] for seat in ended["seats"]],
    }


def _ask(context: Context, session: GameSession, call: Call) -> int | None:
    action = None
    try:
        action = endpoints.apply_answer(session, call, calls.answer_to(context, call))
    except DialError as error:
        session.fail(error.code)
    if session.game.endpoint_to_decide is not None and session.game.seats[call.seat].failures:
        time.sleep(RETRY_PAUSE_S)
    return action


def _choice(position: Position, name: str, fixture: Fixture, revision: int, searches: Searches) -> int:
    """Return a level's action."""
    if LEVELS[name].is_quick:  # the level's randomness is independent of the game's
        seed = hmac.digest(fixture.seed, f"level {revision}".encode(), "sha256")
        return search_at_level(position, name, seed).choose().action
    player = players.player_at_level(position.ruleset, LEVELS[name])
    search = searches.search_for(position.seat, position, player, secrets.token_bytes(32))
    action = search.choose().action
    search.advance(action)
    return action
