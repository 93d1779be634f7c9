"""The letters that stand for tiles in text: the same in the drawn table and in notation."""

from __future__ import annotations

from service.rulesets.summer_pavilion.rules.components import COLOURS

LETTERS = dict(zip(COLOURS, "pgoybr", strict=True))
