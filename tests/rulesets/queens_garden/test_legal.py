"""The legal actions of positions that play has reached, against those that the rules page gives when read plainly."""

from __future__ import annotations

import random

import pytest

from service.rulesets.kernel import generator
from service.rulesets.queens_garden import QUEENS_GARDEN
from service.rulesets.ruleset import Position
from tests.rulesets.playing import ordered
from tests.rulesets.queens_garden.build import board, distinct, on, view
from tests.rulesets.queens_garden.geometry import AREAS, FOUNTAIN_RING, RING_SPACES
from tests.rulesets.queens_garden.letters import STACK_OF, Json
from tests.rulesets.queens_garden.plain import legal_actions, without_aliases

EVERY = 23  # positions of a game between two that are compared
FEW = 6
MOST = 4000  # legal actions of a position that is compared


def is_as_the_page_allows(position: Position) -> None:
    """What is listed, and with the aliases all that is legal."""
    allowed = list(legal_actions(view(position)))
    listed, aliases = (
        [*map(QUEENS_GARDEN.wire.decode, found)] for found in (position.legal_actions(), position.aliases())
    )
    assert ordered(without_aliases(allowed)) == ordered(listed)
    assert ordered(allowed) == ordered([*listed, *aliases])


def reached(seats: int, seed: int) -> list[Position]:
    """Positions of a game in which passing is put off, so that storages and gardens fill."""
    dice, rng = random.Random(seed), generator(bytes([seed + 1]) * 32)
    position, found = QUEENS_GARDEN.start("standard", seats, 0), []
    for number in range(5000):
        if position.status == "over":
            break
        if position.status == "drawing":
            position = position.deal(position.sample(rng))
            continue
        if number % EVERY == seed % EVERY and len(position.legal_actions()) <= MOST:
            found.append(position)
        actions = [position.random_action(rng) for _ in range(FEW)]
        going_on = [action for action in actions if QUEENS_GARDEN.wire.decode(action)["type"] != "queens-garden.pass"]
        position = position.play(dice.choice(going_on or actions))
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("seats", STACK_OF)
def test_what_is_legal_in_a_game_is_what_the_rules_page_allows(seats: int, seed: int) -> None:
    compared = reached(seats, seed)
    assert compared
    for position in compared:
        is_as_the_page_allows(position)


CROWDED = {
    "all hexagons around the fountain": board(15, "b1 b2 d3 ^k4 *****", distinct(FOUNTAIN_RING), {0: "down"}),
    "a full storage of two kinds": board(15, "b1 b1 b1 d2 d2 d2 k3 k3 k3 l1 l1 l1 ^b2 ^k1"),
    "all colours of a pattern": board(6, "b4 d4 l4 y4 p4 k4 b1 b2 b3 ^d1 ^b6 ***"),
    "tiles and expansions with the same hexagons": board(5, "b1 b2 b3 b4 ^b1 ^b3 **"),
    "a garden with 36 hexagons": board(15, "b1 d2 ^y3 ****", distinct(RING_SPACES), dict.fromkeys(AREAS, "down")),
    "six jokers and every tree": board(15, "b1 d1 l1 y1 p1 k1 ******", {(1, 0): "b2", (-1, 1): "k2"}),
}


@pytest.mark.parametrize("case", CROWDED)
def test_what_is_legal_is_what_the_rules_page_allows_with(case: str) -> None:
    beside = ("p1 p2", "p2 p3 l4", "^p1", "", "^l2")
    displays: tuple[Json, ...] = ({}, {"top": "p1 p3 k2 l6", "beside": beside[:4]}, {"stack": 0, "beside": beside})
    for display in displays:
        is_as_the_page_allows(on(CROWDED[case], **display))
