"""How a player is written, and what each level is."""

from __future__ import annotations

import pytest

from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.rulesets.offers import WITH_LEVELS
from workers.search import players
from workers.search.parameters import Parameters
from workers.search.players import UnreadableParametersError, read

AZUL = RULESETS["azul"]
with_levels = pytest.mark.parametrize("ruleset", WITH_LEVELS.values(), ids=list(WITH_LEVELS))


@with_levels
def test_every_level_plays_every_ruleset_and_nobody_else_does(ruleset: Ruleset) -> None:
    assert list(LEVELS) == list(ruleset.ai.level_configs)
    assert all(players.of(ruleset, level).budget_s == level.budget_s for level in LEVELS.values())


@with_levels
def test_levels_err_less_and_think_further_one_after_the_other(ruleset: Ruleset) -> None:
    _, *levels = (players.of(ruleset, level) for level in LEVELS.values())
    quick, searching = (
        [player for player in levels if (player.kind == "tree") == searches] for searches in (False, True)
    )
    assert levels == quick + searching
    for some in (quick, searching):
        errors = [player.noise or player.temperature for player in some]
        assert sorted(errors, reverse=True) == errors
    assert errors[-1] == 0
    simulations = [player.simulations for player in searching]
    assert 1 == len({player.kind for player in quick})
    assert simulations[-1] is None
    assert sorted(filter(None, simulations)) == simulations[:-1]
    assert len(levels) >= 8


def test_there_is_a_budget_where_a_level_thinks_ahead_and_only_there() -> None:
    for name, level in LEVELS.items():
        assert {ruleset.ai.level_configs[name].kind == "tree" for ruleset in WITH_LEVELS.values()} == {
            level.budget_s > 0
        }
    assert LEVELS["master"].budget_s == 0.5


def test_only_a_search_with_a_time_has_more_than_one_thread_and_keeps_its_tree() -> None:
    four = {name: players.of(AZUL, level, 4) for name, level in LEVELS.items()}
    assert {name: player.threads for name, player in four.items()} == {
        name: 4 if name == "master" else 1 for name in LEVELS
    }
    assert ["master"] == [name for name, player in four.items() if player.is_timed]
    assert [1, 1, 3] == [read(AZUL, word).threads for word in ("tree", "master", "tree:threads=3@1s")]


def test_a_word_changes_what_it_says_and_nothing_else() -> None:
    tree = read(AZUL, "tree")
    assert tree.parameters == players.parameters_of(AZUL)
    changed = read(AZUL, "tree:exploration=0.3,playout_candidates=4@0.7s")
    assert (0.3, 4, 0.7) == (changed.parameters.exploration, changed.parameters.playout_candidates, changed.budget_s)
    assert tree.parameters == changed.parameters._replace(
        exploration=tree.parameters.exploration, playout_candidates=tree.parameters.playout_candidates
    )
    assert 5000 == read(AZUL, "uct@5000").simulations
    assert 4.5 == read(RULESETS["summer-pavilion"], "greedy:noise=4.5").noise
    assert ("preference", 0.7) == (
        read(AZUL, "greedy:temperature=0.7").kind,
        read(AZUL, "greedy:temperature=0.7").temperature,
    )
    assert read(AZUL, "planner").simulations == AZUL.ai.level_configs["planner"].simulations
    assert read(AZUL, "planner@0.1s").simulations is None
    assert isinstance(changed.parameters.playout_candidates, int)


def test_the_yardstick_knows_nothing_before_it_tries() -> None:
    parameters = read(AZUL, "uct").parameters
    assert 0 == parameters.prior_visits == parameters.preference == parameters.playout_preferred
    assert parameters.widening_base == parameters.horizon == players.ALL


@pytest.mark.parametrize(
    "word",
    [
        "",
        "nobody",
        "tree:fast=1",
        "tree:playout_candidates",
        "tree:playout_candidates=many",
        "tree@",
        "tree@soon",
        "tree@1.5",
        "uct@0.2m",
        "tree:threads=0@1s",
        "tree:preference_temperature=0@1s",
        "tree:threads=nan@1s",
        "tree:threads=inf@1s",
        "tree:plies=nan",
    ],
)
def test_a_word_that_cannot_be_read_is_refused(word: str) -> None:
    with pytest.raises(UnreadableParametersError):
        read(AZUL, word)


def test_fields_of_a_style_keep_their_kinds() -> None:
    """Compiled code takes them by type."""
    for ruleset in RULESETS.values():
        for word in ("tree", "uct", "master", "tree:playout_candidates=3,widening_factor=2"):
            parameters = read(ruleset, word).parameters
            assert [type(value) for value in parameters] == [type(value) for value in Parameters()]


def test_the_yardstick_plays_out_whatever_a_ruleset_does() -> None:
    """A ruleset may search without playouts; plain UCT is nothing without them."""
    for ruleset in RULESETS.values():
        parameters = read(ruleset, "uct").parameters
        assert parameters.plies > 0
        assert parameters.horizon > 1000
        assert parameters.prior_visits == 0.0
