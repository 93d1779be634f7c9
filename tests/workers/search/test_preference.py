"""A search that a network guides, and a player that does what the network prefers."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest

from service.rulesets.kernel import generator
from service.rulesets.networks.network import HIDDEN, MAX_FEATURES
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets.tiny import TINY
from tests.workers.positions import CASES, walk
from workers.search import players
from workers.search.decisions import Search
from workers.search.tree import children_of

SEED = bytes(range(32))
WITH_PREFERENCES = [case for case in CASES if RULESETS[case[0]].ai.preference_features is not None]
of_networks = pytest.mark.parametrize(("ruleset", "variant", "seats"), WITH_PREFERENCES)


def search_of(position: Position, word: str, seed: bytes = SEED) -> Search:
    return Search(position, players.read(position.ruleset, word), seed)


def preferred(position: Position, temperature: float = 1.0) -> dict[int, float]:
    """The probability of each candidate, by the network."""
    listed = np.zeros(position.ruleset.max_actions, np.int64)
    actions = listed[: position.ruleset.rules.candidates(position.table_state(), listed)]
    out, room = np.zeros(len(actions)), (np.zeros(MAX_FEATURES, np.int64), np.zeros(HIDDEN, np.float32))
    position.ruleset.rules.preferences(position.table_state(), actions, out, *room)
    odds = np.exp((out - out.max()) / temperature)
    return dict(zip(actions.tolist(), (odds / odds.sum()).tolist(), strict=True))


@pytest.mark.parametrize("temperature", [1.0, 1.7])
@of_networks
def test_the_most_preferred_join_first_with_their_probability(
    ruleset: str, variant: str, seats: int, temperature: float
) -> None:
    position = walk(ruleset, variant, seats, 2, decisions=4)
    search = search_of(position, f"tree:preference=1,preference_temperature={temperature}")
    search.choose(simulations=40)
    expected, nodes = preferred(position, temperature), search._tree.tree.nodes
    children = [nodes[child] for child in children_of(nodes, 0)]
    probabilities = [float(child["probability"]) for child in children]
    assert probabilities == sorted(probabilities, reverse=True)
    assert min(probabilities) >= sorted(expected.values(), reverse=True)[len(children) - 1] - 1e-6
    for child, probability in zip(children, probabilities, strict=True):
        assert expected[int(child["action"])] == pytest.approx(probability, abs=1e-6)


def test_with_much_weight_the_search_does_what_the_network_prefers() -> None:
    position = walk("azul", "coloured", 2, 5, decisions=3)
    expected = preferred(position)
    choice = search_of(position, "tree:preference=1000,preference_temperature=1").choose(simulations=300)
    assert max(expected, key=lambda action: expected[action]) == choice.action
    visits = search_of(position, "tree:preference=1000,preference_temperature=1")
    visits.choose(simulations=300)
    first, second, *_ = visits.visits().items()
    assert first[1] / second[1] == pytest.approx(expected[first[0]] / expected[second[0]], rel=0.2)


def test_without_a_network_all_are_preferred_alike() -> None:
    """A ruleset that has none can be searched so, too."""
    position = TINY.start(TINY.variants[0], 2, 0)
    position = position.resolve_draw(position.sample(generator(SEED)))
    search = search_of(position, "tree:preference=1")
    assert search.choose(simulations=60).action in position.legal_actions()
    nodes = search._tree.tree.nodes
    probabilities = {float(nodes[child]["probability"]) for child in children_of(nodes, 0)}
    assert 1 == len(probabilities)


@of_networks
def test_without_a_temperature_the_most_preferred_is_chosen(ruleset: str, variant: str, seats: int) -> None:
    for seed in range(4):
        position = walk(ruleset, variant, seats, seed, decisions=9 * seed)
        expected = preferred(position)
        action = search_of(position, "preference").choose().action
        assert expected[action] == pytest.approx(max(expected.values()))


def test_at_a_temperature_actions_are_drawn_by_preference() -> None:
    """As often as the network's probabilities say at temperature 1; the same seed draws the same."""
    position = walk("azul", "coloured", 2, 3, decisions=12)
    expected, draws = preferred(position), 4000
    seeds = [hashlib.sha256(bytes([k // 256, k % 256])).digest() for k in range(draws)]
    chosen = [search_of(position, "preference:temperature=1", seed).choose().action for seed in seeds]
    for action, probability in expected.items():
        deviation = math.sqrt(draws * probability * (1 - probability))
        assert abs(chosen.count(action) - draws * probability) < 5 * deviation + 1
    again = [search_of(position, "preference:temperature=1", seed).choose().action for seed in seeds[:50]]
    assert chosen[:50] == again


def test_playouts_by_preference_stay_within_the_rules() -> None:
    """And differ from those by estimate."""
    position = walk("azul", "grey", 3, 1, decisions=6)
    values = []
    for word in ("tree:playout_preferred=0", "tree:playout_preferred=4"):
        search = search_of(position, word)
        assert search.choose(simulations=200).action in position.legal_actions()
        values.append(search.expectation(0)[0])
    assert values[0] != values[1]
