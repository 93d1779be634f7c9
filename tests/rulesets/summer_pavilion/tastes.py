"""Preferences of random players that lead to surrounded features, full stars and large hands."""

from __future__ import annotations

from tests.rulesets.playing import Taste
from tests.rulesets.summer_pavilion.build import COLOURS, Json, size


def count_kept(action: Json) -> int:
    """Return the number of tiles that a pass keeps, or -1 for other actions."""
    return size(action["keep"]) if action["type"] == "summer-pavilion.pass" else -1


TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "never pass": lambda action: action["type"] == "summer-pavilion.pass",
    "cheap spaces": lambda action: action.get("slot", 9),
    "dear spaces": lambda action: -action.get("slot", 0),
    "one star after the other": lambda action: sum(map(ord, action.get("star", "~"))),
    "keep nothing": lambda action: max(0, count_kept(action)),
    "keep all, pass at once": lambda action: -count_kept(action) - 1,
    "the centre": lambda action: "centre" not in action.values(),
    "one colour": lambda action: COLOURS.index(action.get("colour", "red")),
    "many wilds": lambda action: -action.get("wilds", -1),
}
