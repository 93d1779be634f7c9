"""Open-loop Monte Carlo tree search with upper confidence bounds.

**Open loop** (Perez et al. 2015): a node represents the actions that led to it, whatever was drawn in between. Every
simulation plays through the rules with its own draws. A node's value is therefore a mean over draws, and draws need no
nodes. An action of a node may be illegal in some simulations, or an alias of another action, so children are checked
with `check_listed`. The bound counts how often a child *could* have been chosen (Cowling, Powley and Whitehouse 2012),
not how often its parent was visited.

A simulation has four steps: **select** (go down the tree by bound), **expand** (add children, best estimate first),
**playout** (see playouts.py) and **backup** (add the returns of all seats to every node on the path; each decision uses
the returns of its own seat).

**Widening.** A position may have thousands of legal actions. A node visited n times considers only its best
widening_base + widening_factor * sqrt(n) children. Children are added in batches, ordered by the estimate after the
action. The estimate also counts as `prior_visits` visits, so that an unvisited child has a value (first-play urgency).

**Preference.** With a preference network and `Parameters.preference` above 0, the most preferred children are added
first. A child's bound is then its mean value plus a share of its preference that decreases with its visits (PUCT).
`preference_temperature` divides the log-odds before they become probabilities; above 1 flattens them.

**Memory.** See tree_memory.py. A full tree drops nodes that the game can no longer reach, and descendants of rarely
visited nodes (`keep_below`).

**Threads.** Several threads can grow one tree (Chaslot, Winands and van den Herik 2008), each with its own `Scratch`.
Only one thread at a time adds children to a node; others continue with the existing children. Returns are added without
a lock, so one is occasionally lost; visits are exact. A visit is counted on the way down and counts as a return of 0
until the simulation ends, so that threads explore different paths. One thread with the same seed always grows the same
tree; several threads do not.

C. Browne et al., A Survey of Monte Carlo Tree Search Methods, 2012, describes all of these.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, helper, uniform
from workers.search.parameters import Parameters
from workers.search.playouts import Scratch, draw, estimate_all, evaluate, playout, prior
from workers.search.record_abi import RulesByAddress, entry
from workers.search.rows import CURRENT_ROW, ROOT_ROW, address, copy, seat_to_decide, seats_of, status
from workers.search.tree_memory import (
    NONE,
    Tree,
    append_children,
    claim,
    count_visit,
    is_child,
    set_node,
    try_lock,
    unlock,
)

LOGARITHMS = np.log(np.maximum(1, np.arange(4096)))
BATCH = 8  # children added at first; later as many as the node already has


@helper
def expand(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, count: int, parameters: Parameters
) -> None:
    """Add the best `count` legal actions that have no child yet as children, if there is room."""
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
    """Add the `count` legal actions without child that the network prefers most, if there is room."""
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
    """Return the natural logarithm of a count, from a table if it is small."""
    return LOGARITHMS[count] if count < len(LOGARITHMS) else math.log(count)


@helper
def confidence_bound(node: Any, seat: int, parameters: Parameters) -> float:
    """Return the upper confidence bound of a child's return for the deciding seat."""
    visits = node.visits + parameters.prior_visits
    if visits == 0.0:
        return math.inf
    mean = (node.total[seat] + parameters.prior_visits * node.prior) / visits
    return mean + parameters.exploration * math.sqrt(logarithm(node.choices + 1) / visits)  # type: ignore[no-any-return]


@helper
def preference_bound(node: Any, seat: int, expected: float, parameters: Parameters) -> float:
    """Return the bound by preference (Rosin 2011, Silver et al. 2017). `expected`: the return of an unvisited child."""
    mean = node.total[seat] / node.visits if node.visits else expected
    return mean + parameters.preference * node.probability * math.sqrt(node.choices + 1.0) / (1.0 + node.visits)  # type: ignore[no-any-return]


@helper
def visits_before(node: Any) -> int:
    """Return the visits of a node on the path without the current simulation."""
    return max(0, node.visits - 1)  # type: ignore[no-any-return]


@helper
def width_of(node: Any, parameters: Parameters) -> int:
    """Return the number of children that a node on the path considers."""
    return int(parameters.widening_base + parameters.widening_factor * math.sqrt(visits_before(node)))


@helper
def best_child(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, parameters: Parameters, draws: int
) -> tuple[int, int]:
    """Return (the child with the greatest bound among the first legal ones, number of legal ones considered)."""
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
                value = preference_bound(node, seat, expected, parameters)
            else:
                value = confidence_bound(node, seat, parameters)
            if value > most:
                best, most = child, value
        child = node.next_sibling
    return best, legal


@helper
def may_widen(
    rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, legal: int, parameters: Parameters, draws: int
) -> bool:
    """Return True if a child can be added to the `legal` ones considered."""
    above = tree.nodes[parent]
    if legal >= width_of(above, parameters) or above.complete or tree.used[0] >= len(tree.nodes):
        return False
    if rules.candidates(address(scratch.rows, CURRENT_ROW), scratch.actions) > legal:
        return True
    above.complete = draws == 0
    return False


@helper
def select(rules: RulesByAddress, scratch: Scratch, tree: Tree, parent: int, parameters: Parameters, draws: int) -> int:
    """Return the child to visit, or NONE if there is none and no room for one. `draws`: draws above the parent."""
    best, legal = best_child(rules, scratch, tree, parent, parameters, draws)
    if may_widen(rules, scratch, tree, parent, legal, parameters, draws) and try_lock(tree.nodes, parent):
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
    """Select, expand and count visits from path[0] to a leaf, in row CURRENT_ROW.

    Return the number of nodes on the path. Before the first draw every child is legal, because its node was created in
    this very position.
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
    """Add each seat's return and lead to every node on the path."""
    seats = seats_of(scratch.rows, CURRENT_ROW)
    for k in range(depth):
        node = tree.nodes[scratch.path[k]]
        for seat in range(seats):
            node.total[seat] += scratch.returns[seat]
            node.lead[seat] += scratch.leads[seat]


@entry("Rules, Scratch, Tree, Parameters, int64")
def simulate(rules: RulesByAddress, scratch: Scratch, tree: Tree, parameters: Parameters, count: int) -> int:
    """Run `count` simulations from row ROOT_ROW, whose node is path[0], and return their number.

    It is less than `count` if the tree is full.
    """
    for done in range(count):
        if tree.used[0] >= len(tree.nodes):
            return done
        copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
        depth = descend(rules, scratch, tree, parameters)
        playout(rules, scratch, parameters)
        evaluate(rules, scratch, CURRENT_ROW, parameters)
        backup(scratch, tree, depth)
    return count
