"""What analyses, tournaments and imports have in common: one looks at them, waits for news of them, and ends them.

Whoever knows a task's id may look at it; the id is given to nobody but who asked for the task, and of a game's review
to all who may read the game. Who asked with a token is the only one who may end it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.work.tasks import DONE, FAILED, StoredTask
from service.usecases.base import access
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, Context
from service.usecases.work import background
from service.usecases.work.background import Piece

SHARED_OWNER = "everybody"
"""Owner of a task that others find, too, and that was asked for without a token: the operator alone ends it."""
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
    context: Context,
    caller: Caller,
    kind: str,
    request: Json,
    work: Work,
    *,
    roles: Roles = access.NOBODY,
    shared_until_ms: int | None = None,
) -> StoredTask:
    """A new task, which is to be done. `roles`: the caller's in the game it is about. limit/background.

    `shared_until_ms`: others find it, too, at least until then.
    """
    task = new(context, caller, kind, request, shared_until_ms)
    have_done(context, caller, task, work, roles=roles)
    return task


def new(context: Context, caller: Caller, kind: str, request: Json, shared_until_ms: int | None = None) -> StoredTask:
    """A new task that nobody does anything about yet."""
    expires_at_ms = context.now_ms() + 1000 * context.settings.task_ttl_s
    nobody = "" if shared_until_ms is None else SHARED_OWNER
    return context.tasks.put(
        kind, orjson.dumps(request), caller.digest or nobody, max(expires_at_ms, shared_until_ms or 0)
    )


def have_done(context: Context, caller: Caller, task: StoredTask, work: Work, *, roles: Roles = access.NOBODY) -> None:
    """Have the task done; what is being done already goes on. limit/background, and the task is gone."""
    try:
        background.ask(context, _payer(context, caller, roles), work.of(task.id), work.cost_s, dial=work.dial)
    except GameError:
        context.tasks.delete(task.id)
        raise


def _payer(context: Context, caller: Caller, roles: Roles) -> str:
    """Whose share of the time long work takes: the token's, where it is known; else the application's or address's.

    Tokens that nobody has given out can be made up at will, so they are nobody's.
    """
    holder = access.holder_of(context, caller)
    if holder is not None and (roles or holder.startswith("player:")):
        return holder
    return caller.origin


def find(context: Context, kind: str, task_id: str) -> StoredTask:
    """The task. task/not_found."""
    stored = context.tasks.get(kind, task_id)
    if stored is None:
        raise GameError("task/not_found")
    return stored


def wait(context: Context, kind: str, task_id: str, after: int | None, timeout_s: float) -> StoredTask | None:
    """The task as soon as its version is greater than `after`, or at once; None when the time runs out before."""
    stored = find(context, kind, task_id)
    if after is None or stored.version > after:
        return stored
    return find(context, kind, task_id) if context.hub.wait_for_report(task_id, after, timeout_s) else None


def follow(
    context: Context, kind: str, task_id: str, after: int | None, keep_alive_s: float = 15.0
) -> Iterator[StoredTask | None]:
    """The task when there is news of it, twice a second at most, until it is over or gone.

    None after `keep_alive_s` without news.
    """
    return _follow(context, find(context, kind, task_id), after or 0, keep_alive_s)


def _follow(context: Context, task: StoredTask, seen: int, keep_alive_s: float) -> Iterator[StoredTask | None]:
    while True:
        if task.version > seen:
            seen = task.version
            yield task
        if is_over(task):
            return
        time.sleep(BREATH_S)
        if not context.hub.wait_for_report(task.id, seen, keep_alive_s):
            yield None
        stored = context.tasks.get(task.kind, task.id)
        if stored is None:
            return
        task = stored


def is_over(task: StoredTask) -> bool:
    """Whether nothing will come of it any more."""
    return task.status in (DONE, FAILED)


def end(context: Context, caller: Caller, kind: str, task_id: str, work: Callable[[Json], Work]) -> None:
    """Nobody wants it any more: what works on it stops at its next report. auth/not_owner.

    `work`: what was to be done about what was asked.
    """
    stored = find(context, kind, task_id)
    if stored.owner and stored.owner != caller.digest and not access.is_admin(context, caller):
        raise GameError("auth/token_required" if caller.token is None else "auth/not_owner")
    drop(context, stored, work)


def drop(context: Context, task: StoredTask, work: Callable[[Json], Work]) -> None:
    """Nobody wants it any more. `work`: as of `end`."""
    context.tasks.delete(task.id)
    background.forget(context, work(orjson.loads(task.request)).of(task.id))


def head(task: StoredTask) -> dict[str, Any]:
    """The fields that all tasks have."""
    return {
        "id": task.id,
        "status": task.status,
        "version": task.version,
        "expires_at": rfc3339(task.expires_at_ms),
    }
