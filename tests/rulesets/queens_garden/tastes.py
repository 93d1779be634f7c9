"""Preferences of random players that lead to completed elements, large groups and full storages."""

from __future__ import annotations

from tests.rulesets.playing import Taste, short_type
from tests.rulesets.queens_garden.letters import Json

KINDS = ("place_tile", "place_expansion", "buy_expansion", "acquire", "pass")


def discards(action: Json) -> int:
    """Return the number of pieces that a pass discards, or 0 for other actions."""
    discard = action.get("discard", {"tiles": [], "expansions": []})
    return len(discard["tiles"]) + len(discard["expansions"])


def rank(*kinds: str) -> Taste:
    """Return a taste for these types in this order, before all others."""
    order = [*kinds, *(kind for kind in KINDS if kind not in kinds)]
    return lambda action: order.index(short_type(action))


TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "never pass": lambda action: action["type"] == "queens-garden.pass",
    "place": rank("place_tile", "place_expansion", "acquire"),
    "expansions first": rank("place_expansion", "buy_expansion", "acquire", "place_tile"),
    "acquire all": lambda action: -len(action.get("pieces", [])),
    "acquire little": lambda action: len(action.get("pieces", range(9))),
    "discard all": lambda action: -discards(action),
    "pay with jokers": lambda action: -action.get("payment", {"jokers": -1})["jokers"],
    "pay without jokers": lambda action: action.get("payment", {"jokers": 9})["jokers"],
    "around the fountain": lambda action: sum(map(abs, action.get("space", [9, 9]))),
    "expansions of the display": lambda action: -str(action).count("'expansion'"),
}
