"""Measure what a language model reads: `python -m tests.bench.bench_mcp [--games 3] [--seats 2]`.

Starts the whole service as an operator does. Plays games against an AI as the MCP server's instructions say:
`wait_for_turn`, `list_actions`, `choose_action`. Prints for each ruleset the mean KB of text in the results of a game,
for each tool and in total, and the number of calls.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from service.rulesets.registry import RULESETS
from tests.e2e.model import OVER, Json, Model, in_process
from tests.e2e.stack import Stack
from workers.warm import warm


def play(model: Model, ruleset: str, rng: random.Random, seats: int) -> tuple[Counter[str], int]:
    """Play a game. Return the bytes of text for each tool, and the number of calls."""
    read: Counter[str] = Counter()
    calls = 0

    def use(tool: str, **arguments: Any) -> Json:
        nonlocal calls
        result = model.call(tool, **arguments)
        read[tool] += len(result["text"].encode())
        calls += 1
        return result

    state = use("create_game", ruleset=ruleset, seats=["me", *["random"] * (seats - 1)])
    game = state["game"]
    while state["status"] not in OVER:
        if not state["your_turn"]:
            state = use("wait_for_turn", game=game, since=state["revision"])
            continue
        legal = use("list_actions", game=game)
        chosen = rng.choice(legal["actions"])
        state = use("choose_action", game=game, action_id=chosen["id"], revision=legal["revision"])
    return read, calls


def main() -> None:
    """Print the figures of each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seats", type=int, default=2)
    options = parser.parse_args()
    warm()
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder)) as stack, in_process(stack.url) as model:
        for ruleset in RULESETS:
            played = [play(model, ruleset, random.Random(n), options.seats) for n in range(options.games)]
            read = sum((one for one, _ in played), Counter())
            by_tool = ", ".join(f"{tool} {size / 1000 / options.games:.1f}" for tool, size in read.most_common())
            calls = sum(one for _, one in played) / options.games
            print(f"{ruleset}: {read.total() / 1000 / options.games:.1f} KB in {calls:.0f} calls ({by_tool})")


if __name__ == "__main__":
    main()
