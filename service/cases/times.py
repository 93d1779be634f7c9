"""What time alone brings to a game: a pause ends, a seat's time is up.

The moment stands in the store with the commit that fixed it, so any keeper may act on it, and so may two at once:
the commit says who was first.
"""

from __future__ import annotations

from service.cases import ledgers
from service.cases.context import Cases
from service.games.errors import GameError


def keep_time(cases: Cases, game_id: str) -> bool:
    """Carry out what is due; False where nothing is, or somebody was faster."""
    try:
        ledger = ledgers.opened(cases, ledgers.load(cases, game_id).game)
        if not ledger.keep_time():
            return False
        ledgers.append(cases, ledger)
    except GameError:  # gone, moved on, or played by rules newer than ours
        return False
    ledgers.wake(cases, ledger.game)
    return True
