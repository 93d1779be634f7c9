"""Jobs of workers. RQ finds them by name, so the web process imports nothing from here.

A job only wakes a worker. The store contains the pending decision, so a duplicate or late job finds nothing to take and
ends. RQ does not repeat failed jobs: the lease expires and a keeper wakes the decision again, as after a killed worker.
The lease counts attempts. A decision that keeps failing is taken over by a simpler level, so no game waits for ever.
"""

from __future__ import annotations

import contextlib
import functools
import secrets
import time
from collections.abc import Callable

import orjson
import structlog

from service.levels import FALLBACK, LAST_RESORT, LEVELS, QUICK
from service.outgoing.outbound_http import DialError
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Ruleset
from service.settings import Settings
from service.storage.base.connect import RedisError
from service.storage.work.tasks import DONE, FAILED, RUNNING
from service.usecases.base import trace_context
from service.usecases.base.context import Context, open_context
from service.usecases.games import endpoints, turns
from service.usecases.people import rating_games
from service.usecases.work import analyses, background, imports, lifecycle, tournaments
from workers import calls
from workers.processes.job_arguments import job
from workers.search import players
from workers.search.decisions import CancelledError, Search, Searches
from workers.search.record_abi import is_compiled
from workers.tasks import analysis, tournament

FALLBACK_AFTER = 3  # failed attempts at a decision
LAST_RESORT_AFTER = 5
STARTED = time.monotonic()  # start of the process that forks jobs
COMPILED_WITHIN_S = 90.0
KEPT_SEARCHES = 4  # in this process; each takes up to 44 MiB
SLICE_S = 0.25  # time for consecutive decisions of AIs in one game, before other games get a turn

log = structlog.get_logger(__name__)

taken_by: tuple[str, int] | None = None
"""Name of the worker for which this process takes turns, and the number of its queue's server."""

_searches = Searches(KEPT_SEARCHES)  # by game and seat; the next turn may come to this process


@functools.cache
def settings() -> Settings:
    """Return the settings, read once before this process forks."""
    return Settings.from_environment()


@functools.cache
def context() -> Context:
    """Return the context of this process, created before it forks. Connections are lazy."""
    return open_context(settings())


def level_for(name: str, attempt: int) -> str:
    """Return the level for the n-th attempt (from 1). Unknown levels are replaced, too."""
    if attempt > LAST_RESORT_AFTER:
        return LAST_RESORT
    if attempt > FALLBACK_AFTER:
        return FALLBACK
    return name if name in LEVELS else FALLBACK


@job
def take_turn(game_id: str, revision: int, seat: int, before: int | None = None) -> None:
    """Make the seat's decision at the revision, and for `SLICE_S` also the following decisions of AIs.

    `before`: number of earlier attempts. If there has been another one, the job does nothing.
    """
    structlog.contextvars.clear_contextvars()  # the previous job may have left some
    end = time.monotonic() + SLICE_S
    turn = turns.take(context(), game_id, revision, seat, before)
    while turn is not None:
        if level_for(turn.level, turn.attempt) not in QUICK and not may_search(turn.position.ruleset):
            turns.hand_back(context(), turn)
            return
        with trace_context.resume(
            turn.cause, "decide", game__id=game_id, game__revision=turn.revision, ai__level=turn.level
        ):
            try:
                search = _search(turn)
                choice = search.choose(should_continue=functools.partial(turns.renew, context(), turn))
                _remember(turn, search)
            except CancelledError:
                turns.record_outcome(context(), turn, turns.CANCELLED)
                return
            except Exception:
                turns.record_outcome(context(), turn, turns.FAILED)
                facts = {"game": game_id, "revision": turn.revision, "ai_level": turn.level, "attempt": turn.attempt}
                log.warning("decision_failed", **facts)
                raise
            turn = turns.act(context(), turn, choice.action, with_next=time.monotonic() < end)
        search.advance(choice.action)


def _remember(turn: turns.Turn, search: Search) -> None:
    """Direct the seat's next turn to this worker, if its search tree is useful there."""
    if taken_by is not None and search.player.is_timed:
        with contextlib.suppress(RedisError):  # the decision counts without it
            context().queue.remember_holder(turn.game_id, turn.seat, *taken_by)


def may_search(ruleset: Ruleset) -> bool:
    """Return whether to search now: the machine code exists, or waiting for it has taken too long."""
    return is_compiled(ruleset) or time.monotonic() > STARTED + COMPILED_WITHIN_S


def _search(turn: turns.Turn) -> Search:
    player = players.player_at_level(
        turn.position.ruleset, LEVELS[level_for(turn.level, turn.attempt)], settings().threads
    )
    return _searches.search_for((turn.game_id, turn.seat), turn.position, player, secrets.token_bytes(32))


def ask_endpoint(game_id: str, revision: int, seat: int, before: int | None = None) -> None:
    """Call the seat's endpoint for its decision at the revision. `before`: see `take_turn`."""
    structlog.contextvars.clear_contextvars()
    call = endpoints.take(context(), game_id, revision, seat, before)
    if call is None:
        return
    with trace_context.resume(call.cause, "ask", game__id=game_id, game__revision=revision):
        try:
            answer = calls.answer_to(context(), call)
        except DialError as error:
            endpoints.record_failure(context(), call, error.code)
        else:
            endpoints.decide(context(), call, answer)


# ------------------------------------------------------------------------------------------------- background


def analyse(task_id: str, between: Callable[[], object] = lambda: None) -> None:
    """Perform a requested analysis and report its progress. `between`: called after each step."""
    task = context().tasks.get(background.ANALYSIS, task_id)
    if task is None or lifecycle.is_over(task):
        return
    request = task.settings()

    def report(progress: float, result: Json | None, status: str = RUNNING) -> bool:
        between()
        content = orjson.dumps({"progress": round(progress, 3), "result": result})
        return context().tasks.report(task_id, status, content)

    try:
        if request["kind"] == analyses.REVIEW:
            decisions = list(analyses.decisions(context(), request["game_id"]))
            seconds = min(request["seconds"], analyses.MAX_REVIEW_S / max(1, len(decisions)))
            points = rating_games.mean_points(context(), request["game_id"])
            result = analysis.review(decisions, seconds, report, points)
        else:
            position = RULESETS[request["ruleset"]].read(request["position"])
            candidate = request.get("candidate")  # absent in older tasks
            result = analysis.decision(position, request["seconds"], request["best"], report, candidate)
        report(1.0, result, DONE)
    except CancelledError:
        return
    except Exception:
        log.warning("analysis_failed", analysis=task_id)
        report(0.0, None, FAILED)
        raise


def read_in(task_id: str) -> None:
    """Import a submitted record."""
    task = context().tasks.get(background.IMPORT, task_id)
    if task is not None and not lifecycle.is_over(task):
        imports.perform(context(), task)


def play_game(task_id: str, number: int, between: Callable[[], object] = lambda: None) -> None:
    """Play a game of a tournament, unless it was played before. `between`: called before each decision."""
    task = context().tasks.get(tournaments.TOURNAMENT, task_id)
    if task is None:
        return
    request = task.settings()
    try:
        if not context().tasks.has_part(task_id, number):
            (fixture,) = tournaments.fixtures(request, [number])
            game = tournament.play(context(), request, fixture, task_id, between)
            tournaments.add_result(context(), task_id, number, game, tournaments.number_of_games(request))
    except Exception:
        log.warning("game_failed", tournament=task_id, number=number)
        context().tasks.report(task_id, FAILED)
        raise
