"""Memory of a search tree: its nodes, how threads share them, and which nodes remain when it is full.

A node takes 88 bytes. The array grows by doubling up to MAX_NODES (44 MiB). New nodes are claimed with an atomic
addition, and are complete before they can be reached.
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
        ("action", "i8"),  # that leads to this node
        ("total", "f8", (MAX_SEATS,)),  # sum of returns, by seat
        ("lead", "f4", (MAX_SEATS,)),  # sum of points ahead of the best opponent, by seat
        ("prior", "f4"),  # estimated return, for the seat that decided
        ("visits", "i4"),
        ("choices", "i4"),  # visits of the parent at which this child could have been chosen
        ("first_child", "i4"),  # index or NONE; best estimate first within a batch
        ("next_sibling", "i4"),
        ("probability", "f4"),  # that a strong player chooses the action, by a network; 0 without one
        ("locked", "i4"),  # 1: a thread is adding children
        ("complete", "u1"),  # 1: no draw precedes the node, and all its actions have children
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
    """Memory of a tree. nodes: (capacity,); used: (1,) number of nodes in use."""

    nodes: Nodes
    used: npt.NDArray[np.int32]


def new_tree(capacity: int = FIRST_NODES) -> Tree:
    """Return a tree with only a root, at index 0."""
    nodes = np.zeros(capacity, NODE).view(np.recarray)
    nodes[0]["first_child"] = nodes[0]["next_sibling"] = NONE
    return Tree(nodes, np.ones(1, np.int32))


def with_doubled_capacity(tree: Tree) -> Tree:
    """Return a copy with twice the capacity, but at most MAX_NODES."""
    nodes = np.zeros(min(2 * len(tree.nodes), MAX_NODES), NODE).view(np.recarray)
    nodes[: len(tree.nodes)] = tree.nodes
    return tree._replace(nodes=nodes)


@helper
def claim(tree: Tree, count: int) -> tuple[int, int]:
    """Reserve up to `count` nodes. Return (index of the first, number reserved): fewer if the tree is full."""
    first = fetch_add(tree.used.ctypes.data, count)
    room = max(0, min(count, len(tree.nodes) - first))
    if room < count:
        fetch_add(tree.used.ctypes.data, room - count)
    return first, room


@helper
def set_node(nodes: Nodes, index: int, action: int, prior: float, probability: float) -> None:
    """Initialise a node without visits and relations."""
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
    """Add a visit and return the previous number."""
    return fetch_add(field_address(nodes, index, VISITS), 1)


@helper
def try_lock(nodes: Nodes, index: int) -> bool:
    """Lock a node to add children. Return False if another thread holds the lock."""
    return exchange(field_address(nodes, index, LOCKED), 1) == 0


@helper
def unlock(nodes: Nodes, index: int) -> None:
    """Release the lock of a node."""
    exchange(field_address(nodes, index, LOCKED), 0)


@helper
def append_children(nodes: Nodes, parent: int, first: int, count: int) -> None:
    """Append the nodes from `first` on to a node's children, in order."""
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
    """Return True if the parent has a child for the action."""
    child = nodes[parent].first_child
    while child != NONE:
        if nodes[child].action == action:
            return True
        child = nodes[child].next_sibling
    return False


@entry("Rules, Tree, Tree, int64, int64")
def keep_below(_rules: RulesByAddress, tree: Tree, kept: Tree, root: int, min_visits: int) -> int:
    """Copy a node and its descendants into another tree, as its root. Return the number of nodes copied.

    A node with less than `min_visits` visits has no children in the copy. Breadth first: until a copy's own children
    are copied, its `first_child` is an index into the original.
    """
    kept.nodes[0] = tree.nodes[root]
    kept.nodes[0].next_sibling = NONE
    used = 1
    parent = 0
    while parent < used:
        above = kept.nodes[parent]
        child, last = above.first_child, NONE
        if above.visits < min_visits:
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
