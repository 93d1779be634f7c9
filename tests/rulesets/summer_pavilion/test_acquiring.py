"""Phase 1: the acquired tiles, the centre, and the cost of the start token."""

from __future__ import annotations

import pytest

from tests.rulesets.playing import effects, effects_of_type, fields, legal, play, short_type
from tests.rulesets.summer_pavilion.build import FACTORIES, acquire, board, counts, hand, state, view


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_turn_passes_clockwise(seats: int) -> None:
    for seat in range(seats):
        before = state(seats=seats, to_decide=seat, factories=("bbyr", "ggoo"))
        assert (seat + 1) % seats == play(before, acquire(0, "b")).seat


def test_all_tiles_of_the_colour_go_to_the_hand_and_the_rest_to_the_centre() -> None:
    before = state(board(hand="r"), factories=("bbyr", "ggoo"), centre="yy", to_decide=0)
    after = play(before, acquire(0, "b"))
    assert counts("bbr") == hand(after)
    assert ([{}, counts("ggoo")], counts("yyyr")) == (view(after)["factories"][:2], view(after)["centre"])


def test_the_single_wild_tile_of_a_source_is_taken_with_the_chosen_colour() -> None:
    after = play(state(factories=("bbpy", "ggoo")), acquire(0, "b"))
    assert (counts("bbp"), counts("y")) == (hand(after), view(after)["centre"])


def test_only_one_of_several_wild_tiles_is_taken_with_the_chosen_colour() -> None:
    after = play(state(factories=("bppp", "ggoo")), acquire(0, "b"))
    assert (counts("bp"), counts("pp")) == (hand(after), view(after)["centre"])


def test_only_the_colour_of_the_current_round_is_wild() -> None:
    after = play(state(factories=("bbpg", "ggoo"), round_number=2), acquire(0, "b"))
    assert (counts("bbg"), counts("p")) == (hand(after), view(after)["centre"])


def test_one_tile_is_taken_from_a_factory_of_wild_tiles_and_the_others_go_to_the_centre() -> None:
    before = state(factories=("pppp", "ggoo"), centre="y")
    after = play(before, acquire(0, "p"))
    assert (counts("p"), counts("pppy"), {}) == (hand(after), view(after)["centre"], view(after)["factories"][0])


def test_one_tile_is_taken_from_a_centre_of_wild_tiles_and_the_others_stay() -> None:
    after = play(state(centre="ppp", token=1), acquire("centre", "p"))
    assert (counts("p"), counts("pp"), "acquire", 1) == (hand(after), *fields(after, "centre", "phase", "to_decide"))


def test_tiles_of_other_colours_stay_in_the_centre_except_for_one_wild_tile() -> None:
    after = play(state(centre="bbppy", token=1), acquire("centre", "b"))
    assert (counts("bbp"), counts("py")) == (hand(after), view(after)["centre"])


def test_all_colours_of_a_source_can_be_picked_but_the_wild_colour_only_if_it_is_alone() -> None:
    before = state(factories=("bbpy", "pppp"), centre="rrp", token=1)
    expected = [acquire(0, "b"), acquire(0, "y"), acquire(1, "p"), acquire("centre", "r")]
    assert sorted(expected, key=str) == legal(before)


def test_the_effects_list_the_tiles_taken_and_moved() -> None:
    before = state(seats=3, factories=("bbpy", "ggoo"), to_decide=2)
    taken = {
        "type": "summer-pavilion.tiles_acquired",
        "seat": 2,
        "source": "factory_0",
        "colour": "blue",
        "count": 3,
        "wilds": 1,
    }
    assert [taken, {"type": "summer-pavilion.tiles_moved_to_centre", "tiles": counts("y")}] == effects(
        before, acquire(0, "b")
    )


def test_no_move_to_the_centre_is_reported_for_an_emptied_factory_or_the_centre_itself() -> None:
    assert [] == effects_of_type(state(factories=("bbbp", "gggg")), acquire(0, "b"), "tiles_moved_to_centre")
    assert [] == effects_of_type(state(centre="bbgg"), acquire("centre", "b"), "tiles_moved_to_centre")


def test_the_effect_of_picking_the_wild_colour_counts_one_tile() -> None:
    taken = {"seat": 0, "source": "factory_0", "colour": "purple", "count": 1}
    (effect,) = effects_of_type(state(factories=("pppp", "gggg")), acquire(0, "p"), "tiles_acquired")
    assert taken == {name: effect[name] for name in taken}


# The start token


def test_taking_from_a_factory_leaves_the_token_in_the_centre_and_costs_nothing() -> None:
    before = state(factories=("bbyr", "gggg"), centre="y")
    after = play(before, acquire(0, "b"))
    assert ("centre", (5, 5)) == (view(after)["start_token"], after.scores)
    assert [] == effects_of_type(before, acquire(0, "b"), "start_token_taken")


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_first_seat_at_the_centre_takes_the_token_and_loses_a_point_per_tile(seats: int) -> None:
    boards = [board(20) for _ in range(seats)]
    before = state(*boards, to_decide=seats - 1, factories=("bbbb",), centre="yyyr")
    after = play(before, acquire("centre", "y"))
    assert (f"seat_{seats - 1}", 17) == (view(after)["start_token"], after.scores[seats - 1])
    assert [{"seat": seats - 1, "points": -3}] == effects_of_type(before, acquire("centre", "y"), "start_token_taken")


def test_the_wild_tile_taken_with_the_chosen_colour_counts_for_the_loss() -> None:
    assert (16, 5) == play(state(board(20), factories=("bbbb",), centre="yyypp"), acquire("centre", "y")).scores


def test_a_wild_tile_taken_alone_costs_one_point() -> None:
    assert (19, 5) == play(state(board(20), factories=("bbbb",), centre="ppp"), acquire("centre", "p")).scores


def test_the_second_seat_at_the_centre_takes_no_token_and_loses_no_points() -> None:
    before = state(board(20), factories=("bbbb",), centre="yyr", token=1)
    after = play(before, acquire("centre", "y"))
    assert ("seat_1", (20, 5)) == (view(after)["start_token"], after.scores)
    assert [] == effects_of_type(before, acquire("centre", "y"), "start_token_taken")


@pytest.mark.parametrize(("score", "lost"), [(5, 4), (4, 3), (2, 1), (1, 0)])
def test_the_loss_for_the_token_does_not_reduce_a_score_below_1(score: int, lost: int) -> None:
    before = state(board(score), factories=("bbbb",), centre="yyyyr")
    after = play(before, acquire("centre", "y"))
    assert (score - lost, "seat_0") == (after.scores[0], view(after)["start_token"])
    assert [{"seat": 0, "points": -lost}] == effects_of_type(before, acquire("centre", "y"), "start_token_taken")


# The end of phase 1


def test_phase_1_continues_while_the_centre_holds_a_tile() -> None:
    after = play(state(factories=("bbby",)), acquire(0, "b"))
    assert ("acquire", 1) == (view(after)["phase"], after.seat)


@pytest.mark.parametrize("seats", FACTORIES)
def test_phase_1_continues_while_the_last_factory_holds_a_tile(seats: int) -> None:
    factories = [*[""] * (FACTORIES[seats] - 1), "gggg"]
    after = play(state(seats=seats, factories=factories, centre="bb", token=0), acquire("centre", "b"))
    assert ("acquire", 1) == (view(after)["phase"], after.seat)


@pytest.mark.parametrize("holder", range(4))
def test_phase_2_begins_with_the_holder_of_the_token(holder: int) -> None:
    before = state(seats=4, to_decide=1, start_seat=2, token=holder, centre="bb")
    after = play(before, acquire("centre", "b"))
    assert ("play", holder, f"seat_{holder}") == (view(after)["phase"], after.seat, view(after)["start_token"])
    assert [{"seat": holder}] == effects_of_type(before, acquire("centre", "b"), "play_began")


def test_the_seat_that_takes_the_token_with_the_last_tiles_begins_phase_2() -> None:
    before = state(seats=3, to_decide=2, start_seat=1, centre="bb")
    kinds = [short_type(effect) for effect in effects(before, acquire("centre", "b"))]
    assert ["tiles_acquired", "start_token_taken", "play_began"] == kinds
    after = play(before, acquire("centre", "b"))
    assert ("play", 2, "seat_2") == fields(after, "phase", "to_decide", "start_token")


@pytest.mark.parametrize("starter", range(3))
def test_the_seat_that_started_the_round_begins_phase_2_if_no_seat_took_the_token(starter: int) -> None:
    before = state(seats=3, to_decide=1, start_seat=starter, factories=("", "bbbp"))
    after = play(before, acquire(1, "b"))
    assert ("play", starter, "centre") == (view(after)["phase"], after.seat, view(after)["start_token"])
    assert [{"seat": starter}] == effects_of_type(before, acquire(1, "b"), "play_began")
