"""What came of a keeper's look at what is due."""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """What came of looking after a part of it."""

    done: int
    """How many things were done."""
    more: bool
    """Whether there may be more of it."""
