"""Limits on the length of a log.

A typical game has less than 300 events; the rules allow about 3,000 (if all players of Azul avoid completing lines).
Actions are never refused, so every game can be finished. Takebacks, offers and claims could be repeated without end, so
only the first `ROOM` events may contain them.
"""

from __future__ import annotations

MAX_EVENTS = 1_000
"""Records with more events are not imported."""
ROOM = 600
CHECKPOINT_EVERY = 32
"""Revisions between checkpoints. Reading a game at a revision replays fewer events than this."""


def checkpoint_before(revision: int) -> int:
    """Return the last checkpoint at or before the revision."""
    return revision - revision % CHECKPOINT_EVERY
