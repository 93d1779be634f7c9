"""Aliases: acquisitions by a pattern that take the same pieces as one by a colour (see display.py)."""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.kernel import DECIDING, Record
from service.rulesets.queens_garden.rules.codes import FIRST_TILE, PIECE_BITS, SOURCES, pack_acquire
from service.rulesets.queens_garden.rules.components import KINDS
from service.rulesets.queens_garden.rules.display import alias_patterns, in_display
from service.rulesets.queens_garden.rules.state import axis_of, lowest_bit, rule

BY_COLOUR, BY_PATTERN = range(2)


def alias_by_colour(hexagons: int) -> dict[int, int]:
    """Return colour -> the pattern that takes the same pieces, for a mask of hexagons in the display."""
    patterns = int(alias_patterns(hexagons))
    return {
        int(lowest_bit(int(axis_of(hexagons, BY_PATTERN, pattern)))): pattern
        for pattern in range(KINDS)
        if patterns >> pattern & 1
    }


def aliases(table_state: Record) -> dict[int, int]:
    """Return each legal alias with the listed action that does the same; empty if no seat decides."""
    return dict(_aliases(table_state)) if table_state.status == DECIDING else {}


def _aliases(table_state: Record) -> Iterator[tuple[int, int]]:
    for colour, pattern in alias_by_colour(int(in_display(table_state))).items():
        for piece in range(FIRST_TILE, SOURCES):
            alias = int(pack_acquire(BY_PATTERN, pattern, piece << (PIECE_BITS * colour)))
            if rule.check(table_state, alias) == 0:
                yield alias, int(pack_acquire(BY_COLOUR, colour, piece << (PIECE_BITS * pattern)))
