"""What holds in every position that legal play can reach, whoever plays how.

Uniform play passes early and fills few stars, so each game is played with a taste: a preference for some actions,
followed unless the dice say otherwise. That reaches surrounded features, short supplies, full stars and large hands.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets.summer_pavilion.build import COLOURS, Json, board, colours_of, on, size, table, view, waiting
from tests.rulesets.summer_pavilion.invariants import faults, faults_of_record

Taste = Callable[[Json], int]
TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "never pass": lambda action: action["type"] == "pass",
    "cheap spaces": lambda action: action.get("slot", 9),
    "dear spaces": lambda action: -action.get("slot", 0),
    "one star after the other": lambda action: hash_of(action.get("star", "~")),
    "keep nothing": lambda action: size(action["keep"]) if action["type"] == "pass" else 0,
    "keep all, pass at once": lambda action: -size(action["keep"]) - 1 if action["type"] == "pass" else 0,
    "the centre": lambda action: "centre" not in action.values(),
    "one colour": lambda action: COLOURS.index(action.get("colour", "red")),
    "many wilds": lambda action: -action.get("wilds", -1),
}


def hash_of(star: str) -> int:
    return sum(map(ord, star))


def positions(variant: str, seats: int, seed: int, taste: str, steps: int) -> Iterator[Position]:
    """Positions of one game, chosen and drawn from a seed; at most so many of them."""
    dice = random.Random(seed)
    draws = generator(dice.randbytes(31) + b"\1")
    position = SUMMER_PAVILION.start(variant, seats, dice.choice([None, *range(seats)]))
    yield position
    for _ in range(steps):
        if position.status == "over":
            return
        if position.status == "drawing":
            position = position.deal(position.sample(draws))
        else:
            actions = position.legal_actions()
            if dice.random() < 0.85:
                worst = {action: TASTES[taste](SUMMER_PAVILION.decode(action)) for action in actions}
                actions = [action for action in actions if worst[action] == min(worst.values())]
            position = position.play(dice.choice(actions))
        yield position


games = st.builds(
    positions,
    st.sampled_from(SUMMER_PAVILION.variants),
    st.sampled_from(SUMMER_PAVILION.seat_counts),
    st.integers(0, 2**32),
    st.sampled_from(sorted(TASTES)),
    st.sampled_from([700, 60, 1]),
)
over_many_games = settings(max_examples=30, deadline=None)


@over_many_games
@given(games)
def test_no_position_has_a_fault_on_the_wire(game: Iterator[Position]) -> None:
    for position in game:
        assert [] == faults(view(position))


@over_many_games
@given(games)
def test_no_position_has_a_fault_in_its_record(game: Iterator[Position]) -> None:
    for position in game:
        assert [] == faults_of_record(position.record())


@over_many_games
@given(games)
def test_there_are_22_tiles_of_each_colour_after_every_action_and_every_draw(game: Iterator[Position]) -> None:
    for position in game:
        assert dict.fromkeys(COLOURS, 22) == colours_of(view(position))


@over_many_games
@given(games)
def test_what_is_shown_is_read_as_the_same_position(game: Iterator[Position]) -> None:
    for position in game:
        assert position == SUMMER_PAVILION.read(view(position))
        assert position == SUMMER_PAVILION.from_bytes(position.to_bytes())


@over_many_games
@given(games)
def test_somebody_decides_and_can_or_chance_does_or_the_game_is_over(game: Iterator[Position]) -> None:
    last = None
    for position in game:
        last = position
        if position.status == "deciding":
            assert position.seat in range(position.seats)
            assert position.legal_actions()
            assert all(position.refusal(action) is None for action in position.legal_actions())
        else:
            assert (None, []) == (position.seat, position.legal_actions())
        assert position.seat == view(position)["to_decide"]
    if last is not None and last.status == "over":
        event("ended")
        assert {seat.won for seat in last.outcome() if seat.rank == 1} == {True}
        assert [sum(seat.breakdown.values()) for seat in last.outcome()] == [seat.score for seat in last.outcome()]


def told_in(earlier: Position, position: Position) -> list[Json]:
    """The effects of the action that led from one position to the next."""
    return next(earlier.effects(action) for action in earlier.legal_actions() if earlier.play(action) == position)


@over_many_games
@given(games)
def test_points_told_by_the_effects_add_up_to_the_scores(game: Iterator[Position]) -> None:
    earlier: Position | None = None
    for position in game:
        if earlier is not None and earlier.status == "deciding":
            gained = [0] * position.seats
            for effect in told_in(earlier, position):
                if "points" in effect:
                    gained[effect["seat"]] += effect["points"]
            assert tuple(old + new for old, new in zip(earlier.scores, gained, strict=True)) == position.scores
        earlier = position


@over_many_games
@given(games)
def test_a_game_is_played_in_six_rounds_that_follow_each_other(game: Iterator[Position]) -> None:
    earlier = 0
    for position in game:
        shown = view(position)
        assert shown["round"] in {earlier, earlier + 1}
        assert shown["round"] <= 6
        earlier = shown["round"]


FAULTY: dict[str, Json] = {
    "a tile too many": {**table(), "centre": {"blue": 1}},
    "a score of 0": table(board(0)),
    "a supply of eleven": table(supply="ppggooyybbb"),
    "a factory of five": table(factories=("bbbgg",)),
    "an unlawful star": table(board(5, {"b": "r....."})),
    "an unlawful grey star": table(board(5, {"b": "rrb..."}), variant="grey"),
    "a centre star with a colour twice": table(board(5, {"c": "r.r..."})),
    "five tiles in the corners": table(board(), board(corners="ggggg")),
    "a short supply": table(supply="pp"),
    "a bonus that nobody is asked for": table(bonus_owed=1),
}


@pytest.mark.parametrize("case", FAULTY)
def test_the_invariants_find(case: str) -> None:
    assert faults(FAULTY[case])


def test_the_invariants_find_nothing_where_nothing_is_wrong() -> None:
    for position in (on(), on(factories=("bbbb",)), waiting(), SUMMER_PAVILION.start("grey", 4, None)):
        assert ([], []) == (faults(view(position)), faults_of_record(position.record()))


@pytest.mark.parametrize("name", ["bag", "tower", "supply", "bonus_owed", "round_number", "passed"])
def test_the_invariants_of_the_record_find_a_changed(name: str) -> None:
    record = on().record()
    record[name] = record[name] + 7
    assert faults_of_record(record)
