"""Seats: their holders, whether they still play, and who decides for them."""

from __future__ import annotations

from service.games.state.model import Game
from service.games.state.seats import OUT, SEAT_STATUSES, Seat
from service.games.view import replaceable_at, view
from service.levels import FALLBACK
from tests.games.tables import LOSING, RULE, reread
from tests.games.tables import table as new_table
from tests.games.test_log import AT, LIFETIMES, fold_all, reload

ANA = "a" * 16
GONE_S = 600


def test_seats_are_classified_as_persons_and_as_out() -> None:
    for kind in ["player", "open", "ai"]:
        for status in SEAT_STATUSES:
            seat = Seat(kind, status=status)
            assert ((kind, status) == ("player", "active"), status in OUT) == (seat.is_person, seat.is_out), kind


def test_a_handover_changes_only_the_holder() -> None:
    made = new_table("player", "player", clock=RULE)
    made.act()
    position, deadline = made.position, made.deadline_s()
    made.session.hand_over(0, "Ana")
    assert Seat("player", "Ana") == made.game.seats[0]
    assert (position, deadline, 1) == (made.position, made.deadline_s(), made.game.to_decide)
    assert (True, False) == made.game.acted


def test_a_seat_can_be_handed_over_before_the_start_and_not_after_the_end() -> None:
    made = new_table("player", "open")
    made.session.hand_over(0, "Ben")
    assert ("open", "Ben") == (made.game.status, made.game.seats[0].name)
    made.session.end()
    made.assert_refused("game/over", made.session.hand_over, 0, None)


def test_a_lost_seat_cannot_be_handed_over() -> None:
    made = new_table("player", "player", "player", "player", clock=LOSING)
    made.wait_until(70).session.keep_time()
    made.session.resign(1)
    made.assert_refused("game/timed_out", made.session.hand_over, 0, None)
    made.assert_refused("game/resigned", made.session.hand_over, 1, None)


def test_without_a_clock_the_fallback_level_plays_for_a_resigned_seat() -> None:
    made = new_table("player", "player", "player")
    made.session.resign(0)
    assert (FALLBACK, 0) == (made.game.level_to_decide, made.game.due_at)


def test_a_resigned_seat_ranks_last_and_cannot_resign_again() -> None:
    made = new_table("player", "player", "player")
    made.session.resign(2)
    made.assert_refused("game/resigned", made.session.resign, 2)
    made.session.resign(0)
    ended = made.outcome
    assert ("resignation", [False, True, False]) == (ended["reason"], [seat["won"] for seat in ended["seats"]])
    assert 1 == ended["seats"][1]["rank"]


def test_an_away_seat_can_resign() -> None:
    made = new_table("player", "player", clock=RULE)
    made.wait_until(70).session.keep_time()
    made.session.resign(0)
    assert ("finished", "resigned") == (made.game.status, made.game.seats[0].status)


def test_a_timed_out_seat_is_replaceable_at_once() -> None:
    made = new_table("player", "player", clock=RULE)
    assert [None, None] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    made.wait_until(70).session.keep_time()
    away_at = made.game.seats[0].away_at
    assert [away_at, None] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    assert away_at == view(made.game, LIFETIMES)["seats"][0]["replaceable_at"]
    made.act()
    assert away_at == replaceable_at(made.game, 0, GONE_S)
    made.session.join(0, "Zoe", ANA)
    assert (Seat("player", "Zoe", None, ANA), None) == (made.game.seats[0], replaceable_at(made.game, 0, GONE_S))


def test_without_a_clock_a_seat_is_replaceable_after_a_wait() -> None:
    made = new_table("player", "player")
    assert ["2026-01-01T00:10:00.000Z", None] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    made.wait_until(60).act()
    assert [None, "2026-01-01T00:11:00.000Z"] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    made.wait_until(90).session.pause(0, 60)
    assert "2026-01-01T00:11:00.000Z" == replaceable_at(made.game, 1, GONE_S)
    made.session.pause(1, 60)
    assert replaceable_at(made.game, 1, GONE_S) is None
    made.wait_until(150).session.keep_time()
    assert "2026-01-01T00:12:30.000Z" == replaceable_at(made.game, 1, GONE_S)
    made.session.end()
    assert replaceable_at(made.game, 1, GONE_S) is None


def test_a_handover_of_the_seat_to_decide_restarts_the_wait() -> None:
    made = new_table("player", "player")
    made.wait_until(60).session.hand_over(0, "Eve")
    restarted = ("2026-01-01T00:01:00.000Z", "2026-01-01T00:11:00.000Z")
    assert restarted == (made.game.waiting_since, replaceable_at(made.game, 0, GONE_S))


def test_a_handover_of_another_seat_does_not_restart_the_wait() -> None:
    made = new_table("player", "player")
    made.wait_until(60).session.hand_over(1, "Eve")
    assert (AT, "2026-01-01T00:10:00.000Z") == (made.game.waiting_since, replaceable_at(made.game, 0, GONE_S))


def test_claiming_an_abandoned_seat_restarts_the_wait() -> None:
    """Otherwise the next invited caller could claim the seat at once."""
    made = new_table("player", "player")
    made.wait_until(700).session.join(0, "Zoe")
    assert "2026-01-01T00:21:40.000Z" == replaceable_at(made.game, 0, GONE_S)


def test_seats_of_ais_and_resigned_players_are_not_replaceable() -> None:
    made = new_table("player", "ai", "player")
    made.session.resign(0)
    made.act()
    assert [None, None, None] == [replaceable_at(made.game, seat, GONE_S) for seat in range(3)]


def test_rejoined_and_handed_over_seats_replay_from_the_log() -> None:
    made = new_table("player", "open", "open", clock=RULE)
    made.session.join(2, "Bo", ANA)
    made.session.hand_over(2, "Cy")
    made.wait_until(3).session.join(1, None)
    made.wait_until(75).session.keep_time()
    made.session.join(0, "Di", ANA)
    assert made.game == fold_all(Game.new(made.game.meta), reread(made.session.events))
    assert made.game == reload(made.game)
    assert AT == made.game.meta.created_at
