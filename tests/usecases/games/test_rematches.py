"""Rematches on a real store."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import orjson
import pytest
import redis

from service.games.chance import commitment
from service.games.state.clocks import ClockRule
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.views import listings, reading
from service.usecases.views.listings import ANY
from tests.usecases.answers import answered
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, new, refused, seat
from tests.usecases.players import Time, decide, new_of, play, player, roles, the_offer, view
from tests.usecases.waiting import together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def rematch_of(context: Context, game: str, caller: Caller) -> dict[str, Any]:
    """The view of the game that follows, when this caller asks for it, too."""
    done = offering.rematch(context, Request(caller, game), None)
    return view(context, orjson.loads(done.view)["rematch"])


def over(context: Context, game: str, caller: Caller) -> None:
    playing.resign(context, Request(caller, game), None)


def test_a_rematch_has_the_same_seats_tokens_players_clock_and_visibility(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    bot = replace(AI, name="Bot")
    game, tokens = new_of(context, as_ana, PLAYER, OPEN, bot, clock=CLOCK, visibility="private")
    claimed = seating.claim(context, Caller(tokens["invite"]), game, 1, "Ben")
    as_ben, host = Caller(claimed["token"]), Caller(tokens["host"])
    decide(context, game, as_ana)
    over(context, game, as_ana)
    over(context, game, as_ben)
    offering.rematch(context, Request(as_ana, game), None)
    assert view(context, game)["rematch"] is None
    done = offering.answer(context, Request(as_ben, game), the_offer(context, game), None, accept=True)
    assert ["answer", "rematch"] == [event["kind"] for event in done.events]
    old, seen = view(context, game), view(context, orjson.loads(done.view)["rematch"])
    assert (seen["id"], game, None) == (old["rematch"], seen["rematch_of"], seen["rematch"])
    assert seen["id"] == done.events[-1]["game_id"]
    for same in ("ruleset", "variant", "visibility"):
        assert old[same] == seen[same]
    assert ([60.0] * 3, 10, "ai", "random") == (
        seen["clock"]["banks"],
        *(seen["clock"][name] for name in ("turn_s", "on_timeout", "level")),
    )
    actual = [[seat[name] for name in ("kind", "name", "level", "player", "status")] for seat in seen["seats"]]
    assert [
        ["player", "Ana", None, ana, "active"],
        ["player", "Ben", None, None, "active"],
        ["ai", "Bot", "greedy", None, "active"],
    ] == actual
    assert ("playing", 1) == (seen["status"], seen["to_decide"])
    new_id = seen["id"]
    assert [{"host", "seat:0"}, {"seat:1"}, {"host"}, {"watch"}, {"invite"}] == [
        roles(context, new_id, caller)
        for caller in (as_ana, as_ben, host, Caller(tokens["watch"]), Caller(tokens["invite"]))
    ]
    assert {new_id, game} == {item["id"] for item in answered(listings.own(context, as_ana, ANY, None, 10))[0]}
    decide(context, new_id, as_ben)


def test_a_rematch_has_a_secret_seed_of_its_own_and_is_fair(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER, seed=bytes(range(1, 33)))
    over(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    seen = rematch_of(context, game, seat(tokens, 1))
    seed = bytes.fromhex(repository.load(context, seen["id"]).game.meta.seed)
    assert seed != bytes(range(1, 33))
    assert (True, None, commitment(seed)) == (seen["fair"], seen["seed"], seen["seed_commitment"])
    for actual in (
        reading.glance(context, Caller(), seen["id"])[1],
        reading.glance(context, Caller(), game)[1],
        orjson.dumps(reading.history(context, Caller(), game)),
        orjson.dumps(reading.history(context, Caller(), seen["id"])),
    ):
        assert seed.hex().encode() not in actual


@pytest.mark.parametrize("allowed", [True, False])
def test_a_rematch_may_be_analysed_where_the_first_game_might(context: Context, *, allowed: bool) -> None:
    game, tokens = new(context, PLAYER, AI, help=allowed)
    over(context, game, seat(tokens, 0))
    assert allowed == rematch_of(context, game, seat(tokens, 0))["help"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_row_of_rematches_the_first_seat_goes_round(context: Context, seats: int) -> None:
    game, tokens = new(context, *[PLAYER] * seats)
    callers = {number: seat(tokens, number) for number in range(seats)}
    for number in range(1, seats + 2):
        play(context, game, callers, 3)
        for loser in range(1, seats):
            over(context, game, callers[loser])
        for each in callers.values():
            offering.rematch(context, Request(each, game), None)
        before, game = game, view(context, game)["rematch"]
        actual = view(context, game)
        assert (before, number % seats) == (actual["rematch_of"], actual["to_decide"])


def test_with_a_first_seat_that_was_drawn_the_next_one_starts_the_rematch(context: Context) -> None:
    made = creating.create(context, Caller(), creating.NewGame("azul", "grey", (PLAYER,) * 3))
    game, tokens = made["game"]["id"], made["tokens"]
    began = view(context, game)["to_decide"]
    play(context, game, {number: seat(tokens, number) for number in range(3)}, 1)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    for number in range(3):
        offering.rematch(context, Request(seat(tokens, number), game), None)
    assert (began + 1) % 3 == view(context, view(context, game)["rematch"])["to_decide"]


def test_a_takeback_of_the_first_turn_does_not_change_who_starts_the_rematch(context: Context) -> None:
    game, tokens = new(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    offering.take_back(context, Request(seat(tokens, 0), game), None)
    over(context, game, seat(tokens, 0))
    assert 1 == rematch_of(context, game, seat(tokens, 0))["to_decide"]


@pytest.mark.parametrize("began", [0, 1])
def test_where_nobody_has_decided_the_rematch_is_begun_by_the_seat_after_the_one_that_was_to(
    context: Context, began: int
) -> None:
    seats = (PLAYER, PLAYER)
    made = creating.create(context, Caller(), creating.NewGame("azul", "grey", seats, first_seat=began))
    game, tokens = made["game"]["id"], made["tokens"]
    over(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    assert 1 - began == rematch_of(context, game, seat(tokens, 1))["to_decide"]


def test_against_ais_a_rematch_is_made_at_once_and_an_ai_that_starts_is_due(context: Context) -> None:
    game, tokens = new(context, AI, PLAYER, AI)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    seen = rematch_of(context, game, seat(tokens, 1))
    assert ["ai", "player", "ai"] == [actual["kind"] for actual in seen["seats"]]
    game, tokens = new(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    over(context, game, seat(tokens, 0))
    queue: Any = context.queue.turns[0]
    queue.empty()
    seen = rematch_of(context, game, seat(tokens, 0))
    assert (1, 1) == (seen["to_decide"], context.queue.turns[0].count)
    assert seen["id"] in context.store.schedule.due(context.now_ms() + 1, 10)


def test_asking_for_the_rematch_again_answers_the_same_game_and_writes_nothing(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    over(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    actual = rematch_of(context, game, seat(tokens, 1))
    revision = view(context, game)["revision"]
    for number in (0, 1, 0):
        again = offering.rematch(context, Request(seat(tokens, number), game), None)
        assert ([], actual["id"]) == (again.events, orjson.loads(again.view)["rematch"])
    assert (revision, actual) == (view(context, game)["revision"], view(context, actual["id"]))


@pytest.mark.parametrize("way", ["rematch", "same key", "answer with its key"])
def test_a_rematch_whose_creation_failed_after_the_event_is_made_by_whoever_asks_next(
    context: Context, redis_client: redis.Redis, way: str
) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    over(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    offer = the_offer(context, game)
    if way == "answer with its key":
        done = offering.answer(context, Request(seat(tokens, 1), game, idempotency=KEY), offer, None, accept=True)
    else:
        done = offering.rematch(context, Request(seat(tokens, 1), game, idempotency=KEY), None)
    actual = view(context, orjson.loads(done.view)["rematch"])
    keys = context.store.keys.game(actual["id"])
    redis_client.delete(*keys.committed()[:4])
    for index in (keys.bucket.due, keys.bucket.listing, keys.bucket.expiry):
        redis_client.zrem(index, actual["id"])
    if way == "rematch":
        offering.rematch(context, Request(seat(tokens, 0), game), None)
    elif way == "same key":
        assert offering.rematch(context, Request(seat(tokens, 1), game, idempotency=KEY), None).replayed
    else:
        offering.answer(context, Request(seat(tokens, 1), game, idempotency=KEY), offer, None, accept=True)
    again = view(context, actual["id"])
    assert (game, 1, "playing") == (again["rematch_of"], again["to_decide"], again["status"])
    act(context, actual["id"], seat(tokens, 1))


def test_of_a_rematch_that_both_ask_for_at_once_there_is_one(context: Context) -> None:
    for _ in range(8):
        game, tokens = new(context, PLAYER, PLAYER)
        over(context, game, seat(tokens, 0))
        commands = [
            lambda g=game, t=tokens, n=number: offering.rematch(context, Request(seat(t, n), g), None)
            for number in (0, 1)
        ]
        together(*commands)
        for number in (0, 1):  # who lost the race asks again
            with contextlib.suppress(Exception):
                offering.rematch(context, Request(seat(tokens, number), game), None)
        log = reading.history(context, Caller(), game)["events"]
        assert 1 == [event["kind"] for event in log].count("rematch")
        assert "playing" == view(context, view(context, game)["rematch"])["status"]


def test_tokens_that_changed_hands_in_the_old_game_are_the_rematchs(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    given = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", None)
    watch = seating.rotate(context, Caller(tokens["host"]), game, "watch")["token"]
    eve = Caller(given["token"])
    over(context, game, eve)
    offering.rematch(context, Request(eve, game), None)
    actual = rematch_of(context, game, seat(tokens, 1))
    assert [set(), {"seat:0"}, set(), {"watch"}] == [
        roles(context, actual["id"], caller)
        for caller in (seat(tokens, 0), eve, Caller(tokens["watch"]), Caller(watch))
    ]
    assert ("Eve", "active") == (actual["seats"][0]["name"], actual["seats"][0]["status"])


def test_nobody_but_a_seat_asks_for_a_rematch_and_only_after_the_end(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    with refused("game/not_over"):
        offering.rematch(context, Request(seat(tokens, 0), game), None)
    over(context, game, seat(tokens, 0))
    for caller in (Caller(tokens["host"]), Caller(tokens["watch"])):
        with refused("auth/wrong_seat"):
            offering.rematch(context, Request(caller, game), None)


def test_no_seed_and_no_token_is_in_any_event_view_or_answer(
    context: Context, redis_client: redis.Redis, time: Time
) -> None:
    """Of a game with all that can happen between people; nor is a token anywhere in the store."""
    _, as_ana = player(context)
    game, tokens = new_of(context, as_ana, PLAYER, OPEN, clock=CLOCK)
    key = Idempotency("another key of more than 128 bits", "hash of the body")
    ben = Caller(seating.claim(context, Caller(), game, None, "Ben")["token"])
    actual: list[Any] = []

    def done(written: Any) -> None:
        actual.extend((written.view, orjson.dumps(written.events)))

    done(act(context, game, as_ana, key))
    done(act(context, game, as_ana if view(context, game)["to_decide"] == 0 else ben))
    done(offering.take_back(context, Request(as_ana, game), None))
    done(offering.answer(context, Request(ben, game), the_offer(context, game), None, accept=True))
    done(offering.pause(context, Request(as_ana, game), None, 60))
    done(offering.pause(context, Request(ben, game), None, 60))
    given = seating.hand_over(context, ben, game, 1, "Eve", None)
    eve = Caller(given["token"])
    actual.append(orjson.dumps(given["game"]))
    done(offering.resume(context, Request(eve, game), None))
    seed = repository.load(context, game).game.meta.seed
    revision = view(context, game)["revision"]
    actual.extend(reading.at(context, Caller(), game, number) for number in range(1, revision + 1))
    actual.append(orjson.dumps(reading.history(context, Caller(), game)))
    followed = reading.follow(context, Caller(), game, 0, 0.01)
    actual.extend(orjson.dumps(next(followed)) for _ in range(revision))
    actual.append(orjson.dumps(reading.legal(context, Caller(), game)))
    hidden = [*(tokens[role] for role in ("host", "watch", "invite")), as_ana.token, ben.token, eve.token]
    for secret in (seed, *hidden):
        assert secret
        assert not [text for text in actual if secret.encode() in text]
    kept = {key: redis_client.dump(key) or b"" for key in redis_client.scan_iter()}
    answers = [key for key in kept if b":idem:" in key]  # an answer with a token is kept for minutes, by design
    for token in hidden:
        assert not [key for key, dump in kept.items() if token and token.encode() in dump and key not in answers]
