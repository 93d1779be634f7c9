"""Seats: who sits there, whether they still play, and who decides for them."""

from __future__ import annotations

import orjson

from service.games import log
from service.games.state.model import Game
from service.games.state.seats import OUT, SEAT_STATUSES, Seat
from service.games.view import outcome, replaceable_at, view
from service.levels import FALLBACK
from tests.games.tables import LOSING, RULE, read_again
from tests.games.tables import table as new_table
from tests.games.test_log import AT, LIFETIMES

ANA = "a" * 16
GONE_S = 600


def test_a_person_is_who_plays_and_out_is_who_cannot_win() -> None:
    for kind in ["player", "open", "ai"]:
        for status in SEAT_STATUSES:
            seat = Seat(kind, status=status)
            assert ((kind, status) == ("player", "active"), status in OUT) == (seat.is_person, seat.is_out), kind


def test_a_seat_handed_over_goes_on_as_if_nothing_had_happened() -> None:
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
    made.refused("game/over", made.session.hand_over, 0, None)


def test_who_has_lost_has_nothing_to_hand_over() -> None:
    made = new_table("player", "player", "player", "player", clock=LOSING)
    made.at(70).session.keep_time()
    made.session.resign(1)
    made.refused("game/timed_out", made.session.hand_over, 0, None)
    made.refused("game/resigned", made.session.hand_over, 1, None)


def test_without_a_clock_the_fallback_level_plays_for_who_resigned() -> None:
    made = new_table("player", "player", "player")
    made.session.resign(0)
    assert (FALLBACK, 0) == (made.game.level_to_decide, made.game.due_at)


def test_who_resigned_ranks_behind_all_who_did_not_and_cannot_resign_twice() -> None:
    made = new_table("player", "player", "player")
    made.session.resign(2)
    made.refused("game/resigned", made.session.resign, 2)
    made.session.resign(0)
    ended = outcome(made.game)
    assert ended is not None
    assert ("resignation", [False, True, False]) == (ended["reason"], [seat["won"] for seat in ended["seats"]])
    assert 1 == ended["seats"][1]["rank"]


def test_who_is_away_may_resign() -> None:
    made = new_table("player", "player", clock=RULE)
    made.at(70).session.keep_time()
    made.session.resign(0)
    assert ("finished", "resigned") == (made.game.status, made.game.seats[0].status)


def test_the_clock_gives_a_seat_to_an_ai_and_then_anybody_may_have_it_at_once() -> None:
    made = new_table("player", "player", clock=RULE)
    assert [None, None] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    made.at(70).session.keep_time()
    away_at = made.game.seats[0].away_at
    assert [away_at, None] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    assert away_at == view(made.game, LIFETIMES)["seats"][0]["replaceable_at"]
    made.act()
    assert away_at == replaceable_at(made.game, 0, GONE_S)
    made.session.join(0, "Zoe", ANA)
    assert (Seat("player", "Zoe", None, ANA), None) == (made.game.seats[0], replaceable_at(made.game, 0, GONE_S))


def test_without_a_clock_a_seat_may_be_had_when_the_game_has_waited_for_it_long_enough() -> None:
    made = new_table("player", "player")
    assert ["2026-01-01T00:10:00.000Z", None] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    made.at(60).act()
    assert [None, "2026-01-01T00:11:00.000Z"] == [replaceable_at(made.game, seat, GONE_S) for seat in (0, 1)]
    made.at(90).session.pause(0, 60)
    assert "2026-01-01T00:11:00.000Z" == replaceable_at(made.game, 1, GONE_S)
    made.session.pause(1, 60)
    assert replaceable_at(made.game, 1, GONE_S) is None
    made.at(150).session.keep_time()
    assert "2026-01-01T00:12:30.000Z" == replaceable_at(made.game, 1, GONE_S)
    made.session.end()
    assert replaceable_at(made.game, 1, GONE_S) is None


def test_who_is_given_the_seat_to_decide_is_waited_for_anew() -> None:
    made = new_table("player", "player")
    made.at(60).session.hand_over(0, "Eve")
    anew = ("2026-01-01T00:01:00.000Z", "2026-01-01T00:11:00.000Z")
    assert anew == (made.game.waiting_since, replaceable_at(made.game, 0, GONE_S))


def test_a_handover_of_another_seat_does_not_make_the_game_wait_anew() -> None:
    made = new_table("player", "player")
    made.at(60).session.hand_over(1, "Eve")
    assert (AT, "2026-01-01T00:10:00.000Z") == (made.game.waiting_since, replaceable_at(made.game, 0, GONE_S))


def test_who_takes_the_seat_of_somebody_gone_is_waited_for_anew() -> None:
    """Else whoever is invited next may have it at once."""
    made = new_table("player", "player")
    made.at(700).session.join(0, "Zoe")
    assert "2026-01-01T00:21:40.000Z" == replaceable_at(made.game, 0, GONE_S)


def test_no_seat_of_an_ai_or_of_who_resigned_may_be_had() -> None:
    made = new_table("player", "ai", "player")
    made.session.resign(0)
    made.act()
    assert [None, None, None] == [replaceable_at(made.game, seat, GONE_S) for seat in range(3)]


def test_a_seat_that_is_joined_again_and_one_that_is_handed_over_replay_from_the_log() -> None:
    made = new_table("player", "open", "open", clock=RULE)
    made.session.join(2, "Bo", ANA)
    made.session.hand_over(2, "Cy")
    made.at(3).session.join(1, None)
    made.at(75).session.keep_time()
    made.session.join(0, "Di", ANA)
    assert made.game == log.fold_all(Game.new(made.game.meta), read_again(made.session.events))
    kept = orjson.loads(orjson.dumps(made.game.state_json()))
    assert made.game == Game.restored(made.game.meta, made.game.revision, kept, made.game.position)
    assert AT == made.game.meta.created_at
