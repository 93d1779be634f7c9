"""Letters and digits of hexagons in text pictures and notation, and lists of tiles."""

from __future__ import annotations

from service.rulesets.queens_garden.rules.components import COLOURS, PATTERNS
from service.rulesets.wire import Json

LETTERS = dict(zip(COLOURS, "bdlypk", strict=True))
VALUE_DIGITS = {pattern: str(value) for value, pattern in enumerate(PATTERNS, 1)}


def count_tiles(counts: Json) -> int:
    """Return the number of tiles in counts by colour and pattern."""
    return sum(sum(row.values()) for row in counts.values())


def list_tiles(counts: Json) -> list[Json]:
    """Return counts by colour and pattern as a list of hexagons, one for each tile."""
    return [
        {"colour": colour, "pattern": pattern}
        for colour, row in counts.items()
        for pattern, count in row.items()
        for _ in range(count)
    ]
