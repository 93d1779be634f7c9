"""Bounds of a tree: the chosen child, the number of children, depth and memory."""

from __future__ import annotations

import math
import statistics
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.queens_garden.build import state
from tests.workers.positions import SOME_CASES, positions_to_decide, walk
from workers.search import players, simulation, tree_memory
from workers.search.decisions import MAX_LINE_ACTIONS, MIN_LINE_VISITS, Search
from workers.search.parameters import Parameters
from workers.search.record_abi import plain_rules
from workers.search.rows import CURRENT_ROW, ROOT_ROW, copy
from workers.search.tree import SearchTree, children_of

SEED = bytes(range(32))
RUNNING = "tree:widening_base=1,widening_factor=0"  # one child a node, so that a tree is one line of play


def node(**fields: Any) -> Any:
    """Return a node with these fields and no relations."""
    nodes = np.zeros(1, tree_memory.NODE).view(np.recarray)
    for name, value in fields.items():
        nodes[0][name] = value
    return nodes[0]


def grow_tree(position: Position, simulations: int, **parameters: Any) -> SearchTree:
    search_tree = SearchTree(position, Parameters(**parameters), SEED)
    search_tree.simulate(simulations)
    return search_tree


def choosable_children(search_tree: SearchTree) -> int:
    """Return the number of children of the root that could have been chosen."""
    return sum(
        search_tree.tree.nodes[child]["choices"] > 0 for child in children_of(search_tree.tree.nodes, search_tree.root)
    )


def played_out(search_tree: SearchTree) -> Position:
    """Return the position in which the last simulation ended."""
    ruleset = walk("azul", "coloured", 2, 1, 0).ruleset
    return ruleset.from_bytes(search_tree.scratch.rows[CURRENT_ROW].tobytes()[: ruleset.rules.dtype.itemsize])


# ------------------------------------------------------------------------------------------------- which child


@pytest.mark.parametrize(("seat", "total"), [(0, 1.5), (1, -1.0)])
def test_confidence_bound_is_the_estimated_mean_plus_a_bonus_for_few_visits(seat: int, total: float) -> None:
    """The values are those of the deciding seat, and the visits count how often the child could have been chosen."""
    child = node(visits=5, choices=20, total=(1.5, -1.0, 9.0, 9.0), prior=0.25)
    expected = (total + 3 * 0.25) / (5 + 3) + 0.5 * math.sqrt(math.log(20 + 1) / (5 + 3))
    assert expected == pytest.approx(
        simulation.confidence_bound(child, seat, Parameters(exploration=0.5, prior_visits=3.0))
    )


def test_a_child_that_was_never_visited_is_worth_its_estimate() -> None:
    child = node(prior=-0.5)
    assert -0.5 == pytest.approx(simulation.confidence_bound(child, 0, Parameters(prior_visits=3.0)))


def test_without_an_estimate_a_child_that_was_never_visited_comes_first() -> None:
    assert math.inf == simulation.confidence_bound(node(choices=7), 0, Parameters(prior_visits=0.0))


@pytest.mark.parametrize("count", [1, 2, 4095, 4096, 4097, 10**6])
def test_the_logarithm_is_correct_within_and_beyond_the_table(count: int) -> None:
    assert math.log(count) == pytest.approx(simulation.logarithm(count))


@pytest.mark.parametrize("simulations", [1, 100, 101, 400, 401])
def test_considered_children_grow_with_the_square_root_of_the_visits_of_their_node(simulations: int) -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    search_tree = grow_tree(position, simulations, widening_base=3.0, widening_factor=1.0, exploration=100.0)
    assert int(3 + math.sqrt(simulations - 1)) == choosable_children(search_tree)


def test_choices_count_how_often_a_considered_child_could_be_chosen() -> None:
    search_tree = grow_tree(walk("azul", "coloured", 2, 1, 0), 200, widening_base=2.0, widening_factor=0.0)
    choices = [
        int(search_tree.tree.nodes[child]["choices"]) for child in children_of(search_tree.tree.nodes, search_tree.root)
    ]
    assert [200] * 2 + [0] * (simulation.BATCH - 2) == choices


@pytest.mark.parametrize("threshold", [1, 5])
def test_children_join_a_node_after_the_configured_number_of_visits(threshold: int) -> None:
    nodes = grow_tree(walk("azul", "coloured", 2, 1, 0), 100, expansion_threshold=threshold).tree.nodes
    assert threshold + 1 == min(
        one["visits"] for one in nodes[1:] if one["visits"] and one["first_child"] != tree_memory.NONE
    )


# ------------------------------------------------------------------------------------------------- how far


def test_best_line_respects_its_maximum_length() -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    search = Search(position, players.parse_player(position.ruleset, RUNNING), SEED)
    search.choose(simulations=60)
    assert MAX_LINE_ACTIONS == len(search.lines(1)[0].best_play)


@pytest.mark.parametrize("length", [1, 2, 7])
def test_best_line_ends_at_a_rarely_visited_action(length: int) -> None:
    """Each action of a line of play has one visit less than the one before."""
    position = walk("azul", "coloured", 4, 1, 0)
    search = Search(position, players.parse_player(position.ruleset, RUNNING), SEED)
    search.choose(simulations=MIN_LINE_VISITS + length - 1)
    assert length == len(search.lines(1)[0].best_play)


@pytest.mark.parametrize("plies", [0, 1, 6])
def test_a_playout_has_no_more_decisions_than_its_parameters_allow(plies: int) -> None:
    """The limit comes after the decision of the tree. In Azul each decision belongs to the next seat."""
    after = played_out(grow_tree(walk("azul", "coloured", 4, 1, 0), 1, plies=plies))
    first = walk("azul", "coloured", 4, 1, 0).seat or 0
    assert (first + 1 + plies) % 4 == after.seat


def test_playout_ends_before_the_draw_beyond_its_horizon() -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    ends = [played_out(grow_tree(position, 1, plies=1000, horizon=horizon)).status for horizon in (0, 1000)]
    assert ["drawing", "over"] == ends


def test_tree_crosses_no_more_draws_than_its_parameters_allow() -> None:
    last = next(
        position
        for position in positions_to_decide("azul", "coloured", 2, 1)
        if all(position.play(action).status == "drawing" for action in position.legal_actions())
    )
    below = []
    for draws in (0, 1):
        search_tree = grow_tree(last, 50, draws=draws)
        below.append(
            any(
                children_of(search_tree.tree.nodes, child)
                for child in children_of(search_tree.tree.nodes, search_tree.root)
            )
        )
    assert [False, True] == below


# ------------------------------------------------------------------------------------------------- how much memory


def visits_of_sound(search_tree: SearchTree) -> int:
    """Return the visits of the root after checking that no node of the tree is duplicated, lost or locked."""
    nodes, reached, lines = search_tree.tree.nodes, 1, [search_tree.root]
    while lines:
        parent = lines.pop()
        below = children_of(nodes, parent)
        assert len(below) == len({int(nodes[child]["action"]) for child in below})
        assert nodes[parent]["visits"] >= sum(nodes[child]["visits"] for child in below)
        assert not nodes[parent]["locked"]
        reached += len(below)
        lines += below
    assert reached == search_tree.tree.used[0] <= len(nodes)
    return int(nodes[search_tree.root]["visits"])


def subtree(search_tree: SearchTree, node: int) -> list[object]:
    """Return the fields of a node without its place in memory, and its subtrees."""
    fields = [str(search_tree.tree.nodes[node][name]) for name in tree_memory.NODE.names or () if "_" not in name]
    return [fields, [subtree(search_tree, child) for child in children_of(search_tree.tree.nodes, node)]]


@pytest.mark.parametrize(("more", "left"), [(0, False), (1, True)])
def test_tree_more_than_half_full_keeps_only_the_subtree_of_the_game(more: int, *, left: bool) -> None:
    position = walk("azul", "coloured", 2, 1, 0)
    search_tree = grow_tree(position, 3000)
    child = max(children_of(search_tree.tree.nodes, 0), key=lambda one: search_tree.tree.nodes[one]["visits"])
    action, below = int(search_tree.tree.nodes[child]["action"]), subtree(search_tree, child)
    search_tree.tree.used[0] = tree_memory.MAX_NODES // 2 + more
    assert search_tree.advance(position.play(action), action)
    assert below == subtree(search_tree, search_tree.root)
    assert left == (search_tree.tree.used[0] < 3000 * 5)
    search_tree.tree.used[0] = min(search_tree.tree.used[0], len(search_tree.tree.nodes))
    before = int(search_tree.tree.nodes[search_tree.root]["visits"])
    search_tree.simulate(10)
    assert before + 10 == search_tree.tree.nodes[search_tree.root]["visits"]


def test_full_tree_drops_the_subtrees_of_rare_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """It grows in more promising places, and no simulation is lost."""
    monkeypatch.setattr(tree_memory, "MAX_NODES", tree_memory.FIRST_NODES)
    search_tree = grow_tree(walk("azul", "coloured", 2, 1, 0), 0, preference=1.5, playout_preferred=8)
    for simulations in range(500, 10_001, 500):
        search_tree.simulate(500)
        assert len(search_tree.tree.nodes) == tree_memory.FIRST_NODES
        assert simulations == visits_of_sound(search_tree)


@pytest.mark.parametrize("least", [1, 4, 100])
def test_a_copy_omits_the_children_of_nodes_with_too_few_visits(least: int) -> None:
    search_tree = grow_tree(walk("azul", "coloured", 2, 1, 0), 2000)
    kept = tree_memory.new_tree(len(search_tree.tree.nodes))
    tree_memory.keep_below(search_tree.rules, search_tree.tree, kept, search_tree.root, least)
    whole = [
        one["visits"]
        for one in search_tree.tree.nodes[: search_tree.tree.used[0]]
        if one["first_child"] != tree_memory.NONE
    ]
    copied = [one["visits"] for one in kept.nodes[: kept.used[0]] if one["first_child"] != tree_memory.NONE]
    assert sorted(visits for visits in whole if visits >= least) == sorted(copied)


def test_children_join_only_while_the_tree_has_room() -> None:
    search_tree = grow_tree(walk("azul", "coloured", 2, 1, 0), 0)
    memory = np.zeros(20, tree_memory.NODE)  # the tree owns four of the nodes
    memory[0]["first_child"] = memory[0]["next_sibling"] = tree_memory.NONE
    search_tree.tree = tree_memory.Tree(memory[:4], np.ones(1, np.int32))
    simulation.simulate(search_tree.rules, search_tree.scratch, search_tree.tree, Parameters(), 1)
    assert ([1, 2, 3], 4) == (children_of(search_tree.tree.nodes, 0), search_tree.tree.used[0])


# ----------------------------------------------------------------------------------------------------- threads


def grow_tree_with_threads(
    threads: int, position: Position, simulations: int, slices: int = 1, alone: int = 0
) -> SearchTree:
    """Grow a tree. `alone`: simulations of one thread before the others start."""
    search_tree = SearchTree(position, players.parameters_of(position.ruleset), SEED, threads)
    search_tree.simulate(alone)
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(slices):
            search_tree.simulate(simulations, pool)
    return search_tree


@pytest.mark.parametrize(("ruleset", "variant", "seats"), SOME_CASES)
def test_threads_grow_one_consistent_tree_without_losing_visits(ruleset: str, variant: str, seats: int) -> None:
    """While the root has no children, simulations of threads that do not add them end at the root."""
    search_tree = grow_tree_with_threads(3, walk(ruleset, variant, seats, 1, 4), 3999, alone=1)
    assert 4000 == visits_of_sound(search_tree)
    root = search_tree.tree.nodes[search_tree.root]
    assert 4000 == sum(search_tree.tree.nodes[child]["visits"] for child in children_of(search_tree.tree.nodes, 0))
    assert np.all(np.abs(root["total"]) <= 4000)


def test_threads_can_start_with_an_empty_tree() -> None:
    """All threads reach a node without children at the same time."""
    for _ in range(60):
        assert 24 == visits_of_sound(grow_tree_with_threads(4, walk("azul", "coloured", 2, 1, 0), 24))


def test_threads_continue_in_a_full_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_memory, "MAX_NODES", tree_memory.FIRST_NODES)
    search_tree = grow_tree_with_threads(3, walk("azul", "coloured", 2, 1, 0), 1000, slices=20)
    assert 20_000 == visits_of_sound(search_tree)
    assert len(search_tree.tree.nodes) == tree_memory.FIRST_NODES


def test_threads_do_not_interfere_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.search.record_abi.LIBRARY.code", lambda: None)
    assert 24 == visits_of_sound(grow_tree_with_threads(3, walk("azul", "coloured", 2, 1, 0), 24))


def test_several_threads_find_the_same_result_as_one_thread() -> None:
    """The comparison covers the value of the root and the action with by far the most visits.

    Threads wait for each other after each slice. Otherwise a thread that the machine stops while it adds children would
    make the others end thousands of simulations there.
    """
    position = walk("azul", "coloured", 2, 4, 2)
    alone, *together = (grow_tree_with_threads(threads, position, 80, slices=100).top for threads in (1, 3, 3, 3, 3))
    assert alone.value(0) == pytest.approx(statistics.mean(tree.value(0) for tree in together), abs=0.05)
    best, *others = (max(tree.children().items(), key=lambda child: child[1].visits) for tree in (alone, *together))
    assert {best[0]} == {action for action, _ in others}


@pytest.mark.parametrize(("locked", "children"), [(0, 8), (1, 0)])
def test_thread_adds_no_children_to_a_locked_node(locked: int, children: int) -> None:
    search_tree = grow_tree(walk("azul", "coloured", 2, 1, 0), 0)
    search_tree.tree.nodes[0]["locked"] = locked
    search_tree.simulate(1)
    assert (children, 1) == (len(children_of(search_tree.tree.nodes, 0)), search_tree.top.visits)
    assert locked == search_tree.tree.nodes[0]["locked"]


# ----------------------------------------------------------------------------------------------------- aliases


def test_children_of_the_root_contain_no_aliases() -> None:
    for number, position in enumerate(positions_to_decide("queens-garden", "standard", 3, 5)):
        if number % 12 == 0:
            search_tree = grow_tree(position, 300)
            actions = {
                int(search_tree.tree.nodes[child]["action"])
                for child in children_of(search_tree.tree.nodes, search_tree.root)
            }
            assert actions <= set(position.legal_actions())
            assert not actions & position.aliases().keys()


def test_child_that_is_an_alias_after_this_draw_is_not_chosen() -> None:
    """A node contains actions after any draw, so an action listed after one draw may be an alias after another."""
    position = state(top="b1 y4 k4")
    alias, listed = next(iter(position.aliases().items()))
    search_tree = SearchTree(position, Parameters(), SEED)
    scratch, made = search_tree.scratch, search_tree.tree
    for action in (alias, listed):
        child, _ = tree_memory.claim(made, 1)
        tree_memory.set_node(made.nodes, child, action, 0.0, 0.0)
        tree_memory.append_children(made.nodes, search_tree.root, child, 1)
    copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
    chosen, legal = simulation.best_child(
        plain_rules(position.ruleset.rules), scratch, made, search_tree.root, Parameters(), 1
    )
    assert (listed, 1) == (int(made.nodes[chosen]["action"]), legal)
