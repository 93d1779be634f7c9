"""Several trees of one position, read as if they were one.

Each thread grows a tree of its own (root parallelisation: Chaslot, Winands and van den Herik 2008): nothing is shared
while they grow, so nothing is locked, and what they found is added up at every node that is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workers.search.search_tree import Growth


@dataclass(frozen=True)
class Branch:
    """The same place in each of the trees that know it: (growth, node)."""

    places: tuple[tuple[Growth, int], ...]

    @property
    def visits(self) -> int:
        """Simulations that went through it."""
        return sum(int(growth.tree.nodes[node]["visits"]) for growth, node in self.places)

    def value(self, seat: int) -> float:
        """The return that the seat expects; before the first visit, what the estimate says to who decided."""
        return self._mean("total", seat) if self.visits else self.prior

    def lead(self, seat: int) -> float:
        """Points that the seat expects to be ahead."""
        return self._mean("lead", seat)

    @property
    def prior(self) -> float:
        """The return by estimate."""
        growth, node = self.places[0]
        return float(growth.tree.nodes[node]["prior"])

    def _mean(self, field: str, seat: int) -> float:
        return sum(float(growth.tree.nodes[node][field][seat]) for growth, node in self.places) / self.visits

    def below(self) -> dict[int, Branch]:
        """The branches that go on from here, by action."""
        found: dict[int, list[tuple[Growth, int]]] = {}
        for growth, node in self.places:
            for child in growth.children(node):
                found.setdefault(int(growth.tree.nodes[child]["action"]), []).append((growth, child))
        return {action: Branch(tuple(places)) for action, places in found.items()}


def trunk(growths: Sequence[Growth]) -> Branch:
    """Where all of them begin."""
    return Branch(tuple((growth, growth.root) for growth in growths))
