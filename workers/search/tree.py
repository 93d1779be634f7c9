"""One tree, the memory it grows in, the threads that grow it, and what can be read from it."""

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

POSITIONS_A_SLICE = 1000  # about 2 ms
DEPTH_GAINED = 1.5  # alpha-beta looks at about the 1.5th root of all ways to go on


@dataclass(frozen=True)
class Node:
    """What is known of a node of a tree. It stands for as long as the tree does not grow."""

    nodes: Nodes
    number: int

    @property
    def visits(self) -> int:
        """Simulations that went through it."""
        return int(self.nodes[self.number]["visits"])

    @property
    def prior(self) -> float:
        """The return by estimate."""
        return float(self.nodes[self.number]["prior"])

    def value(self, seat: int) -> float:
        """The return that the seat expects; before the first visit, what the estimate says to who decided."""
        return float(self.nodes[self.number]["total"][seat]) / self.visits if self.visits else self.prior

    def lead(self, seat: int) -> float:
        """Points that the seat expects to be ahead."""
        return float(self.nodes[self.number]["lead"][seat]) / self.visits

    def children(self) -> dict[int, Node]:
        """The nodes after it, by action, in the order in which they joined."""
        below = children_of(self.nodes, self.number)
        return {int(self.nodes[child]["action"]): Node(self.nodes, child) for child in below}


def children_of(nodes: Nodes, parent: int) -> list[int]:
    """The numbers of a node's children, in the order in which they joined."""
    children, child = [], int(nodes[parent]["first_child"])
    while child != NONE:
        children.append(child)
        child = int(nodes[child]["next_sibling"])
    return children


class SearchTree:
    """A tree whose root stands for a position."""

    def __init__(self, position: Position, parameters: Parameters, seed: bytes, threads: int = 1) -> None:
        """`seed`: 32 bytes for the tree's own generators; the game's chance is never touched."""
        ruleset = position.ruleset
        self.rules = rules_by_address(ruleset)
        seeds = [seed] + [hmac.digest(seed, bytes([thread]), "sha256") for thread in range(1, threads)]
        self._scratches = [playouts.new_scratch(ruleset, generator(one)) for one in seeds]
        self.scratch = self._scratches[0]
        self._parameters = parameters
        self._ends_are_wide = ruleset.rules.function("ending_actions") is not ruleset.rules.function("legal_actions")
        self.reset(position)

    def reset(self, position: Position) -> None:
        """A tree of nothing but its root."""
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
        """Run exactly so many simulations, giving the tree more room when it needs it.

        With a pool all threads share them; without one the first runs them all, and the tree is the same every time.
        """
        threads = 1 if pool is None else len(self._scratches)
        each = map if pool is None or threads == 1 else pool.map
        left = [(count + thread) // threads for thread in range(threads)]
        while True:
            left = list(each(self._simulate, self._scratches, left))
            if not any(left):
                return
            if len(self.tree.nodes) < tree_memory.MAX_NODES:
                self.tree = tree_memory.with_doubled_capacity(self.tree)
            else:
                self._make_room()

    def _simulate(self, scratch: Scratch, count: int) -> int:
        """Run so many simulations in a thread: how many there was no room for."""
        scratch.path[0] = self.root
        return count - int(simulation.simulate(self.rules, scratch, self.tree, self._parameters, count))

    def solve(self, go_on: Callable[[], bool]) -> tuple[int, list[float]] | None:
        """The best action and every seat's return, where the rest of the game is small enough to be solved exactly.

        Where that is not so with all actions, it may be with those that a player should think about, and nearly exact.
        `go_on` is asked after every POSITIONS_A_SLICE positions.
        """
        if self._is_too_large(1):  # to list all actions takes longer
            return None
        if not self._ends_are_wide:  # candidates are as many
            return self._solved(0, go_on)
        return (None if self._is_too_large(0) else self._solved(0, go_on)) or self._solved(1, go_on)

    def _is_too_large(self, few: int) -> bool:
        most = DEPTH_GAINED * math.log(max(1, self._parameters.endgame_positions))
        return bool(endgame.is_larger(self.rules, self.scratch, few, most))

    def _solved(self, few: int, go_on: Callable[[], bool]) -> tuple[int, list[float]] | None:
        most = self._parameters.endgame_positions
        under_way, state = endgame.new_stack(), endgame.UNDER_WAY
        for _ in range(-(-most // POSITIONS_A_SLICE)):
            state = endgame.solve(self.rules, self.scratch, under_way, self._parameters, few, POSITIONS_A_SLICE)
            if state != endgame.UNDER_WAY or not go_on():
                break
        if state != endgame.SOLVED:
            return None
        return int(under_way.best[0]), under_way.values[0].tolist()

    def advance(self, position: Position, action: int) -> bool:
        """The position is the one after the action: keep what is known of it; False if that is nothing."""
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
        """Keep what is below the root; where that is more than half of the most, only what was seen often."""
        kept, least = tree_memory.new_tree(len(self.tree.nodes)), 1
        while tree_memory.keep_below(self.rules, self.tree, kept, self.root, least) > tree_memory.MAX_NODES // 2:
            least *= 2
        self.tree, self.root = kept, 0
