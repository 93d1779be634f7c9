"""The first seat, and invariants of every position that legal play can reach.

Each game is played with a taste, a preference for some actions, which seats mostly follow. Random play would rarely
reach full rows, large groups, short supplies and empty bags.
"""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets import playing
from tests.rulesets.azul.tastes import TASTES as OF_AZUL
from tests.rulesets.playing import Game, assert_draw_refused, deal
from tests.rulesets.queens_garden.tastes import TASTES as OF_QUEENS_GARDEN
from tests.rulesets.soak import faults_by
from tests.rulesets.summer_pavilion.tastes import TASTES as OF_SUMMER_PAVILION

FEW = 12  # actions to choose from if very many are legal
SOME = 7  # of such games only every seventh position gets slow checks
MAX_ASKED = 500  # legal actions of a position that are checked for refusals
GAMES = {
    "azul": (playing.games(RULESETS["azul"], OF_AZUL, [400, 30, 1]), 1),
    "summer-pavilion": (playing.games(RULESETS["summer-pavilion"], OF_SUMMER_PAVILION, [700, 60, 1]), 1),
    "queens-garden": (playing.games(RULESETS["queens-garden"], OF_QUEENS_GARDEN, [900, 60, 1], FEW), SOME),
}
SIDES = {
    "azul": ("coloured", "grey"),
    "summer-pavilion": ("coloured", "grey"),
    "queens-garden": ("standard", "reverse"),
}
of_each_ruleset = pytest.mark.parametrize("name", GAMES)
every_number = pytest.mark.parametrize("seats", [2, 3, 4])
over_many_games = settings(max_examples=5, deadline=None)  # `make soak` plays many more


# The starting player


@of_each_ruleset
def test_a_ruleset_has_two_variants_and_two_to_four_seats(name: str) -> None:
    ruleset = RULESETS[name]
    assert (name, SIDES[name], (2, 3, 4)) == (ruleset.id, tuple(ruleset.variants), tuple(ruleset.seat_counts))


@of_each_ruleset
@every_number
def test_a_specified_first_seat_moves_first(name: str, seats: int) -> None:
    ruleset = RULESETS[name]
    for first in range(seats):
        start = ruleset.start(SIDES[name][0], seats, first)
        assert ("drawing", None, first) == (start.status, start.seat, ruleset.view(start)["start_seat"])
        dealt = deal(start)
        assert ("deciding", first, first) == (dealt.status, dealt.seat, ruleset.view(dealt)["start_seat"])


@of_each_ruleset
@every_number
def test_an_unspecified_first_seat_is_drawn_before_the_tiles(name: str, seats: int) -> None:
    ruleset, drawn = RULESETS[name], (seats - 1,)
    start = ruleset.start(SIDES[name][1], seats, None)
    assert ruleset.view(start)["start_seat"] is None
    assert {"type": f"{name}.first_seat", "seat": seats - 1} == ruleset.wire.name_draw(start.table_state(), drawn)
    assert [{"type": f"{name}.first_seat_drawn", "seat": seats - 1}] == start.step_draw(drawn)[0]
    seated = start.resolve_draw(drawn)
    assert ("drawing", seats - 1) == (seated.status, ruleset.view(seated)["start_seat"])
    assert seats - 1 == deal(seated).seat


@of_each_ruleset
@every_number
def test_every_seat_of_the_game_and_no_other_can_be_drawn_as_first_seat(name: str, seats: int) -> None:
    start, draws = RULESETS[name].start(SIDES[name][1], seats, None), generator(bytes(range(32)))
    assert {(seat,) for seat in range(seats)} == {start.sample(draws) for _ in range(200)}
    for outside in (-1, seats):
        assert_draw_refused(start, (outside,))


# Positions of games


@of_each_ruleset
@over_many_games
@given(data=st.data())
def test_the_invariants_hold_in_every_position_and_its_json_round_trips(name: str, data: st.DataObject) -> None:
    """Rounds must also follow each other."""
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
def test_legal_actions_exist_exactly_while_a_seat_decides(name: str, data: st.DataObject) -> None:
    games, every = GAMES[name]
    for number, position in enumerate(data.draw(games)):
        if position.status != "deciding":
            assert (None, []) == (position.seat, position.legal_actions())
        else:
            assert position.seat in range(position.seats)
            if number % every == 0:
                actions = position.legal_actions()
                assert {None} == {position.refusal(action) for action in actions[:: 1 + len(actions) // MAX_ASKED]}
        assert position.seat == position.ruleset.view(position)["to_decide"]
    event(position.status)
    if position.status == "over":
        assert {seat.won for seat in position.outcome() if seat.rank == 1} == {True}


@of_each_ruleset
@over_many_games
@given(data=st.data())
def test_the_points_in_the_effects_add_up_to_the_scores(name: str, data: st.DataObject) -> None:
    game: Game = data.draw(GAMES[name][0])
    earlier: Position | None = None
    for position in game:
        if earlier is not None and game.taken is not None:
            expected = list(earlier.scores)
            for effect in earlier.step(game.taken)[0]:
                if "points" in effect:
                    expected[effect["seat"]] += effect["points"]
            assert tuple(expected) == position.scores
        earlier = position
