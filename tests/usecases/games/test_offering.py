"""Takebacks and pauses on a real store."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import orjson
import pytest
from redis import Redis

from service.games.state.clocks import ClockRule
from service.rulesets.registry import RULESETS
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, offering, playing, seating, turns
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests.sampling import one_in
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, new_game, raises_error, seat
from tests.usecases.players import Time, ai_acts, new_game_of, offer_id, play, player, view

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def test_a_takeback_against_an_ai_is_immediate_even_after_its_move(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    before = view(context, game)
    for moved in (False, True):
        act(context, game, seat(tokens, 0))
        if moved:
            ai_acts(context, game)
        done = offering.take_back(context, Request(seat(tokens, 0), game), None)
        (event,) = done.events
        assert ("takeback", 0, before["revision"], False) == (
            event["kind"],
            event["seat"],
            event["to"],
            event["across_draw"],
        )
        assert "position" not in event
        assert before["position"] == view(context, game)["position"] == orjson.loads(done.view)["position"]
        assert view(context, game)["fair"]


def test_a_takeback_cancels_the_turn_that_a_worker_has_leased(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    turn = turns.take(context, game, view(context, game)["revision"], 1)
    assert turn is not None
    offering.take_back(context, Request(seat(tokens, 0), game), None)
    assert turns.act(context, turn, turn.position.legal_actions()[0]) is None
    assert not turns.renew(context, turn)
    assert ("takeback", 0) == (
        reading.history(context, Caller(), game)["events"][-1]["kind"],
        view(context, game)["to_decide"],
    )


def test_between_people_a_takeback_needs_acceptance(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    before = view(context, game)["position"]
    act(context, game, seat(tokens, 0))
    offering.take_back(context, Request(seat(tokens, 0), game), None)
    offer = offer_id(context, game)
    for code, caller in (
        ("auth/token_required", Caller()),
        ("auth/wrong_seat", Caller(tokens["watch"])),
        ("offer/not_asked", seat(tokens, 0)),
    ):
        with raises_error(code):
            offering.answer(context, Request(caller, game), offer, None, accept=True)
    with raises_error("offer/not_found"):
        offering.answer(context, Request(seat(tokens, 1), game), offer + 9, None, accept=True)
    done = offering.answer(context, Request(seat(tokens, 1), game), offer, None, accept=True)
    assert ["answer", "takeback"] == [event["kind"] for event in done.events]
    assert (before, []) == (view(context, game)["position"], view(context, game)["offers"])


@pytest.mark.parametrize(
    ("ruleset", "variant"),
    one_in(3, [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]),
)
def test_every_revision_of_a_game_with_takebacks_stays_readable(context: Context, ruleset: str, variant: str) -> None:
    seats = (PLAYER, AI)
    made = creating.create(context, Caller(), creating.NewGame(ruleset, variant, seats, seed=bytes(range(1, 33))))
    game, me = made["game"]["id"], Caller(made["tokens"]["seats"]["0"])
    views = {}
    for number in range(24):
        if number % 8 == 7:
            with contextlib.suppress(Exception):
                offering.take_back(context, Request(me, game), None)
        else:
            play(context, game, {0: me}, 1)
        views[view(context, game)["revision"]] = view(context, game)
    log = reading.history(context, Caller(), game)["events"]
    assert 2 <= [event["kind"] for event in log].count("takeback")
    context.views.clear()
    for revision, actual in views.items():
        assert actual == orjson.loads(reading.view_at(context, Caller(), game, revision))
    for revision in range(1, view(context, game)["revision"] + 1):
        assert revision == orjson.loads(reading.view_at(context, Caller(), game, revision))["revision"]
    followed = list(zip(reading.follow(context, Caller(), game, 0, 0.01), log, strict=False))
    assert len(log) == len(followed)
    for item, event in followed:
        assert item is not None
        assert event == item["event"]
        assert views.get(item["revision"], item["game"]) == item["game"]


def rebase(context: Context, game: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Activate newer rules. Return the revision of the new base."""
    newer = replace(RULESETS["azul"], version=2, reasons=(*RULESETS["azul"].reasons, "new"))
    newer.__dict__["rules_hash"] = "the hash of the newer sources"
    monkeypatch.setitem(RULESETS, "azul", newer)
    base = repository.load(context, game).game.base
    assert base is not None
    return base.revision


def test_in_a_rebased_game_later_decisions_can_be_taken_back(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    play(context, game, {0: seat(tokens, 0)}, 4)
    base = rebase(context, game, monkeypatch)
    position = view(context, game)["position"]
    act(context, game, seat(tokens, 0))
    ai_acts(context, game)
    offering.take_back(context, Request(seat(tokens, 0), game), None)
    assert position == view(context, game)["position"]
    assert base == reading.history(context, Caller(), game)["events"][-1]["to"]


def test_decisions_before_the_base_of_a_rebased_game_cannot_be_taken_back_or_shown(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    play(context, game, {0: seat(tokens, 0)}, 4)
    base = rebase(context, game, monkeypatch)
    with raises_error("game/rebased"):
        reading.view_at(context, Caller(), game, base - 1)
    with raises_error("game/rebased"):
        offering.take_back(context, Request(seat(tokens, 0), game), None)


def test_decisions_under_older_rules_have_no_notation(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newer rules may use other names."""
    game, tokens = new_game(context, PLAYER, AI)
    play(context, game, {0: seat(tokens, 0)}, 4)
    base = rebase(context, game, monkeypatch)
    act(context, game, seat(tokens, 0))
    events = reading.history(context, Caller(), game)["events"]
    assert [None] * base == [event["notation"] for event in events[:base]]
    assert events[base]["notation"] == RULESETS["azul"].wire.notation.action.write(events[base]["action"])


@pytest.mark.parametrize("decisions", [0, 3])
def test_a_replayed_rebased_game_has_the_same_clock_and_offers(
    context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch, time: Time, decisions: int
) -> None:
    """If only sources changed and not the rules, snapshots are ignored and the game is replayed from its base."""
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    act(context, game, seat(tokens, 0))
    rebase(context, game, monkeypatch)
    for number in range(decisions):
        time.pass_(25)
        act(context, game, seat(tokens, 1 - number % 2))
    offering.pause(context, Request(seat(tokens, 1), game), None, 60)
    stored = repository.load(context, game).game
    redis_client.hset(context.store.keys.game(game).game, "tag", "another")
    replayed = repository.load(context, game).game
    assert (stored.clock, stored.offers) == (replayed.clock, replayed.offers)
    assert stored == replayed


def test_past_revisions_of_a_rebased_game_equal_the_original_views(
    context: Context, monkeypatch: pytest.MonkeyPatch, time: Time
) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    act(context, game, seat(tokens, 0))
    rebase(context, game, monkeypatch)
    views = []
    for number in (1, 0):
        time.pass_(25)
        act(context, game, seat(tokens, number))
        views.append(view(context, game))
    offering.pause(context, Request(seat(tokens, 0), game), None, 60)
    views.append(view(context, game))
    playing.resign(context, Request(seat(tokens, 1), game), None)
    context.views.clear()
    for actual in views:
        shown = orjson.loads(reading.view_at(context, Caller(), game, actual["revision"]))
        assert [actual["status"], actual["clock"], actual["offers"], actual["position"]] == [
            shown["status"],
            shown["clock"],
            shown["offers"],
            shown["position"],
        ]


def test_an_offer_is_executed_once_for_its_key(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    first_result = offering.take_back(context, Request(seat(tokens, 0), game, idempotency=KEY), None)
    second_result = offering.take_back(context, Request(seat(tokens, 0), game, idempotency=KEY), None)
    assert (False, True, first_result.events) == (first_result.replayed, second_result.replayed, second_result.events)
    with raises_error("offer/nothing_to_take_back"):
        offering.take_back(context, Request(seat(tokens, 0), game), None)


def test_an_offer_on_a_stale_revision_is_refused(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    with raises_error("game/stale_revision"):
        offering.pause(context, Request(seat(tokens, 0), game, (3,)), None, 60)


@pytest.mark.parametrize("what", ["takeback", "pause", "resumption", "rematch"])
def test_a_caller_cannot_make_an_offer_for_anothers_seat(context: Context, what: str) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    play(context, game, {0: seat(tokens, 0), 1: seat(tokens, 1)}, 2)
    if what == "resumption":
        for number in (0, 1):
            offering.pause(context, Request(seat(tokens, number), game), None, 60)
    if what == "rematch":
        playing.resign(context, Request(seat(tokens, 0), game), None)
    commands = {
        "takeback": lambda: offering.take_back(context, Request(seat(tokens, 0), game), 1),
        "pause": lambda: offering.pause(context, Request(seat(tokens, 0), game), 1, 60),
        "resumption": lambda: offering.resume(context, Request(seat(tokens, 0), game), 1),
        "rematch": lambda: offering.rematch(context, Request(seat(tokens, 0), game), 1),
    }
    with raises_error("auth/wrong_seat"):
        commands[what]()


def test_a_player_of_several_seats_offers_for_the_named_and_answers_for_the_asked_seat(
    context: Context,
) -> None:
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(context, as_ana, game, 2, None)
    ben = Caller(seating.claim(context, Caller(), game, 1, None)["token"])
    with raises_error("auth/wrong_seat"):
        offering.pause(context, Request(as_ana, game), 1, 60)
    made = offering.pause(context, Request(as_ana, game), 2, 60)
    assert (2, [1]) == (made.events[0]["seat"], view(context, game)["offers"][0]["awaiting"])
    with raises_error("offer/not_asked"):
        offering.answer(context, Request(as_ana, game), offer_id(context, game), 0, accept=True)
    withdrawn = offering.answer(context, Request(as_ana, game), offer_id(context, game), None, accept=False)
    assert 2 == withdrawn.events[0]["seat"]
    offering.pause(context, Request(ben, game), None, 60)
    awaiting, offer = view(context, game)["offers"][0]["awaiting"], offer_id(context, game)
    offering.answer(context, Request(as_ana, game), offer, None, accept=True)  # for both
    assert ([0, 2], True) == (awaiting, view(context, game)["paused_until"] is not None)
