"""Finished games are written into the archive, and archived games forget players who were deleted.

A game is written as it stands in Redis, named in its players' lists, and then marked. Whoever dies in between leaves
it due, and another does all of it again. While the archive is away nothing is lost: what is due stays so, is tried
again later and later, and its games are kept meanwhile.
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
from service.storage.games.archive_queue import PLAYER, Taken
from service.storage.games.records import Record
from service.usecases.base.batches import Look
from service.usecases.base.context import Context
from service.usecases.keeping.duties import BackOff

LOG = structlog.get_logger()
LEASE_MS = 300_000
ARCHIVED_A_LOOK = 20  # of a bucket
KEPT_S = 2 * 86_400
"""So long at least a game is kept that could not be archived: much longer than until it is tried again."""
RATED_WITHIN_MS = 3_600_000
"""So long an archived record waits for what the game brings its players."""
RATED_AGAIN_MS = 2_000


def look_after(context: Context, back_off: BackOff) -> Look:
    """Archive a part of what is due; how much. What fails is logged, and tried again after a while."""
    if context.archive is None:
        return Look(0, more=False)
    now_ms, done = context.now_ms(), 0
    due = context.archivals.take(now_ms, now_ms + LEASE_MS, ARCHIVED_A_LOOK)
    for number, taken in enumerate(due):
        try:
            _perform(context, context.archive, taken)
            back_off.over(taken.name)
            done += 1
        except ArchiveUnavailableError as error:  # for the others, too
            LOG.warning("the archive is away", error=str(error))
            for waiting in due[number:]:
                _put_off(context, waiting, back_off.after(waiting.name))
            return Look(done, more=False)
        except Exception as error:
            if outage(error) is not None:
                raise
            LOG.exception("a game cannot be archived", game=taken.name)
            _put_off(context, taken, back_off.after(taken.name))
    return Look(done, len(due) >= ARCHIVED_A_LOOK)


def _put_off(context: Context, taken: Taken, again_in_ms: int) -> None:
    if not taken.name.startswith(PLAYER):
        with contextlib.suppress(DamagedRecordError):
            context.archivals.prolong(taken.name, KEPT_S)
    context.archivals.put_off(taken, context.now_ms() + again_in_ms)


def _perform(context: Context, archive: Archive, taken: Taken) -> None:
    if taken.name.startswith(PLAYER):
        _forget_player(context, archive, taken)
    else:
        _archive_game(context, archive, taken)


def _archive_game(context: Context, archive: Archive, taken: Taken) -> None:
    """Nothing is done where the game is gone, or not finished."""
    game_id, record = taken.name, context.archivals.record(taken.name)
    facts = None if record is None else Facts.stored(record.fields.get("facts", b""), record.revision)
    if record is None or facts is None or facts.status != FINISHED:
        context.archivals.forgotten(taken)
        return
    if _waits_for_ratings(record, context.now_ms() - facts.updated_ms):
        context.archivals.put_off(taken, context.now_ms() + RATED_AGAIN_MS)
        return
    archive.write(game_id, record.to_bytes())
    for holder, roles in record.holders.items():
        if holder.startswith(PLAYER) and SEAT in roles:
            player_id = holder.removeprefix(PLAYER)
            context.archivals.add(player_id, game_id, facts.updated_ms, context.settings.player_ttl_s)
    context.archivals.archived(taken, record.revision)


def _waits_for_ratings(record: Record, age_ms: int) -> bool:
    is_rated = orjson.loads(record.fields["meta"]).get("rated", False)  # older versions knew no ratings
    return is_rated and "rating_applied" not in record.fields and age_ms < RATED_WITHIN_MS


def _forget_player(context: Context, archive: Archive, taken: Taken) -> None:
    """It needs the rules, which are loaded with the first player who is to be forgotten."""
    from service.usecases.people import account_deletion

    player_id = taken.name.removeprefix(PLAYER)
    for game_id in context.archivals.game_ids(player_id, ARCHIVED_A_LOOK):
        account_deletion.leave(context, game_id, player_id, look_in_archive=True)
        _archive_game(context, archive, Taken(game_id, 0))
        context.archivals.remove(player_id, game_id)
    if context.archivals.game_ids(player_id, 1):
        context.archivals.put_off(taken, 0)
    else:
        context.archivals.forgotten(taken)
