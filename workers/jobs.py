"""What the queue may ask of a worker. Jobs are found by name, so the web process imports nothing from here.

A job is a wake-up: what is to be decided stands in the store. A job that comes twice, late or for a decision long
made finds nothing to take and ends. A job that fails is not repeated by RQ: its lease runs out and the keeper wakes
the decision again, as it does when a worker is killed. Hence the attempts are counted by the lease, and a
decision that keeps failing is made by a simpler level: a game never waits for ever.
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
from service.usecases.work import analyses, background, imports, lifecycle, tournaments
from workers import calls
from workers.search import players
from workers.search.decisions import CancelledError, Search, Searches
from workers.search.record_abi import is_compiled
from workers.tasks import analysis, tournament

FALLBACK_AFTER = 3  # failed attempts at a decision
LAST_RESORT_AFTER = 5
STARTED = time.monotonic()  # of the process that jobs are forked from
COMPILED_WITHIN_S = 90.0
KEPT_SEARCHES = 4  # of this process; each takes up to 44 MiB
SLICE_S = 0.25  # so long a job goes on with decisions of AIs that follow, before other games have their turn

log = structlog.get_logger(__name__)

taken_by: tuple[str, int] | None = None
"""The worker for which this process takes turns: its name, and the number of its queue's server."""

_searches = Searches(KEPT_SEARCHES)  # of games and seats, whose next turn may come to this process


@functools.cache
def settings() -> Settings:
    """Read once, before this process forks."""
    return Settings.from_environment()


@functools.cache
def context() -> Context:
    """The doors of this process, opened before it forks: they connect when first used."""
    return open_context(settings())


def level_for(name: str, attempt: int) -> str:
    """Who makes a decision at its n-th attempt (from 1); a level that this process does not know is replaced, too."""
    if attempt > LAST_RESORT_AFTER:
        return LAST_RESORT
    if attempt > FALLBACK_AFTER:
        return FALLBACK
    return name if name in LEVELS else FALLBACK


def take_turn(game_id: str, revision: int, seat: int, before: int | None = None) -> None:
    """Make the seat's decision at that revision, the rest of its turn, and for a while those of AIs that follow.

    `before`: how many attempts at it there were; where there was another meanwhile, there is nothing to do.
    """
    structlog.contextvars.clear_contextvars()  # what the job before went on with
    end = time.monotonic() + SLICE_S
    turn = turns.take(context(), game_id, revision, seat, before)
    while turn is not None:
        if level_for(turn.level, turn.attempt) not in QUICK and not may_search(turn.position.ruleset):
            turns.hand_back(context(), turn)
            return
        with trace_context.resumed(
            turn.cause, "decide", game__id=game_id, game__revision=turn.revision, ai__level=turn.level
        ):
            try:
                search = _search(turn)
                choice = search.choose(between=functools.partial(turns.renew, context(), turn))
                _remember(turn, search)
            except CancelledError:
                turns.ended(context(), turn, turns.CANCELLED)
                return
            except Exception:
                turns.ended(context(), turn, turns.FAILED)
                facts = {"game": game_id, "revision": turn.revision, "ai_level": turn.level, "attempt": turn.attempt}
                log.warning("decision_failed", **facts)
                raise
            turn = turns.act(context(), turn, choice.action, with_next=time.monotonic() < end)
        search.advance(choice.action)


def _remember(turn: turns.Turn, search: Search) -> None:
    """Have the seat's next turn come here, too, if there is something to go on with."""
    if taken_by is not None and search.player.is_timed:
        with contextlib.suppress(RedisError):  # it is decided all the same
            context().queue.remember_holder(turn.game_id, turn.seat, *taken_by)


def may_search(ruleset: Ruleset) -> bool:
    """A search is no stronger than its machine code is fast, so it waits for that, unless that fails to come."""
    return is_compiled(ruleset) or time.monotonic() > STARTED + COMPILED_WITHIN_S


def _search(turn: turns.Turn) -> Search:
    player = players.of(turn.position.ruleset, LEVELS[level_for(turn.level, turn.attempt)], settings().threads)
    return _searches.at((turn.game_id, turn.seat), turn.position, player, secrets.token_bytes(32))


def ask_endpoint(game_id: str, revision: int, seat: int, before: int | None = None) -> None:
    """Have the seat's endpoint make its decision at that revision, if it is to be made; `before`: see `take_turn`."""
    structlog.contextvars.clear_contextvars()
    call = endpoints.take(context(), game_id, revision, seat, before)
    if call is None:
        return
    with trace_context.resumed(call.cause, "ask", game__id=game_id, game__revision=revision):
        try:
            answer = calls.answer_to(context(), call)
        except DialError as error:
            endpoints.fail(context(), call, error.code)
        else:
            endpoints.decide(context(), call, answer)


# ------------------------------------------------------------------------------------------------- background


def analyse(task_id: str, between: Callable[[], object] = bool) -> None:
    """Do an analysis that somebody asked for, and report on it; `between` is called while it goes on."""
    task = context().tasks.get(background.ANALYSIS, task_id)
    if task is None or lifecycle.is_over(task):
        return
    request = orjson.loads(task.request)

    def report(progress: float, result: Json | None, status: str = RUNNING) -> bool:
        between()
        content = orjson.dumps({"progress": round(progress, 3), "result": result})
        return context().tasks.report(task_id, status, content)

    try:
        if request["kind"] == analyses.REVIEW:
            every = list(analyses.decisions(context(), request["game_id"]))
            seconds = min(request["seconds"], analyses.LONGEST_REVIEW_S / max(1, len(every)))
            result = analysis.review(every, seconds, report)
        else:
            position = RULESETS[request["ruleset"]].read(request["position"])
            result = analysis.decision(position, request["seconds"], request["best"], report)
        report(1.0, result, DONE)
    except CancelledError:
        return
    except Exception:
        log.warning("analysis_failed", analysis=task_id)
        report(0.0, None, FAILED)
        raise


def read_in(task_id: str) -> None:
    """Read in a record that somebody has sent."""
    task = context().tasks.get(background.IMPORT, task_id)
    if task is not None and not lifecycle.is_over(task):
        imports.perform(context(), task)


def play_games(task_id: str, first: int, count: int, between: Callable[[], object] = bool) -> None:
    """Play some games of a tournament that have not been played yet; `between` is called before each decision."""
    task = context().tasks.get(tournaments.TOURNAMENT, task_id)
    if task is None:
        return
    request = orjson.loads(task.request)
    games = tournaments.number_of_games(request)
    try:
        for number in range(first, min(first + count, games)):
            if context().tasks.has_part(task_id, number):
                continue
            fixture = tournaments.fixture(request, number)
            game = tournament.play(context(), request, fixture, task_id, between)
            if not tournaments.add(context(), task_id, number, game, games):
                return
    except Exception:
        log.warning("game_failed", tournament=task_id, first=first)
        context().tasks.report(task_id, FAILED)
        raise
