"""Expands the choices, for the conformance tests."""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.wire import Json


def expand(choices: Json) -> Iterator[Json]:
    """Yield each legal action once."""
    return ({"type": "tiny.take", "number": number} for number in choices["take"])
