"""The memory of a tree: its nodes, how threads share them, and what of them is kept when it is full.

A node takes 88 bytes. The caller's array grows by doubling up to MAX_NODES (44 MiB). New nodes are claimed by an
atomic addition, and are complete before they can be reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import helper
from service.rulesets.seats import MAX_SEATS
from workers.search.atomics import exchange, fetch_add
from workers.search.record_abi import RulesByAddress, entry

NODE = np.dtype(
    [
        ("action", "i8"),  # that leads here
        ("total", "f8", (MAX_SEATS,)),  # sum of returns, by seat
        ("lead", "f4", (MAX_SEATS,)),  # sum of points ahead of the best opponent, by seat
        ("prior", "f4"),  # return by estimate, of the seat that decided for `action`
        ("visits", "i4"),
        ("choices", "i4"),  # visits of the parent at which this child could have been chosen
        ("first_child", "i4"),  # NONE, or an index; best estimate first within a batch
        ("next_sibling", "i4"),
        ("probability", "f4"),  # that a strong player chooses it, by a network; 0 without one
        ("locked", "i4"),  # 1: a thread is adding children
        ("complete", "u1"),  # 1: no chance has acted before it, and all actions have children
    ],
    align=True,
)
Nodes = npt.NDArray[Any]  # (capacity,) of NODE

NONE = -1
MAX_NODES = 1 << 19
FIRST_NODES = 1 << 12
_OFFSETS = {name: int(field[1]) for name, field in (NODE.fields or {}).items()}
VISITS, FIRST_CHILD = _OFFSETS["visits"], _OFFSETS["first_child"]
NEXT_SIBLING, LOCKED = _OFFSETS["next_sibling"], _OFFSETS["locked"]


class Tree(NamedTuple):
    """A tree's memory. nodes: (capacity,); used: (1,) nodes in use."""

    nodes: Nodes
    used: npt.NDArray[np.int32]


def new_tree(capacity: int = FIRST_NODES) -> Tree:
    """A root, index 0, and room for so many nodes."""
    nodes = np.zeros(capacity, NODE).view(np.recarray)
    nodes[0]["first_child"] = nodes[0]["next_sibling"] = NONE
    return Tree(nodes, np.ones(1, np.int32))


def with_doubled_capacity(tree: Tree) -> Tree:
    """The same tree, with room for twice as many nodes, but not more than MAX_NODES."""
    nodes = np.zeros(min(2 * len(tree.nodes), MAX_NODES), NODE).view(np.recarray)
    nodes[: len(tree.nodes)] = tree.nodes
    return tree._replace(nodes=nodes)


@helper
def claim(tree: Tree, count: int) -> tuple[int, int]:
    """(the first of the nodes that are now the caller's, how many): `count`, or as many as there is room for."""
    first = fetch_add(tree.used.ctypes.data, count)
    room = max(0, min(count, len(tree.nodes) - first))
    if room < count:
        fetch_add(tree.used.ctypes.data, room - count)
    return first, room


@helper
def set_node(nodes: Nodes, index: int, action: int, prior: float, probability: float) -> None:
    """Make it a node that was never visited and has no relations."""
    node = nodes[index]
    node.action = action
    node.total[:] = 0.0
    node.lead[:] = 0.0
    node.prior = prior
    node.visits = 0
    node.choices = 0
    node.first_child = NONE
    node.next_sibling = NONE
    node.probability = probability
    node.locked = 0
    node.complete = 0


@helper
def field_address(nodes: Nodes, index: int, offset: int) -> int:
    """Return the address of a field of a node."""
    return np.intp(nodes.ctypes.data) + np.intp(index) * np.intp(nodes.strides[0]) + np.intp(offset)  # type: ignore[return-value]


@helper
def count_visit(nodes: Nodes, index: int) -> int:
    """One more: how many there were before."""
    return fetch_add(field_address(nodes, index, VISITS), 1)


@helper
def lock(nodes: Nodes, index: int) -> bool:
    """Begin to add children to a node; False if another thread is at it."""
    return exchange(field_address(nodes, index, LOCKED), 1) == 0


@helper
def unlock(nodes: Nodes, index: int) -> None:
    """All children are added."""
    exchange(field_address(nodes, index, LOCKED), 0)


@helper
def append_children(nodes: Nodes, parent: int, first: int, count: int) -> None:
    """The nodes from `first` on, in their order, after the last child."""
    for node in range(first, first + count - 1):
        nodes[node].next_sibling = node + 1
    if nodes[parent].first_child == NONE:
        exchange(field_address(nodes, parent, FIRST_CHILD), first)
        return
    last = nodes[parent].first_child
    while nodes[last].next_sibling != NONE:
        last = nodes[last].next_sibling
    exchange(field_address(nodes, last, NEXT_SIBLING), first)


@helper
def is_child(nodes: Nodes, parent: int, action: int) -> bool:
    """Whether the action has a node below the parent."""
    child = nodes[parent].first_child
    while child != NONE:
        if nodes[child].action == action:
            return True
        child = nodes[child].next_sibling
    return False


@entry("Rules, Tree, Tree, int64, int64")
def keep_below(_rules: RulesByAddress, tree: Tree, kept: Tree, root: int, least: int) -> int:
    """Copy a node and what is below it into another tree, which has room for it, as its root: how many nodes that is.

    A node with less than `least` visits has no children in the copy. Breadth first: until a copy's own children are
    copied, its `first_child` is that of the original.
    """
    kept.nodes[0] = tree.nodes[root]
    kept.nodes[0].next_sibling = NONE
    used = 1
    parent = 0
    while parent < used:
        above = kept.nodes[parent]
        child, last = above.first_child, NONE
        if above.visits < least:
            child, above.first_child, above.complete = NONE, NONE, 0
        while child != NONE:
            kept.nodes[used] = tree.nodes[child]
            kept.nodes[used].next_sibling = NONE
            if last == NONE:
                kept.nodes[parent].first_child = used
            else:
                kept.nodes[last].next_sibling = used
            last = used
            used += 1
            child = tree.nodes[child].next_sibling
        parent += 1
    kept.used[0] = used
    return used
