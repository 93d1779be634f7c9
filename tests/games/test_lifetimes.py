"""How long a game is kept: no deadline and no pause outlasts it, however short the operator keeps games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.games.state.moments import later
from service.games.view import SPARE_S, Lifetimes, view
from tests.games.tables import RULE, Table, table
from tests.games.test_log import AT

DAY_S = 86_400
SHORT, LONG = Lifetimes(60, 600, 60), Lifetimes(3 * DAY_S, 600, 60)
KEPT = [(SHORT, 60), (LONG, SPARE_S)]  # and what a game lives on for, at least, after a moment that has to come


def expires_at(made: Table, lifetimes: Lifetimes) -> str:
    return str(view(made.game, lifetimes)["expires_at"])


@pytest.mark.parametrize(("lifetimes", "spare_s"), KEPT)
def test_a_game_is_there_for_a_while_after_the_deadline_of_its_clock(lifetimes: Lifetimes, spare_s: int) -> None:
    made = table("player", "player", clock=replace(RULE, turn_s=20 * DAY_S, bank_s=10 * DAY_S))
    made.at(DAY_S).act()
    deadline = view(made.game, lifetimes)["clock"]["deadline"]
    assert (later(AT, 31 * DAY_S), later(deadline, spare_s)) == (deadline, expires_at(made, lifetimes))


@pytest.mark.parametrize(("lifetimes", "spare_s"), KEPT)
def test_a_game_is_there_for_a_while_after_the_end_of_its_pause(lifetimes: Lifetimes, spare_s: int) -> None:
    made = table("player", "ai")
    made.at(100).session.pause(0, 7 * DAY_S)
    assert made.game.paused_until is not None
    assert later(made.game.paused_until, spare_s) == expires_at(made, lifetimes)


def test_a_pause_that_stops_a_clock_is_what_the_game_waits_for() -> None:
    made = table("player", "ai", clock=replace(RULE, bank_s=20 * DAY_S))
    made.session.pause(0, 7 * DAY_S)
    assert later(AT, 7 * DAY_S + 60) == expires_at(made, SHORT)


def test_what_comes_late_in_a_turn_shortens_no_life() -> None:
    made = table("player", "player", clock=replace(RULE, bank_s=DAY_S))
    before = expires_at(made, SHORT)
    made.at(DAY_S / 2).session.pause(1, 60)
    assert before == expires_at(made, SHORT)


@pytest.mark.parametrize("clock", [None, RULE])
def test_where_nothing_comes_later_than_its_own_life_ends_a_game_is_kept_for_that(clock: object) -> None:
    made = table("player", "player", clock=clock)
    made.at(5).act()
    assert later(AT, 5 + 3 * DAY_S) == expires_at(made, LONG)


def test_an_ai_that_is_due_prolongs_nothing() -> None:
    made = table("player", "ai", clock=RULE)
    made.at(5).act()
    assert (0, later(AT, 5 + 60)) == (made.game.due_at, expires_at(made, SHORT))


def test_a_game_that_is_over_waits_for_nothing_any_more() -> None:
    made = table("player", "player", clock=replace(RULE, bank_s=DAY_S))
    made.at(7).session.resign(0)
    assert later(AT, 7 + 600) == expires_at(made, SHORT)
