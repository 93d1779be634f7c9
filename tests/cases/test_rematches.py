"""Rematches on a real store."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import orjson
import pytest
import redis

from service.cases import (
    Caller,
    Cases,
    Idempotency,
    creating,
    ledgers,
    offering,
    players,
    playing,
    reading,
    seating,
)
from service.games.chance import commitment
from service.games.clocks import ClockRule
from tests.cases.people import Time, decide, new_of, play, player, roles, the_offer, view
from tests.cases.test_cases import AI, KEY, OPEN, PLAYER, act, new, refused, seat
from tests.cases.test_times import together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def rematch_of(cases: Cases, game: str, caller: Caller) -> dict[str, Any]:
    """The view of the game that follows, when this caller asks for it, too."""
    done = offering.rematch(cases, caller, game, None, None)
    return view(cases, orjson.loads(done.view)["rematch"])


def over(cases: Cases, game: str, caller: Caller) -> None:
    playing.resign(cases, caller, game, None, None)


def test_a_rematch_has_the_same_seats_tokens_players_clock_and_visibility(cases: Cases) -> None:
    ana, as_ana = player(cases, "Ana")
    bot = replace(AI, name="Bot")
    game, tokens = new_of(cases, as_ana, PLAYER, OPEN, bot, clock=CLOCK, visibility="private")
    claimed = seating.claim(cases, Caller(tokens["invite"]), game, 1, "Ben")
    as_ben, host = Caller(claimed["token"]), Caller(tokens["host"])
    decide(cases, game, as_ana)
    over(cases, game, as_ana)
    over(cases, game, as_ben)
    offering.rematch(cases, as_ana, game, None, None)
    assert view(cases, game)["rematch"] is None
    done = offering.answer(cases, as_ben, game, the_offer(cases, game), None, accept=True, expected=None)
    assert ["answer", "rematch"] == [event["kind"] for event in done.events]
    old, found = view(cases, game), view(cases, orjson.loads(done.view)["rematch"])
    assert (found["id"], game, None) == (old["rematch"], found["rematch_of"], found["rematch"])
    assert found["id"] == done.events[-1]["game_id"]
    for same in ("ruleset", "variant", "visibility"):
        assert old[same] == found[same]
    assert ([60.0] * 3, 10, "ai", "random") == (
        found["clock"]["banks"],
        *(found["clock"][name] for name in ("turn_s", "on_timeout", "level")),
    )
    told = [[seat[name] for name in ("kind", "name", "level", "player", "status")] for seat in found["seats"]]
    assert [
        ["player", "Ana", None, ana, "active"],
        ["player", "Ben", None, None, "active"],
        ["ai", "Bot", "greedy", None, "active"],
    ] == told
    assert ("playing", 1) == (found["status"], found["to_decide"])
    new_id = found["id"]
    assert [{"host", "seat:0"}, {"seat:1"}, {"host"}, {"watch"}, {"invite"}] == [
        roles(cases, new_id, caller)
        for caller in (as_ana, as_ben, host, Caller(tokens["watch"]), Caller(tokens["invite"]))
    ]
    assert {new_id, game} == {item["id"] for item in players.games(cases, as_ana, None, 10)[0]}
    decide(cases, new_id, as_ben)


def test_a_rematch_has_a_secret_seed_of_its_own_and_is_fair(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, seed=bytes(range(1, 33)))
    over(cases, game, seat(tokens, 0))
    offering.rematch(cases, seat(tokens, 0), game, None, None)
    found = rematch_of(cases, game, seat(tokens, 1))
    seed = bytes.fromhex(ledgers.load(cases, found["id"]).game.meta.seed)
    assert seed != bytes(range(1, 33))
    assert (True, None, commitment(seed)) == (found["fair"], found["seed"], found["seed_commitment"])
    for told in (
        reading.glance(cases, Caller(), found["id"])[1],
        reading.glance(cases, Caller(), game)[1],
        orjson.dumps(reading.history(cases, Caller(), game)),
        orjson.dumps(reading.history(cases, Caller(), found["id"])),
    ):
        assert seed.hex().encode() not in told


@pytest.mark.parametrize("allowed", [True, False])
def test_a_rematch_may_be_analysed_where_the_first_game_might(cases: Cases, *, allowed: bool) -> None:
    game, tokens = new(cases, PLAYER, AI, help=allowed)
    over(cases, game, seat(tokens, 0))
    assert allowed == rematch_of(cases, game, seat(tokens, 0))["help"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_row_of_rematches_the_first_seat_goes_round(cases: Cases, seats: int) -> None:
    game, tokens = new(cases, *[PLAYER] * seats)
    callers = {number: seat(tokens, number) for number in range(seats)}
    for number in range(1, seats + 2):
        play(cases, game, callers, 3)
        for loser in range(1, seats):
            over(cases, game, callers[loser])
        for each in callers.values():
            offering.rematch(cases, each, game, None, None)
        before, game = game, view(cases, game)["rematch"]
        found = view(cases, game)
        assert (before, number % seats) == (found["rematch_of"], found["to_decide"])


def test_with_a_first_seat_that_was_drawn_the_next_one_starts_the_rematch(cases: Cases) -> None:
    made = creating.create(cases, Caller(), creating.NewGame("azul", "grey", (PLAYER,) * 3))
    game, tokens = made["game"]["id"], made["tokens"]
    began = view(cases, game)["to_decide"]
    play(cases, game, {number: seat(tokens, number) for number in range(3)}, 1)
    playing.abort(cases, Caller(tokens["host"]), game, None)
    for number in range(3):
        offering.rematch(cases, seat(tokens, number), game, None, None)
    assert (began + 1) % 3 == view(cases, view(cases, game)["rematch"])["to_decide"]


def test_a_takeback_of_the_first_turn_does_not_change_who_starts_the_rematch(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    offering.take_back(cases, seat(tokens, 0), game, None, None)
    over(cases, game, seat(tokens, 0))
    assert 1 == rematch_of(cases, game, seat(tokens, 0))["to_decide"]


@pytest.mark.parametrize("began", [0, 1])
def test_where_nobody_has_decided_the_rematch_is_begun_by_the_seat_after_the_one_that_was_to(
    cases: Cases, began: int
) -> None:
    seats = (PLAYER, PLAYER)
    made = creating.create(cases, Caller(), creating.NewGame("azul", "grey", seats, first_seat=began))
    game, tokens = made["game"]["id"], made["tokens"]
    over(cases, game, seat(tokens, 0))
    offering.rematch(cases, seat(tokens, 0), game, None, None)
    assert 1 - began == rematch_of(cases, game, seat(tokens, 1))["to_decide"]


def test_against_ais_a_rematch_is_made_at_once_and_an_ai_that_starts_is_due(cases: Cases) -> None:
    game, tokens = new(cases, AI, PLAYER, AI)
    playing.abort(cases, Caller(tokens["host"]), game, None)
    found = rematch_of(cases, game, seat(tokens, 1))
    assert ["ai", "player", "ai"] == [told["kind"] for told in found["seats"]]
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    over(cases, game, seat(tokens, 0))
    queue: Any = cases.queue.rq
    queue.empty()
    found = rematch_of(cases, game, seat(tokens, 0))
    assert (1, 1) == (found["to_decide"], cases.queue.length())
    assert found["id"] in cases.store.due(cases.now_ms() + 1, 10)


def test_asking_for_the_rematch_again_answers_the_same_game_and_writes_nothing(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    over(cases, game, seat(tokens, 0))
    offering.rematch(cases, seat(tokens, 0), game, None, None)
    found = rematch_of(cases, game, seat(tokens, 1))
    revision = view(cases, game)["revision"]
    for number in (0, 1, 0):
        again = offering.rematch(cases, seat(tokens, number), game, None, None)
        assert ([], found["id"]) == (again.events, orjson.loads(again.view)["rematch"])
    assert (revision, found) == (view(cases, game)["revision"], view(cases, found["id"]))


@pytest.mark.parametrize("way", ["rematch", "same key", "answer with its key"])
def test_a_rematch_whose_creation_failed_after_the_event_is_made_by_whoever_asks_next(
    cases: Cases, redis_client: redis.Redis, way: str
) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    act(cases, game, seat(tokens, 0))
    over(cases, game, seat(tokens, 0))
    offering.rematch(cases, seat(tokens, 0), game, None, None)
    offer = the_offer(cases, game)
    if way == "answer with its key":
        done = offering.answer(cases, seat(tokens, 1), game, offer, None, accept=True, expected=None, idempotency=KEY)
    else:
        done = offering.rematch(cases, seat(tokens, 1), game, None, None, KEY)
    found = view(cases, orjson.loads(done.view)["rematch"])
    keys = cases.store.keys.game(found["id"])
    redis_client.delete(*keys.committed()[:4])
    for index in (keys.bucket.due, keys.bucket.listing, keys.bucket.expiry):
        redis_client.zrem(index, found["id"])
    if way == "rematch":
        offering.rematch(cases, seat(tokens, 0), game, None, None)
    elif way == "same key":
        assert offering.rematch(cases, seat(tokens, 1), game, None, None, KEY).replayed
    else:
        offering.answer(cases, seat(tokens, 1), game, offer, None, accept=True, expected=None, idempotency=KEY)
    again = view(cases, found["id"])
    assert (game, 1, "playing") == (again["rematch_of"], again["to_decide"], again["status"])
    act(cases, found["id"], seat(tokens, 1))


def test_of_a_rematch_that_both_ask_for_at_once_there_is_one(cases: Cases) -> None:
    for _ in range(8):
        game, tokens = new(cases, PLAYER, PLAYER)
        over(cases, game, seat(tokens, 0))
        commands = [
            lambda g=game, t=tokens, n=number: offering.rematch(cases, seat(t, n), g, None, None) for number in (0, 1)
        ]
        together(*commands)
        for number in (0, 1):  # who lost the race asks again
            with contextlib.suppress(Exception):
                offering.rematch(cases, seat(tokens, number), game, None, None)
        log = reading.history(cases, Caller(), game)["events"]
        assert 1 == [event["kind"] for event in log].count("rematch")
        assert "playing" == view(cases, view(cases, game)["rematch"])["status"]


def test_tokens_that_changed_hands_in_the_old_game_are_the_rematchs(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    given = seating.hand_over(cases, seat(tokens, 0), game, 0, "Eve", None)
    watch = seating.rotate(cases, Caller(tokens["host"]), game, "watch")["token"]
    eve = Caller(given["token"])
    over(cases, game, eve)
    offering.rematch(cases, eve, game, None, None)
    found = rematch_of(cases, game, seat(tokens, 1))
    assert [set(), {"seat:0"}, set(), {"watch"}] == [
        roles(cases, found["id"], caller) for caller in (seat(tokens, 0), eve, Caller(tokens["watch"]), Caller(watch))
    ]
    assert ("Eve", "active") == (found["seats"][0]["name"], found["seats"][0]["status"])


def test_nobody_but_a_seat_asks_for_a_rematch_and_only_after_the_end(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    with refused("game/not_over"):
        offering.rematch(cases, seat(tokens, 0), game, None, None)
    over(cases, game, seat(tokens, 0))
    for caller in (Caller(tokens["host"]), Caller(tokens["watch"])):
        with refused("auth/wrong_seat"):
            offering.rematch(cases, caller, game, None, None)


def test_no_seed_and_no_token_is_in_any_event_view_or_answer(
    cases: Cases, redis_client: redis.Redis, time: Time
) -> None:
    """Of a game with all that can happen between people; nor is a token anywhere in the store."""
    _, as_ana = player(cases)
    game, tokens = new_of(cases, as_ana, PLAYER, OPEN, clock=CLOCK)
    key = Idempotency("another key of more than 128 bits", "hash of the body")
    ben = Caller(seating.claim(cases, Caller(), game, None, "Ben")["token"])
    told: list[Any] = []

    def done(written: Any) -> None:
        told.extend((written.view, orjson.dumps(written.events)))

    done(act(cases, game, as_ana, key))
    done(act(cases, game, as_ana if view(cases, game)["to_decide"] == 0 else ben))
    done(offering.take_back(cases, as_ana, game, None, None))
    done(offering.answer(cases, ben, game, the_offer(cases, game), None, accept=True, expected=None))
    done(offering.pause(cases, as_ana, game, None, 60, None))
    done(offering.pause(cases, ben, game, None, 60, None))
    given = seating.hand_over(cases, ben, game, 1, "Eve", None)
    eve = Caller(given["token"])
    told.append(orjson.dumps(given["game"]))
    done(offering.resume(cases, eve, game, None, None))
    seed = ledgers.load(cases, game).game.meta.seed
    revision = view(cases, game)["revision"]
    told.extend(reading.at(cases, Caller(), game, number) for number in range(1, revision + 1))
    told.append(orjson.dumps(reading.history(cases, Caller(), game)))
    followed = reading.follow(cases, Caller(), game, 0, 0.01)
    told.extend(orjson.dumps(next(followed)) for _ in range(revision))
    told.append(orjson.dumps(reading.legal(cases, Caller(), game)))
    hidden = [*(tokens[role] for role in ("host", "watch", "invite")), as_ana.token, ben.token, eve.token]
    for secret in (seed, *hidden):
        assert secret
        assert not [text for text in told if secret.encode() in text]
    kept = {key: redis_client.dump(key) or b"" for key in redis_client.scan_iter()}
    answers = [key for key in kept if b":idem:" in key]  # an answer with a token is kept for minutes, by design
    for token in hidden:
        assert not [key for key, dump in kept.items() if token and token.encode() in dump and key not in answers]
