"""Words that describe a player, and the properties of each level."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.rulesets.offers import WITH_LEVELS
from workers.search import players
from workers.search.parameters import Parameters
from workers.search.players import UnreadableParametersError, parse_player

AZUL = RULESETS["azul"]
with_levels = pytest.mark.parametrize("ruleset", WITH_LEVELS.values(), ids=list(WITH_LEVELS))


@with_levels
def test_each_level_has_a_player(ruleset: Ruleset) -> None:
    assert list(LEVELS) == list(ruleset.ai.level_configs)
    assert all(players.player_at_level(ruleset, level).budget_s == level.budget_s for level in LEVELS.values())


@with_levels
def test_each_level_errs_less_and_searches_further_than_the_level_before(ruleset: Ruleset) -> None:
    _, *levels = (players.player_at_level(ruleset, level) for level in LEVELS.values())
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


def test_only_levels_that_search_have_a_budget() -> None:
    for name, level in LEVELS.items():
        assert {ruleset.ai.level_configs[name].kind == "tree" for ruleset in WITH_LEVELS.values()} == {
            level.budget_s > 0
        }
    assert LEVELS["master"].budget_s == 0.5


def test_only_a_search_with_a_time_budget_has_several_threads_and_keeps_its_tree() -> None:
    four = {name: players.player_at_level(AZUL, level, 4) for name, level in LEVELS.items()}
    assert {name: player.threads for name, player in four.items()} == {
        name: 4 if name == "master" else 1 for name in LEVELS
    }
    assert ["master"] == [name for name, player in four.items() if player.is_timed]
    assert [1, 1, 3] == [parse_player(AZUL, word).threads for word in ("tree", "master", "tree:threads=3@1s")]


def test_player_string_changes_only_the_named_parameters() -> None:
    tree = parse_player(AZUL, "tree")
    assert tree.parameters == players.parameters_of(AZUL)
    changed = parse_player(AZUL, "tree:exploration=0.3,playout_candidates=4@0.7s")
    assert (0.3, 4, 0.7) == (changed.parameters.exploration, changed.parameters.playout_candidates, changed.budget_s)
    assert tree.parameters == changed.parameters._replace(
        exploration=tree.parameters.exploration, playout_candidates=tree.parameters.playout_candidates
    )
    assert 5000 == parse_player(AZUL, "uct@5000").simulations
    assert 4.5 == parse_player(RULESETS["summer-pavilion"], "greedy:noise=4.5").noise
    warm = parse_player(AZUL, "greedy:temperature=0.7")
    assert ("preference", 0.7) == (warm.kind, warm.temperature)
    assert parse_player(AZUL, "planner").simulations == AZUL.ai.level_configs["planner"].simulations
    planner, timed, counted = (parse_player(AZUL, f"planner{limit}") for limit in ("", "@0.1s", "@9"))
    assert [(0.1, None), (players.ALL, 9)] == [(one.budget_s, one.simulations) for one in (timed, counted)]
    assert planner == replace(timed, budget_s=planner.budget_s, simulations=planner.simulations)
    assert isinstance(changed.parameters.playout_candidates, int)


def test_plain_uct_starts_without_estimates() -> None:
    parameters = parse_player(AZUL, "uct").parameters
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
        *(f"tree@{limit}" for limit in ("0", "-1", "0s", "-1s", "nans", "infs")),
        *("uct@0s", "master@0", "expert@0s"),
        *("greedy@9", "random@0.1s", "preference@9", "preference:temperature=1@0.1s"),
        *("tree:scale=0", "tree:scale=-1", "tree:widening_base=0"),
        *("tree:playout_preferred=-1", "tree:playout_preferred=1000000"),
        *("preference:temperature=-1", "tree:temperature=-0.5@9", "greedy:noise=-4"),
    ],
)
def test_invalid_player_string_is_rejected(word: str) -> None:
    with pytest.raises(UnreadableParametersError, match=f"^{re.escape(word.partition('@')[0])}|parameters"):
        parse_player(AZUL, word)


def test_an_unknown_player_is_reported_with_the_known_kinds() -> None:
    with pytest.raises(UnreadableParametersError, match=r"^nobody: must be a level or one of tree, preference, uct$"):
        parse_player(AZUL, "nobody@0.1s")
    with pytest.raises(UnreadableParametersError, match=r"tree, preference, uct, program$"):
        parse_player(AZUL, "nobody", ("program",))


def test_search_parameters_keep_their_types() -> None:
    """Compiled code is specialized for their types."""
    for ruleset in RULESETS.values():
        for word in ("tree", "uct", "master", "tree:playout_candidates=3,widening_factor=2"):
            parameters = parse_player(ruleset, word).parameters
            assert [type(value) for value in parameters] == [type(value) for value in Parameters()]


def test_plain_uct_uses_playouts_in_every_ruleset() -> None:
    """A ruleset can search without playouts, but plain UCT needs them."""
    for ruleset in RULESETS.values():
        parameters = parse_player(ruleset, "uct").parameters
        assert parameters.plies > 0
        assert parameters.horizon > 1000
        assert parameters.prior_visits == 0.0
