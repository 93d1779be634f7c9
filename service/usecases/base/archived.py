"""Archived games that Redis has forgotten: whoever reads one has it put back for a while, whole.

So there is one way to read a game, and to change one, wherever it was. What changes it there is archived again.
"""

from __future__ import annotations

from collections.abc import Sequence

from service.storage.games import records
from service.storage.games.records import Record
from service.usecases.base.context import Context

RESTORED_S = 3_600
"""So long a game that was put back stays at least."""


def restored(context: Context, game_id: str) -> bool:
    """Restore a game from the archive. Return whether it was there. Raises `ArchiveUnavailableError`."""
    if context.archive is None or context.unknown_games.known(game_id):
        return False
    content = context.archive.read(game_id)
    if content is None:
        context.unknown_games.put(game_id, value=True)
        return False
    context.archivals.restore(game_id, records.read(content), RESTORED_S)
    return True


def every(context: Context, game_ids: Sequence[str]) -> dict[str, Record]:
    """The records of those of these games that are archived, by id. Raises `ArchiveUnavailableError`."""
    if context.archive is None:
        return {}
    return {game_id: records.read(content) for game_id, content in context.archive.read_many(game_ids).items()}
