"""One search for every ruleset, compiled once.

The registry is imported first, so that its rules are kept under the key that every process gives them; the
sources in this folder join that key only for what is compiled here.
"""

from __future__ import annotations

from pathlib import Path

from service.rulesets import compiled, registry

__all__: list[str] = []

assert registry.RULESETS  # noqa: S101 - imported for its effect: the rules are compiled
compiled.keep(Path(__file__).parent)
