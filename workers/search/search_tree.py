"""One tree, the memory it grows in, and what can be read from it."""

from __future__ import annotations

import math
from collections.abc import Callable

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from workers.search import endgame, playouts, tree
from workers.search.parameters import Parameters
from workers.search.record_abi import rules_by_address, set_root
from workers.search.tree import NONE

POSITIONS_A_SLICE = 1000  # about 2 ms
DEPTH_GAINED = 1.5  # alpha-beta looks at about the 1.5th root of all ways to go on


class SearchTree:
    """A tree whose root stands for a position. Nodes are known by their numbers in it."""

    def __init__(self, position: Position, parameters: Parameters, seed: bytes) -> None:
        """`seed`: 32 bytes for the tree's own generator; the game's chance is never touched."""
        ruleset = position.ruleset
        self.rules = rules_by_address(ruleset)
        self.rng = generator(seed)
        self.scratch = playouts.new_scratch(ruleset, self.rng)
        self._parameters = parameters
        self._ends_are_wide = ruleset.rules.function("ending_actions") is not ruleset.rules.function("legal_actions")
        self.reset(position)

    def reset(self, position: Position) -> None:
        """A tree of nothing but its root."""
        self.tree = tree.new_tree()
        self.root = 0
        set_root(self.scratch.rows, position)

    def simulate(self, count: int) -> None:
        """Run exactly so many simulations, giving the tree more room when it needs it."""
        while True:
            self.tree.path[0] = self.root
            count -= tree.simulate(self.rules, self.scratch, self.tree, self._parameters, count)
            if count == 0:
                return
            if len(self.tree.nodes) < tree.MOST_NODES:
                self.tree = tree.with_doubled_capacity(self.tree)
            else:
                self._make_room()

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
        return bool(endgame.logarithm_of_size(self.rules, self.scratch, few) > most)

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
        child = self.child(self.root, action)
        if child == NONE:
            self.reset(position)
            return False
        self.root = child
        if self.tree.used[0] > tree.MOST_NODES // 2:
            self._make_room()
        set_root(self.scratch.rows, position)
        return True

    def _make_room(self) -> None:
        """Keep what is below the root; where that is more than half of the most, only what was seen often."""
        kept, least = tree.new_tree(len(self.tree.nodes)), 1
        while tree.keep_below(self.rules, self.tree, kept, self.root, least) > tree.MOST_NODES // 2:
            least *= 2
        self.tree, self.root = kept, 0

    def children(self, parent: int) -> list[int]:
        """Of a node, in the order in which they joined."""
        children = []
        child = int(self.tree.nodes[parent]["first_child"])
        while child != NONE:
            children.append(child)
            child = int(self.tree.nodes[child]["next_sibling"])
        return children

    def child(self, parent: int, action: int) -> int:
        """The child that an action leads to, or NONE."""
        return next((child for child in self.children(parent) if self.tree.nodes[child]["action"] == action), NONE)
