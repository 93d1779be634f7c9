"""What analyses, tournaments and imports have in common: one looks at them, waits for news of them, and ends them.

Whoever knows a task's id may look at it; the id is given to nobody but who asked for the task. Who asked with a token
is the only one who may end it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from service.cases import access, background
from service.cases.access import Roles
from service.cases.background import Piece
from service.cases.context import Caller, Cases
from service.games.errors import GameError
from service.games.moments import rfc3339
from service.rulesets.wire import Json
from service.state.tasks import DONE, FAILED, StoredTask

BREATH_S = 0.5  # between two reports to a follower: of many that come in between they get the last


@dataclass(frozen=True)
class Work:
    """What is to be done about a task: pieces of a kind, each of which takes about so long."""

    kind: str
    cost_s: float
    pieces: int = 1
    dial: bool = False  # by dialers

    def of(self, task_id: str) -> list[Piece]:
        """The pieces of a task."""
        return [Piece(self.kind, task_id, number) for number in range(self.pieces)]


def begin(
    cases: Cases, caller: Caller, kind: str, asked: Json, work: Work, *, roles: Roles = access.NOBODY
) -> StoredTask:
    """A new task, which is to be done. `roles`: the caller's in the game it is about. limit/background."""
    task = new(cases, caller, kind, asked)
    have_done(cases, caller, task, work, roles=roles)
    return task


def new(cases: Cases, caller: Caller, kind: str, asked: Json) -> StoredTask:
    """A new task that nobody does anything about yet."""
    expires_at_ms = cases.now_ms() + 1000 * cases.settings.task_ttl_s
    return cases.tasks.put(kind, orjson.dumps(asked), caller.digest or "", expires_at_ms)


def have_done(cases: Cases, caller: Caller, task: StoredTask, work: Work, *, roles: Roles = access.NOBODY) -> None:
    """Have the task done; what is being done already goes on. limit/background, and the task is gone."""
    try:
        background.ask(cases, _payer(cases, caller, roles), work.of(task.id), work.cost_s, dial=work.dial)
    except GameError:
        cases.tasks.delete(task.id)
        raise


def _payer(cases: Cases, caller: Caller, roles: Roles) -> str:
    """Whose share of the time long work takes: the token's, where it is known; else the application's or address's.

    Tokens that nobody has given out can be made up at will, so they are nobody's.
    """
    holder = access.holder_of(cases, caller)
    if holder is not None and (roles or holder.startswith("player:")):
        return holder
    return caller.origin


def find(cases: Cases, kind: str, task_id: str) -> StoredTask:
    """The task. task/not_found."""
    found = cases.tasks.get(kind, task_id)
    if found is None:
        raise GameError("task/not_found")
    return found


def wait(cases: Cases, kind: str, task_id: str, after: int | None, timeout_s: float) -> StoredTask | None:
    """The task as soon as its version is greater than `after`, or at once; None when the time runs out before."""
    found = find(cases, kind, task_id)
    if after is None or found.version > after:
        return found
    return find(cases, kind, task_id) if cases.hub.wait_for_report(task_id, after, timeout_s) else None


def follow(
    cases: Cases, kind: str, task_id: str, after: int | None, keep_alive_s: float = 15.0
) -> Iterator[StoredTask | None]:
    """The task when there is news of it, twice a second at most, until it is over or gone.

    None after `keep_alive_s` without news.
    """
    return _follow(cases, find(cases, kind, task_id), after or 0, keep_alive_s)


def _follow(cases: Cases, task: StoredTask, seen: int, keep_alive_s: float) -> Iterator[StoredTask | None]:
    while True:
        if task.version > seen:
            seen = task.version
            yield task
        if is_over(task):
            return
        time.sleep(BREATH_S)
        if not cases.hub.wait_for_report(task.id, seen, keep_alive_s):
            yield None
        found = cases.tasks.get(task.kind, task.id)
        if found is None:
            return
        task = found


def is_over(task: StoredTask) -> bool:
    """Whether nothing will come of it any more."""
    return task.status in (DONE, FAILED)


def end(cases: Cases, caller: Caller, kind: str, task_id: str, work: Callable[[Json], Work]) -> None:
    """Nobody wants it any more: what works on it stops at its next report. auth/not_owner.

    `work`: what was to be done about what was asked.
    """
    found = find(cases, kind, task_id)
    if found.owner and found.owner != caller.digest and not access.is_admin(cases, caller):
        raise GameError("auth/token_required" if caller.token is None else "auth/not_owner")
    cases.tasks.delete(task_id)
    background.forget(cases, work(orjson.loads(found.asked)).of(task_id))


def head(task: StoredTask) -> dict[str, Any]:
    """What is told of every task."""
    return {
        "id": task.id,
        "status": task.status,
        "version": task.version,
        "expires_at": rfc3339(task.expires_at_ms),
    }
