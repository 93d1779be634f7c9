"""`python rules_program.py NOTATION DEPTH`: play with the rules and print the results as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import azul_rules


def play(ruleset: str) -> azul_rules.Position:
    """Return the position at the end of a game of random actions."""
    chance, position = azul_rules.generator(bytes(range(32))), azul_rules.position(ruleset, seats=3)
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(chance))
        else:
            position = position.play(position.random_action(chance))
    return position


def step_many(ruleset: str) -> list[list[int]]:
    """Return the scores of some games after random actions."""
    games = azul_rules.VectorEnv(ruleset, azul_rules.RULESETS[ruleset].variants[-1], games=8)
    games.reset(seed=1)
    for _ in range(50):
        games.step(games.draw_actions())
    scores: list[list[int]] = games.scores.tolist()
    return scores


def report(notation: str, depth: int) -> dict[str, Any]:
    """Return results of every ruleset, and the number of nodes below a position of Azul."""
    position = azul_rules.RULESETS["azul"].read_notation(notation)
    return {
        "sources": {name: ruleset.rules_hash for name, ruleset in azul_rules.RULESETS.items()},
        "games": {name: play(name).notation for name in azul_rules.RULESETS},
        "many": {name: step_many(name) for name in azul_rules.RULESETS},
        "compiled": [ruleset.rules.are_compiled() for ruleset in azul_rules.RULESETS.values()],
        "nodes": azul_rules.node_counts(position, depth)[-1].nodes,
    }


if __name__ == "__main__":
    print(json.dumps(report(sys.argv[1], int(sys.argv[2]))))
