"""A search with a network of preferences, and a player that follows the network alone."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest

from service.rulesets.kernel import generator
from service.rulesets.networks.network import HIDDEN, MAX_FEATURES
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets.playing import candidates
from tests.rulesets.tiny import TINY
from tests.workers.positions import CASES, walk
from workers.search import players
from workers.search.decisions import Search
from workers.search.tree import children_of

SEED = bytes(range(32))
WITH_PREFERENCES = [case for case in CASES if RULESETS[case[0]].ai.preference_features is not None]
of_networks = pytest.mark.parametrize(("ruleset", "variant", "seats"), WITH_PREFERENCES)


def search_of(position: Position, word: str, seed: bytes = SEED) -> Search:
    return Search(position, players.parse_player(position.ruleset, word), seed)


def preferences(position: Position, temperature: float = 1.0) -> dict[int, float]:
    """Return the probability of each candidate according to the network."""
    actions = np.array(candidates(position), np.int64)
    out, room = np.zeros(len(actions)), (np.zeros(MAX_FEATURES, np.int64), np.zeros(HIDDEN, np.float32))
    position.ruleset.rules.preferences(position.table_state(), actions, out, *room)
    odds = np.exp((out - out.max()) / temperature)
    return dict(zip(actions.tolist(), (odds / odds.sum()).tolist(), strict=True))


@pytest.mark.parametrize("temperature", [1.0, 1.7])
@of_networks
def test_most_preferred_actions_join_the_tree_first_with_their_probability(
    ruleset: str, variant: str, seats: int, temperature: float
) -> None:
    position = walk(ruleset, variant, seats, 2, decisions=4)
    search = search_of(position, f"tree:preference=1,preference_temperature={temperature}")
    search.choose(simulations=40)
    expected, nodes = preferences(position, temperature), search._tree.tree.nodes
    children = [nodes[child] for child in children_of(nodes, 0)]
    probabilities = [float(child["probability"]) for child in children]
    assert probabilities == sorted(probabilities, reverse=True)
    assert min(probabilities) >= sorted(expected.values(), reverse=True)[len(children) - 1] - 1e-6
    for child, probability in zip(children, probabilities, strict=True):
        assert expected[int(child["action"])] == pytest.approx(probability, abs=1e-6)


def test_search_with_a_large_weight_chooses_the_action_preferred_by_the_network() -> None:
    position = walk("azul", "coloured", 2, 5, decisions=3)
    expected = preferences(position)
    choice = search_of(position, "tree:preference=1000,preference_temperature=1").choose(simulations=300)
    assert max(expected, key=lambda action: expected[action]) == choice.action
    visits = search_of(position, "tree:preference=1000,preference_temperature=1")
    visits.choose(simulations=300)
    first, second, *_ = visits.visits().items()
    assert first[1] / second[1] == pytest.approx(expected[first[0]] / expected[second[0]], rel=0.2)


def test_all_actions_are_equally_preferred_without_a_network() -> None:
    """A ruleset without a network can be searched in the same way."""
    position = TINY.start(TINY.variants[0], 2, 0)
    position = position.resolve_draw(position.sample(generator(SEED)))
    search = search_of(position, "tree:preference=1")
    assert search.choose(simulations=60).action in position.legal_actions()
    nodes = search._tree.tree.nodes
    probabilities = {float(nodes[child]["probability"]) for child in children_of(nodes, 0)}
    assert 1 == len(probabilities)


@of_networks
def test_most_preferred_action_is_chosen_without_a_temperature(ruleset: str, variant: str, seats: int) -> None:
    for seed in range(4):
        position = walk(ruleset, variant, seats, seed, decisions=9 * seed)
        expected = preferences(position)
        action = search_of(position, "preference").choose().action
        assert expected[action] == pytest.approx(max(expected.values()))


def test_at_a_temperature_actions_are_drawn_by_preference() -> None:
    """At temperature 1 they are drawn with the probabilities of the network. The same seed gives the same draws."""
    position = walk("azul", "coloured", 2, 3, decisions=12)
    expected, draws = preferences(position), 4000
    seeds = [hashlib.sha256(bytes([k // 256, k % 256])).digest() for k in range(draws)]
    chosen = [search_of(position, "preference:temperature=1", seed).choose().action for seed in seeds]
    for action, probability in expected.items():
        deviation = math.sqrt(draws * probability * (1 - probability))
        assert abs(chosen.count(action) - draws * probability) < 5 * deviation + 1
    again = [search_of(position, "preference:temperature=1", seed).choose().action for seed in seeds[:50]]
    assert chosen[:50] == again


def test_playouts_by_preference_stay_within_the_rules() -> None:
    """Their choices differ from those of playouts by estimate."""
    position = walk("azul", "grey", 3, 1, decisions=6)
    values = []
    for word in ("tree:playout_preferred=0", "tree:playout_preferred=4"):
        search = search_of(position, word)
        assert search.choose(simulations=200).action in position.legal_actions()
        values.append(search.expectation(0)[0])
    assert values[0] != values[1]
