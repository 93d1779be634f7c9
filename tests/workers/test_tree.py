"""What bounds a tree: which child is chosen, how many are looked at, how far it goes, how much memory it takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.queens_garden.build import on
from tests.workers.positions import decided, walk
from workers.search import players, tree
from workers.search.parameters import Parameters
from workers.search.record_abi import CURRENT_ROW, ROOT_ROW, copy, plain_rules
from workers.search.search import LONGEST_LINE, SEEN_OFTEN, Search
from workers.search.search_tree import SearchTree

SEED = bytes(range(32))
RUNNING = "tree:widening_base=1,widening_factor=0"  # one child a node, so that a tree is one line of play


def node(**fields: Any) -> Any:
    """A node of these fields and no relations."""
    made = np.zeros(1, tree.NODE).view(np.recarray)
    for name, value in fields.items():
        made[0][name] = value
    return made[0]


def grown(position: Position, simulations: int, **parameters: Any) -> SearchTree:
    search_tree = SearchTree(position, Parameters(**parameters), SEED)
    search_tree.simulate(simulations)
    return search_tree


def considered(search_tree: SearchTree) -> int:
    """How many children of the root could have been chosen."""
    return sum(search_tree.tree.nodes[child]["choices"] > 0 for child in search_tree.children(search_tree.root))


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
    assert expected == pytest.approx(tree.bound(child, seat, Parameters(exploration=0.5, prior_visits=3.0)))


def test_a_child_that_was_never_visited_is_worth_its_estimate() -> None:
    child = node(prior=-0.5)
    assert -0.5 == pytest.approx(tree.bound(child, 0, Parameters(prior_visits=3.0)))


def test_without_an_estimate_a_child_that_was_never_visited_comes_first() -> None:
    assert math.inf == tree.bound(node(choices=7), 0, Parameters(prior_visits=0.0))


@pytest.mark.parametrize("count", [1, 2, 4095, 4096, 4097, 10**6])
def test_the_logarithm_is_that_of_the_count_in_the_table_and_beyond(count: int) -> None:
    assert math.log(count) == pytest.approx(tree.logarithm(count))


@pytest.mark.parametrize("simulations", [1, 100, 101, 400, 401])
def test_a_node_considers_more_children_by_the_square_root_of_its_visits(simulations: int) -> None:
    position = walk("azul", "coloured", 4, 1, 0)
    search_tree = grown(position, simulations, widening_base=3.0, widening_factor=1.0, exploration=100.0)
    assert int(3 + math.sqrt(simulations - 1)) == considered(search_tree)


def test_a_child_that_is_considered_could_be_chosen_each_time() -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 200, widening_base=2.0, widening_factor=0.0)
    choices = [int(search_tree.tree.nodes[child]["choices"]) for child in search_tree.children(search_tree.root)]
    assert [200] * 2 + [0] * (tree.BATCH - 2) == choices


@pytest.mark.parametrize("threshold", [1, 5])
def test_children_join_a_node_that_was_visited_as_often_as_its_style_says(threshold: int) -> None:
    nodes = grown(walk("azul", "coloured", 2, 1, 0), 100, expansion_threshold=threshold).tree.nodes
    assert threshold + 1 == min(one["visits"] for one in nodes[1:] if one["visits"] and one["first_child"] != tree.NONE)


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
        below.append(any(search_tree.children(child) for child in search_tree.children(search_tree.root)))
    assert [False, True] == below


# ------------------------------------------------------------------------------------------------- how much memory


def told(search_tree: SearchTree, node: int) -> list[object]:
    """A node without its place in memory, and all below it."""
    fields = [str(search_tree.tree.nodes[node][name]) for name in tree.NODE.names or () if "_" not in name]
    return [fields, [told(search_tree, child) for child in search_tree.children(node)]]


@pytest.mark.parametrize(("more", "left"), [(0, False), (1, True)])
def test_a_tree_that_is_more_than_half_full_keeps_what_the_game_goes_on_with(more: int, *, left: bool) -> None:
    position = walk("azul", "coloured", 2, 1, 0)
    search_tree = grown(position, 3000)
    child = max(search_tree.children(0), key=lambda one: search_tree.tree.nodes[one]["visits"])
    action, below = int(search_tree.tree.nodes[child]["action"]), told(search_tree, child)
    search_tree.tree.used[0] = tree.MOST_NODES // 2 + more
    assert search_tree.advance(position.play(action), action)
    assert below == told(search_tree, search_tree.root)
    assert left == (search_tree.tree.used[0] < 3000 * 5)
    search_tree.tree.used[0] = min(search_tree.tree.used[0], len(search_tree.tree.nodes))
    before = int(search_tree.tree.nodes[search_tree.root]["visits"])
    search_tree.simulate(10)
    assert before + 10 == search_tree.tree.nodes[search_tree.root]["visits"]


def test_a_full_tree_forgets_what_follows_actions_that_were_seen_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """And grows on where it is more promising: none of its simulations is lost."""
    monkeypatch.setattr(tree, "MOST_NODES", tree.FIRST_NODES)
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 0, preference=1.5, playout_preferred=8)
    for simulations in range(500, 20_001, 500):
        search_tree.simulate(500)
        assert simulations == search_tree.tree.nodes[search_tree.root]["visits"]
        assert len(search_tree.tree.nodes) == tree.FIRST_NODES >= search_tree.tree.used[0]
    reached, lines = 1, [search_tree.children(search_tree.root)]
    while lines:
        children = lines.pop()
        assert len(children) == len({int(search_tree.tree.nodes[child]["action"]) for child in children})
        reached += len(children)
        for child in children:
            visits = search_tree.tree.nodes[child]["visits"]
            below = search_tree.children(child)
            assert visits >= sum(search_tree.tree.nodes[one]["visits"] for one in below)
            lines += [below] if below else []
    assert reached == search_tree.tree.used[0]


@pytest.mark.parametrize("least", [1, 4, 100])
def test_a_copy_leaves_out_the_children_of_nodes_with_fewer_visits_than_asked(least: int) -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 2000)
    kept = tree.new_tree(len(search_tree.tree.nodes))
    tree.keep_below(search_tree.rules, search_tree.tree, kept, search_tree.root, least)
    whole = [
        one["visits"] for one in search_tree.tree.nodes[: search_tree.tree.used[0]] if one["first_child"] != tree.NONE
    ]
    copied = [one["visits"] for one in kept.nodes[: kept.used[0]] if one["first_child"] != tree.NONE]
    assert sorted(visits for visits in whole if visits >= least) == sorted(copied)


def test_of_children_no_more_join_than_there_is_room_for() -> None:
    search_tree = grown(walk("azul", "coloured", 2, 1, 0), 0)
    memory = np.zeros(20, tree.NODE)  # of which the tree has four nodes
    memory[0]["first_child"] = memory[0]["next_sibling"] = tree.NONE
    search_tree.tree = tree.Tree(memory[:4], np.ones(1, np.int64), search_tree.tree.path)
    tree.simulate(search_tree.rules, search_tree.scratch, search_tree.tree, Parameters(), 1)
    assert ([1, 2, 3], 4) == (search_tree.children(0), search_tree.tree.used[0])


# ----------------------------------------------------------------------------------------------------- aliases


def test_no_two_children_of_the_root_do_the_same() -> None:
    for number, position in enumerate(decided("queens-garden", "standard", 3, 5)):
        if number % 12 == 0:
            search_tree = grown(position, 300)
            actions = {int(search_tree.tree.nodes[child]["action"]) for child in search_tree.children(search_tree.root)}
            assert actions <= set(position.legal_actions())
            assert not actions & position.aliases().keys()


def test_a_child_that_is_an_alias_in_this_course_of_chance_is_no_choice() -> None:
    """A node stands for what was done, whatever was drawn: what was listed after another draw may be an alias now."""
    position = on(top="b1 y4 k4")
    alias, listed = next(iter(position.aliases().items()))
    search_tree = SearchTree(position, Parameters(), SEED)
    scratch, made = search_tree.scratch, search_tree.tree
    for action in (alias, listed):
        tree.append_child(made.nodes, search_tree.root, tree.add_node(made, action, 0.0))
    copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
    chosen, legal = tree.best_child(
        plain_rules(position.ruleset.rules), scratch, made, search_tree.root, Parameters(), 1
    )
    assert (listed, 1) == (int(made.nodes[chosen]["action"]), legal)
