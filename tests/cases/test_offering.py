"""Takebacks and pauses on a real store."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import orjson
import pytest
import redis

from service.cases import (
    Caller,
    Cases,
    creating,
    ledgers,
    offering,
    playing,
    reading,
    seating,
    turns,
)
from service.games.clocks import ClockRule
from service.rulesets.registry import RULESETS
from tests.cases.people import Time, ai_acts, new_of, play, player, the_offer, view
from tests.cases.test_cases import AI, KEY, OPEN, PLAYER, act, new, refused, seat

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def test_a_takeback_against_an_ai_is_done_at_once_also_when_the_ai_has_moved_since(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, AI)
    before = view(cases, game)
    for moved in (False, True):
        act(cases, game, seat(tokens, 0))
        if moved:
            ai_acts(cases, game)
        done = offering.take_back(cases, seat(tokens, 0), game, None, None)
        (event,) = done.events
        assert ("takeback", 0, before["revision"], False) == (
            event["kind"],
            event["seat"],
            event["to"],
            event["across_draw"],
        )
        assert "position" not in event
        assert before["position"] == view(cases, game)["position"] == orjson.loads(done.view)["position"]
        assert view(cases, game)["fair"]


def test_a_takeback_ends_the_turn_that_a_worker_has_taken_on(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    turn = turns.take(cases, game, view(cases, game)["revision"], 1)
    assert turn is not None
    offering.take_back(cases, seat(tokens, 0), game, None, None)
    assert turns.act(cases, turn, turn.position.legal_actions()[0]) is None
    assert not turns.renew(cases, turn)
    assert ("takeback", 0) == (
        reading.history(cases, Caller(), game)["events"][-1]["kind"],
        view(cases, game)["to_decide"],
    )


def test_between_people_a_takeback_is_offered_and_done_when_it_is_accepted(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    before = view(cases, game)["position"]
    act(cases, game, seat(tokens, 0))
    offering.take_back(cases, seat(tokens, 0), game, None, None)
    offer = the_offer(cases, game)
    for code, caller in (
        ("auth/token_required", Caller()),
        ("auth/wrong_seat", Caller(tokens["watch"])),
        ("offer/not_asked", seat(tokens, 0)),
    ):
        with refused(code):
            offering.answer(cases, caller, game, offer, None, accept=True, expected=None)
    with refused("offer/not_found"):
        offering.answer(cases, seat(tokens, 1), game, offer + 9, None, accept=True, expected=None)
    done = offering.answer(cases, seat(tokens, 1), game, offer, None, accept=True, expected=None)
    assert ["answer", "takeback"] == [event["kind"] for event in done.events]
    assert (before, []) == (view(cases, game)["position"], view(cases, game)["offers"])


def test_an_offer_lapses_with_the_next_move(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    act(cases, game, seat(tokens, 0))
    offering.take_back(cases, seat(tokens, 0), game, None, None)
    offer = the_offer(cases, game)
    act(cases, game, seat(tokens, 1))
    with refused("offer/not_found"):
        offering.answer(cases, seat(tokens, 1), game, offer, None, accept=True, expected=None)


@pytest.mark.parametrize(
    ("ruleset", "variant"), [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
)
def test_all_revisions_of_a_game_with_takebacks_are_readable_and_tell_what_was_seen_then(
    cases: Cases, ruleset: str, variant: str
) -> None:
    seats = (PLAYER, AI)
    made = creating.create(cases, Caller(), creating.NewGame(ruleset, variant, seats, seed=bytes(range(1, 33))))
    game, me = made["game"]["id"], Caller(made["tokens"]["seats"]["0"])
    seen = {}
    for number in range(24):
        if number % 8 == 7:
            with contextlib.suppress(Exception):
                offering.take_back(cases, me, game, None, None)
        else:
            play(cases, game, {0: me}, 1)
        seen[view(cases, game)["revision"]] = view(cases, game)
    log = reading.history(cases, Caller(), game)["events"]
    assert 2 <= [event["kind"] for event in log].count("takeback")
    cases.views.clear()
    for revision, told in seen.items():
        assert told == orjson.loads(reading.at(cases, Caller(), game, revision))
    for revision in range(1, view(cases, game)["revision"] + 1):
        assert revision == orjson.loads(reading.at(cases, Caller(), game, revision))["revision"]
    followed = list(zip(reading.follow(cases, Caller(), game, 0, 0.01), log, strict=False))
    assert len(log) == len(followed)
    for item, event in followed:
        assert item is not None
        assert event == item["event"]
        assert seen.get(item["revision"], item["game"]) == item["game"]


def rebased(cases: Cases, game: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """From now on newer rules play; the revision of the base."""
    newer = replace(RULESETS["azul"], version=2, reasons=(*RULESETS["azul"].reasons, "new"))
    newer.__dict__["rules_hash"] = "the hash of the newer sources"
    monkeypatch.setitem(RULESETS, "azul", newer)
    base = ledgers.load(cases, game).game.base
    assert base is not None
    return base.revision


def test_in_a_rebased_game_what_was_decided_since_can_be_taken_back(
    cases: Cases, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tokens = new(cases, PLAYER, AI)
    play(cases, game, {0: seat(tokens, 0)}, 4)
    base = rebased(cases, game, monkeypatch)
    here = view(cases, game)["position"]
    act(cases, game, seat(tokens, 0))
    ai_acts(cases, game)
    offering.take_back(cases, seat(tokens, 0), game, None, None)
    assert here == view(cases, game)["position"]
    assert base == reading.history(cases, Caller(), game)["events"][-1]["to"]


def test_in_a_rebased_game_nothing_before_the_base_can_be_taken_back_or_shown(
    cases: Cases, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tokens = new(cases, PLAYER, AI)
    play(cases, game, {0: seat(tokens, 0)}, 4)
    base = rebased(cases, game, monkeypatch)
    with refused("game/rebased"):
        reading.at(cases, Caller(), game, base - 1)
    with refused("game/rebased"):
        offering.take_back(cases, seat(tokens, 0), game, None, None)


@pytest.mark.parametrize("decisions", [0, 3])
def test_a_rebased_game_is_replayed_as_it_was_kept_with_its_clock_and_offers(
    cases: Cases, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch, time: Time, decisions: int
) -> None:
    """A service whose sources changed, but not its rules, trusts no snapshot and replays from the base."""
    game, tokens = new(cases, PLAYER, PLAYER, clock=CLOCK)
    act(cases, game, seat(tokens, 0))
    rebased(cases, game, monkeypatch)
    for number in range(decisions):
        time.pass_(25)
        act(cases, game, seat(tokens, 1 - number % 2))
    offering.pause(cases, seat(tokens, 1), game, None, 60, None)
    kept = ledgers.load(cases, game).game
    redis_client.hset(cases.store.keys.game(game).game, "tag", "another")
    replayed = ledgers.load(cases, game).game
    assert (kept.clock, kept.offers) == (replayed.clock, replayed.offers)
    assert kept == replayed


def test_revisions_of_a_rebased_game_tell_what_was_seen_then(
    cases: Cases, monkeypatch: pytest.MonkeyPatch, time: Time
) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, clock=CLOCK)
    act(cases, game, seat(tokens, 0))
    rebased(cases, game, monkeypatch)
    seen = []
    for number in (1, 0):
        time.pass_(25)
        act(cases, game, seat(tokens, number))
        seen.append(view(cases, game))
    offering.pause(cases, seat(tokens, 0), game, None, 60, None)
    seen.append(view(cases, game))
    playing.resign(cases, seat(tokens, 1), game, None, None)
    cases.views.clear()
    for told in seen:
        shown = orjson.loads(reading.at(cases, Caller(), game, told["revision"]))
        assert [told["status"], told["clock"], told["offers"], told["position"]] == [
            shown["status"],
            shown["clock"],
            shown["offers"],
            shown["position"],
        ]


def test_a_command_between_people_is_done_once_for_its_key(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    once = offering.take_back(cases, seat(tokens, 0), game, None, None, KEY)
    again = offering.take_back(cases, seat(tokens, 0), game, None, None, KEY)
    assert (False, True, once.events) == (once.replayed, again.replayed, again.events)
    with refused("offer/nothing_to_take_back"):
        offering.take_back(cases, seat(tokens, 0), game, None, None)


def test_an_offer_on_a_stale_revision_is_refused(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    act(cases, game, seat(tokens, 0))
    with refused("game/stale_revision"):
        offering.pause(cases, seat(tokens, 0), game, None, 60, 3)


@pytest.mark.parametrize("what", ["takeback", "pause", "resumption", "rematch"])
def test_nobody_makes_an_offer_with_anothers_seat(cases: Cases, what: str) -> None:
    """Not even where that seat might offer it."""
    game, tokens = new(cases, PLAYER, PLAYER)
    play(cases, game, {0: seat(tokens, 0), 1: seat(tokens, 1)}, 2)
    if what == "resumption":
        for number in (0, 1):
            offering.pause(cases, seat(tokens, number), game, None, 60, None)
    if what == "rematch":
        playing.resign(cases, seat(tokens, 0), game, None, None)
    commands = {
        "takeback": lambda: offering.take_back(cases, seat(tokens, 0), game, 1, None),
        "pause": lambda: offering.pause(cases, seat(tokens, 0), game, 1, 60, None),
        "resumption": lambda: offering.resume(cases, seat(tokens, 0), game, 1, None),
        "rematch": lambda: offering.rematch(cases, seat(tokens, 0), game, 1, None),
    }
    with refused("auth/wrong_seat"):
        commands[what]()


def test_a_player_with_several_seats_offers_for_the_one_he_names_and_answers_for_the_one_asked(cases: Cases) -> None:
    _, as_ana = player(cases)
    game, _ = new_of(cases, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(cases, as_ana, game, 2, None)
    ben = Caller(seating.claim(cases, Caller(), game, 1, None)["token"])
    with refused("auth/wrong_seat"):
        offering.pause(cases, as_ana, game, 1, 60, None)
    made = offering.pause(cases, as_ana, game, 2, 60, None)
    assert (2, [1]) == (made.events[0]["seat"], view(cases, game)["offers"][0]["awaiting"])
    with refused("offer/not_asked"):
        offering.answer(cases, as_ana, game, the_offer(cases, game), 0, accept=True, expected=None)
    withdrawn = offering.answer(cases, as_ana, game, the_offer(cases, game), None, accept=False, expected=None)
    assert 2 == withdrawn.events[0]["seat"]
    offering.pause(cases, ben, game, None, 60, None)
    asked, offer = view(cases, game)["offers"][0]["awaiting"], the_offer(cases, game)
    offering.answer(cases, as_ana, game, offer, None, accept=True, expected=None)  # for both
    assert ([0, 2], True) == (asked, view(cases, game)["paused_until"] is not None)
