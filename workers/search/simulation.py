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

**Memory.** See tree_memory.py. A full tree leaves behind what lies beside the part that the game goes on with, and what
follows actions that were seen rarely (`keep_below`).

**Threads.** Several may grow one tree at once (Chaslot, Winands and van den Herik 2008), each with a `Scratch` of
its own. One thread at a time adds children to a node; another that comes there meanwhile goes on with those there are.
Returns are added up without a lock and one may, rarely, be lost; visits are exact. A visit is counted on the way down,
so that threads part: until its return is known it counts as a draw. One thread grows the same tree from the same seed
every time; several do not.

C. Browne et al., A Survey of Monte Carlo Tree Search Methods, 2012, tells of all of these.
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
    lock,
    set_node,
    unlock,
)

LOGARITHMS = np.log(np.maximum(1, np.arange(4096)))
BATCH = 8  # children that join at first; later as many as there are


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


@entry("Rules, Scratch, Tree, Parameters, int64")
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
