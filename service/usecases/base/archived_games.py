"""Archived games that Redis no longer has. A request for one restores it for a while.

All other code then reads and changes it like any game. A changed game is archived again.
"""

from __future__ import annotations

from collections.abc import Sequence

from service.storage.games import records
from service.storage.games.records import Record
from service.usecases.base.context import Context

RESTORED_S = 3_600
"""Minimum lifetime of a restored game."""


def restore(context: Context, game_id: str) -> bool:
    """Restore a game from the archive. Return whether the archive has it. Raises `ArchiveUnavailableError`."""
    if context.archive is None or context.unknown_games.peek(game_id):
        return False
    content = context.archive.read(game_id)
    if content is None:
        context.unknown_games.set(game_id, value=True)
        return False
    context.archive_queue.restore(game_id, records.read(content), RESTORED_S)
    return True


def read_records(context: Context, game_ids: Sequence[str]) -> dict[str, Record]:
    """Read the records of the games that are archived, by id. Raises `ArchiveUnavailableError`."""
    if context.archive is None:
        return {}
    return {game_id: records.read(content) for game_id, content in context.archive.read_many(game_ids).items()}
