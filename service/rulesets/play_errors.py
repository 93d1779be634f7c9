"""Errors of rulesets and positions."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action the rules do not allow. `reason` is a stable code, one of the ruleset's `reasons`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotCompiledError(RuntimeError):
    """The operation takes too long until the rules are compiled."""


class IllegalDrawError(ValueError):
    """A draw that is impossible in this position."""


class DamagedSnapshotError(ValueError):
    """A snapshot that is damaged or was written by other sources."""
