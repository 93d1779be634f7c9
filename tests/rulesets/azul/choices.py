"""The choices multiplied out: every action they stand for, each once."""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.wire import Json


def expand(choices: Json) -> Iterator[Json]:
    """Named actions."""
    for draft in choices["draft"]:
        for line in draft["lines"]:
            yield {"type": "azul.draft", "source": draft["source"], "colour": draft["colour"], "line": line["line"]}
    tile = choices["tile"]
    if tile is not None:
        for column in tile["columns"]:
            yield {"type": "azul.tile", "line": tile["line"], "column": column["column"]}
