"""Counting for Prometheus. The service reports events to `current`.

`current` does nothing unless METRICS_PORT is set. Then `service.operate.observability.counting` replaces it by
instruments. Labels have few values, such as an operation's id, a code or a level, and never a path, a player or a game.
"""

from __future__ import annotations

OK = "ok"
"""Result of a successful call or keeper run."""


class Metrics:
    """The events that can be counted. This class ignores them."""

    def record_request(self, route: str, status: int, seconds: float | None) -> None:
        """Count a request. `route`: operation id; `seconds`: None if the request waited on purpose."""

    def record_problem(self, code: str) -> None:
        """Count an error response."""

    def record_action(self, ruleset: str, by: str) -> None:
        """Count a committed action. `by`: the seat's kind."""

    def record_conflict(self) -> None:
        """Count a commit that was rejected because the game had changed."""

    def record_decision(self, ruleset: str, level: str, outcome: str, late_s: float, thought_s: float) -> None:
        """Count a decision of an AI. `late_s`: time from due to start; `thought_s`: time from start to end."""

    def record_call(self, purpose: str, result: str, seconds: float) -> None:
        """Count a call of an endpoint, a webhook or a push service. `result`: `OK` or the code of a DialError."""

    def record_keeper_run(self, result: str, seconds: float) -> None:
        """Count a run of a keeper. `result`: `OK`, "failed", or "away" if the store is unavailable."""

    def record_unreadable(self, kind: str) -> None:
        """Count an attempt to read a stored record that is damaged, or that a newer version has written."""

    def stream_opened(self) -> None:
        """Count an open event stream."""

    def stream_closed(self) -> None:
        """Count a closed event stream."""


current = Metrics()


def are_on() -> bool:
    """Return whether metrics are counted."""
    return type(current) is not Metrics
