"""Open-loop Monte Carlo tree search with upper confidence bounds.

**Open loop** (Perez et al. 2015): a node stands for the actions that led to it, whatever chance brought in
between. Every simulation plays through the rules anew with draws of its own, so a node's value is a mean over
draws, and no draw ever needs a node of its own. Hence an action of a node may be illegal this time, or be an alias
of another: children are asked whether they are listed (`check_listed`), and the bound counts how often a child
*could* have been chosen (Cowling, Powley and Whitehouse 2012), not how often its parent was visited.

One simulation is **select** (down the tree, by bound), **expand** (children join, best estimate first),
**playout** (see playouts.py) and **backup** (every node on the path adds the returns of all seats; whoever
decides at a node looks at its own).

**Widening.** A ruleset may have thousands of legal actions, so a node visited n times considers only its best
widening_base + widening_factor * sqrt(n) children; they join in batches, by the estimate right after them, which also
counts as `prior_visits` visits, so that an unvisited child has a value (first-play urgency).

**Preference.** Where a ruleset's network says which actions a strong player prefers, `Parameters.preference` takes its
word: the most preferred join first, and a child's bound is its mean and a share of its preference that fades as it is
visited (PUCT). `preference_temperature` divides what the network says before it becomes probabilities: above 1 they are
nearer to each other, and more is tried.

**Memory.** A node takes 88 bytes. The caller's array grows by doubling up to MOST_NODES (44 MiB). A full tree leaves
behind what lies beside the part that the game goes on with, and what follows actions that were seen rarely
(`keep_below`).

**Threads.** Several may grow one tree at once (Chaslot, Winands and van den Herik 2008), each with a `Scratch` of
its own. New nodes are claimed by an atomic addition, and are complete before they can be reached. One thread at a time
adds children to a node; another that comes there meanwhile goes on with those there are. Returns are added up without a
lock and one may, rarely, be lost; visits are exact. A visit is counted on the way down, so that threads part: until its
return is known it counts as a draw. One thread grows the same tree from the same seed every time; several do not.

C. Browne et al., A Survey of Monte Carlo Tree Search Methods, 2012, tells of all of these.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DECIDING, DRAWING, helper, uniform
from service.rulesets.seats import MOST_SEATS
from workers.search.atomics import exchange, fetch_add
from workers.search.parameters import Parameters
from workers.search.playouts import Scratch, draw, estimate_all, evaluate, playout, prior
from workers.search.record_abi import (
    CURRENT_ROW,
    ROOT_ROW,
    RulesByAddress,
    address,
    copy,
    entry,
    seat_to_decide,
    seats_of,
    status,
)

NODE = np.dtype(
    [
        ("action", "i8"),  # that leads here
        ("total", "f8", (MOST_SEATS,)),  # sum of returns, by seat
        ("lead", "f4", (MOST_SEATS,)),  # sum of points ahead of the best opponent, by seat
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
MOST_NODES = 1 << 19
FIRST_NODES = 1 << 12
_OFFSETS = {name: int(field[1]) for name, field in (NODE.fields or {}).items()}
VISITS, FIRST_CHILD = _OFFSETS["visits"], _OFFSETS["first_child"]
NEXT_SIBLING, LOCKED = _OFFSETS["next_sibling"], _OFFSETS["locked"]
LOGARITHMS = np.log(np.maximum(1, np.arange(4096)))
BATCH = 8  # children that join at first; later as many as there are


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
    """The same tree, with room for twice as many nodes, but not more than MOST_NODES."""
    nodes = np.zeros(min(2 * len(tree.nodes), MOST_NODES), NODE).view(np.recarray)
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
    """Where a node's field stands in memory."""
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


@helper
def expand(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, count: int, parameters: Parameters
) -> None:
    """The best `count` legal actions that are no children yet become children, as far as there is room."""
    seat, candidates = seat_to_decide(scratch.rows, CURRENT_ROW), 0
    if parameters.prior_visits:
        estimate_all(rules, scratch, CURRENT_ROW)
    for k in range(rules.candidates(address(scratch.rows, CURRENT_ROW), scratch.actions)):
        action = scratch.actions[k]
        if not is_child(tree.nodes, parent, action):
            if parameters.prior_visits:
                scratch.values[candidates] = prior(rules, scratch, action, seat, parameters)
            else:
                scratch.values[candidates] = uniform(scratch.rng)
            scratch.actions[candidates] = action
            candidates += 1
    first, room = claim(tree, min(count, candidates))
    for child in range(first, first + room):
        best = scratch.values[:candidates].argmax()
        set_node(tree.nodes, child, scratch.actions[best], scratch.values[best], 0.0)
        scratch.values[best] = -math.inf
    if room:
        append_children(tree.nodes, parent, first, room)


@helper
def expand_by_preference(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, count: int, parameters: Parameters
) -> None:
    """The `count` legal actions most preferred by the network, that are no children yet, become children."""
    here = address(scratch.rows, CURRENT_ROW)
    candidates = rules.candidates(here, scratch.actions)
    values = scratch.values[:candidates]
    rules.preferences(here, scratch.actions[:candidates], values, scratch.features, scratch.hidden)
    most, total = -math.inf, 0.0
    for k in range(candidates):
        most = max(most, values[k])
    for k in range(candidates):
        values[k] = math.exp((values[k] - most) / parameters.preference_temperature)
        total += values[k]
    known = 0
    for k in range(candidates):
        if is_child(tree.nodes, parent, scratch.actions[k]):
            values[k], known = -1.0, known + 1
    first, room = claim(tree, min(count, candidates - known))
    for child in range(first, first + room):
        best = values.argmax()
        set_node(tree.nodes, child, scratch.actions[best], 0.0, values[best] / total)
        values[best] = -1.0
    if room:
        append_children(tree.nodes, parent, first, room)


@helper
def logarithm(count: int) -> float:
    """The natural logarithm of a count."""
    return LOGARITHMS[count] if count < len(LOGARITHMS) else math.log(count)


@helper
def bound(node: Any, seat: int, parameters: Parameters) -> float:
    """The upper confidence bound of a child's return to the seat that decides."""
    visits = node.visits + parameters.prior_visits
    if visits == 0.0:
        return math.inf
    mean = (node.total[seat] + parameters.prior_visits * node.prior) / visits
    return mean + parameters.exploration * math.sqrt(logarithm(node.choices + 1) / visits)  # type: ignore[no-any-return]


@helper
def bound_by_preference(node: Any, seat: int, expected: float, parameters: Parameters) -> float:
    """The same by preference (Rosin 2011, Silver et al. 2017); `expected` is the return of one that was not tried."""
    mean = node.total[seat] / node.visits if node.visits else expected
    return mean + parameters.preference * node.probability * math.sqrt(node.choices + 1.0) / (1.0 + node.visits)  # type: ignore[no-any-return]


@helper
def visits_before(node: Any) -> int:
    """Visits of a node on the path, without the present one."""
    return max(0, node.visits - 1)  # type: ignore[no-any-return]


@helper
def width_of(node: Any, parameters: Parameters) -> int:
    """How many children of a node on the path are considered."""
    return int(parameters.widening_base + parameters.widening_factor * math.sqrt(visits_before(node)))


@helper
def best_child(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, parameters: Parameters, draws: int
) -> tuple[int, int]:
    """(the child with the greatest bound among the first legal ones, how many of these there were)."""
    here = address(scratch.rows, CURRENT_ROW)
    seat = seat_to_decide(scratch.rows, CURRENT_ROW)
    width = width_of(tree.nodes[parent], parameters)
    best, most, legal = NONE, -math.inf, 0
    above = tree.nodes[parent]
    expected = above.total[seat] / max(1, visits_before(above)) - parameters.caution
    child = above.first_child
    while child != NONE and legal < width:
        node = tree.nodes[child]
        if draws == 0 or rules.check_listed(here, node.action) == 0:
            legal += 1
            node.choices += 1
            if parameters.preference:
                value = bound_by_preference(node, seat, expected, parameters)
            else:
                value = bound(node, seat, parameters)
            if value > most:
                best, most = child, value
        child = node.next_sibling
    return best, legal


@helper
def may_widen(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, legal: int, parameters: Parameters, draws: int
) -> bool:
    """Whether there is room, and a legal action, for more than the `legal` children that were considered."""
    above = tree.nodes[parent]
    if legal >= width_of(above, parameters) or above.complete or tree.used[0] >= len(tree.nodes):
        return False
    if rules.candidates(address(scratch.rows, CURRENT_ROW), scratch.actions) > legal:
        return True
    above.complete = draws == 0
    return False


@helper
def select(rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, parameters: Parameters, draws: int) -> int:
    """The child to go down to; NONE if there is none and no room for one. `draws`: acts of chance above it."""
    best, legal = best_child(rules, scratch, tree, parent, parameters, draws)
    if may_widen(rules, scratch, tree, parent, legal, parameters, draws) and lock(tree.nodes, parent):
        more = max(BATCH, legal, int(parameters.widening_base))
        if parameters.preference:
            expand_by_preference(rules, scratch, tree, parent, more, parameters)
        else:
            expand(rules, scratch, tree, parent, more, parameters)
        unlock(tree.nodes, parent)
        best, legal = best_child(rules, scratch, tree, parent, parameters, draws)
    return best


@helper
def descend(rules: RulesByAddress, scratch: Scratch, tree: Tree, parameters: Parameters) -> int:
    """Select, expand and count visits from path[0] down to a leaf, playing in row NOW; the number of nodes on the path.

    Until chance has acted every child is legal: its node was made in this very position.
    """
    depth, draws = 1, 0
    count_visit(tree.nodes, scratch.path[0])
    while depth < len(scratch.path):
        state = status(scratch.rows, CURRENT_ROW)
        if state == DRAWING and draws < parameters.draws:
            draw(rules, scratch)
            draws += 1
            continue
        if state != DECIDING:
            break
        child = select(rules, scratch, tree, scratch.path[depth - 1], parameters, draws)
        if child == NONE:
            break
        rules.apply(address(scratch.rows, CURRENT_ROW), tree.nodes[child].action)
        scratch.path[depth] = child
        depth += 1
        if count_visit(tree.nodes, child) < parameters.expansion_threshold:
            break
    return depth


@helper
def backup(scratch: Scratch, tree: Tree, depth: int) -> None:
    """Every node on the path adds what each seat got, and by how many points it was ahead."""
    seats = seats_of(scratch.rows, CURRENT_ROW)
    for k in range(depth):
        node = tree.nodes[scratch.path[k]]
        for seat in range(seats):
            node.total[seat] += scratch.returns[seat]
            node.lead[seat] += scratch.leads[seat]


@entry("int64(Rules, Scratch, Tree, Parameters, int64)")
def simulate(rules: RulesByAddress, scratch: Scratch, tree: Tree, parameters: Parameters, count: int) -> int:
    """Run `count` simulations from row ROOT, whose node is path[0]; fewer when the nodes run out: how many were run."""
    for done in range(count):
        if tree.used[0] >= len(tree.nodes):
            return done
        copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
        depth = descend(rules, scratch, tree, parameters)
        playout(rules, scratch, parameters)
        evaluate(rules, scratch, CURRENT_ROW, parameters)
        backup(scratch, tree, depth)
    return count


@entry("int64(Rules, Tree, Tree, int64, int64)")
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
