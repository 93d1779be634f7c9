"""Who is matched with whom, so that as many as can be are, and the sum of what stands against it is least.

rustworkx computes it (a maximum-weight matching after Galil, Edmonds): 256 players in a third of a second. It is
loaded with the first pairing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

MAX_COST = 1 << 100
"""What stands against a pair is less; together with the solver's own sums it stays in 128 bits."""


def cheapest(costs: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Of these pairs as many as can be, nobody in two, at the least cost; ascending. Costs are 0 to `MAX_COST`."""
    import rustworkx  # 30 ms, and nobody else needs it

    numbers = sorted({number for pair in costs for number in pair})
    place = {number: index for index, number in enumerate(numbers)}
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(numbers)
    graph.add_edges_from([(place[one], place[other], MAX_COST - cost) for (one, other), cost in costs.items()])
    found: Iterable[tuple[int, int]] = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in ((numbers[one], numbers[other]) for one, other in found))
