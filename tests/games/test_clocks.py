"""Clocks: turns, their cost, and timeouts. Pure, with fixed times."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

import pytest

from service.games import log
from service.games.session import GameSession
from service.games.state.clocks import Clock, ClockRule
from service.games.state.model import Base, Game
from service.games.state.moments import rfc3339
from service.games.state.offers import PAUSE, RESUME, TAKEBACK, Offer
from service.games.state.seats import AWAY, Seat
from service.games.view import view
from tests.games.tables import (
    BEGAN_MS,
    LOSING,
    RULE,
    RUNS,
    Table,
    begins_a_run,
    in_a_run,
    next_in_a_run,
    played_to,
    reread,
    table,
)
from tests.games.test_log import AT, LIFETIMES, legal, reload


@pytest.mark.parametrize(("ruleset", "variant", "kind"), RUNS)
def test_consecutive_decisions_of_a_seat_are_one_turn_charged_once(ruleset: str, variant: str, kind: str) -> None:
    made = played_to(begins_a_run(kind), "player", "player", ruleset=ruleset, variant=variant, clock=RULE)
    seat, began = made.seat, len(made.session.events)
    kinds = ["action"]
    while kinds == ["action"] and made.game.to_decide == seat:
        decisions = len(made.session.events) - began
        assert (70, [60, 60]) == (made.deadline_s(), made.banks_s())
        kinds = made.wait_until(8 * (decisions + 1)).act(next_in_a_run(made, kind) if decisions < 1 else None)
    run = [event for event in made.log[began:] if event["kind"] == "action"]
    assert len(run) > 1
    assert kind in {event["action"]["type"] for event in run}
    assert 60 - (8 * len(run) - 10) == made.clock.banks[seat] / 1000


def test_a_turn_within_its_own_time_does_not_use_the_bank() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(10).act()
    assert [60, 60] == made.banks_s()
    assert 10 + 70 == made.deadline_s()


def test_a_turn_beyond_its_own_time_draws_on_the_bank_to_the_millisecond() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(10.001).act()
    assert [59.999, 60] == made.banks_s()


def test_a_bank_is_used_up_over_turns_and_never_negative() -> None:
    made = table("player", "player", clock=RULE)
    now, spent = 0.0, 0.0
    for seconds in (30, 30, 30):
        now += seconds
        made.wait_until(now).act()  # seat 0 takes 20 s out of its bank
        spent += 20
        assert [60 - spent, 60] == made.banks_s()
        made.act()
    assert (0, now + 10) == (made.clock.banks[0], made.deadline_s())
    made.assert_refused("game/time_is_up", made.wait_until(now + 10.001).session.act, 0, legal(made.session)[0])
    made.wait_until(now + 10).act()
    assert 0 == made.clock.banks[0]


def test_a_clock_with_only_a_bank_counts_every_second() -> None:
    made = table("player", "player", clock=replace(RULE, turn_s=0))
    made.wait_until(7).act()
    made.wait_until(9).act()
    assert [53, 58] == made.banks_s()


def test_a_clock_without_a_bank_gives_every_turn_the_same_time() -> None:
    made = table("player", "player", clock=replace(RULE, bank_s=0))
    for now in (10, 20, 30):
        assert now == made.deadline_s()
        made.wait_until(now).act()
    assert [0, 0] == made.banks_s()


def test_a_draw_between_two_turns_of_one_seat_begins_a_new_turn() -> None:
    def is_match(made: Table) -> bool:
        return made.position.play(made.position.legal_actions()[0]).status == "drawing"

    for seed in range(1, 20):
        made = played_to(is_match, "player", "player", clock=RULE, seed=(bytes([seed]) * 32).hex())
        seat = made.seat
        kinds = made.wait_until(30).act(made.position.legal_actions()[0])
        if made.game.to_decide == seat and "draw" in kinds:
            break
    else:
        raise AssertionError("no such game")
    assert (seat, 40) == (made.clock.seat, made.clock.banks[seat] / 1000)
    assert 30 + 10 + 40 == made.deadline_s()


def test_the_clock_starts_with_the_first_decision() -> None:
    made = table("player", "open", clock=RULE)
    assert (None, None) == (made.clock.seat, made.deadline_s())
    made.wait_until(500).session.join(1, None)
    assert (0, 570) == (made.clock.seat, made.deadline_s())


def test_offers_answers_and_handovers_do_not_change_the_turn() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(5).session.pause(0, 60)
    made.wait_until(6).session.answer(1, made.game.offers[0].id, accept=False)
    made.wait_until(7).session.hand_over(0, "Eve")
    made.wait_until(8).session.hand_over(1, "Bob")
    assert (0, 70) == (made.clock.seat, made.deadline_s())


def test_a_pause_keeps_the_used_time_of_the_turn() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(15).session.pause(0, 3600)
    made.wait_until(20).session.pause(1, 3600)
    assert (None, [60, 60]) == (made.deadline_s(), made.banks_s())
    made.wait_until(1000).session.resume(1)
    assert made.deadline_s() is None
    made.wait_until(1020).session.resume(0)
    assert 1020 - 20 + 70 == made.deadline_s()
    made.wait_until(1025).act()
    assert [60 - (25 - 10), 60] == made.banks_s()


def test_two_pauses_in_one_turn_keep_its_used_time() -> None:
    made = table("player", "player", clock=RULE)
    for pause, resume in ((10, 100), (110, 200)):
        made.wait_until(pause).session.pause(0, 3600)
        made.session.pause(1, 3600)
        made.wait_until(resume).session.resume(0)
        made.session.resume(1)
    assert 200 - 20 + 70 == made.deadline_s()


def test_an_expired_pause_resumes_the_turn_with_its_remaining_time() -> None:
    made = table("player", "ai", clock=RULE)
    made.wait_until(30).session.pause(0, 100)
    assert BEGAN_MS + 130_000 == made.game.due_at
    assert not made.wait_until(129.999).session.keep_time()
    assert made.wait_until(130).session.keep_time()
    assert (None, 170) == (made.game.paused_until, made.deadline_s())
    assert ("resume", None) == (made.session.events[-1].kind, made.log[-1]["seat"])


def test_ais_have_no_clock_and_are_never_charged() -> None:
    made = table("player", "ai", "ai", clock=RULE)
    made.wait_until(5).act()
    for now in (400, 900):
        assert (None, None, 0) == (made.clock.seat, made.deadline_s(), made.game.due_at)
        assert not made.wait_until(now).session.keep_time()
        made.act()
    assert [60, 60, 60] == made.banks_s()
    assert 970 == made.deadline_s()


def test_an_ai_that_replaces_a_player_has_no_clock() -> None:
    made = table("player", "player", "player", clock=RULE)
    made.wait_until(12).session.resign(0)
    assert (None, 0, "random") == (made.deadline_s(), made.game.due_at, made.game.level_to_decide)
    made.wait_until(500).act()
    assert [58, 60, 60] == made.banks_s()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_ai_of_the_agreed_level_takes_over_a_timed_out_seat(seats: int) -> None:
    made = table(*["player"] * seats, clock=RULE)
    assert not made.wait_until(69.999).session.keep_time()
    assert made.wait_until(70).session.keep_time()
    event = made.log[-1]
    assert ("timeout", 0, "ai") == (event["kind"], event["seat"], event["then"])
    assert ("away", rfc3339(BEGAN_MS + 70_000)) == (made.game.seats[0].status, made.game.seats[0].away_at)
    substituted = attrgetter("status", "to_decide", "level_to_decide", "due_at")(made.game)
    assert ("playing", 0, "random", 0) == substituted
    assert (None, 0) == (made.deadline_s(), made.clock.banks[0])
    assert not made.wait_until(700).session.keep_time()
    made.act()
    assert (1, 770) == (made.game.to_decide, made.deadline_s())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_timed_out_seats_lose_and_the_game_ends_with_one_seat_left(seats: int) -> None:
    made = table(*["player"] * seats, clock=LOSING)
    now = 0
    for loser in range(seats - 1):
        now += 70
        assert made.wait_until(now).session.keep_time()
        assert ("timed_out", loser) == (made.game.seats[loser].status, made.log[-1]["seat"])
        if loser < seats - 2:
            assert ("playing", "random") == (made.game.status, made.game.level_to_decide)
            made.act()
    ended = made.outcome
    assert ("finished", "timeout") == (made.game.status, ended["reason"])
    assert [*[False] * (seats - 1), True] == [seat["won"] for seat in ended["seats"]]
    assert (1, None, None) == (ended["seats"][-1]["rank"], made.game.due_at, made.deadline_s())
    assert not made.wait_until(now + 1000).session.keep_time()


def test_a_seat_that_lost_on_time_ranks_last_however_many_points_it_has() -> None:
    made = table("player", "player", "player", clock=LOSING)
    made.wait_until(70).session.keep_time()
    while not made.game.is_over:
        made.act()
    ended = made.outcome
    assert (3, "completed") == (ended["seats"][0]["rank"], ended["reason"])


def test_against_ais_a_timeout_ends_the_game_only_with_one_seat_left() -> None:
    made = table("player", "ai", "ai", clock=LOSING)
    made.wait_until(70).session.keep_time()
    assert ("playing", "timed_out") == (made.game.status, made.game.seats[0].status)
    made = table("player", "ai", clock=LOSING)
    made.wait_until(70).session.keep_time()
    assert "finished" == made.game.status


def test_an_action_at_the_deadline_is_in_time_but_late_a_millisecond_after_it() -> None:
    made = table("player", "player", clock=RULE)
    made.assert_refused("game/time_is_up", made.wait_until(70.001).session.act, 0, legal(made.session)[0])
    made.wait_until(70).act()
    assert ([0, 60], 1) == (made.banks_s(), made.game.to_decide)


def test_offers_after_the_deadline_are_refused() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(5).act()
    made.wait_until(75.001)
    made.assert_refused("game/time_is_up", made.take_back, 0)
    made.assert_refused("game/time_is_up", made.session.pause, 1, 60)


@pytest.mark.parametrize("kind", [TAKEBACK, PAUSE])
def test_after_the_deadline_accepting_an_offer_does_not_save_the_seat(kind: str) -> None:
    """Otherwise any open offer would rescue a timed-out seat."""
    made = table("player", "player", clock=RULE)
    made.wait_until(5).act()
    if kind == TAKEBACK:
        made.take_back(0)
    else:
        made.session.pause(0, 60)
    made.wait_until(75.001)
    made.assert_refused("game/time_is_up", made.session.answer, 1, made.game.offers[0].id, accept=True)


def test_a_takeback_starts_a_new_turn_and_charges_the_ended_one() -> None:
    made = table("player", "ai", clock=RULE)
    made.wait_until(15).act()
    made.wait_until(16).act()
    made.wait_until(36).take_back(0)
    assert ([60 - 5 - 10, 60], 36 + 10 + 45) == (made.banks_s(), made.deadline_s())


def test_a_takeback_within_a_turn_restarts_it() -> None:
    actual = in_a_run("summer-pavilion.take_bonus", seat=0)
    made = played_to(actual, "player", "ai", ruleset="summer-pavilion", variant="grey", clock=RULE)
    made.wait_until(30).take_back(0)
    assert ([40, 60], (0, 30 + 50)) == (made.banks_s(), (made.clock.seat, made.deadline_s()))


def test_a_returning_player_has_at_least_thirty_seconds() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(70).session.keep_time()
    made.wait_until(100).session.join(0, "Ana")
    assert ("active", None) == (made.game.seats[0].status, made.game.seats[0].away_at)
    assert ([30, 60], 0, 100 + 10 + 30) == (made.banks_s(), made.clock.seat, made.deadline_s())


def test_a_return_does_not_change_the_turn_of_another_seat() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(70).session.keep_time()
    made.wait_until(71).act()
    made.wait_until(90).session.join(0, None)
    assert ([30, 60], 1, 71 + 70) == (made.banks_s(), made.clock.seat, made.deadline_s())


def test_a_return_during_a_pause_gives_a_full_turn_afterwards() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(70).session.keep_time()
    made.wait_until(71).session.pause(1, 3600)
    made.wait_until(80).session.join(0, None)
    assert made.deadline_s() is None
    made.wait_until(90).session.resume(0)
    made.wait_until(100).session.resume(1)
    assert (0, 100 + 40) == (made.clock.seat, made.deadline_s())


def test_the_end_stops_the_clock_and_charges_the_last_turn() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(25).session.resign(0)
    assert (None, None, [45, 60]) == (made.clock.seat, made.deadline_s(), made.banks_s())


def eventful(rule: ClockRule) -> Table:
    """Play a game with pauses, takebacks, a timeout, a return, a resignation, and an end."""
    made = table("player", "player", "player", "ai", clock=rule)
    now = 0.0
    for number in range(14):
        now += 3 + 4 * number % 17
        made.wait_until(now).act()
    made.wait_until(now + 1).session.pause(0, 500)
    made.session.pause(1, 500)
    made.wait_until(now + 2).session.pause(2, 500)
    made.wait_until(now + 502).session.keep_time()
    now += 510
    made.wait_until(now).take_back(0)
    made.session.answer(1, made.game.offers[-1].id, accept=True)
    made.wait_until(now + 1).session.answer(2, made.game.offers[-1].id, accept=True)
    while made.game.person_to_decide is None:
        made.act()
    assert made.game.deadline is not None
    now = (made.game.deadline - BEGAN_MS) / 1000
    assert made.wait_until(now).session.keep_time()
    absent_seat = next(number for number, seat in enumerate(made.game.seats) if seat.status != "active")
    if rule.on_timeout == "ai":
        made.wait_until(now + 5).session.join(absent_seat, "Zoe")
    made.wait_until(now + 9).session.resign((absent_seat + 1) % 3)
    while not made.game.is_over:
        now += 1
        made.wait_until(now + 9).act()
    return made


@pytest.mark.parametrize("rule", [RULE, LOSING])
def test_a_replay_has_the_same_clock_at_every_revision(rule: ClockRule) -> None:
    made = eventful(rule)
    replayed = Game.new(made.game.meta)
    live = GameSession(Game.new(made.game.meta), AT)
    for event in reread(made.session.events):
        replayed = log.fold(replayed, event)
        live.add(event)
        assert live.game == replayed
    assert made.game == replayed
    assert {"timeout", "pause", "resume", "takeback", "resignation"} <= {event.kind for event in made.session.events}


@pytest.mark.parametrize("rule", [RULE, LOSING])
def test_a_game_restored_at_any_revision_has_the_same_clock(rule: ClockRule) -> None:
    made = eventful(rule)
    game = Game.new(made.game.meta)
    for event in reread(made.session.events):
        before = log.fold(game, event)
        game = reload(before)
        assert before == game
    assert made.game == game


def test_a_restored_game_keeps_every_field() -> None:
    game = table("player", "player", "player", "open", clock=RULE).game
    everything = replace(
        game,
        seats=(*game.seats[:2], Seat("player", "Ana", None, "p" * 16, AWAY, AT), Seat("ai", "Bo", "master")),
        fair=False,
        acted=(True, False, True, False),
        clock=Clock((1, 2, 3, 4), 2, BEGAN_MS + 5, 6),
        offers=(Offer(7, TAKEBACK, 0, (1, 2), 3, across_draw=True), Offer(8, PAUSE, 1, (), seconds=60)),
        declined=((1, RESUME), (2, TAKEBACK)),
        paused_until=AT,
        rematch="r" * 16,
        base=Base(4, 2, {"a": [1]}, {"b": None}),
        meta=replace(game.meta, rematch_of="o" * 16),
    )
    actual = reload(everything)
    assert everything == actual
    assert (RULE, "o" * 16) == (actual.meta.clock, actual.meta.rematch_of)


def test_the_view_contains_the_banks_in_seconds_and_the_deadline_as_a_time() -> None:
    made = table("player", "player", clock=RULE)
    made.wait_until(12.5).act()
    actual = view(made.game, LIFETIMES)["clock"]
    assert {"turn_s": 10, "bank_s": 60, "on_timeout": "ai", "level": "random"}.items() <= actual.items()
    assert ([57.5, 60.0], 1, rfc3339(BEGAN_MS + 82_500)) == (actual["banks"], actual["seat"], actual["deadline"])
    assert view(table("player", "player").game, LIFETIMES)["clock"] is None
