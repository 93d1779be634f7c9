"""Where the machine code of the environments is kept, and how what is in it is called."""

from __future__ import annotations

from pathlib import Path

from research.envs import stepping
from service.rulesets import code_cache
from service.rulesets.kernel import Rules
from workers.search import record_abi

FEATURES = "int64(game, int64[::1])"  # signature of what writes the numbers of a position's features


def steps_path() -> Path:
    """Where the machine code of stepping.py is kept."""
    sources = (Path(str(module.__file__)) for module in (stepping, record_abi))
    return code_cache.object_path("envs", *code_cache.SHARED_BY_RULES, *sources)


def features_path(rules: Rules) -> Path:
    """Where that of a ruleset's features is kept."""
    return code_cache.object_path(
        f"features-{rules.ruleset}", *code_cache.SHARED, rules.folder / "rules", rules.folder / "ai"
    )
