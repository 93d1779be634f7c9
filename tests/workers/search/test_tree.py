"""What bounds a tree: which child is chosen, how many are looked at, how far it goes, how much memory it takes."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.queens_garden.build import on
from tests.workers.positions import SOME_CASES, decided, walk
from workers.search import players, simulation, tree_memory
from workers.search.decisions import LONGEST_LINE, SEEN_OFTEN, Search
from workers.search.parameters import Parameters
from workers.search.record_abi import plain_rules
from workers.search.rows import CURRENT_ROW, ROOT_ROW, copy
from workers.search.tree import SearchTree, children_of

SEED = bytes(range(32))
RUNNING = "tree:widening_base=1,widening_factor=0"  # one child a node, so that a tree is one line of play


def node(**fields: Any) -> Any:
    """A node of these fields and no relations."""
    made = np.zeros(1, tree_memory.NODE).view(np.recarray)
    for name, value in fields.items():
        made[0][name] = value
    return made[0]


def grown(position: Position, simulations: int, **parameters: Any) -> SearchTree:
    search_tree = SearchTree(position, Parameters(**parameters), SEED)
    search_tree.simulate(simulations)
    return search_tree


def considered(search_tree: SearchTree) -> int:
    """How many children of the root could have been chosen."""
    return sum(
        search_tree.tree.nodes[child]["choices"] > 0 for child in children_of(search_tree.tree.nodes, search_tree.root)
    )


def played_out(search_tree: SearchTree) -> Position:
    """Where the last simulation ended."""
    ruleset = walk("azul", "coloured", 2, 1, 0).ruleset
    return ruleset.from_bytes(search_tree.scratch.rows[CURRENT_ROW].tobytes()[: ruleset.rules.dtype.itemsize])


# ------------------------------------------------------------------------------------------------- which child


@pytest.mark.parametrize(("seat", "total"), [(0, 1.5), (1, -1.0)])
def test_the_bound_is_the_mean_with_the_estimate_counted_in_and_more_for_what_was_seldom_chosen(
    seat: int, total: float
) -> None:
    """Of the seat that decides; and it counts how often the child could have been chosen."""
    child = node(visits=5, choices=20, total=(1.5, -1.0, 9.0, 9.0), prior=0.25)
    expected = (total + 3 * 0.25) / (5 + 3) + 0.5 * math.sqrt(math.log(20 + 1) / (5 + 3))
    assert expected == pytest.approx(simulation.bound(child, seat, Parameters(exploration=0.5, prior_visits=3.0)))


def test_a_child_that_was_never_visited_is_worth_its_estimate() -> None:
    child = node(prior=-0.5)
    assert -0.5 == pytest.approx(simulation.bound(child, 0, Parameters(prior_visits=3.0)))


def test_without_an_estimate_a_child_that_was_never_visited_comes_first() -> None:
    assert math.inf == simulation.bound(node(choices=7), 0, Parameters(prior_visits=0.0))


@pytest.mark.parametrize("count", [1, 2, 4095, 4096, 4097, 10**6])
def test_the_logarithm_is_that_of_the_count_in_the_table_and_beyond(count: int) -> None:
    assert math.log(count) == pytest.approx(simulation.logarithm(count))


@pytest.mark.parametrize("simulations", [1, 100, 101, 400, 401])
def test_a_node_considers_more_children_by_the_square_root_of_its_visits(simulations: int) -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    search_tree = grown(position, simulations, widening_base=3.0, widening_factor=1.0, exploration=100.0)
    assert int(3 + math.sqrt(simulations - 1)) == considered(search_tree)


def test_a_child_that_is_considered_could_be_chosen_each_time() -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 200, widening_base=2.0, widening_factor=0.0)
    choices = [
        int(search_tree.tree.nodes[child]["choices"]) for child in children_of(search_tree.tree.nodes, search_tree.root)
    ]
    assert [200] * 2 + [0] * (simulation.BATCH - 2) == choices


@pytest.mark.parametrize("threshold", [1, 5])
def test_children_join_a_node_that_was_visited_as_often_as_its_style_says(threshold: int) -> None:
    nodes = grown(walk("azul", "coloured", 2, 1, 0), 100, expansion_threshold=threshold).tree.nodes
    assert threshold + 1 == min(
        one["visits"] for one in nodes[1:] if one["visits"] and one["first_child"] != tree_memory.NONE
    )


# ------------------------------------------------------------------------------------------------- how far


def test_a_line_of_best_play_is_no_longer_than_it_may_be() -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    search = Search(position, players.read(position.ruleset, RUNNING), SEED)
    search.choose(simulations=60)
    assert LONGEST_LINE == len(search.lines(1)[0].best_play)


@pytest.mark.parametrize("length", [1, 2, 7])
def test_a_line_ends_where_an_action_was_not_seen_often(length: int) -> None:
    """In a line of play each action is seen once less often than the one before it."""
    position = walk("azul", "coloured", 4, 1, 0)
    search = Search(position, players.read(position.ruleset, RUNNING), SEED)
    search.choose(simulations=SEEN_OFTEN + length - 1)
    assert length == len(search.lines(1)[0].best_play)


@pytest.mark.parametrize("plies", [0, 1, 6])
def test_a_playout_has_no_more_decisions_than_its_style_allows(plies: int) -> None:
    """After the one of the tree; in Azul each is the next seat's."""
    after = played_out(grown(walk("azul", "coloured", 4, 1, 0), 1, plies=plies))
    first = walk("azul", "coloured", 4, 1, 0).seat or 0
    assert (first + 1 + plies) % 4 == after.seat


def test_a_playout_ends_where_chance_would_act_once_more_than_its_style_allows() -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    ends = [played_out(grown(position, 1, plies=1000, horizon=horizon)).status for horizon in (0, 1000)]
    assert ["drawing", "over"] == ends


def test_a_tree_goes_through_no_more_acts_of_chance_than_its_style_allows() -> None:
    last = next(
        position
        for position in decided("azul", "coloured", 2, 1)
        if all(position.play(action).status == "drawing" for action in position.legal_actions())
    )
    below = []
    for draws in (0, 1):
        search_tree = grown(last, 50, draws=draws)
        below.append(
            any(
                children_of(search_tree.tree.nodes, child)
                for child in children_of(search_tree.tree.nodes, search_tree.root)
            )
        )
    assert [False, True] == below


# ------------------------------------------------------------------------------------------------- how much memory


def visits_of_sound(search_tree: SearchTree) -> int:
    """The visits of the root of a tree in which nothing is twice or lost, and all is counted."""
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


def told(search_tree: SearchTree, node: int) -> list[object]:
    """A node without its place in memory, and all below it."""
    fields = [str(search_tree.tree.nodes[node][name]) for name in tree_memory.NODE.names or () if "_" not in name]
    return [fields, [told(search_tree, child) for child in children_of(search_tree.tree.nodes, node)]]


@pytest.mark.parametrize(("more", "left"), [(0, False), (1, True)])
def test_a_tree_that_is_more_than_half_full_keeps_what_the_game_goes_on_with(more: int, *, left: bool) -> None:
    position = walk("azul", "coloured", 2, 1, 0)
    search_tree = grown(position, 3000)
    child = max(children_of(search_tree.tree.nodes, 0), key=lambda one: search_tree.tree.nodes[one]["visits"])
    action, below = int(search_tree.tree.nodes[child]["action"]), told(search_tree, child)
    search_tree.tree.used[0] = tree_memory.MAX_NODES // 2 + more
    assert search_tree.advance(position.play(action), action)
    assert below == told(search_tree, search_tree.root)
    assert left == (search_tree.tree.used[0] < 3000 * 5)
    search_tree.tree.used[0] = min(search_tree.tree.used[0], len(search_tree.tree.nodes))
    before = int(search_tree.tree.nodes[search_tree.root]["visits"])
    search_tree.simulate(10)
    assert before + 10 == search_tree.tree.nodes[search_tree.root]["visits"]


def test_a_full_tree_forgets_what_follows_actions_that_were_seen_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """And grows on where it is more promising: none of its simulations is lost."""
    monkeypatch.setattr(tree_memory, "MAX_NODES", tree_memory.FIRST_NODES)
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 0, preference=1.5, playout_preferred=8)
    for simulations in range(500, 10_001, 500):
        search_tree.simulate(500)
        assert len(search_tree.tree.nodes) == tree_memory.FIRST_NODES
        assert simulations == visits_of_sound(search_tree)


@pytest.mark.parametrize("least", [1, 4, 100])
def test_a_copy_leaves_out_the_children_of_nodes_with_fewer_visits_than_asked(least: int) -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 2000)
    kept = tree_memory.new_tree(len(search_tree.tree.nodes))
    tree_memory.keep_below(search_tree.rules, search_tree.tree, kept, search_tree.root, least)
    whole = [
        one["visits"]
        for one in search_tree.tree.nodes[: search_tree.tree.used[0]]
        if one["first_child"] != tree_memory.NONE
    ]
    copied = [one["visits"] for one in kept.nodes[: kept.used[0]] if one["first_child"] != tree_memory.NONE]
    assert sorted(visits for visits in whole if visits >= least) == sorted(copied)


def test_of_children_no_more_join_than_there_is_room_for() -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 0)
    memory = np.zeros(20, tree_memory.NODE)  # of which the tree has four nodes
    memory[0]["first_child"] = memory[0]["next_sibling"] = tree_memory.NONE
    search_tree.tree = tree_memory.Tree(memory[:4], np.ones(1, np.int32))
    simulation.simulate(search_tree.rules, search_tree.scratch, search_tree.tree, Parameters(), 1)
    assert ([1, 2, 3], 4) == (children_of(search_tree.tree.nodes, 0), search_tree.tree.used[0])


# ----------------------------------------------------------------------------------------------------- threads


def grown_by(threads: int, position: Position, simulations: int, slices: int = 1) -> SearchTree:
    search_tree = SearchTree(position, players.parameters_of(position.ruleset), SEED, threads)
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(slices):
            search_tree.simulate(simulations, pool)
    return search_tree


@pytest.mark.parametrize(("ruleset", "variant", "seats"), SOME_CASES)
def test_threads_grow_one_sound_tree_and_no_visit_is_lost(ruleset: str, variant: str, seats: int) -> None:
    search_tree = grown_by(3, walk(ruleset, variant, seats, 1, 4), 4000)
    assert 4000 == visits_of_sound(search_tree)
    root = search_tree.tree.nodes[search_tree.root]
    assert 4000 == sum(search_tree.tree.nodes[child]["visits"] for child in children_of(search_tree.tree.nodes, 0))
    assert np.all(np.abs(root["total"]) <= 4000)


def test_threads_begin_at_a_tree_of_nothing_again_and_again() -> None:
    """Where all of them come to a node without children at the same time."""
    for _ in range(60):
        assert 24 == visits_of_sound(grown_by(4, walk("azul", "coloured", 2, 1, 0), 24))


def test_threads_go_on_in_a_full_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_memory, "MAX_NODES", tree_memory.FIRST_NODES)
    search_tree = grown_by(3, walk("azul", "coloured", 2, 1, 0), 1000, slices=20)
    assert 20_000 == visits_of_sound(search_tree)
    assert len(search_tree.tree.nodes) == tree_memory.FIRST_NODES


def test_threads_in_plain_python_do_not_disturb_each_other_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.search.record_abi.LIBRARY.code", lambda: None)
    assert 24 == visits_of_sound(grown_by(3, walk("azul", "coloured", 2, 1, 0), 24))


def test_threads_come_to_what_one_finds() -> None:
    """What the root is worth, and the action that is visited most by far."""
    position = walk("azul", "coloured", 2, 4, 2)
    alone, together = grown_by(1, position, 8000).top, grown_by(3, position, 8000).top
    assert alone.value(0) == pytest.approx(together.value(0), abs=0.05)
    best = [max(one.children().items(), key=lambda child: child[1].visits) for one in (alone, together)]
    assert best[0][0] == best[1][0]


@pytest.mark.parametrize(("locked", "children"), [(0, 8), (1, 0)])
def test_where_another_thread_is_adding_children_none_are_added(locked: int, children: int) -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 0)
    search_tree.tree.nodes[0]["locked"] = locked
    search_tree.simulate(1)
    assert (children, 1) == (len(children_of(search_tree.tree.nodes, 0)), search_tree.top.visits)
    assert locked == search_tree.tree.nodes[0]["locked"]


# ----------------------------------------------------------------------------------------------------- aliases


def test_no_two_children_of_the_root_do_the_same() -> None:
    for number, position in enumerate(decided("queens-garden", "standard", 3, 5)):
        if number % 12 == 0:
            search_tree = grown(position, 300)
            actions = {
                int(search_tree.tree.nodes[child]["action"])
                for child in children_of(search_tree.tree.nodes, search_tree.root)
            }
            assert actions <= set(position.legal_actions())
            assert not actions & position.aliases().keys()


def test_a_child_that_is_an_alias_in_this_course_of_chance_is_no_choice() -> None:
    """A node stands for what was done, whatever was drawn: what was listed after another draw may be an alias now."""
    position = on(top="b1 y4 k4")
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
