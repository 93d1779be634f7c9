"""Players with tastes: they value something more than it is worth."""

from __future__ import annotations

import pytest

from research.matches import sides, tastes
from research.matches.tastes import GOOD_SHARE, MAX_GOOD, Taste
from service.rulesets.networks.trained_weights import load_weights
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.rulesets.offers import WITH_WEIGHTS
from tests.workers.positions import positions_to_decide, walk
from workers.search.decisions import Search
from workers.search.players import UnreadableParametersError, parse_player

AZUL = RULESETS["azul"]
SEED = bytes(range(32))


def search_of(position: Position, simulations: int) -> Search:
    search = Search(position, parse_player(position.ruleset, "tree"), SEED)
    search.choose(simulations=simulations)
    return search


@pytest.mark.parametrize(("times", "takes"), [(1000.0, True), (-1000.0, False)])
def test_among_good_actions_a_taste_for_the_start_token_decides_who_takes_it(times: float, *, takes: bool) -> None:
    taste, differs = Taste(AZUL, {"token": times}), 0
    for position in positions_to_decide("azul", "coloured", 2, 3):
        if position.table_state().start_token >= 0 or len(position.legal_actions()) == 1:
            continue
        search = search_of(position, 200)
        choice = search.choose(simulations=1)
        good = [line for line in search.lines(MAX_GOOD) if line.visits >= GOOD_SHARE * choice.visits]
        taking = {line.action: position.play(line.action).table_state().start_token == position.seat for line in good}
        if len(set(taking.values())) == 2:
            differs += 1
            assert taking[taste.choose(search, choice)] == takes
    assert differs


def test_a_taste_for_spoiling_subtracts_the_expectation_of_the_best_opponent() -> None:
    trainable = AZUL.ai.trainable
    tables = trainable.tables(load_weights(AZUL.ai_folder, trainable.initial_weights))
    position = walk("azul", "grey", 3, 1, decisions=9)
    best = max(trainable.evaluate(position.table_state(), seat, tables) for seat in (0, 2))
    assert -2.0 * best == pytest.approx(Taste(AZUL, {tastes.OTHERS: 3.0}).points(position, 1))
    assert 0.0 == Taste(AZUL, {tastes.OTHERS: 1.0}).points(position, 1)


def test_a_taste_adds_no_points_to_a_finished_game() -> None:
    *_, last = positions_to_decide("azul", "coloured", 2, 1)
    ends = [position for position in map(last.play, last.legal_actions()) if position.status == "over"]
    assert ends
    assert {0.0} == {Taste(AZUL, {tastes.OTHERS: 3.0}).points(position, 0) for position in ends}


def test_a_forced_action_is_played_without_a_search_tree() -> None:
    forced = next(
        position for position in positions_to_decide("azul", "coloured", 2, 1) if len(position.legal_actions()) == 1
    )
    search = Search(forced, parse_player(AZUL, "tree@0.2s"), SEED)
    choice = search.choose()
    assert (0, choice.action) == (choice.visits, Taste(AZUL, {"token": 1000.0}).choose(search, choice))


@pytest.mark.parametrize("ruleset", WITH_WEIGHTS.values(), ids=list(WITH_WEIGHTS))
def test_a_player_argument_contains_the_taste_and_the_search_parameters(ruleset: Ruleset) -> None:
    weight = next(iter(ruleset.ai.trainable.initial_weights))
    word, taste = tastes.split_taste(ruleset, f"taste:{weight}=2,caution=0.1,others=1.5@40")
    assert "tree:caution=0.1@40" == word
    assert taste is not None
    assert {weight: 2.0, "others": 1.5} == taste.times
    assert ("tree@0.3s", None) == tastes.split_taste(ruleset, "tree@0.3s")
    described = [sides.describe(ruleset, f"taste:{likes}@40") for likes in ("others=2", "others=3", f"{weight}=3")]
    assert 3 == len({*described, sides.describe(ruleset, "tree@40")} - {sides.describe(ruleset, "tree@40")})


@pytest.mark.parametrize("word", ["taste", "taste:", "taste@40", "taste:hats=3", "taste:token=much", "taste:caution=0"])
def test_an_empty_or_unknown_taste_is_refused(word: str) -> None:
    with pytest.raises(UnreadableParametersError, match="taste"):
        sides.create_side(AZUL, word)


def test_a_player_with_a_taste_plays_by_it() -> None:
    """It continues with the same search, and plays legal actions that the search visits often."""
    position = walk("azul", "coloured", 2, 1, decisions=3)
    liking, plain = (sides.create_side(AZUL, word) for word in ("taste:token=1000@200", "tree@200"))
    actions = [side.decide(position, SEED) for side in (liking, plain)]
    assert set(actions) <= set(position.legal_actions())
    search = search_of(position, 200)
    assert actions == [
        Taste(AZUL, {"token": 1000.0}).choose(search, search.choose(simulations=0)),
        search.choose(simulations=0).action,
    ]
