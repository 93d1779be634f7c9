"""Analyses of single decisions and reviews of games."""

from __future__ import annotations

import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Ruleset
from service.usecases.work.analyses import LABELS
from tests.patience import HANG_S
from tests.rulesets.offers import WITH_LEVELS
from tests.rulesets.playing import deal, random_walk
from tests.rulesets.queens_garden.build import state
from tests.workers.positions import FEWER_CASES, walk
from workers.search.budgets import Budget
from workers.search.decisions import CancelledError, Line, Search, search_at_level
from workers.search.win_probability import win_probability, win_probability_after
from workers.tasks import analysis


def go_on(_progress: float, _found: Json | None) -> bool:
    return True


@pytest.fixture(autouse=True)
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let each search run 300 simulations instead of its budget. Return the seconds of the budgets."""
    seconds = []

    def think(search: Search, budget: Budget) -> None:
        search._simulate(search._start(Budget(HANG_S)), None, 300)
        seconds.append(budget.cpu_s)

    monkeypatch.setattr(Search, "think", think)
    monkeypatch.setattr(analysis, "_search", lambda position: search_at_level(position, "master", bytes(range(32))))
    return seconds


@pytest.mark.parametrize(("ruleset", "variant", "seats"), FEWER_CASES)
def test_analysis_returns_the_best_legal_actions_with_playable_lines(ruleset: str, variant: str, seats: int) -> None:
    position = walk(ruleset, variant, seats, 0, 5)
    actual = analysis.decision(position, 1.2, 4, go_on)
    assert actual["seat"] == position.seat
    actions = actual["actions"]
    assert 900 == actual["simulations"]
    assert 1 <= len(actions) <= 4
    assert len({action["action"] for action in actions}) == len(actions)
    assert actions == sorted(actions, key=lambda action: -action["visits"])
    assert {action["action"] for action in actions} <= set(position.legal_actions())
    assert actual["simulations"] >= sum(action["visits"] for action in actions)
    for action in actions:
        assert 0 <= action["win_probability"] <= 1
        assert action["line"][0] == (position.seat, action["action"])
        follow = position
        for seat, then in action["line"]:
            assert follow.seat == seat
            follow = follow.play(then)


def test_a_candidate_that_is_not_among_the_best_gets_half_of_the_time(budgets: list[float]) -> None:
    position = walk("azul", "coloured", 2, 0, 2)
    first, *_ = analysis.decision(position, 1.0, 1, go_on)["actions"]
    candidate = max(position.legal_actions())
    assert candidate != first["action"]
    budgets.clear()
    found = analysis.decision(position, 0.1, 1, go_on, candidate)
    assert [0.05, 0.05] == budgets
    best, asked = found["actions"]
    assert (300, 300) == (found["simulations"], asked["visits"] // 300 * 300)
    assert [first["action"], candidate] == [best["action"], asked["action"]]
    assert (position.seat, candidate) == asked["line"][0]
    assert asked["reasons"]
    assert asked["reasons"] == best["reasons"]
    only = analysis.decision(position, 0.1, 1, go_on, first["action"])
    assert [first["action"]] == [action["action"] for action in only["actions"]]
    assert 600 == only["simulations"]


def test_caller_receives_progress_and_can_cancel() -> None:
    actual: list[float] = []

    def stop(progress: float, found: Json | None) -> bool:
        actual.append(progress)
        assert found is not None
        assert found["actions"]
        return False

    with pytest.raises(CancelledError):
        analysis.decision(walk("azul", "coloured", 2, 0, 3), 5.0, 3, stop)
    assert [analysis.REPORT_S / 5.0] == actual


@pytest.mark.parametrize("decisions", [2, 9])
def test_review_shows_the_cost_of_dropping_tiles_on_the_floor(decisions: int) -> None:
    position = walk("azul", "coloured", 2, 0, decisions)
    decoded = {action: position.ruleset.wire.decode(action) for action in position.legal_actions()}
    floor = next(action for action, fields in decoded.items() if fields["line"] == "floor")
    (judged,) = analysis.review([(7, position, floor)], 0.4, go_on)["decisions"]
    assert (7, position.seat, floor) == (judged["revision"], judged["seat"], judged["played"])
    assert judged["best"] != floor
    assert judged["points_lost"] > 0
    first, second = analysis.decision(position, analysis.REPORT_S, 2, go_on)["actions"]  # the same 300 simulations
    assert judged["margin"] == pytest.approx(first["win_probability"] - second["win_probability"], abs=1e-4)
    assert judged["lead_best"] - judged["lead_played"] == pytest.approx(judged["points_lost"], abs=0.02)
    (praised,) = analysis.review([(7, position, judged["best"])], 0.4, go_on)["decisions"]
    assert praised["points_lost"] < judged["points_lost"]


def test_labels_depend_on_the_lost_probability_in_whole_percent() -> None:
    assert ["best", "best", "good", "good", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder"] == [
        analysis.label(lost) for lost in (0.0, 0.0149, 0.0151, 0.0449, 0.0451, 0.0949, 0.0951, 0.1449, 0.1451, 0.9)
    ]


def test_labels_are_ordered_by_the_lost_win_probability() -> None:
    """Many points in a game that is won anyway cost nothing; few points in a close game do."""
    order = list(LABELS)
    position = walk("azul", "coloured", 2, 0, 6)
    played = [(number, position, action) for number, action in enumerate(position.legal_actions()[:8], start=1)]
    decisions = sorted(analysis.review(played, 0.06, go_on)["decisions"], key=lambda each: float(each["win_lost"]))
    ranks = [order.index(each["label"]) for each in decisions]
    assert ranks == sorted(ranks)
    assert all(each["label"] == analysis.label(each["win_lost"]) for each in decisions)


def test_players_of_a_lower_rating_lose_less_by_the_same_decision() -> None:
    position = walk("azul", "coloured", 2, 0, 6)
    floor = next(one for one in position.legal_actions() if position.ruleset.wire.decode(one)["line"] == "floor")
    (strong,), (weak,) = (
        analysis.review([(1, position, floor)], 0.1, go_on, points)["decisions"] for points in (None, 1500)
    )
    assert 0 < weak["win_lost"] < strong["win_lost"]
    assert [strong[name] for name in ("points_lost", "margin")] == [weak[name] for name in ("points_lost", "margin")]


def test_a_single_legal_action_is_forced() -> None:
    game = random_walk(RULESETS["azul"].start("coloured", 2, 0), generator(bytes(range(2, 34))))
    position = next(position for position in game if len(position.legal_actions()) == 1)
    (action,) = position.legal_actions()
    review = analysis.review([(3, position, action)], 0.1, go_on)
    assert ("forced", None) == (review["decisions"][0]["label"], review["decisions"][0]["margin"])
    assert 1 == review["seats"][position.seat or 0]["labels"]["forced"]
    assert [] == review["decisive"]


TABLES = [(ruleset, seats) for ruleset in WITH_LEVELS.values() for seats in ruleset.seat_counts]


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_a_greater_return_gives_a_better_chance_to_win(ruleset: Ruleset, seats: int) -> None:
    chances = [win_probability(ruleset, seats, value) for value in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    assert chances == sorted(chances)
    assert 0 <= chances[0] < 0.1
    assert 0.9 < chances[-1] <= 1


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_the_weaker_the_players_the_less_certain_is_a_win(ruleset: Ruleset, seats: int) -> None:
    unknown = win_probability(ruleset, seats, 0.8)
    novices, club, stronger, strongest = (
        win_probability(ruleset, seats, 0.8, points) for points in (900, 1500, 1800, 3500)
    )
    assert 0.5 < novices == club < stronger < strongest == unknown


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_chances_of_all_seats_add_up_to_about_one_at_the_start(ruleset: Ruleset, seats: int) -> None:
    """With more seats, a seat is further behind its best opponent, but all win equally often."""
    position = deal(ruleset.start(ruleset.variants[0], seats, 0))
    while position.seat is None:
        position = deal(position)
    search = search_at_level(position, "master", bytes(range(32)))
    search.choose(simulations=400)
    chances = [win_probability(ruleset, seats, search.expectation(seat)[0]) for seat in range(seats)]
    assert 0.65 < sum(chances) < 1.35


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_the_last_decisions_of_a_game_have_its_result(ruleset: Ruleset, seats: int) -> None:
    """Weak players do not make a result uncertain."""
    game = random_walk(ruleset.start(ruleset.variants[0], seats, 0), generator(bytes(range(3, 35))))
    position = [position for position in game if position.seat is not None][-1]
    seat = int(position.seat or 0)
    ends = ((action, position.play(action)) for action in position.legal_actions())
    action, last = next((action, after) for action, after in ends if after.status == "over")
    won = [outcome.won for outcome in last.outcome()]
    share = round(won[seat] / sum(won), 4)
    (judged,) = analysis.review([(7, position, action)], 0.1, go_on, 900)["decisions"]
    assert share == judged["win_probability_played"]
    found = analysis.decision(position, 0.1, 1, go_on, action)["actions"]
    assert [share] == [one["win_probability"] for one in found if one["action"] == position.as_listed(action)]


WON = (
    "azul coloured 5 draft 1 0 0 0 - - -/-/-/-/- w b17y17r17k17w18 - "
    "5;w,-,-,-,-;byrk1/5/5/5/5;T 13;-,-,-,-,-;byrk1/4k/4r/4y/4b;-"
)
"""The last tile is in the centre. Wherever it is placed, seat 1 wins."""


def test_a_decision_in_a_won_game_loses_nothing() -> None:
    position = RULESETS["azul"].read_notation(WON)
    played = [(7, position, action) for action in position.legal_actions()]
    decisions = analysis.review(played, 0.1, go_on, 1500)["decisions"]
    assert {(1.0, 1.0, 0.0, "best")} == {
        (one["win_probability_best"], one["win_probability_played"], one["win_lost"], one["label"]) for one in decisions
    }


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_rest_of_a_game_of_two_seats_is_solved(share: float) -> None:
    positions = (
        position
        for seed in range(3, 60)
        for position in random_walk(RULESETS["azul"].start("coloured", 2, 0), generator(bytes(range(seed, seed + 32))))
        if position.seat is not None and len(position.legal_actions()) > 1
    )
    solved = next(one for one in positions if share == win_probability_after(one, int(one.seat or 0), 0.1))
    returns = [
        win_probability_after(solved.play(action), int(solved.seat or 0), 0.1) for action in solved.legal_actions()
    ]
    assert share == max(returns)


class Certain:
    """A search that has looked at the best action only."""

    def __init__(self, best: int) -> None:
        self.best = best

    def think(self, deadline: float) -> None:
        """Do nothing."""

    def lines(self, count: int) -> list[Line]:
        assert count == 2
        return [Line(self.best, 100, 0.2, 3.0, ((0, self.best),))]


def test_alias_of_the_best_action_counts_as_best_under_its_own_id(monkeypatch: pytest.MonkeyPatch) -> None:
    position = state(top="b1 d2 y3 k4")
    alias, listed = next(iter(position.aliases().items()))
    monkeypatch.setattr(analysis, "_search", lambda _: Certain(listed))
    for action in (alias, listed):
        (judged,) = analysis.review([(7, position, action)], 0.1, go_on)["decisions"]
        assert (action, action, 0.0, "best") == tuple(judged[name] for name in ("played", "best", "win_lost", "label"))


def test_search_advances_by_any_alias_of_an_action() -> None:
    position = state(top="b1 d2 y3 k4")
    alias, listed = next(iter(position.aliases().items()))
    known = []
    for action in (alias, listed):
        search = search_at_level(position, "planner", bytes(range(32)))
        search.choose(simulations=500)
        assert search.advance(action)
        known.append(search.simulations)
    assert known[0] == known[1] > 0
