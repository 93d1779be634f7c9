"""The positions of docs/reference/node-counts.md: `python -m tests.research.node_counts RULESET` prints its tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from research.envs.spaces import generator_of
from research.perft import NodeCount, node_counts, table_lines
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.rulesets.playing import random_walk

GAME_SEED = 1
MAX_NODES = 100_000  # of the greatest published depth


def published_positions(ruleset: Ruleset, variant: str) -> Iterator[tuple[str, Position]]:
    """Yield the described positions of a side, all from random games with the same seed."""
    for seats in (2, 4):
        walk = random_walk(ruleset.start(variant, seats, None), generator_of(GAME_SEED))
        decisions = [position for position in walk if position.seat is not None]
        yield f"{seats} seats, the first decision", decisions[0]
        if seats == 2:
            yield "2 seats, half of a game", decisions[len(decisions) // 2]
            yield "2 seats, the fifth decision before the end", decisions[-5]
            yield "2 seats, the last decision", decisions[-1]


def published_counts(position: Position) -> list[NodeCount]:
    """Return the counts of all depths with at most MAX_NODES nodes, and always of depth 1."""
    counts = node_counts(position, 1)
    while 0 < (deeper := node_counts(position, len(counts) + 1, MAX_NODES))[-1].nodes <= MAX_NODES:
        counts = deeper
    return counts


def published_lines(ruleset: Ruleset) -> Iterator[str]:
    """Yield the lines of the published counts in Markdown."""
    for variant in ruleset.variants:
        yield f"\n### `{ruleset.id}`, {variant}"
        for words, position in published_positions(ruleset, variant):
            yield f"\n{words}:\n\n```text\n{position.notation}\n```\n"
            yield from table_lines(published_counts(position))


if __name__ == "__main__":
    print(*published_lines(RULESETS[sys.argv[1]]), sep="\n")
