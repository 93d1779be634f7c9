"""A search tree: its memory, the threads that grow it, and the results read from it."""

from __future__ import annotations

import hmac
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from workers.search import endgame, playouts, simulation, tree_memory
from workers.search.parameters import Parameters
from workers.search.playouts import Scratch
from workers.search.record_abi import rules_by_address
from workers.search.rows import set_root
from workers.search.tree_memory import NONE, Nodes

SLICE_POSITIONS = 1000  # about 2 ms
ALPHA_BETA_GAIN = 1.5  # alpha-beta examines about the 1.5th root of all lines of play


@dataclass(frozen=True)
class Node:
    """A node of a tree. It is valid until the tree grows."""

    nodes: Nodes
    number: int

    @property
    def visits(self) -> int:
        """Number of simulations through the node."""
        return int(self.nodes[self.number]["visits"])

    @property
    def prior(self) -> float:
        """Estimated return, for the seat that decided."""
        return float(self.nodes[self.number]["prior"])

    def value(self, seat: int) -> float:
        """Return the seat's expected return. Before the first visit it is the estimate for the seat that decided."""
        return float(self.nodes[self.number]["total"][seat]) / self.visits if self.visits else self.prior

    def lead(self, seat: int) -> float:
        """Return the seat's expected lead in points."""
        return float(self.nodes[self.number]["lead"][seat]) / self.visits

    def children(self) -> dict[int, Node]:
        """Return the children by action, in the order in which they were added."""
        below = children_of(self.nodes, self.number)
        return {int(self.nodes[child]["action"]): Node(self.nodes, child) for child in below}


def children_of(nodes: Nodes, parent: int) -> list[int]:
    """Return the indexes of a node's children, in the order in which they were added."""
    children, child = [], int(nodes[parent]["first_child"])
    while child != NONE:
        children.append(child)
        child = int(nodes[child]["next_sibling"])
    return children


class SearchTree:
    """A tree with a position at its root."""

    def __init__(self, position: Position, parameters: Parameters, seed: bytes, threads: int = 1) -> None:
        """Create the root. `seed`: 32 bytes for the tree's own generators; it never uses the game's seed."""
        ruleset = position.ruleset
        self.rules = rules_by_address(ruleset)
        seeds = [seed] + [hmac.digest(seed, bytes([thread]), "sha256") for thread in range(1, threads)]
        self._scratches = [playouts.new_scratch(ruleset, generator(seed)) for seed in seeds]
        self.scratch = self._scratches[0]
        self._parameters = parameters
        self._ends_are_wide = ruleset.rules.function("ending_actions") is not ruleset.rules.function("legal_actions")
        self.reset(position)

    def reset(self, position: Position) -> None:
        """Replace the tree by a single root."""
        self.tree = tree_memory.new_tree()
        self.root = 0
        self._set_position(position)

    def _set_position(self, position: Position) -> None:
        for scratch in self._scratches:
            set_root(scratch.rows, position)

    @property
    def top(self) -> Node:
        """The root."""
        return Node(self.tree.nodes, self.root)

    def simulate(self, count: int, pool: ThreadPoolExecutor | None = None) -> None:
        """Run exactly `count` simulations and enlarge the tree if necessary.

        With a pool, all threads share them. Without one, a single thread runs them all, and the same seed gives the
        same tree.
        """
        threads = 1 if pool is None else len(self._scratches)
        run = map if pool is None or threads == 1 else pool.map
        left = [(count + thread) // threads for thread in range(threads)]
        while True:
            left = list(run(self._simulate, self._scratches, left))
            if not any(left):
                return
            if len(self.tree.nodes) < tree_memory.MAX_NODES:
                self.tree = tree_memory.with_doubled_capacity(self.tree)
            else:
                self._make_room()

    def _simulate(self, scratch: Scratch, count: int) -> int:
        """Run simulations in a thread. Return how many are left because the tree is full."""
        scratch.path[0] = self.root
        return count - int(simulation.simulate(self.rules, scratch, self.tree, self._parameters, count))

    def solve(self, should_continue: Callable[[], bool]) -> tuple[int, list[float]] | None:
        """Return the best action and every seat's return, or None if the rest of the game is too large to be solved.

        If it is too large with all actions, only candidates are examined, and the solution is nearly exact.
        `should_continue` is called after every SLICE_POSITIONS positions.
        """
        if self._is_too_large(1):  # listing all actions takes longer
            return None
        if not self._ends_are_wide:
            return self._solve_with(0, should_continue)
        exact = None if self._is_too_large(0) else self._solve_with(0, should_continue)
        return exact or self._solve_with(1, should_continue)

    def solve_exactly(self) -> list[float] | None:
        """Return every seat's return, or None if the rest of the game is too large to be solved with all actions."""
        solution = None if self._is_too_large(0) else self._solve_with(0, lambda: True)
        return None if solution is None else solution[1]

    def _is_too_large(self, candidates_only: int) -> bool:
        limit = ALPHA_BETA_GAIN * math.log(max(1, self._parameters.endgame_positions))
        return bool(endgame.is_larger(self.rules, self.scratch, candidates_only, limit))

    def _solve_with(self, candidates_only: int, should_continue: Callable[[], bool]) -> tuple[int, list[float]] | None:
        stack, state = endgame.new_stack(), endgame.UNDER_WAY
        for _ in range(-(-self._parameters.endgame_positions // SLICE_POSITIONS)):
            state = endgame.solve(self.rules, self.scratch, stack, self._parameters, candidates_only, SLICE_POSITIONS)
            if state != endgame.UNDER_WAY or not should_continue():
                break
        if state != endgame.SOLVED:
            return None
        return int(stack.best[0]), stack.values[0].tolist()

    def advance(self, position: Position, action: int) -> bool:
        """Move the root to the child of an action.

        Return False if there is no such child; the tree then starts from scratch.
        """
        child = self.top.children().get(action)
        if child is None:
            self.reset(position)
            return False
        self.root = child.number
        if self.tree.used[0] > tree_memory.MAX_NODES // 2:
            self._make_room()
        self._set_position(position)
        return True

    def _make_room(self) -> None:
        """Keep only descendants of the root.

        If these are more than half of MAX_NODES, drop descendants of rarely visited nodes, too.
        """
        kept, min_visits = tree_memory.new_tree(len(self.tree.nodes)), 1
        while tree_memory.keep_below(self.rules, self.tree, kept, self.root, min_visits) > tree_memory.MAX_NODES // 2:
            min_visits *= 2
        self.tree, self.root = kept, 0
