"""The letters and digits that stand for hexagons in text: the same in the drawn table and in notation."""

from __future__ import annotations

from service.rulesets.queens_garden.rules.components import COLOURS, PATTERNS

LETTERS = dict(zip(COLOURS, "bdlypk", strict=True))
VALUE_DIGITS = {pattern: str(value) for value, pattern in enumerate(PATTERNS, 1)}
