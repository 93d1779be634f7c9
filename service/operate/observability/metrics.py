"""What is counted, for Prometheus: whatever happens in this process is told to `current`.

As long as no METRICS_PORT is set, `current` does nothing and nothing is imported. With it,
`service.operate.observability.counting` puts instruments in its place. Labels have few values: an operation's id, a
code, a level, never a path, a player or a game.
"""

from __future__ import annotations

OK = "ok"
"""What comes of a call or a look where nothing is wrong."""


class Metrics:
    """What may happen. Here nothing is counted."""

    def answered(self, route: str, status: int, seconds: float | None) -> None:
        """A request was answered; `route` is an operation's id. None: it waited for something, so it is not timed."""

    def refused(self, code: str) -> None:
        """A problem document of this code was made."""

    def acted(self, ruleset: str, by: str) -> None:
        """An action was committed; `by` is a seat's kind."""

    def overtaken(self) -> None:
        """A commit found that another was faster, and wrote nothing."""

    def decided(self, ruleset: str, level: str, outcome: str, late_s: float, thought_s: float) -> None:
        """An AI's decision has ended, so many seconds after it was due, and after it was begun."""

    def called(self, purpose: str, result: str, seconds: float) -> None:
        """An endpoint or a webhook was called; `result` is `OK` or the dialer's code."""

    def looked(self, result: str, seconds: float) -> None:
        """A keeper has looked at what is due; `result` is `OK`, "failed", or "away" where the store is."""

    def stream_opened(self) -> None:
        """A stream of events has begun."""

    def stream_closed(self) -> None:
        """It has ended."""


current = Metrics()


def are_on() -> bool:
    """Whether anything is counted."""
    return type(current) is not Metrics
