"""The choices multiplied out: every action they stand for, each once."""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.wire import Json


def expand(choices: Json) -> Iterator[Json]:
    """Named actions."""
    return ({"type": "tiny.take", "number": number} for number in choices["take"])
