"""The worked example in the guide to ratings."""

from __future__ import annotations

import re
from pathlib import Path

from service.games.rating import CERTAIN, MIN_SIGMA, MU, NEW, POINTS, VARIANCE_PER_DAY, Rating, rate_game, weight

GUIDE = (Path(__file__).parents[2] / "docs/guides/ratings.md").read_text("utf-8")


def rating_text(one: Rating) -> str:
    return f"{one.points} ± {one.sigma * POINTS:.0f}"


def test_the_example_in_the_guide_follows_from_the_model() -> None:
    ana, ben = Rating(MU, MIN_SIGMA).age(1), Rating(MU + 100 / POINTS, MIN_SIGMA).age(100)
    lines = [f"| before | | {rating_text(ana)} | {rating_text(ben)} |"]
    for number, places in enumerate(((1, 2), (1, 2), (2, 1))):
        share = weight(number)
        ana, ben = rate_game([ana, ben], places, {(0, 1): share, (1, 0): share})
        shown = "1" if number == 0 else f"1/{number + 1}"
        lines.append(
            f"| {'Ana' if places[0] == 1 else 'Ben'} wins | {shown} | {rating_text(ana)} | {rating_text(ben)} |"
        )
    assert lines == re.findall(r"^\|.* ± .*\|$", GUIDE, re.MULTILINE)


def test_the_figures_in_the_guide_follow_from_the_model() -> None:
    veteran = Rating(MU, MIN_SIGMA)
    gain = rate_game([veteran, veteran], [1, 2])[0].points - veteran.points
    figures = [one.sigma * POINTS for one in (veteran, NEW, Rating(MU, CERTAIN), veteran.age(365))]
    assert [62, 246, 118, 118] == [round(figure) for figure in figures]
    for text in ("27.8 is added to its square", f"gains {gain} points by beating an equal", "grown to 81 points"):
        assert text in GUIDE.replace("\n  ", " ").replace("\n", " ")
    assert 27.8 == round(VARIANCE_PER_DAY * POINTS**2, 1)
    assert 81 == round(veteran.age(100).sigma * POINTS)
