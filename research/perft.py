"""Node counts of the rules, to check other engines: `python -m research.perft azul NOTATION --depth 2`.

A node of depth d is a sequence of d listed legal actions from a position. Chance is no action, so a position in which
a draw is due has no successors, like one at the end of the game. docs/reference/node-counts.md lists counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from math import inf

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, new_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset


@dataclass
class NodeCount:
    """Nodes of a depth: all, those in which a draw is due, those at the end, and the sum of all seats' points."""

    nodes: int = 0
    draws: int = 0
    ends: int = 0
    points: int = 0


def node_counts(position: Position, depth: int, limit: float = inf) -> list[NodeCount]:
    """Return the counts of the depths from 1 to `depth`. They are incomplete if the last is greater than `limit`."""
    totals = [NodeCount() for _ in range(depth)]
    _visit(position.ruleset, position.table_state(), totals, limit)
    return totals


def _visit(ruleset: Ruleset, table_state: Record, totals: list[NodeCount], limit: float) -> None:
    out = np.empty(ruleset.max_actions, np.int64)
    listed, content = ruleset.rules.legal_actions(table_state, out), table_state.tobytes()
    for action in out[:listed].tolist():
        after = new_record(ruleset.rules.dtype, content)
        ruleset.rules.apply(after, action)
        total, status = totals[0], after.status
        total.nodes += 1
        total.draws += int(status == DRAWING)
        total.ends += int(status == OVER)
        total.points += sum(after.score.tolist())
        if len(totals) > 1 and status == DECIDING and totals[-1].nodes <= limit:
            _visit(ruleset, after, totals[1:], limit)


def divide(position: Position, depth: int) -> Iterator[tuple[str, int]]:
    """Yield the notation of each action and the number of nodes of `depth` that begin with it."""
    for action in position.legal_actions():
        after = position.play(action)
        nodes = 1 if depth == 1 else node_counts(after, depth - 1)[-1].nodes if after.seat is not None else 0
        yield position.ruleset.notation_of(action), nodes


def table_lines(counts: list[NodeCount]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield from ("| depth | nodes | draws | ends | points |", "|---|---|---|---|---|")
    for depth, total in enumerate(counts, 1):
        yield f"| {depth} | " + " | ".join(f"{number:,}" for number in astuple(total)) + " |"


def main() -> None:
    """Print the counts of a position."""
    parser = argparse.ArgumentParser(prog="python -m research.perft", description=__doc__)
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("position", metavar="NOTATION", help="a position in which a seat decides")
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--divide", action="store_true", help="count the nodes below each action")
    options = parser.parse_args()
    if options.depth < 1:
        parser.error("--depth: at least 1")
    try:
        position = RULESETS[options.ruleset].read_notation(options.position)
    except ValueError as error:
        parser.error(str(error))
    if options.divide:
        print(*(f"{notation}: {nodes:,}" for notation, nodes in divide(position, options.depth)), sep="\n")
    else:
        print(*table_lines(node_counts(position, options.depth)), sep="\n")


if __name__ == "__main__":
    main()
