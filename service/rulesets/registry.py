"""Registry of the rulesets: one line each."""

from __future__ import annotations

import copyreg

from service.rulesets.azul import AZUL
from service.rulesets.queens_garden import QUEENS_GARDEN
from service.rulesets.ruleset import Ruleset
from service.rulesets.summer_pavilion import SUMMER_PAVILION

RULESETS: dict[str, Ruleset] = {ruleset.id: ruleset for ruleset in (AZUL, SUMMER_PAVILION, QUEENS_GARDEN)}


def find(ruleset_id: str) -> Ruleset:
    """Return a registered ruleset. Raises KeyError."""
    return RULESETS[ruleset_id]


copyreg.pickle(Ruleset, lambda ruleset: (find, (ruleset.id,)))
