"""Preferences of random players that lead to full rows, floors and lines."""

from __future__ import annotations

from tests.rulesets.azul.build import COLOURS, Json
from tests.rulesets.playing import Taste


def destination(action: Json) -> int:
    line = action["line"]
    return 5 if line == "floor" else int(line)


TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "short lines": destination,
    "long lines": lambda action: -destination(action) if destination(action) < 5 else 1,
    "the floor": lambda action: -destination(action),
    "the centre": lambda action: action.get("source") != "centre",
    "one colour": lambda action: COLOURS.index(action.get("colour", "blue")),
    "the left column": lambda action: action.get("column", 0),
}
