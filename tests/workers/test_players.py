"""How a player is written, and what each level is."""

from __future__ import annotations

import pytest

from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from workers.search import players
from workers.search.parameters import Style
from workers.search.players import Unreadable, read

AZUL = RULESETS["azul"]
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@every_ruleset
def test_every_level_plays_every_ruleset_and_nobody_else_does(ruleset: Ruleset) -> None:
    assert list(LEVELS) == list(ruleset.ai.plays)
    assert all(players.of(ruleset, level).budget_s == level.budget_s for level in LEVELS.values())


@every_ruleset
def test_levels_err_less_and_think_further_one_after_the_other(ruleset: Ruleset) -> None:
    _, *levels = (players.of(ruleset, level) for level in LEVELS.values())
    noises = [player.noise for player in levels if player.kind == "greedy"]
    simulations = [player.simulations for player in levels if player.kind == "tree"]
    assert sorted(noises, reverse=True) == noises
    assert noises[-1] == 0
    assert simulations[-1] is None
    assert sorted(filter(None, simulations)) == simulations[:-1]
    assert len(noises) + len(simulations) >= 8


def test_there_is_a_budget_where_a_level_thinks_ahead_and_only_there() -> None:
    for name, level in LEVELS.items():
        assert {ruleset.ai.plays[name].kind == "tree" for ruleset in RULESETS.values()} == {level.budget_s > 0}
    assert LEVELS["master"].budget_s == 0.5


def test_a_word_changes_what_it_says_and_nothing_else() -> None:
    tree = read(AZUL, "tree")
    assert tree.style == players.styled(AZUL)
    changed = read(AZUL, "tree:exploration=0.3,playout_candidates=4@0.7s")
    assert (0.3, 4, 0.7) == (changed.style.exploration, changed.style.playout_candidates, changed.budget_s)
    assert tree.style == changed.style._replace(
        exploration=tree.style.exploration, playout_candidates=tree.style.playout_candidates
    )
    assert 5000 == read(AZUL, "uct@5000").simulations
    assert 4.5 == read(AZUL, "greedy:noise=4.5").noise
    assert read(AZUL, "club").simulations == AZUL.ai.plays["club"].simulations
    assert read(AZUL, "club@0.1s").simulations is None
    assert isinstance(changed.style.playout_candidates, int)


def test_the_yardstick_knows_nothing_before_it_tries() -> None:
    style = read(AZUL, "uct").style
    assert 0 == style.prior_visits
    assert style.widening_base == style.horizon == players.ALL


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
    ],
)
def test_a_word_that_cannot_be_read_is_refused(word: str) -> None:
    with pytest.raises(Unreadable):
        read(AZUL, word)


def test_fields_of_a_style_keep_their_kinds() -> None:
    """Compiled code takes them by type."""
    for ruleset in RULESETS.values():
        for word in ("tree", "uct", "master", "tree:playout_candidates=3,widening_factor=2"):
            style = read(ruleset, word).style
            assert [type(value) for value in style] == [type(value) for value in Style()]


def test_the_yardstick_plays_out_whatever_a_ruleset_does() -> None:
    """A ruleset may search without playouts; plain UCT is nothing without them."""
    for ruleset in RULESETS.values():
        style = read(ruleset, "uct").style
        assert style.plies > 0
        assert style.horizon > 1000
        assert style.prior_visits == 0.0
