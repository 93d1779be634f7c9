"""What holds in every position that legal play can reach, whoever plays how.

Random players rarely fill rows, floors or lines on purpose, so each game is played with a taste:
a preference for some destinations, followed unless the dice say otherwise. That reaches full rows, locked
walls, full floors, idle rounds and empty bags, which uniform play hardly ever does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from hypothesis import event, given, settings
from hypothesis import strategies as st

from service.rulesets.azul import AZUL
from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from tests.rulesets.azul.build import COLOURS, Json, colours_of

Taste = Callable[[Json], int]


def destination(action: Json) -> int:
    line = action["line"]
    return 5 if line == "floor" else int(line)


TASTES: dict[str, Taste] = {
    "none": lambda _action: 0,
    "short lines": destination,
    "long lines": lambda action: -destination(action) if destination(action) < 5 else 1,
    "the floor": lambda action: -destination(action),
    "the centre": lambda action: action.get("source") != "centre",
    "one colour": lambda action: COLOURS.index(action.get("colour", "blue")),
    "the left column": lambda action: action.get("column", 0),
}


def positions(variant: str, seats: int, seed: int, taste: str, steps: int) -> Iterator[Position]:
    """Positions of one game, chosen and drawn from a seed; at most so many of them."""
    dice = random.Random(seed)
    draws = generator(dice.randbytes(31) + b"\1")
    position = AZUL.start(variant, seats, dice.choice([None, *range(seats)]))
    yield position
    for _ in range(steps):
        if position.status == "over":
            return
        if position.status == "drawing":
            position = position.deal(position.sample(draws))
        else:
            actions = position.legal_actions()
            if dice.random() < 0.85:
                worst = {action: TASTES[taste](AZUL.decode(action)) for action in actions}
                actions = [action for action in actions if worst[action] == min(worst.values())]
            position = position.play(dice.choice(actions))
        yield position


games = st.builds(
    positions,
    st.sampled_from(AZUL.variants),
    st.sampled_from(AZUL.seat_counts),
    st.integers(0, 2**32),
    st.sampled_from(sorted(TASTES)),
    st.sampled_from([400, 30, 1]),
)
over_many_games = settings(max_examples=30, deadline=None)


@over_many_games
@given(games)
def test_there_are_20_tiles_of_each_colour_after_every_action_and_every_draw(
    game: Iterator[Position],
) -> None:
    for position in game:
        assert dict.fromkeys(COLOURS, 20) == colours_of(AZUL.view(position))


@over_many_games
@given(games)
def test_scores_floors_and_lines_stay_within_their_bounds(game: Iterator[Position]) -> None:
    for position in game:
        shown = AZUL.view(position)
        for seat in shown["seats"]:
            assert seat["score"] >= 0
            assert len(seat["floor_line"]) <= 7
            for number, line in enumerate(seat["pattern_lines"]):
                assert number + 1 == line["capacity"] >= line["count"] >= 0
                assert (line["colour"] is None) == (line["count"] == 0)
                assert line["colour"] is None or line["colour"] not in seat["wall"][number]
        assert all(sum(factory.values()) <= 4 for factory in shown["factories"])
        assert shown["rounds_without_tile"] <= 5


@over_many_games
@given(games)
def test_no_wall_holds_a_colour_twice_in_a_row_or_in_a_column(game: Iterator[Position]) -> None:
    for position in game:
        for seat in AZUL.view(position)["seats"]:
            for run in (*seat["wall"], *zip(*seat["wall"], strict=True)):
                tiles = [tile for tile in run if tile is not None]
                assert len(set(tiles)) == len(tiles)


@over_many_games
@given(games)
def test_there_is_one_token_and_it_lies_on_no_floor_but_its_holders(game: Iterator[Position]) -> None:
    for position in game:
        shown = AZUL.view(position)
        floors = [number for number, seat in enumerate(shown["seats"]) if "start_token" in seat["floor_line"]]
        assert floors in ([], [int(shown["start_token"].removeprefix("seat_"))] if floors else [])
        assert sum(seat["floor_line"].count("start_token") for seat in shown["seats"]) <= 1


@over_many_games
@given(games)
def test_what_is_shown_is_read_as_the_same_position(game: Iterator[Position]) -> None:
    for position in game:
        assert position == AZUL.read(AZUL.view(position))
        assert position == AZUL.from_bytes(position.to_bytes())


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
        assert position.seat == AZUL.view(position)["to_decide"]
    if last is not None and last.status == "over":
        event(f"ended: {AZUL.view(last)['reason_of_end']}")
        assert 1 in {seat.rank for seat in last.outcome()}
        assert {seat.won for seat in last.outcome() if seat.rank == 1} == {True}


@over_many_games
@given(games)
def test_a_full_row_is_seen_only_in_wall_tiling_or_at_the_end(game: Iterator[Position]) -> None:
    for position in game:
        shown = AZUL.view(position)
        full = any(None not in row for seat in shown["seats"] for row in seat["wall"])
        assert not full or shown["phase"] in {"tile", "over"}


@over_many_games
@given(games)
def test_points_told_by_the_effects_add_up_to_the_scores(game: Iterator[Position]) -> None:
    earlier: Position | None = None
    for position in game:
        if earlier is not None and earlier.status == "deciding":
            effects = next(
                told
                for action in earlier.legal_actions()
                if earlier.play(action) == position
                for told in [earlier.effects(action)]
            )
            gained = [0] * position.seats
            for effect in effects:
                if "points" in effect:
                    gained[effect["seat"]] += effect["points"]
            assert tuple(old + new for old, new in zip(earlier.scores, gained, strict=True)) == position.scores
        earlier = position
