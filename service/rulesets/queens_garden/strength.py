"""What the levels were measured to win at Queen's Garden, two seats."""

from __future__ import annotations

from service.rulesets.ruleset import Strength

STRENGTH: tuple[Strength, ...] = ()
