"""`python -m service.rulesets.warm`: compile what this machine has not compiled yet, so that later starts are quick."""

from __future__ import annotations

from service.rulesets.registry import RULESETS

if __name__ == "__main__":
    assert RULESETS  # noqa: S101 - importing the registry is what compiles
