"""Several trees of one position, read as if they were one.

Each thread grows a tree of its own (root parallelisation: Chaslot, Winands and van den Herik 2008): nothing is shared
while they grow, so nothing is locked, and what they found is added up at every node that is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workers.search.search_tree import SearchTree


@dataclass(frozen=True)
class MergedNode:
    """The same node in each of the trees that have it: (tree, number of the node)."""

    numbered: tuple[tuple[SearchTree, int], ...]

    @property
    def visits(self) -> int:
        """Simulations that went through it."""
        return sum(int(tree.tree.nodes[node]["visits"]) for tree, node in self.numbered)

    def value(self, seat: int) -> float:
        """The return that the seat expects; before the first visit, what the estimate says to who decided."""
        return self._mean("total", seat) if self.visits else self.prior

    def lead(self, seat: int) -> float:
        """Points that the seat expects to be ahead."""
        return self._mean("lead", seat)

    @property
    def prior(self) -> float:
        """The return by estimate."""
        tree, node = self.numbered[0]
        return float(tree.tree.nodes[node]["prior"])

    def _mean(self, field: str, seat: int) -> float:
        return sum(float(tree.tree.nodes[node][field][seat]) for tree, node in self.numbered) / self.visits

    def children(self) -> dict[int, MergedNode]:
        """The nodes after it, by action."""
        nodes: dict[int, list[tuple[SearchTree, int]]] = {}
        for tree, node in self.numbered:
            for child in tree.children(node):
                nodes.setdefault(int(tree.tree.nodes[child]["action"]), []).append((tree, child))
        return {action: MergedNode(tuple(numbered)) for action, numbered in nodes.items()}


def merged(trees: Sequence[SearchTree]) -> MergedNode:
    """The root of all of them."""
    return MergedNode(tuple((tree, tree.root) for tree in trees))
