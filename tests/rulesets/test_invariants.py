"""What holds in every position that legal play can reach, whoever plays how.

Random players rarely do anything on purpose, so each game is played with a taste: a preference for some actions,
followed unless the dice say otherwise. That reaches full rows, large groups, short supplies and empty bags.
"""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets import playing
from tests.rulesets.azul.tastes import TASTES as OF_AZUL
from tests.rulesets.playing import Game
from tests.rulesets.queens_garden.tastes import TASTES as OF_QUEENS_GARDEN
from tests.rulesets.soak import faults_by
from tests.rulesets.summer_pavilion.tastes import TASTES as OF_SUMMER_PAVILION

FEW = 12  # of very many legal actions a player looks at so many
SOME = 7  # of games with very many legal actions every seventh position is asked for what takes long
MOST_ASKED = 500  # legal actions of a position that are asked for their refusal
GAMES = {
    "azul": (playing.games(RULESETS["azul"], OF_AZUL, [400, 30, 1]), 1),
    "summer-pavilion": (playing.games(RULESETS["summer-pavilion"], OF_SUMMER_PAVILION, [700, 60, 1]), 1),
    "queens-garden": (playing.games(RULESETS["queens-garden"], OF_QUEENS_GARDEN, [900, 60, 1], FEW), SOME),
}
of_each_ruleset = pytest.mark.parametrize("name", GAMES)
over_many_games = settings(max_examples=15, deadline=None)


@of_each_ruleset
@over_many_games
@given(data=st.data())
def test_the_invariants_hold_in_every_position_which_is_read_as_it_is_shown(name: str, data: st.DataObject) -> None:
    """Rounds follow each other, too."""
    games, every = GAMES[name]
    faults_of, earlier = faults_by(RULESETS[name]), 0
    for number, position in enumerate(data.draw(games)):
        shown = position.ruleset.view(position)
        assert [] == faults_of(position.table_state())
        assert earlier <= shown["round"] <= earlier + 1
        earlier = shown["round"]
        if number % every == 0:
            assert position == position.ruleset.read(shown)
            assert position == position.ruleset.from_bytes(position.to_bytes())


@of_each_ruleset
@over_many_games
@given(data=st.data())
def test_somebody_decides_and_can_or_chance_does_or_the_game_is_over(name: str, data: st.DataObject) -> None:
    games, every = GAMES[name]
    for number, position in enumerate(data.draw(games)):
        if position.status != "deciding":
            assert (None, []) == (position.seat, position.legal_actions())
        else:
            assert position.seat in range(position.seats)
            if number % every == 0:
                actions = position.legal_actions()
                assert {None} == {position.refusal(action) for action in actions[:: 1 + len(actions) // MOST_ASKED]}
        assert position.seat == position.ruleset.view(position)["to_decide"]
    event(position.status)
    if position.status == "over":
        assert {seat.won for seat in position.outcome() if seat.rank == 1} == {True}


@of_each_ruleset
@over_many_games
@given(data=st.data())
def test_points_told_by_the_effects_add_up_to_the_scores(name: str, data: st.DataObject) -> None:
    game: Game = data.draw(GAMES[name][0])
    earlier: Position | None = None
    for position in game:
        if earlier is not None and game.taken is not None:
            expected = list(earlier.scores)
            for effect in earlier.effects(game.taken):
                if "points" in effect:
                    expected[effect["seat"]] += effect["points"]
            assert tuple(expected) == position.scores
        earlier = position
