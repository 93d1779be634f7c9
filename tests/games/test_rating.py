"""How games change ratings, and the ratings of AI levels."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import pytest

from service.games import rating
from service.games.rating import (
    BETA,
    KINDS_OF_RATING,
    MIDDLE_LEVEL,
    MU,
    NEW,
    POINTS,
    SIGMA,
    Rating,
    rate_game,
    win_probability,
)
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.patience import HANG_S
from tests.rulesets.offers import WITH_LEVELS
from tests.rulesets.tiny import TINY

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
SURE = 0.001


def test_a_new_player_has_1500_provisional_points() -> None:
    assert (1500, True) == (NEW.points, NEW.is_provisional)
    assert not Rating(MU, rating.CERTAIN).is_provisional


def test_a_lead_of_400_points_means_odds_of_ten_to_one() -> None:
    better, worse = Rating(MU + 400 / POINTS, SURE), Rating(MU, SURE)
    assert 400 == better.points - worse.points
    assert 10 / 11 == pytest.approx(win_probability(better, worse), abs=1e-6)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_player_who_wins_as_often_as_expected_keeps_their_rating(seats: int) -> None:
    """Further seats have opponents too weak to matter."""
    better, worse, weak = (Rating(MU + points / POINTS, SURE * BETA) for points in (400, 0, -9000))
    ratings = [better, worse, *[weak] * (seats - 2)]
    behind = list(range(3, seats + 1))
    won, lost = (rate_game(ratings, [*places, *behind])[0].mu - better.mu for places in ((1, 2), (2, 1)))
    assert won > 0 > lost
    assert 10 == pytest.approx(-lost / won, rel=0.02)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_gains_and_the_last_loses(seats: int) -> None:
    rated = rate_game([NEW] * seats, range(1, seats + 1))
    mus = [one.mu for one in rated]
    assert sorted(mus, reverse=True) == mus
    assert mus[0] > MU > mus[-1]
    assert all(one.sigma < SIGMA for one in rated)


def test_the_order_of_seats_does_not_matter() -> None:
    for places in [*itertools.permutations((1, 2, 3, 4))]:
        ratings = [Rating(20 + 3 * seat, 4 + seat) for seat in range(4)]
        straight = rate_game(ratings, places)
        turned = rate_game(ratings[::-1], places[::-1])[::-1]
        for one, other in zip(straight, turned, strict=True):
            assert one == pytest.approx(other), places


def test_tied_players_get_equal_ratings() -> None:
    one, other = rate_game([NEW, NEW], [1, 1])
    assert one == pytest.approx(other)
    assert MU == pytest.approx(one.mu)
    first, second, third = rate_game([NEW] * 3, [1, 1, 3])
    assert first == pytest.approx(second)
    assert first.mu > third.mu


def test_a_surprise_changes_ratings_more_than_an_expected_result() -> None:
    strong, weak = Rating(MU + 10, 4), Rating(MU - 10, 4)
    assert rate_game([strong, weak], [2, 1])[1].mu - weak.mu > 5 * (rate_game([strong, weak], [1, 2])[0].mu - strong.mu)


def test_many_games_make_a_rating_certain_but_not_fixed() -> None:
    one = Rating(MU, SIGMA)
    for number in range(400):
        one = rate_game([one, Rating(MU, 1.0)], [1 + number % 2, 2 - number % 2])[0]
    assert 0.5 < one.sigma < rating.CERTAIN
    assert abs(one.points - 1500) < 60


@pytest.mark.parametrize("ruleset", WITH_LEVELS.values(), ids=list(WITH_LEVELS))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_level_has_a_fixed_rating_and_the_middle_level_1500_points(ruleset: Ruleset, seats: int) -> None:
    ratings = {level: rating.level_rating(ruleset, seats, level) for level in LEVELS}
    points = {level: one.points for level, one in ratings.items() if one is not None}
    assert LEVELS.keys() == points.keys()
    assert 1500 == points[MIDDLE_LEVEL]
    assert (
        points["random"] < points["beginner"] < points["casual"] < points["club"] < points["expert"] < points["master"]
    )


@every_ruleset
def test_with_two_seats_the_levels_differ_by_their_elo(ruleset: Ruleset) -> None:
    elos = {row.level: row.elo for row in ruleset.strength if row.seats == 2 and row.elo is not None}
    for level, elo in elos.items():
        one, weakest = rating.level_rating(ruleset, 2, level), rating.level_rating(ruleset, 2, "random")
        assert one is not None
        assert weakest is not None
        assert elo == pytest.approx(one.points - weakest.points, abs=1)


def test_with_many_seats_the_levels_differ_by_the_measured_odds() -> None:
    """Azul's novice against random: 0.8333 of 18 games of three, 14 of 16 games of four."""
    odds = [(won + 0.5) * others / (games - won + 0.5) for won, games, others in ((0.8333 * 18, 18, 2), (14, 16, 3))]
    step = (18 * 400 * math.log10(odds[0]) + 16 * 400 * math.log10(odds[1])) / 34
    novice, weakest = (rating.level_rating(RULESETS["azul"], 3, level) for level in ("novice", "random"))
    assert novice is not None
    assert weakest is not None
    assert step == pytest.approx(novice.points - weakest.points, abs=1)


def test_an_unmeasured_level_has_no_rating() -> None:
    for seats, level in ((2, "greedy"), (4, "random")):
        assert rating.level_rating(TINY, seats, level) is None
    assert rating.level_rating(RULESETS["azul"], 2, "no-such-level") is None


def test_the_number_of_seats_determines_the_kind_of_rating() -> None:
    assert ("two", "many", "many") == tuple(map(rating.rating_kind, (2, 3, 4)))
    assert ("two", "many") == KINDS_OF_RATING


@pytest.mark.nightly
def test_the_service_does_not_load_rating_and_pairing_libraries() -> None:
    code = "import sys, service.app, service.games.rating, service.usecases.keeping.duties as d; d.load_rules()"
    code += "; sys.exit(bool({'openskill', 'rustworkx'} & {*sys.modules}))"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False, timeout=HANG_S).returncode
