"""The verifier of draws with the files of rulesets that define their own draws."""

from __future__ import annotations

import runpy

from openapi.clients.verify.verify import DRAWS, verify
from service.rulesets.registry import RULESETS

__all__ = ["WITH_FILE", "verify"]
WITH_FILE = {name: ruleset.folder / "draws.py" for name, ruleset in RULESETS.items() if name not in DRAWS}
DRAWS.update({name: runpy.run_path(str(file))["Draws"] for name, file in WITH_FILE.items()})
