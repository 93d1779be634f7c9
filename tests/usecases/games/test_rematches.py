"""Rematches on a real store."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import orjson
import pytest
from redis import Redis

from service.games.chance import commitment
from service.games.state.clocks import ClockRule
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.views import listings, reading
from service.usecases.views.listings import ANY
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, new_game, raises_error, seat
from tests.usecases.players import Time, decide, new_game_of, offer_id, play, player, resign, roles, view
from tests.usecases.waiting import run_together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def rematch_of(context: Context, game: str, caller: Caller) -> dict[str, Any]:
    """Ask for a rematch as this caller and return the view of the new game."""
    done = offering.rematch(context, Request(caller, game), None)
    return view(context, orjson.loads(done.view)["rematch"])


def test_a_rematch_has_the_same_seats_tokens_players_clock_and_visibility(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    bot = replace(AI, name="Bot")
    game, tokens = new_game_of(context, as_ana, PLAYER, OPEN, bot, clock=CLOCK, visibility="private")
    claimed = seating.claim(context, Caller(tokens["invite"]), game, 1, "Ben")
    as_ben, host = Caller(claimed["token"]), Caller(tokens["host"])
    decide(context, game, as_ana)
    resign(context, game, as_ana)
    resign(context, game, as_ben)
    offering.rematch(context, Request(as_ana, game), None)
    assert view(context, game)["rematch"] is None
    done = offering.answer(context, Request(as_ben, game), offer_id(context, game), None, accept=True)
    assert ["answer", "rematch"] == [event["kind"] for event in done.events]
    old, seen = view(context, game), view(context, orjson.loads(done.view)["rematch"])
    assert (seen["id"], game, None) == (old["rematch"], seen["rematch_of"], seen["rematch"])
    assert seen["id"] == done.events[-1]["game_id"]
    for field in ("ruleset", "variant", "visibility"):
        assert old[field] == seen[field]
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
    assert {new_id, game} == {item["id"] for item in to_json(listings.list_own(context, as_ana, ANY, None, 10))[0]}
    decide(context, new_id, as_ben)


def test_a_rematch_has_a_secret_seed_of_its_own_and_is_fair(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, seed=bytes(range(1, 33)))
    resign(context, game, seat(tokens, 0))
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
def test_a_rematch_allows_analyses_if_the_first_game_did(context: Context, *, allowed: bool) -> None:
    game, tokens = new_game(context, PLAYER, AI, help=allowed)
    resign(context, game, seat(tokens, 0))
    assert allowed == rematch_of(context, game, seat(tokens, 0))["help"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_seat_rotates_in_a_series_of_rematches(context: Context, seats: int) -> None:
    game, tokens = new_game(context, *[PLAYER] * seats)
    callers = {number: seat(tokens, number) for number in range(seats)}
    for number in range(1, seats + 2):
        play(context, game, callers, 3)
        for loser in range(1, seats):
            resign(context, game, callers[loser])
        for each in callers.values():
            offering.rematch(context, Request(each, game), None)
        before, game = game, view(context, game)["rematch"]
        actual = view(context, game)
        assert (before, number % seats) == (actual["rematch_of"], actual["to_decide"])


def test_after_a_drawn_first_seat_the_next_seat_starts_the_rematch(context: Context) -> None:
    made = creating.create(context, Caller(), creating.NewGame("azul", "grey", (PLAYER,) * 3))
    game, tokens = made["game"]["id"], made["tokens"]
    began = view(context, game)["to_decide"]
    play(context, game, {number: seat(tokens, number) for number in range(3)}, 1)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    for number in range(3):
        offering.rematch(context, Request(seat(tokens, number), game), None)
    assert (began + 1) % 3 == view(context, view(context, game)["rematch"])["to_decide"]


def test_a_takeback_of_the_first_turn_does_not_change_who_starts_the_rematch(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    offering.take_back(context, Request(seat(tokens, 0), game), None)
    resign(context, game, seat(tokens, 0))
    assert 1 == rematch_of(context, game, seat(tokens, 0))["to_decide"]


@pytest.mark.parametrize("began", [0, 1])
def test_after_a_game_without_decisions_the_second_seat_starts_the_rematch(context: Context, began: int) -> None:
    seats = (PLAYER, PLAYER)
    made = creating.create(context, Caller(), creating.NewGame("azul", "grey", seats, first_seat=began))
    game, tokens = made["game"]["id"], made["tokens"]
    resign(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    assert 1 - began == rematch_of(context, game, seat(tokens, 1))["to_decide"]


def test_a_rematch_against_ais_is_created_at_once_and_a_starting_ai_is_due(context: Context) -> None:
    game, tokens = new_game(context, AI, PLAYER, AI)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    seen = rematch_of(context, game, seat(tokens, 1))
    assert ["ai", "player", "ai"] == [actual["kind"] for actual in seen["seats"]]
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    resign(context, game, seat(tokens, 0))
    queue: Any = context.queue.turns[0]
    queue.empty()
    seen = rematch_of(context, game, seat(tokens, 0))
    assert (1, 1) == (seen["to_decide"], context.queue.turns[0].count)
    assert seen["id"] in context.store.schedule.due(context.now_ms() + 1, 10)


def test_a_repeated_rematch_request_returns_the_same_game_and_writes_nothing(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    resign(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    actual = rematch_of(context, game, seat(tokens, 1))
    revision = view(context, game)["revision"]
    for number in (0, 1, 0):
        again = offering.rematch(context, Request(seat(tokens, number), game), None)
        assert ([], actual["id"]) == (again.events, orjson.loads(again.view)["rematch"])
    assert (revision, actual) == (view(context, game)["revision"], view(context, actual["id"]))


@pytest.mark.parametrize("way", ["rematch", "same key", "answer with its key"])
def test_the_next_request_creates_a_rematch_after_a_failure(context: Context, redis_client: Redis, way: str) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    resign(context, game, seat(tokens, 0))
    offering.rematch(context, Request(seat(tokens, 0), game), None)
    offer = offer_id(context, game)
    if way == "answer with its key":
        done = offering.answer(context, Request(seat(tokens, 1), game, idempotency=KEY), offer, None, accept=True)
    else:
        done = offering.rematch(context, Request(seat(tokens, 1), game, idempotency=KEY), None)
    actual = view(context, orjson.loads(done.view)["rematch"])
    keys = context.store.keys.game(actual["id"])
    redis_client.delete(*keys.commit_keys()[:4])
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


def test_two_simultaneous_requests_create_one_rematch(context: Context) -> None:
    for _ in range(8):
        game, tokens = new_game(context, PLAYER, PLAYER)
        resign(context, game, seat(tokens, 0))
        commands = [
            lambda g=game, t=tokens, n=number: offering.rematch(context, Request(seat(t, n), g), None)
            for number in (0, 1)
        ]
        run_together(*commands)
        for number in (0, 1):  # the loser of the race asks again
            with contextlib.suppress(Exception):
                offering.rematch(context, Request(seat(tokens, number), game), None)
        log = reading.history(context, Caller(), game)["events"]
        assert 1 == [event["kind"] for event in log].count("rematch")
        assert "playing" == view(context, view(context, game)["rematch"])["status"]


def test_a_rematch_accepts_the_current_tokens_of_the_old_game(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    given = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", None)
    watch = seating.rotate(context, Caller(tokens["host"]), game, "watch")["token"]
    eve = Caller(given["token"])
    resign(context, game, eve)
    offering.rematch(context, Request(eve, game), None)
    actual = rematch_of(context, game, seat(tokens, 1))
    assert [set(), {"seat:0"}, set(), {"watch"}] == [
        roles(context, actual["id"], caller)
        for caller in (seat(tokens, 0), eve, Caller(tokens["watch"]), Caller(watch))
    ]
    assert ("Eve", "active") == (actual["seats"][0]["name"], actual["seats"][0]["status"])


def test_only_players_can_request_a_rematch_and_only_after_the_end(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    with raises_error("game/not_over"):
        offering.rematch(context, Request(seat(tokens, 0), game), None)
    resign(context, game, seat(tokens, 0))
    for caller in (Caller(tokens["host"]), Caller(tokens["watch"])):
        with raises_error("auth/wrong_seat"):
            offering.rematch(context, Request(caller, game), None)


def test_events_views_and_answers_contain_no_seed_or_token(context: Context, redis_client: Redis, time: Time) -> None:
    """The game contains everything that can happen between people. No token is in the store either."""
    _, as_ana = player(context)
    game, tokens = new_game_of(context, as_ana, PLAYER, OPEN, clock=CLOCK)
    key = Idempotency("another key of more than 128 bits", "hash of the body")
    ben = Caller(seating.claim(context, Caller(), game, None, "Ben")["token"])
    actual: list[Any] = []

    def collect(written: Any) -> None:
        actual.extend((written.view, orjson.dumps(written.events)))

    collect(act(context, game, as_ana, key))
    collect(act(context, game, as_ana if view(context, game)["to_decide"] == 0 else ben))
    collect(offering.take_back(context, Request(as_ana, game), None))
    collect(offering.answer(context, Request(ben, game), offer_id(context, game), None, accept=True))
    collect(offering.pause(context, Request(as_ana, game), None, 60))
    collect(offering.pause(context, Request(ben, game), None, 60))
    given = seating.hand_over(context, ben, game, 1, "Eve", None)
    eve = Caller(given["token"])
    actual.append(orjson.dumps(given["game"]))
    collect(offering.resume(context, Request(eve, game), None))
    seed = repository.load(context, game).game.meta.seed
    revision = view(context, game)["revision"]
    actual.extend(reading.view_at(context, Caller(), game, number) for number in range(1, revision + 1))
    actual.append(orjson.dumps(reading.history(context, Caller(), game)))
    followed = reading.follow(context, Caller(), game, 0, 0.01)
    actual.extend(orjson.dumps(next(followed)) for _ in range(revision))
    actual.append(orjson.dumps(reading.list_legal_actions(context, Caller(), game)))
    hidden = [*(tokens[role] for role in ("host", "watch", "invite")), as_ana.token, ben.token, eve.token]
    for secret in (seed, *hidden):
        assert secret
        assert not [text for text in actual if secret.encode() in text]
    dumps = {key: redis_client.dump(key) or b"" for key in redis_client.scan_iter()}
    answers = [key for key in dumps if b":idem:" in key]  # an answer with a token is kept for minutes, by design
    for token in hidden:
        assert not [key for key, dump in dumps.items() if token and token.encode() in dump and key not in answers]
