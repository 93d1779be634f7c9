"""The search follows the rules, keeps its time, depends only on its seed, and finds obvious moves."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from service.levels import LEVELS
from service.rulesets.azul import AZUL
from service.rulesets.ruleset import IllegalActionError, Position
from tests.patience import HANG_S
from tests.rulesets.azul.build import board, draft, read, table
from tests.rulesets.offers import WITH_LEVELS
from tests.rulesets.playing import deal, play
from tests.workers.positions import SOME_CASES, walk, walk_to_bonus
from workers.search import decisions as decisions_module
from workers.search import players, tree_memory
from workers.search.budgets import Budget
from workers.search.decisions import (
    RARE_VISITS,
    CancelledError,
    Choice,
    Search,
    search_at_level,
)
from workers.search.tree import Node

SEED = bytes(range(32))
TREE = "master"


def choose(position: Position, simulations: int, seed: bytes = SEED, level: str = "master") -> Choice:
    return search_at_level(position, level, seed).choose(simulations=simulations)


@pytest.mark.parametrize("level", ["greedy", "master"])
def test_search_completes_a_row_and_a_column_with_one_tile(level: str) -> None:
    walls = {0: ".yrkw", 1: "w....", 2: "k....", 3: "r....", 4: "y...."}
    position = read(table(board(20, wall=walls), board(20, floor="T"), centre="bw", start_seat=1))
    assert AZUL.wire.encode(draft("centre", "b", 0)) == choose(position, 500, level=level).action


def test_search_leaves_tiles_that_must_be_dropped_to_the_opponent() -> None:
    """White fits in no line. The seat that leaves the only other tile to the opponent must drop six white tiles."""
    lines = {1: "k", 2: "kk", 3: "kkk", 4: "k"}
    boards = [board(30, lines={0: "r", **lines}), board(30, lines={0: "r", **lines}, floor="T")]
    choice = choose(read(table(*boards, centre="wwwwwwk", start_seat=1)), 1000)
    assert AZUL.wire.decode(choice.action)["colour"] == "black"


@pytest.mark.parametrize(("ruleset", "variant", "seats"), SOME_CASES)
@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_a_legal_action(ruleset: str, variant: str, seats: int, level: str) -> None:
    for seed in range(6):
        position = walk(ruleset, variant, seats, seed, decisions=18 * seed)
        choice = choose(position, 60, level=level)
        assert choice.action in position.legal_actions()


@pytest.mark.parametrize(("ruleset", "variant", "seats"), SOME_CASES)
def test_game_ends_while_trees_are_kept_for_a_seats_next_decision(ruleset: str, variant: str, seats: int) -> None:
    position = walk(ruleset, variant, seats, 3, decisions=0)
    search = None
    while position.status != "over":
        if position.status == "drawing":
            position, search = deal(position), None
            continue
        if search is None or search.position != position:
            search = search_at_level(position, TREE, SEED)
        action = search.choose(simulations=30).action
        search.advance(action)
        position = position.play(action)
    assert max(one.rank for one in position.outcome()) <= seats


@pytest.mark.parametrize(("ruleset", "variant", "seats"), SOME_CASES)
def test_the_same_seed_and_number_of_simulations_give_the_same_tree(ruleset: str, variant: str, seats: int) -> None:
    position = walk(ruleset, variant, seats, 1, decisions=14)
    trees = []
    for _ in range(2):
        search = search_at_level(position, TREE, SEED)
        search.choose(simulations=800)
        grown = search._tree.tree
        trees.append(grown.nodes[: grown.used[0]].tobytes())
    assert trees[0] == trees[1]


def test_another_seed_gives_another_tree() -> None:
    position = walk("azul", "coloured", 2, 1, decisions=4)
    choices = {choose(position, 300, bytes([k]) * 32) for k in range(1, 6)}
    assert len(choices) > 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_tree_holds_returns_for_exactly_the_seats_of_the_game(seats: int) -> None:
    search = search_at_level(walk("azul", "grey", seats, 5, decisions=20), TREE, SEED)
    search.choose(simulations=400)
    root = search._tree.tree.nodes[0]
    returns = root["total"] / root["visits"]
    assert root["visits"] == 400
    assert np.all(np.abs(returns) <= 1)
    assert np.all(returns[:seats] != 0)
    assert np.all(returns[seats:] == 0)


def test_returns_of_three_seats_distinguish_a_narrow_lead() -> None:
    position = read(table(board(5), board(40), board(20), seats=3, centre="wb", start_seat=1))
    search = search_at_level(position, TREE, SEED)
    search.choose(simulations=300)
    behind, first, second = search._tree.tree.nodes[0]["total"][:3] / 300
    assert first > 0 > second > behind


def test_every_simulation_visits_a_child_of_the_root() -> None:
    search = search_at_level(walk("azul", "coloured", 2, 2, decisions=3), TREE, SEED)
    search.choose(simulations=500)
    assert 500 == sum(node.visits for node in search._tree.top.children().values())


def test_a_single_legal_action_is_chosen_at_once() -> None:
    position = read(table(board(lines={k: "w" * (k + 1) for k in range(5)}), centre="b", start_seat=1))
    assert 1 == len(position.legal_actions())
    choice = search_at_level(position, "master", SEED).choose(Budget(HANG_S))
    assert Choice(AZUL.wire.encode(draft("centre", "b", "floor")), 0, None, 0) == choice


def test_search_rejects_a_position_that_waits_for_a_draw() -> None:
    with pytest.raises(ValueError, match="no seat decides"):
        search_at_level(AZUL.start("coloured", 2, 0), "planner", SEED).choose()


def test_caller_can_end_the_search_between_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_module, "CHECK_INTERVAL_S", 0.0)
    asked = []

    def stop_at_once() -> bool:
        asked.append(1)
        return len(asked) < 2

    search = search_at_level(walk("azul", "coloured", 2, 1, decisions=2), TREE, SEED)
    with pytest.raises(CancelledError):
        search.choose(Budget(HANG_S), stop_at_once)
    assert 2 == len(asked)


def tiling() -> Position:
    """Return a position on the grey side of Azul in which a seat tiles line after line."""
    lines = {0: "b", 1: "yy", 2: "rrr"}
    before = read(table(board(lines=lines, floor="T"), variant="grey", centre="w", start_seat=0))
    return play(before, draft("centre", "w", 4))


def taking_bonus() -> Position:
    """Return a position of Summer Pavilion in which a seat takes several bonus tiles."""
    return walk_to_bonus("coloured", 2, 1)


@pytest.mark.parametrize("begin", [tiling, taking_bonus])
def test_tree_is_kept_for_the_next_decision_of_the_turn(begin: Callable[[], Position]) -> None:
    position = begin()
    search = search_at_level(position, TREE, SEED)
    first = search.choose(simulations=600)
    assert search.advance(first.action)
    assert position.seat == search.position.seat
    known = search.simulations
    assert first.visits == known
    second = search.choose(simulations=100)
    assert second.action in search.position.legal_actions()
    assert known + 100 == search.simulations


def after_own(position: Position, word: str) -> Search:
    """Return a search that has decided and is at the position of the next seat."""
    search = Search(position, players.parse_player(position.ruleset, word), SEED)
    assert search.advance(search.choose(simulations=3000).action)
    return search


def principal_variation(search: Search) -> list[int]:
    """Return the most visited actions of the other seats, up to the next decision of the own seat."""
    seat, actions, position = search._seat, list[int](), search.position
    node = search._tree.top
    while position.seat not in (None, seat):
        action, node = max(node.children().items(), key=lambda item: item[1].visits)
        actions.append(action)
        position = position.play(action)
    return actions


def search_between_turns(ruleset: str, variant: str, seats: int) -> tuple[Search, Position, Node]:
    """Return a search after its seat's decision, and the most likely position of its next turn with its node."""
    for decisions in range(2, 40):
        search = after_own(walk(ruleset, variant, seats, 4, decisions), "tree@0.2s")
        position, known = search.position, search._tree.top
        for action in principal_variation(search):
            position, known = position.play(action), known.children()[action]
        if position.seat is not None:
            return search, position, known
    raise AssertionError("chance acts after every decision")


@pytest.mark.parametrize(
    ("ruleset", "variant", "seats"), [case for case in SOME_CASES if case.values[0] in WITH_LEVELS]
)
def test_turn_starts_with_the_tree_of_the_turn_before(ruleset: str, variant: str, seats: int) -> None:
    """The search finds the position in its tree without knowing the actions that led to it."""
    search, position, known = search_between_turns(ruleset, variant, seats)
    all_visits = search.simulations
    position = position.ruleset.read(position.ruleset.view(position))
    assert search.resume_at(position) == (known.visits > all_visits // RARE_VISITS) >= (seats == 2)
    if search.position == position:
        assert known.visits == search.simulations
    assert search.choose(simulations=50).action in position.legal_actions()


def test_player_with_a_fixed_number_of_simulations_drops_its_tree() -> None:
    search = after_own(walk("azul", "coloured", 2, 4, decisions=2), "tree@3000")
    (action,) = principal_variation(search)
    assert not search.resume_at(search.position.play(action))


def test_rarely_visited_position_gets_a_new_tree() -> None:
    search = after_own(walk("azul", "coloured", 2, 4, decisions=2), "tree@0.2s")
    rare = min(search._tree.top.children().items(), key=lambda one: one[1].visits)[0]
    assert not search.resume_at(search.position.play(rare))


def test_search_resumes_neither_for_another_seat_nor_after_a_draw() -> None:
    search = after_own(walk("azul", "coloured", 2, 4, decisions=2), "tree@0.2s")
    assert not search.resume_at(search.position)  # the other seat decides there
    following = walk("azul", "coloured", 2, 4, decisions=2)
    while following.status != "drawing":
        following = following.play(following.legal_actions()[0])
    following = deal(following)
    if following.seat != search._seat:
        following = following.play(following.legal_actions()[0])
    assert not search.resume_at(following)


def test_advancing_a_search_by_an_illegal_action_raises() -> None:
    with pytest.raises(IllegalActionError):
        search_at_level(walk("azul", "coloured", 2, 1, decisions=2), TREE, SEED).advance(-1)


def test_tree_doubles_its_memory_and_continues_when_it_is_full() -> None:
    position = walk("azul", "coloured", 4, 1, decisions=2)
    search = search_at_level(position, TREE, SEED)
    search.choose(simulations=6000)
    search_tree = search._tree
    assert 2 * tree_memory.FIRST_NODES <= len(search_tree.tree.nodes) < tree_memory.MAX_NODES
    full = tree_memory.Tree(np.empty(tree_memory.MAX_NODES, tree_memory.NODE).view(np.recarray), search_tree.tree.used)
    full.nodes[: len(search_tree.tree.nodes)] = search_tree.tree.nodes
    full.used[0] = tree_memory.MAX_NODES
    search_tree.tree = full
    choice = search.choose(simulations=50)
    assert 6050 == search_tree.tree.nodes[search_tree.root]["visits"]
    assert choice.action in position.legal_actions()


def test_the_search_in_plain_python_grows_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs without compiled code before compilation has ended."""
    position = walk("azul", "grey", 3, 1, decisions=5)

    def tree_and_choice() -> tuple[bytes, int]:
        search = search_at_level(position, TREE, SEED)
        search.choose(simulations=20)
        grown, greedy = search._tree.tree, search_at_level(position, "greedy", SEED).choose().action
        return grown.nodes[: grown.used[0]].tobytes(), greedy

    compiled = tree_and_choice()
    monkeypatch.setattr("workers.search.record_abi.LIBRARY.code", lambda: None)
    assert compiled == tree_and_choice()


def test_tree_of_several_threads_is_read_and_kept_like_a_single_threaded_tree() -> None:
    position = walk("azul", "grey", 3, 2, decisions=3)
    search = Search(position, players.parse_player(position.ruleset, "tree:threads=3@1000"), SEED)
    choice = search.choose()
    assert 1000 < choice.simulations == search.simulations <= 2000  # for two opponents, unless it ends early
    assert choice.action == search.lines(1)[0].action
    assert choice.visits == search.lines(1)[0].visits
    assert search.advance(choice.action)
    assert choice.visits == search.simulations


def test_fixed_number_of_simulations_is_run_by_one_thread() -> None:
    position = walk("azul", "grey", 3, 2, decisions=3)
    choices = {
        search_at_level(position, TREE, SEED, threads=threads).choose(simulations=1000) for threads in (1, 1, 2, 3)
    }
    assert 1 == len(choices)


def test_level_limited_by_simulations_is_independent_of_the_machine() -> None:
    position = walk("summer-pavilion", "grey", 2, 1, decisions=3)
    chosen = {search_at_level(position, "planner", SEED).choose(Budget(HANG_S)) for _ in range(3)}
    assert 1 == len(chosen)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_level_uses_its_simulations_for_each_opponent(monkeypatch: pytest.MonkeyPatch, seats: int) -> None:
    monkeypatch.setattr(decisions_module.Search, "_is_choice_final", lambda *_: False)
    position = walk("azul", "grey", seats, 1, decisions=3)
    choice = search_at_level(position, "planner", SEED).choose(Budget(HANG_S))
    assert int(position.ruleset.ai.level_configs["planner"].simulations or 0) * (seats - 1) == choice.simulations > 0


@pytest.mark.parametrize(("ruleset", "variant", "seats"), SOME_CASES)
def test_a_search_ends_early_only_where_its_choice_cannot_change(ruleset: str, variant: str, seats: int) -> None:
    """Running the remaining simulations leaves the same action the most visited."""
    early = 0
    for seed in range(12):
        position = walk(ruleset, variant, seats, seed, decisions=5 * seed)
        search = Search(position, players.parse_player(position.ruleset, "tree@24"), SEED)
        most = 24 * (seats - 1)
        choice = search.choose(Budget(HANG_S))
        if 0 < choice.simulations < most:
            early += 1
            assert choice.action == search.choose(simulations=most - choice.simulations).action
    assert early


def test_noise_changes_choices_and_follows_the_seed() -> None:
    """The same seed gives the same noise. Without noise the search chooses the best action by estimate."""
    position = walk("azul", "coloured", 2, 3, decisions=2)
    seeds = [bytes([k]) * 32 for k in range(1, 21)]
    assert 1 == len({search_at_level(position, "greedy", seed).choose().action for seed in seeds})
    chosen = [search_at_level(position, "novice", seed).choose().action for seed in seeds]
    assert len(set(chosen)) > 3
    assert chosen == [search_at_level(position, "novice", seed).choose().action for seed in seeds]


def test_at_a_temperature_a_search_draws_by_its_visits() -> None:
    """At 1 by the number of visits, at 0.5 by its square, and never an action without visits."""
    position = walk("summer-pavilion", "coloured", 2, 3, decisions=12)
    for temperature, draws in ((1.0, 1000), (0.5, 1000)):
        search = Search(position, players.parse_player(position.ruleset, f"tree:temperature={temperature}"), SEED)
        search.choose(simulations=40)
        odds = {action: visits ** (1 / temperature) for action, visits in search.visits().items()}
        assert 4 <= len(odds)
        chosen = [search.choose(simulations=0).action for _ in range(draws)]
        for action, weight in odds.items():
            share = weight / sum(odds.values())
            assert abs(chosen.count(action) - draws * share) < 5 * math.sqrt(draws * share * (1 - share)) + 1
    again = [
        Search(position, players.parse_player(position.ruleset, "tree:temperature=1@9"), SEED).choose()
        for _ in range(3)
    ]
    assert 1 == len(set(again))
    assert 9 == again[0].simulations
