"""Expands the choices: every action once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from service.rulesets.wire import Json


def expand(choices: Json) -> Iterator[Json]:
    """Named actions."""
    for source in choices["acquire"]:
        for colour in source["colours"]:
            yield {"type": "summer-pavilion.acquire", "source": source["source"], "colour": colour["colour"]}
    for space in choices["place"]:
        for colour in space["colours"]:
            assert colour["fewest_wilds"] <= colour["most_wilds"] < space["number"]
            for wilds in range(colour["fewest_wilds"], colour["most_wilds"] + 1):
                place = {"star": space["star"], "slot": space["slot"], "colour": colour["colour"]}
                yield {"type": "summer-pavilion.place", **place, "wilds": wilds}
    for colour in choices["take_bonus"]:
        yield {"type": "summer-pavilion.take_bonus", "colour": colour}
    if choices["pass"] is not None:
        yield from passes(**choices["pass"])


def passes(hand: dict[str, int], most: int) -> Iterator[Json]:
    """Yield the ways to keep at most this number of tiles of the hand."""
    for numbers in itertools.product(*(range(count + 1) for count in hand.values())):
        if sum(numbers) <= most:
            keep = {colour: count for colour, count in zip(hand, numbers, strict=True) if count}
            yield {"type": "summer-pavilion.pass", "keep": keep}
