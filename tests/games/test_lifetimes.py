"""How long a game is stored: it outlives every deadline and pause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.games.state.moments import add_seconds
from service.games.view import SPARE_S, Lifetimes, view
from tests.games.tables import RULE, Table, table
from tests.games.test_log import AT

DAY_S = 86_400
SHORT, LONG = Lifetimes(60, 600, 60), Lifetimes(3 * DAY_S, 600, 60)
CASES = [(SHORT, 60), (LONG, SPARE_S)]  # with the minimal lifetime after the next deadline


def expires_at(made: Table, lifetimes: Lifetimes) -> str:
    return str(view(made.game, lifetimes)["expires_at"])


@pytest.mark.parametrize(("lifetimes", "spare_s"), CASES)
def test_a_game_outlives_the_deadline_of_its_clock(lifetimes: Lifetimes, spare_s: int) -> None:
    made = table("player", "player", clock=replace(RULE, turn_s=20 * DAY_S, bank_s=10 * DAY_S))
    made.wait_until(DAY_S).act()
    deadline = view(made.game, lifetimes)["clock"]["deadline"]
    assert (add_seconds(AT, 31 * DAY_S), add_seconds(deadline, spare_s)) == (deadline, expires_at(made, lifetimes))


@pytest.mark.parametrize(("lifetimes", "spare_s"), CASES)
def test_a_game_outlives_the_end_of_its_pause(lifetimes: Lifetimes, spare_s: int) -> None:
    made = table("player", "ai")
    made.wait_until(100).session.pause(0, 7 * DAY_S)
    assert made.game.paused_until is not None
    assert add_seconds(made.game.paused_until, spare_s) == expires_at(made, lifetimes)


def test_a_paused_game_waits_for_its_pause_and_not_its_clock() -> None:
    made = table("player", "ai", clock=replace(RULE, bank_s=20 * DAY_S))
    made.session.pause(0, 7 * DAY_S)
    assert add_seconds(AT, 7 * DAY_S + 60) == expires_at(made, SHORT)


def test_a_late_event_in_a_turn_does_not_shorten_the_lifetime() -> None:
    made = table("player", "player", clock=replace(RULE, bank_s=DAY_S))
    before = expires_at(made, SHORT)
    made.wait_until(DAY_S / 2).session.pause(1, 60)
    assert before == expires_at(made, SHORT)


@pytest.mark.parametrize("clock", [None, RULE])
def test_without_later_deadlines_a_game_has_its_normal_lifetime(clock: object) -> None:
    made = table("player", "player", clock=clock)
    made.wait_until(5).act()
    assert add_seconds(AT, 5 + 3 * DAY_S) == expires_at(made, LONG)


def test_a_waiting_ai_does_not_prolong_a_game() -> None:
    made = table("player", "ai", clock=RULE)
    made.wait_until(5).act()
    assert (0, add_seconds(AT, 5 + 60)) == (made.game.due_at, expires_at(made, SHORT))


def test_a_finished_game_has_the_lifetime_of_finished_games() -> None:
    made = table("player", "player", clock=replace(RULE, bank_s=DAY_S))
    made.wait_until(7).session.resign(0)
    assert add_seconds(AT, 7 + 600) == expires_at(made, SHORT)
