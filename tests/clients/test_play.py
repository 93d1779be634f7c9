"""Examples play every ruleset to the end with their clients, despite disturbances.

Run by `make test-clients`, which generates the clients. Other generators play one game here, and the others in
`make test-clients-all`.
"""

from __future__ import annotations

import itertools

import pytest

from service.rulesets.registry import RULESETS
from tests.clients.playing import PLAY, play_from_the_beginning, play_through_trouble
from tests.clients.proxy import Trouble
from tests.e2e.stack import Stack
from tests.sampling import one_in

GAMES = [("hey-api", "azul"), *one_in(3, itertools.product(("typescript", "python"), RULESETS))]


@pytest.mark.parametrize(("language", "ruleset"), GAMES)
def test_a_game_is_played_to_the_end_through_cuts_refusals_and_limits(
    limited_stack: Stack, trouble: Trouble, ruleset: str, language: str
) -> None:
    play_through_trouble(PLAY[language], limited_stack, trouble, ruleset)


@pytest.mark.parametrize("language", one_in(2, ["typescript", "python"]))
def test_a_game_is_created_with_names_from_the_service(limited_stack: Stack, language: str) -> None:
    play_from_the_beginning(PLAY[language], limited_stack)
