"""Life cycle shared by analyses, tournaments and imports: create, wait, follow, cancel.

Anyone who knows a task's id can read the task. The id is returned only to the caller who created it; a review's id also
to everyone who can read the game. If a task was created with a token, only that token can cancel it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import orjson

from service import record_reader
from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import OPERATOR, LogEntry
from service.storage.games.hub import KEEP_ALIVE_S
from service.storage.work.tasks import DONE, FAILED, WAITING, StoredTask
from service.usecases.base import access
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, Context
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.work import background
from service.usecases.work.background import Piece

SHARED_OWNER = "everybody"
"""Owner of a shared task that was created without a token. Only the operator can cancel it."""
REPORT_INTERVAL_S = 0.5  # a follower gets only the last of several reports in this time


@dataclass(frozen=True)
class Workload:
    """The pieces of work of a task, all of one kind; each takes about `cost_s` seconds."""

    kind: str
    cost_s: float
    pieces: int = 1
    dial: bool = False  # processed by dialers

    def pieces_of(self, task_id: str) -> list[Piece]:
        """Return the pieces of a task."""
        return [Piece(self.kind, task_id, number) for number in range(self.pieces)]


def create(
    context: Context,
    caller: Caller,
    kind: str,
    request: Json,
    shared_until_ms: int | None = None,
    issuer: Issuer = RANDOM,
) -> StoredTask:
    """Create a task without submitting its work. An interrupted request may have created it already."""
    task_id = issuer.id_in(context)
    if issuer.is_repeated and (earlier := context.tasks.get(kind, task_id)):
        return earlier
    expires_at_ms = context.now_ms() + 1000 * context.settings.task_ttl_s
    anonymous = "" if shared_until_ms is None else SHARED_OWNER
    return context.tasks.create(
        kind, orjson.dumps(request), caller.digest or anonymous, max(expires_at_ms, shared_until_ms or 0), task_id
    )


def submit(
    context: Context, caller: Caller, task: StoredTask, workload: Workload, *, roles: Roles = access.NOBODY
) -> None:
    """Submit the work of the task, unless it has begun. Raises: limit/background, after deleting the task."""
    if task.status != WAITING:
        return
    try:
        background.submit(
            context,
            _payer(context, caller, roles),
            workload.pieces_of(task.id),
            workload.cost_s,
            origin=caller.share,
            dial=workload.dial,
        )
    except GameError:
        context.tasks.delete(task.id)
        raise


def _payer(context: Context, caller: Caller, roles: Roles) -> str:
    """Return whose share of the time the work uses: the token's if it is known, else the application's or address's.

    Anyone can invent unknown tokens, so these have no share of their own.
    """
    holder = access.holder_of(context, caller)
    if holder is not None and (roles or holder.startswith("player:")):
        return holder
    return f"caller:{caller.share}"


def shows_task(show: Callable[..., Json]) -> Callable[..., Json]:
    """Let a function that shows a task raise UnreadableRecordError if the task is damaged."""

    @wraps(show)
    def show_readable(*arguments: Any) -> Json:
        task = next(each for each in arguments if isinstance(each, StoredTask))
        with record_reader.reading(task.kind, task.id):
            return show(*arguments)

    return show_readable


def find(context: Context, kind: str, task_id: str) -> StoredTask:
    """Return the task. Raises: task/not_found."""
    stored = context.tasks.get(kind, task_id)
    if stored is None:
        raise GameError("task/not_found")
    return stored


def wait(context: Context, kind: str, task_id: str, after: int | None, timeout_s: float) -> StoredTask | None:
    """Return the task when its version is greater than `after`, or at once without it; None after the timeout."""
    stored = find(context, kind, task_id)
    if after is None or stored.version > after:
        return stored
    return find(context, kind, task_id) if context.hub.wait_for_report(task_id, after, timeout_s) else None


def follow(
    context: Context, kind: str, task_id: str, after: int | None, keep_alive_s: float = KEEP_ALIVE_S
) -> Iterator[StoredTask | None]:
    """Yield the task after each change, at most twice a second, until it is over or deleted.

    Yields None after `keep_alive_s` without changes.
    """
    return _follow(context, find(context, kind, task_id), after or 0, keep_alive_s)


def _follow(context: Context, task: StoredTask, version: int, keep_alive_s: float) -> Iterator[StoredTask | None]:
    while True:
        if task.version > version:
            version = task.version
            yield task
        if is_over(task):
            return
        time.sleep(REPORT_INTERVAL_S)
        if not context.hub.wait_for_report(task.id, version, keep_alive_s):
            yield None
        stored = context.tasks.get(task.kind, task.id)
        if stored is None:
            return
        task = stored


def is_over(task: StoredTask) -> bool:
    """Return whether the task has finished or failed."""
    return task.status in (DONE, FAILED)


def cancel(context: Context, caller: Caller, kind: str, task_id: str, workload: Callable[[Json], Workload]) -> None:
    """Cancel the task. Its workers stop at their next report. `workload`: the workload for the task's request.

    Raises: auth/token_required, auth/not_owner, task/not_found.
    """
    stored = find(context, kind, task_id)
    is_owner = stored.owner == caller.digest and access.holder_of(context, replace(caller, changes=False)) is not None
    if stored.owner and not is_owner and not access.is_admin(context, caller):
        raise GameError("auth/token_required" if caller.token is None else "auth/not_owner")
    if stored.owner and not is_owner:
        context.moderation.append(LogEntry(OPERATOR, "cancel_task", "task", task_id))
    drop(context, stored, workload)


def drop(context: Context, task: StoredTask, workload: Callable[[Json], Workload]) -> None:
    """Delete the task and its pieces. `workload`: as for `cancel`."""
    pieces = workload(task.settings()).pieces_of(task.id)
    context.tasks.delete(task.id)
    background.cancel(context, pieces)


def head(task: StoredTask) -> dict[str, Any]:
    """Return the fields that all tasks have."""
    return {
        "id": task.id,
        "status": task.status,
        "version": task.version,
        "expires_at": rfc3339(task.expires_at_ms),
    }
