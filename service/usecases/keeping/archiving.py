"""Archive finished games, and remove deleted players from archived games.

A game is copied from Redis to the archive, added to its players' lists, and then marked as archived. If a process dies
before that, another repeats all steps. While the archive is unavailable, tasks stay due and are retried at growing
intervals, and the lifetimes of their games are extended.
"""

from __future__ import annotations

import contextlib

import orjson
import structlog

from service.games.facts import Facts
from service.games.state.seats import SEAT
from service.games.state.statuses import FINISHED
from service.storage.base.connect import outage
from service.storage.base.scripts import DamagedRecordError
from service.storage.games.archive import Archive, ArchiveUnavailableError
from service.storage.games.archive_queue import PLAYER, ArchiveTask
from service.storage.games.records import Record
from service.storage.work.queue import ARCHIVE
from service.usecases.base.batches import BatchResult
from service.usecases.base.context import Context
from service.usecases.keeping.duties import BackOff

LOG = structlog.get_logger()
LEASE_MS = 300_000
PROBE = "probe"
"""Name of the object that keepers write to check the archive. It is no game's id."""
REACHED_S = 120.0
"""How long the archive counts as reached after a probe."""
ARCHIVED_PER_BATCH = 20  # per bucket
EXTENDED_LIFETIME_S = 2 * 86_400
"""Minimum lifetime of a game that could not be archived, much longer than the retry interval."""
MAX_RATING_WAIT_MS = 3_600_000
"""How long archiving waits for the ratings of a game."""
RATING_RETRY_MS = 2_000


def run_due(context: Context, back_off: BackOff) -> BatchResult:
    """Run a batch of due archive tasks. A failure is logged and retried."""
    if context.archive is None:
        return BatchResult(0, more=False)
    now_ms, done = context.now_ms(), 0
    due = context.archive_queue.take(now_ms, now_ms + LEASE_MS, ARCHIVED_PER_BATCH)
    for number, task in enumerate(due):
        try:
            if task.name.startswith(PLAYER):
                _forget_player(context, context.archive, task)
            else:
                _archive_game(context, context.archive, task)
            back_off.reset(task.name)
            done += 1
        except ArchiveUnavailableError as error:  # the remaining tasks would fail too
            LOG.warning("archive unavailable", error=str(error))
            for remaining in due[number:]:
                _postpone(context, remaining, back_off.next_delay_ms(remaining.name))
            return BatchResult(done, more=False)
        except Exception as error:
            if outage(error) is not None:
                raise
            LOG.exception("archive task failed", game=task.name)
            _postpone(context, task, back_off.next_delay_ms(task.name))
    return BatchResult(done, len(due) >= ARCHIVED_PER_BATCH)


def probe(context: Context, name: str) -> None:
    """Write an object into the archive, and note in the keeper's name whether that worked."""
    if context.archive is None:
        return
    try:
        context.archive.write(PROBE, b"")
    except ArchiveUnavailableError as error:
        LOG.warning("archive unavailable", error=str(error))
        context.queue.end_beat(ARCHIVE, name)
    else:
        context.queue.beat(ARCHIVE, name, REACHED_S)


def _postpone(context: Context, task: ArchiveTask, delay_ms: int) -> None:
    if not task.name.startswith(PLAYER):
        with contextlib.suppress(DamagedRecordError):
            context.archive_queue.prolong(task.name, EXTENDED_LIFETIME_S)
    context.archive_queue.put_off(task, context.now_ms() + delay_ms)


def _archive_game(context: Context, archive: Archive, task: ArchiveTask) -> None:
    """Archive the game, if it still exists and is finished."""
    game_id, record = task.name, context.archive_queue.record(task.name)
    facts = None if record is None else Facts.from_bytes(record.fields.get("facts", b""), record.revision)
    if record is None or facts is None or facts.status != FINISHED:
        context.archive_queue.cancel(task)
        return
    if _waits_for_ratings(record, context.now_ms() - facts.updated_ms):
        context.archive_queue.put_off(task, context.now_ms() + RATING_RETRY_MS)
        return
    archive.write(game_id, record.to_bytes())
    for holder, roles in record.holders.items():
        if holder.startswith(PLAYER) and SEAT in roles:
            player_id = holder.removeprefix(PLAYER)
            context.archive_queue.add(player_id, game_id, facts.updated_ms, context.settings.player_ttl_s)
    context.archive_queue.mark_archived(task, record.revision)


def _waits_for_ratings(record: Record, age_ms: int) -> bool:
    is_rated = orjson.loads(record.fields["meta"]).get("rated", False)  # absent in games of older versions
    return is_rated and "rating_applied" not in record.fields and age_ms < MAX_RATING_WAIT_MS


def _forget_player(context: Context, archive: Archive, task: ArchiveTask) -> None:
    """Remove the player from a batch of their archived games."""
    from service.usecases.people import account_deletion  # loads the rules

    player_id = task.name.removeprefix(PLAYER)
    for game_id in context.archive_queue.game_ids(player_id, ARCHIVED_PER_BATCH):
        account_deletion.remove_from_game(context, game_id, player_id, look_in_archive=True)
        _archive_game(context, archive, ArchiveTask(game_id, 0))
        context.archive_queue.remove(player_id, game_id)
    if context.archive_queue.game_ids(player_id, 1):
        context.archive_queue.put_off(task, 0)
    else:
        context.archive_queue.cancel(task)
