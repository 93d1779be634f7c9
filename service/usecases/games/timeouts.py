"""Time-driven changes of a game: the end of a pause, and a seat that runs out of time.

The commit that sets a deadline stores it in the due queue, so any keeper can act on it. If two do so at once, one
commit wins.
"""

from __future__ import annotations

from service.games.errors import GameError
from service.usecases.base import repository
from service.usecases.base.context import Context


def keep_time(context: Context, game_id: str) -> bool:
    """Apply a deadline that has passed. Return False if none has, or if another writer was faster."""
    try:
        session = repository.open_session(context, repository.load(context, game_id, look_in_archive=False).game)
        if not session.keep_time():
            return False
        repository.append(context, session)
    except GameError:  # deleted, changed by another writer, or of newer rules
        return False
    repository.wake(context, session.game)
    return True
