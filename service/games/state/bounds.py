"""How long a log may become.

A game that is played from its beginning to its end has less than 300 events at the usual table; what the rules allow
at the worst (all players of Azul keep their walls from growing) is some 3,000. Play itself is never refused, so a game
can always be ended. What people do beside playing could go on for ever, act and take back, offer and withdraw: for
that there is room in the first `ROOM` events only.
"""

from __future__ import annotations

MAX_EVENTS = 1_000
"""A record of more is not read in."""
ROOM = 600
CHECKPOINT_EVERY = 32
"""Revisions: the game is kept as it was at every so many, so that reading at a revision is a replay of fewer."""


def checkpoint_before(revision: int) -> int:
    """The last revision up to this one at which the game is kept."""
    return revision - revision % CHECKPOINT_EVERY
