"""What time alone brings to a game: a pause ends, a seat's time is up.

The moment stands in the store with the commit that fixed it, so any keeper may act on it, and so may two at once:
the commit says who was first.
"""

from __future__ import annotations

from service.games.errors import GameError
from service.usecases.base import repository
from service.usecases.base.context import Context


def keep_time(context: Context, game_id: str) -> bool:
    """Carry out what is due; False where nothing is, or somebody was faster."""
    try:
        session = repository.opened(context, repository.load(context, game_id, look_in_archive=False).game)
        if not session.keep_time():
            return False
        repository.append(context, session)
    except GameError:  # gone, moved on, or played by rules newer than ours
        return False
    repository.wake(context, session.game)
    return True
