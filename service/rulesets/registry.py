"""What can be played: one line a ruleset."""

from __future__ import annotations

from service.rulesets import compiled
from service.rulesets.azul import AZUL
from service.rulesets.ruleset import Ruleset

RULESETS: dict[str, Ruleset] = {ruleset.id: ruleset for ruleset in (AZUL,)}

compiled.PROGRESS.end()
