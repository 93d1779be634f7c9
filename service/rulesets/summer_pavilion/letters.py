"""Letters of tiles in text pictures and notation."""

from __future__ import annotations

from service.rulesets.summer_pavilion.rules.components import COLOURS

LETTERS = dict(zip(COLOURS, "pgoybr", strict=True))
