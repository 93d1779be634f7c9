"""The rules of Azul, Summer Pavilion and Queen's Garden in Python, without a server.

    import azul_rules

    chance = azul_rules.generator(bytes(range(32)))  # a seed of 32 bytes
    position = azul_rules.position("azul", "grey", seats=3)
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(chance))
        else:
            position = position.play(position.random_action(chance))
    print(position)

`azul_rules.envs` contains environments for Gymnasium and PettingZoo.
"""

from __future__ import annotations

from research.envs import machine
from research.envs.vector import VectorEnv
from research.perft import NodeCount, divide, node_counts
from service.rulesets.kernel import generator
from service.rulesets.notation import UnreadableTextError
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import (
    DamagedSnapshotError,
    IllegalActionError,
    IllegalDrawError,
    InconsistentStateError,
    Position,
    Ruleset,
    SeatOutcome,
)

__all__ = [
    "RULESETS",
    "DamagedSnapshotError",
    "IllegalActionError",
    "IllegalDrawError",
    "InconsistentStateError",
    "NodeCount",
    "Position",
    "Ruleset",
    "SeatOutcome",
    "UnreadableTextError",
    "VectorEnv",
    "compile_rules",
    "divide",
    "generator",
    "node_counts",
    "position",
]


def position(ruleset: str, variant: str | None = None, seats: int = 2, first_seat: int | None = None) -> Position:
    """Return the set-up of a new game, before the first draw.

    `variant`: by default the ruleset's first; `first_seat`: None draws it. Raises KeyError for an unknown ruleset, and
    ValueError for an unknown variant, number of seats or seat.
    """
    rules = RULESETS[ruleset]
    return rules.start(rules.variants[0] if variant is None else variant, seats, first_seat)


def compile_rules(ruleset: str) -> None:
    """Compile the rules of a ruleset unless they are compiled (seconds, once); before, they run as plain Python.

    Raises KeyError for an unknown ruleset, and RuntimeError without Numba.
    """
    machine.compile_rules(RULESETS[ruleset].rules)
