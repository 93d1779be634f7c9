"""What a game does to ratings, and where the levels of AIs stand."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import pytest

from service.games import rating
from service.games.rating import BETA, KINDS_OF_RATING, MIDDLE_LEVEL, MU, NEW, POINTS, SIGMA, Rating, after, expected
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.patience import HANG_S
from tests.rulesets.offers import WITH_LEVELS
from tests.rulesets.tiny import TINY

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
SURE = 0.001


def test_somebody_new_has_1500_points_and_is_provisional() -> None:
    assert (1500, True) == (NEW.points, NEW.is_provisional)
    assert not Rating(MU, rating.CERTAIN).is_provisional


def test_four_hundred_points_are_ten_to_one() -> None:
    better, worse = Rating(MU + 400 / POINTS, SURE), Rating(MU, SURE)
    assert 400 == better.points - worse.points
    assert 10 / 11 == pytest.approx(expected(better, worse), abs=1e-6)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_by_the_model_who_wins_as_often_as_is_expected_stays_where_they_are(seats: int) -> None:
    """At any number of seats: the better of two, and beside them some who are so weak that they do not count."""
    better, worse, weak = (Rating(MU + points / POINTS, SURE * BETA) for points in (400, 0, -9000))
    ratings = [better, worse, *[weak] * (seats - 2)]
    behind = list(range(3, seats + 1))
    won, lost = (after(ratings, [*places, *behind])[0].mu - better.mu for places in ((1, 2), (2, 1)))
    assert won > 0 > lost
    assert 10 == pytest.approx(-lost / won, rel=0.02)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_finishes_before_others_gains_and_the_others_lose(seats: int) -> None:
    rated = after([NEW] * seats, range(1, seats + 1))
    mus = [one.mu for one in rated]
    assert sorted(mus, reverse=True) == mus
    assert mus[0] > MU > mus[-1]
    assert all(one.sigma < SIGMA for one in rated)


def test_it_does_not_matter_who_sits_where() -> None:
    for places in [*itertools.permutations((1, 2, 3, 4))]:
        ratings = [Rating(20 + 3 * seat, 4 + seat) for seat in range(4)]
        straight = after(ratings, places)
        turned = after(ratings[::-1], places[::-1])[::-1]
        for one, other in zip(straight, turned, strict=True):
            assert one == pytest.approx(other), places


def test_a_tie_is_a_tie() -> None:
    one, other = after([NEW, NEW], [1, 1])
    assert one == pytest.approx(other)
    assert MU == pytest.approx(one.mu)
    first, second, third = after([NEW] * 3, [1, 1, 3])
    assert first == pytest.approx(second)
    assert first.mu > third.mu


def test_a_surprise_tells_more_than_what_was_expected() -> None:
    strong, weak = Rating(MU + 10, 4), Rating(MU - 10, 4)
    assert after([strong, weak], [2, 1])[1].mu - weak.mu > 5 * (after([strong, weak], [1, 2])[0].mu - strong.mu)


def test_who_plays_much_becomes_certain_and_does_not_freeze() -> None:
    one = Rating(MU, SIGMA)
    for number in range(400):
        one = after([one, Rating(MU, 1.0)], [1 + number % 2, 2 - number % 2])[0]
    assert 0.5 < one.sigma < rating.CERTAIN
    assert abs(one.points - 1500) < 60


@pytest.mark.parametrize("ruleset", WITH_LEVELS.values(), ids=list(WITH_LEVELS))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_level_has_a_fixed_rating_and_the_middle_one_1500_points(ruleset: Ruleset, seats: int) -> None:
    found = {level: rating.of_level(ruleset, seats, level) for level in LEVELS}
    points = {level: one.points for level, one in found.items() if one is not None}
    assert LEVELS.keys() == points.keys()
    assert 1500 == points[MIDDLE_LEVEL]
    assert (
        points["random"] < points["beginner"] < points["casual"] < points["club"] < points["expert"] < points["master"]
    )


@every_ruleset
def test_at_two_seats_the_levels_are_as_far_apart_as_their_elo(ruleset: Ruleset) -> None:
    elos = {row.level: row.elo for row in ruleset.strength if row.seats == 2 and row.elo is not None}
    for level, elo in elos.items():
        one, weakest = rating.of_level(ruleset, 2, level), rating.of_level(ruleset, 2, "random")
        assert one is not None
        assert weakest is not None
        assert elo == pytest.approx(one.points - weakest.points, abs=1)


def test_at_many_seats_a_step_between_levels_is_what_was_measured_there() -> None:
    """Azul's novice against random: 0.8333 of 18 games of three, 14 of 16 games of four."""
    odds = [(won + 0.5) * others / (games - won + 0.5) for won, games, others in ((0.8333 * 18, 18, 2), (14, 16, 3))]
    step = (18 * 400 * math.log10(odds[0]) + 16 * 400 * math.log10(odds[1])) / 34
    novice, weakest = (rating.of_level(RULESETS["azul"], 3, level) for level in ("novice", "random"))
    assert novice is not None
    assert weakest is not None
    assert step == pytest.approx(novice.points - weakest.points, abs=1)


def test_a_level_that_was_not_measured_has_no_rating() -> None:
    for seats, level in ((2, "greedy"), (4, "random")):
        assert rating.of_level(TINY, seats, level) is None
    assert rating.of_level(RULESETS["azul"], 2, "no-such-level") is None


def test_the_number_of_seats_says_which_rating_a_game_is_for() -> None:
    assert ("two", "many", "many") == tuple(map(rating.kind_of, (2, 3, 4)))
    assert ("two", "many") == KINDS_OF_RATING


@pytest.mark.nightly
def test_nobody_loads_what_rates_or_pairs_who_does_not() -> None:
    code = "import sys, service.app, service.games.rating, service.usecases.keeping.duties as d; d.learn_the_rules()"
    code += "; sys.exit(bool({'openskill', 'rustworkx'} & {*sys.modules}))"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False, timeout=HANG_S).returncode
