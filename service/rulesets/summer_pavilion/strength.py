"""What the levels were measured to win at Summer Pavilion, two seats."""

from __future__ import annotations

from service.rulesets.ruleset import Strength

STRENGTH: tuple[Strength, ...] = ()
