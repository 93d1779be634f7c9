"""Clocks: what a turn is, what it costs, and what happens when it has taken too long. Pure, with fixed times."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from service.games import log
from service.games.session import GameSession
from service.games.state.clocks import Clock, ClockRule
from service.games.state.model import Base, Game, Meta
from service.games.state.moments import rfc3339
from service.games.state.offers import PAUSE, RESUME, TAKEBACK, Offer
from service.games.state.seats import AWAY, Seat
from service.games.view import outcome, view
from tests.games.tables import (
    BEGUN,
    LOSING,
    RULE,
    RUNS,
    Table,
    begins_a_run,
    in_a_run,
    next_in_a_run,
    played_to,
    read_again,
    table,
)
from tests.games.test_log import AT, LIFETIMES, legal


@pytest.mark.parametrize(("ruleset", "variant", "kind"), RUNS)
def test_a_run_of_decisions_is_one_turn_with_one_deadline_and_charged_once(
    ruleset: str, variant: str, kind: str
) -> None:
    made = played_to(begins_a_run(kind), "player", "player", ruleset=ruleset, variant=variant, clock=RULE)
    seat, began = made.seat, len(made.session.events)
    kinds = ["action"]
    while kinds == ["action"] and made.game.to_decide == seat:
        decisions = len(made.session.events) - began
        assert (70, [60, 60]) == (made.deadline_s(), made.banks_s())
        kinds = made.at(8 * (decisions + 1)).act(next_in_a_run(made, kind) if decisions < 1 else None)
    run = [event for event in made.log[began:] if event["kind"] == "action"]
    assert len(run) > 1
    assert kind in {event["action"]["type"] for event in run}
    assert 60 - (8 * len(run) - 10) == made.clock.banks[seat] / 1000


def test_a_turn_within_its_own_time_costs_nothing() -> None:
    made = table("player", "player", clock=RULE)
    made.at(10).act()
    assert [60, 60] == made.banks_s()
    assert 10 + 70 == made.deadline_s()


def test_a_turn_beyond_its_own_time_draws_on_the_bank_to_the_millisecond() -> None:
    made = table("player", "player", clock=RULE)
    made.at(10.001).act()
    assert [59.999, 60] == made.banks_s()


def test_a_bank_can_be_used_up_turn_by_turn_and_never_goes_below_nothing() -> None:
    made = table("player", "player", clock=RULE)
    now, spent = 0.0, 0.0
    for seconds in (30, 30, 30):
        now += seconds
        made.at(now).act()  # seat 0 takes 20 s out of its bank
        spent += 20
        assert [60 - spent, 60] == made.banks_s()
        made.act()
    assert (0, now + 10) == (made.clock.banks[0], made.deadline_s())
    made.refused("game/time_is_up", made.at(now + 10.001).session.act, 0, legal(made.session)[0])
    made.at(now + 10).act()
    assert 0 == made.clock.banks[0]


def test_a_clock_of_a_bank_alone_counts_every_second() -> None:
    made = table("player", "player", clock=replace(RULE, turn_s=0))
    made.at(7).act()
    made.at(9).act()
    assert [53, 58] == made.banks_s()


def test_a_clock_without_a_bank_gives_every_turn_the_same_time() -> None:
    made = table("player", "player", clock=replace(RULE, bank_s=0))
    for now in (10, 20, 30):
        assert now == made.deadline_s()
        made.at(now).act()
    assert [0, 0] == made.banks_s()


def test_a_draw_between_two_turns_of_one_seat_begins_a_new_turn() -> None:
    def found(made: Table) -> bool:
        return made.position.play(made.position.legal_actions()[0]).status == "drawing"

    for seed in range(1, 20):
        made = played_to(found, "player", "player", clock=RULE, seed=(bytes([seed]) * 32).hex())
        seat = made.seat
        kinds = made.at(30).act(made.position.legal_actions()[0])
        if made.game.to_decide == seat and "draw" in kinds:
            break
    else:
        raise AssertionError("no such game")
    assert (seat, 40) == (made.clock.seat, made.clock.banks[seat] / 1000)
    assert 30 + 10 + 40 == made.deadline_s()


def test_the_clock_begins_with_the_first_decision_and_stands_still_before() -> None:
    made = table("player", "open", clock=RULE)
    assert (None, None) == (made.clock.seat, made.deadline_s())
    made.at(500).session.join(1, None)
    assert (0, 570) == (made.clock.seat, made.deadline_s())


def test_offers_answers_and_handovers_do_not_touch_the_turn() -> None:
    made = table("player", "player", clock=RULE)
    made.at(5).session.pause(0, 60)
    made.at(6).session.answer(1, made.game.offers[0].id, accept=False)
    made.at(7).session.hand_over(0, "Eve")
    made.at(8).session.hand_over(1, "Bob")
    assert (0, 70) == (made.clock.seat, made.deadline_s())


def test_a_pause_and_its_end_keep_what_the_turn_has_taken() -> None:
    made = table("player", "player", clock=RULE)
    made.at(15).session.pause(0, 3600)
    made.at(20).session.pause(1, 3600)
    assert (None, [60, 60]) == (made.deadline_s(), made.banks_s())
    made.at(1000).session.resume(1)
    assert made.deadline_s() is None
    made.at(1020).session.resume(0)
    assert 1020 - 20 + 70 == made.deadline_s()
    made.at(1025).act()
    assert [60 - (25 - 10), 60] == made.banks_s()


def test_two_pauses_in_one_turn_keep_what_it_had_taken_before_either() -> None:
    made = table("player", "player", clock=RULE)
    for pause, resume in ((10, 100), (110, 200)):
        made.at(pause).session.pause(0, 3600)
        made.session.pause(1, 3600)
        made.at(resume).session.resume(0)
        made.session.resume(1)
    assert 200 - 20 + 70 == made.deadline_s()


def test_a_pause_that_is_over_by_time_gives_the_turn_what_was_left_of_it() -> None:
    made = table("player", "ai", clock=RULE)
    made.at(30).session.pause(0, 100)
    assert BEGUN + 130_000 == made.game.due_at
    assert not made.at(129.999).session.keep_time()
    assert made.at(130).session.keep_time()
    assert (None, 170) == (made.game.paused_until, made.deadline_s())
    assert ("resume", None) == (made.session.events[-1].kind, made.log[-1]["seat"])


def test_ais_have_no_clock_and_are_never_charged() -> None:
    made = table("player", "ai", "ai", clock=RULE)
    made.at(5).act()
    for now in (400, 900):
        assert (None, None, 0) == (made.clock.seat, made.deadline_s(), made.game.due_at)
        assert not made.at(now).session.keep_time()
        made.act()
    assert [60, 60, 60] == made.banks_s()
    assert 970 == made.deadline_s()


def test_an_ai_that_plays_for_somebody_has_no_clock_either() -> None:
    made = table("player", "player", "player", clock=RULE)
    made.at(12).session.resign(0)
    assert (None, 0, "random") == (made.deadline_s(), made.game.due_at, made.game.level_to_decide)
    made.at(500).act()
    assert [58, 60, 60] == made.banks_s()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_whose_time_is_up_falls_to_an_ai_of_the_agreed_level(seats: int) -> None:
    made = table(*["player"] * seats, clock=RULE)
    assert not made.at(69.999).session.keep_time()
    assert made.at(70).session.keep_time()
    event = made.log[-1]
    assert ("timeout", 0, "ai") == (event["kind"], event["seat"], event["then"])
    assert ("away", rfc3339(BEGUN + 70_000)) == (made.game.seats[0].status, made.game.seats[0].away_at)
    assert ("playing", 0, "random", 0) == (
        made.game.status,
        made.game.to_decide,
        made.game.level_to_decide,
        made.game.due_at,
    )
    assert (None, 0) == (made.deadline_s(), made.clock.banks[0])
    assert not made.at(700).session.keep_time()
    made.act()
    assert (1, 770) == (made.game.to_decide, made.deadline_s())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_whose_time_is_up_loses_and_the_game_ends_when_one_is_left(seats: int) -> None:
    made = table(*["player"] * seats, clock=LOSING)
    now = 0
    for lost in range(seats - 1):
        now += 70
        assert made.at(now).session.keep_time()
        assert ("timed_out", lost) == (made.game.seats[lost].status, made.log[-1]["seat"])
        if lost < seats - 2:
            assert ("playing", "random") == (made.game.status, made.game.level_to_decide)
            made.act()
    ended = outcome(made.game)
    assert ended is not None
    assert ("finished", "timeout") == (made.game.status, ended["reason"])
    assert [*[False] * (seats - 1), True] == [seat["won"] for seat in ended["seats"]]
    assert (1, None, None) == (ended["seats"][-1]["rank"], made.game.due_at, made.deadline_s())
    assert not made.at(now + 1000).session.keep_time()


def test_a_seat_that_lost_on_time_ranks_last_however_many_points_it_has() -> None:
    made = table("player", "player", "player", clock=LOSING)
    made.at(70).session.keep_time()
    while not made.game.is_over:
        made.act()
    ended = outcome(made.game)
    assert ended is not None
    assert (3, "completed") == (ended["seats"][0]["rank"], ended["reason"])


def test_against_ais_alone_a_lost_clock_ends_the_game_only_when_one_seat_is_left() -> None:
    made = table("player", "ai", "ai", clock=LOSING)
    made.at(70).session.keep_time()
    assert ("playing", "timed_out") == (made.game.status, made.game.seats[0].status)
    made = table("player", "ai", clock=LOSING)
    made.at(70).session.keep_time()
    assert "finished" == made.game.status


def test_acting_at_the_deadline_is_in_time_and_a_millisecond_later_is_not() -> None:
    made = table("player", "player", clock=RULE)
    made.refused("game/time_is_up", made.at(70.001).session.act, 0, legal(made.session)[0])
    made.at(70).act()
    assert ([0, 60], 1) == (made.banks_s(), made.game.to_decide)


def test_after_the_deadline_nothing_is_offered_either() -> None:
    made = table("player", "player", clock=RULE)
    made.at(5).act()
    made.at(75.001)
    made.refused("game/time_is_up", made.take_back, 0)
    made.refused("game/time_is_up", made.session.pause, 1, 60)


@pytest.mark.parametrize("kind", [TAKEBACK, PAUSE])
def test_after_the_deadline_accepting_an_offer_does_not_save_the_seat(kind: str) -> None:
    """Late actions are refused; else the one whose time is up is rescued by whatever lies on the table."""
    made = table("player", "player", clock=RULE)
    made.at(5).act()
    if kind == TAKEBACK:
        made.take_back(0)
    else:
        made.session.pause(0, 60)
    made.at(75.001)
    made.refused("game/time_is_up", made.session.answer, 1, made.game.offers[0].id, accept=True)


def test_a_takeback_begins_a_new_turn_and_charges_the_one_it_ended() -> None:
    made = table("player", "ai", clock=RULE)
    made.at(15).act()
    made.at(16).act()
    made.at(36).take_back(0)
    assert ([60 - 5 - 10, 60], 36 + 10 + 45) == (made.banks_s(), made.deadline_s())


def test_a_takeback_in_the_middle_of_a_turn_begins_that_turn_anew() -> None:
    actual = in_a_run("summer-pavilion.take_bonus", seat=0)
    made = played_to(actual, "player", "ai", ruleset="summer-pavilion", variant="grey", clock=RULE)
    made.at(30).take_back(0)
    assert ([40, 60], (0, 30 + 50)) == (made.banks_s(), (made.clock.seat, made.deadline_s()))


def test_who_comes_back_finds_at_least_thirty_seconds_in_the_bank() -> None:
    made = table("player", "player", clock=RULE)
    made.at(70).session.keep_time()
    made.at(100).session.join(0, "Ana")
    assert ("active", None) == (made.game.seats[0].status, made.game.seats[0].away_at)
    assert ([30, 60], 0, 100 + 10 + 30) == (made.banks_s(), made.clock.seat, made.deadline_s())


def test_who_comes_back_while_another_decides_does_not_touch_that_turn() -> None:
    made = table("player", "player", clock=RULE)
    made.at(70).session.keep_time()
    made.at(71).act()
    made.at(90).session.join(0, None)
    assert ([30, 60], 1, 71 + 70) == (made.banks_s(), made.clock.seat, made.deadline_s())


def test_who_comes_back_during_a_pause_has_a_whole_turn_when_it_is_over() -> None:
    made = table("player", "player", clock=RULE)
    made.at(70).session.keep_time()
    made.at(71).session.pause(1, 3600)
    made.at(80).session.join(0, None)
    assert made.deadline_s() is None
    made.at(90).session.resume(0)
    made.at(100).session.resume(1)
    assert (0, 100 + 40) == (made.clock.seat, made.deadline_s())


def test_the_end_stops_the_clock_and_charges_the_last_turn() -> None:
    made = table("player", "player", clock=RULE)
    made.at(25).session.resign(0)
    assert (None, None, [45, 60]) == (made.clock.seat, made.deadline_s(), made.banks_s())


def eventful(rule: ClockRule) -> Table:
    """A game with all that clocks meet: pauses, takebacks, a time-out, a return, a resignation, and its end."""
    made = table("player", "player", "player", "ai", clock=rule)
    now = 0.0
    for number in range(14):
        now += 3 + 4 * number % 17
        made.at(now).act()
    made.at(now + 1).session.pause(0, 500)
    made.session.pause(1, 500)
    made.at(now + 2).session.pause(2, 500)
    made.at(now + 502).session.keep_time()
    now += 510
    made.at(now).take_back(0)
    made.session.answer(1, made.game.offers[-1].id, accept=True)
    made.at(now + 1).session.answer(2, made.game.offers[-1].id, accept=True)
    while made.game.person_to_decide is None:
        made.act()
    assert made.game.deadline is not None
    now = (made.game.deadline - BEGUN) / 1000
    assert made.at(now).session.keep_time()
    gone = next(number for number, seat in enumerate(made.game.seats) if seat.status != "active")
    if rule.on_timeout == "ai":
        made.at(now + 5).session.join(gone, "Zoe")
    made.at(now + 9).session.resign((gone + 1) % 3)
    while not made.game.is_over:
        now += 1
        made.at(now + 9).act()
    return made


@pytest.mark.parametrize("rule", [RULE, LOSING])
def test_replaying_the_log_tells_the_same_clock_at_every_revision(rule: ClockRule) -> None:
    made = eventful(rule)
    replayed = Game.new(made.game.meta)
    live = GameSession(Game.new(made.game.meta), AT)
    for event in read_again(made.session.events):
        replayed = log.fold(replayed, event)
        live.add(event)
        assert live.game == replayed
    assert made.game == replayed
    assert {"timeout", "pause", "resume", "takeback", "resignation"} <= {event.kind for event in made.session.events}


@pytest.mark.parametrize("rule", [RULE, LOSING])
def test_a_game_kept_and_restored_at_every_revision_goes_on_with_the_same_clock(rule: ClockRule) -> None:
    made = eventful(rule)
    game = Game.new(made.game.meta)
    for event in read_again(made.session.events):
        game = log.fold(game, event)
        kept = orjson.loads(orjson.dumps(game.state_json()))
        meta = Meta.from_json(orjson.loads(orjson.dumps(game.meta.to_json())))
        game, before = Game.restored(meta, game.revision, kept, game.position), game
        assert before == game
    assert made.game == game


def test_a_game_with_everything_set_is_the_same_when_it_is_restored() -> None:
    game = table("player", "player", "player", "open", clock=RULE).game
    everything = replace(
        game,
        seats=(*game.seats[:2], Seat("player", "Ana", None, "p" * 16, AWAY, AT), Seat("ai", "Bo", "master")),
        fair=False,
        acted=(True, False, True, False),
        clock=Clock((1, 2, 3, 4), 2, BEGUN + 5, 6),
        offers=(Offer(7, TAKEBACK, 0, (1, 2), 3, across_draw=True), Offer(8, PAUSE, 1, (), seconds=60)),
        declined=((1, RESUME), (2, TAKEBACK)),
        paused_until=AT,
        rematch="r" * 16,
        base=Base(4, 2, {"a": [1]}, {"b": None}),
    )
    kept = orjson.loads(orjson.dumps(everything.state_json()))
    meta = Meta.from_json(orjson.loads(orjson.dumps(replace(game.meta, rematch_of="o" * 16).to_json())))
    assert replace(everything, meta=meta) == Game.restored(meta, game.revision, kept, game.position)
    assert (RULE, "o" * 16) == (meta.clock, meta.rematch_of)


def test_the_view_tells_the_clock_in_seconds_and_the_deadline_as_a_moment() -> None:
    made = table("player", "player", clock=RULE)
    made.at(12.5).act()
    actual = view(made.game, LIFETIMES)["clock"]
    assert {"turn_s": 10, "bank_s": 60, "on_timeout": "ai", "level": "random"}.items() <= actual.items()
    assert ([57.5, 60.0], 1, rfc3339(BEGUN + 82_500)) == (actual["banks"], actual["seat"], actual["deadline"])
    assert view(table("player", "player").game, LIFETIMES)["clock"] is None
