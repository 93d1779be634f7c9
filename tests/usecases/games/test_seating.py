"""Seats that change hands on a real store: handovers, claims of open and of abandoned seats, new tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.state.clocks import ClockRule
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import offering, playing, seating, timeouts
from service.usecases.games.commands import Request
from service.usecases.people import players
from service.usecases.views import listings, reading
from service.usecases.views.listings import ANY
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, first_action, new_game, raises_error, seat
from tests.usecases.players import Time, new_game_of, player, roles, view
from tests.usecases.waiting import run_together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def transfer_seat(context: Context, old: Caller, game: str, number: int, heir: Caller, name: str | None = None) -> Any:
    """Hand a seat over and claim it as another player."""
    token = seating.hand_over(context, old, game, number, None)["token"]
    return seating.claim(context, heir, game, number, name, token)


def test_a_seat_handed_over_by_token_belongs_only_to_the_new_token(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    old = seat(tokens, 0)
    handover = seating.hand_over(context, old, game, 0, "Eve")
    assert (0, "Eve") == (handover["seat"], handover["game"]["seats"][0]["name"])
    for command in (lambda: act(context, game, old), lambda: playing.resign(context, Request(old, game), None)):
        with raises_error("auth/token_unknown"):
            command()
    assert {"seat:0"} == roles(context, game, Caller(handover["token"]))
    act(context, game, Caller(handover["token"]))


def test_a_seat_handed_over_to_a_player_needs_no_token(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    ben, as_ben = player(context, "Ben")
    handover = transfer_seat(context, seat(tokens, 0), game, 0, as_ben)
    assert (None, ben, "Ben") == (
        handover["token"],
        handover["game"]["seats"][0]["player"],
        handover["game"]["seats"][0]["name"],
    )
    with raises_error("auth/token_unknown"):
        act(context, game, seat(tokens, 0))
    assert [game] == [actual["id"] for actual in to_json(players.turns(context, as_ben, 0))]
    act(context, game, as_ben)
    assert [] == to_json(players.turns(context, as_ben, 0))


def test_handing_over_one_of_several_seats_keeps_the_others(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    game, _ = new_game_of(context, as_ana, PLAYER, OPEN, OPEN)
    for number in (1, 2):
        seating.claim(context, as_ana, game, number, None)
    assert {"host", "seat:0", "seat:1", "seat:2"} == roles(context, game, as_ana)
    handover = seating.hand_over(context, as_ana, game, 1, "Bo")
    assert {"host", "seat:0", "seat:2"} == roles(context, game, as_ana)
    assert [ana, None, ana] == [actual["player"] for actual in handover["game"]["seats"]]
    act(context, game, as_ana)
    with raises_error("game/not_your_turn"):
        act(context, game, as_ana)
    act(context, game, Caller(handover["token"]))
    act(context, game, as_ana)
    with raises_error("auth/wrong_seat"):
        seating.hand_over(context, as_ana, game, 1, None)


def test_a_player_of_several_seats_acts_for_the_seat_to_decide_or_the_named_seat(context: Context) -> None:
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(context, as_ana, game, 1, None)
    seating.claim(context, Caller(), game, 2, None)
    for _ in range(2):
        act(context, game, as_ana)
    with raises_error("auth/wrong_seat"):
        playing.resign(context, Request(as_ana, game), 2)
    resigned = playing.resign(context, Request(as_ana, game), 1)
    assert 1 == resigned.events[0]["seat"]


def test_a_player_can_receive_a_second_seat(context: Context) -> None:
    _, as_ana = player(context)
    game, tokens = new_game_of(context, as_ana, PLAYER, PLAYER)
    transfer_seat(context, seat(tokens, 1), game, 1, as_ana)
    assert {"host", "seat:0", "seat:1"} == roles(context, game, as_ana)
    assert {"seat:0", "seat:1", "host"} == roles(context, game, as_ana)
    transfer_seat(context, as_ana, game, 0, as_ana)  # to themselves: nothing changes
    assert {"host", "seat:0", "seat:1"} == roles(context, game, as_ana)


def test_a_player_without_a_seat_no_longer_lists_the_game(context: Context) -> None:
    _, as_ana = player(context)
    _, as_ben = player(context)
    game, _ = new_game_of(context, Caller(), OPEN, AI)
    seating.claim(context, as_ana, game, 0, None)
    assert [game] == [actual["id"] for actual in to_json(listings.list_own(context, as_ana, ANY, None, 10))[0]]
    transfer_seat(context, as_ana, game, 0, as_ben)
    assert ([], []) == (
        to_json(listings.list_own(context, as_ana, ANY, None, 10))[0],
        to_json(players.turns(context, as_ana, 0)),
    )
    assert [game] == [actual["id"] for actual in to_json(listings.list_own(context, as_ben, ANY, None, 10))[0]]
    assert set() == roles(context, game, as_ana)


def test_only_the_holder_can_hand_a_seat_over(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    for code, caller in (
        ("auth/token_required", Caller()),
        ("auth/token_unknown", Caller("no token")),
        ("auth/wrong_seat", seat(tokens, 1)),
        ("auth/wrong_seat", Caller(tokens["host"])),
        ("auth/wrong_seat", Caller(tokens["invite"])),
    ):
        with raises_error(code):
            seating.hand_over(context, caller, game, 0, None)
    assert 3 == view(context, game)["revision"]


def test_a_player_claims_an_open_seat_with_their_own_token_and_name(context: Context) -> None:
    game, _ = new_game(context, PLAYER, OPEN, OPEN)
    ana, as_ana = player(context, "Ana")
    claimed = seating.claim(context, as_ana, game, None, None)
    assert (1, None, ana, "Ana") == (
        claimed["seat"],
        claimed["token"],
        claimed["game"]["seats"][1]["player"],
        claimed["game"]["seats"][1]["name"],
    )
    named = seating.claim(context, as_ana, game, 2, "Zoe")
    assert ("Zoe", "playing") == (named["game"]["seats"][2]["name"], named["game"]["status"])


@pytest.mark.parametrize(
    ("has", "asks", "expected"), [(None, None, None), (None, "Bo", "Bo"), ("Ana", None, "Ana"), ("Ana", "Bo", "Bo")]
)
def test_the_default_name_of_a_seat_is_the_name_of_its_player(
    context: Context, has: str | None, asks: str | None, expected: str
) -> None:
    _, as_ana = player(context, has)
    game, tokens = new_game(context, PLAYER, OPEN)
    assert expected == seating.claim(context, as_ana, game, None, asks)["game"]["seats"][1]["name"]
    assert expected == transfer_seat(context, seat(tokens, 0), game, 0, as_ana, asks)["game"]["seats"][0]["name"]
    game, _ = new_game_of(context, as_ana, replace(PLAYER, name=asks), AI)
    assert expected == view(context, game)["seats"][0]["name"]


def test_a_wrong_player_token_claims_nothing(context: Context) -> None:
    game, _ = new_game(context, PLAYER, OPEN)
    ana, _ = player(context)
    with raises_error("auth/token_unknown"):
        seating.claim(context, Caller(f"{ana}.{'x' * 43}"), game, None, None)


def test_a_player_who_creates_a_game_is_host_and_has_the_first_seat(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    game, tokens = new_game_of(context, as_ana, AI, PLAYER, PLAYER)
    assert {"host", "seat:1"} == roles(context, game, as_ana)
    assert ({"2"}, [None, ana, None]) == (
        set(tokens["seats"]),
        [actual["player"] for actual in view(context, game)["seats"]],
    )


def test_an_invited_caller_can_claim_a_timed_out_seat_at_once(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(69.999)
    assert not timeouts.keep_time(context, game)
    time.pass_(0.001)
    assert timeouts.keep_time(context, game)
    assert view(context, game)["seats"][0]["replaceable_at"] == view(context, game)["updated_at"]
    for stranger in (Caller(), Caller("no token"), Caller(tokens["watch"]), player(context)[1]):
        with raises_error("auth/invite_required"):
            seating.claim(context, stranger, game, 0, None)
    with raises_error("game/full"):
        seating.claim(context, Caller(tokens["invite"]), game, None, None)
    with raises_error("game/full"):
        seating.claim(context, Caller(tokens["invite"]), game, 1, None)
    claimed = seating.claim(context, Caller(tokens["invite"]), game, 0, "Zoe")
    assert ("active", "Zoe", [30.0, 60.0]) == (
        claimed["game"]["seats"][0]["status"],
        claimed["game"]["seats"][0]["name"],
        claimed["game"]["clock"]["banks"],
    )
    with raises_error("auth/token_unknown"):
        act(context, game, seat(tokens, 0))
    act(context, game, Caller(claimed["token"]))


@pytest.mark.parametrize("who", ["host", "own", "player's own"])
def test_the_host_and_the_holder_can_claim_an_abandoned_seat(context: Context, time: Time, who: str) -> None:
    ana, as_ana = player(context)
    creator = as_ana if who == "player's own" else Caller()
    game, tokens = new_game_of(context, creator, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70)
    timeouts.keep_time(context, game)
    caller = {
        "host": Caller(tokens["host"]),
        "own": Caller(tokens["seats"].get("0")),
        "player's own": as_ana,
    }[who]
    with raises_error("game/away|auth/wrong_seat|game/not_your_turn"):
        act(context, game, caller)
    claimed = seating.claim(context, caller, game, 0, None)
    if who == "player's own":
        assert (None, {"host", "seat:0"}) == (claimed["token"], roles(context, game, as_ana))
    else:
        assert {"seat:0"} == roles(context, game, Caller(claimed["token"]))
    assert ana == claimed["game"]["seats"][0]["player"] or who != "player's own"
    assert "active" == claimed["game"]["seats"][0]["status"]


def test_without_a_clock_a_seat_is_abandoned_after_the_configured_wait(context: Context, time: Time) -> None:
    context.settings = replace(context.settings, gone_s=100)
    game, tokens = new_game(context, PLAYER, PLAYER)
    invited = Caller(tokens["invite"])
    time.pass_(50)
    act(context, game, seat(tokens, 0))
    time.pass_(99.999)
    for number in (0, 1):
        with raises_error("game/full"):
            seating.claim(context, invited, game, number, None)
    time.pass_(0.001)
    with raises_error("game/full"):
        seating.claim(context, invited, game, 0, None)
    with raises_error("auth/invite_required"):
        seating.claim(context, Caller(), game, 1, None)
    claimed = seating.claim(context, invited, game, 1, "Zoe")
    with raises_error("auth/token_unknown"):
        act(context, game, seat(tokens, 1))
    act(context, game, Caller(claimed["token"]))


def test_offers_and_chat_do_not_restart_the_wait_for_an_abandoned_seat(context: Context, time: Time) -> None:
    context.settings = replace(context.settings, gone_s=100)
    game, tokens = new_game(context, PLAYER, PLAYER)
    time.pass_(60)
    offering.pause(context, Request(seat(tokens, 1), game), None, 60)
    time.pass_(40)
    assert 0 == seating.claim(context, Caller(tokens["invite"]), game, 0, None)["seat"]


def test_strangers_cannot_claim_an_abandoned_seat_of_a_private_game(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK, visibility="private")
    time.pass_(70)
    timeouts.keep_time(context, game)
    with raises_error("game/not_found"):
        seating.claim(context, Caller(), game, 0, None)
    with raises_error("auth/invite_required"):
        seating.claim(context, Caller(tokens["watch"]), game, 0, None)
    assert 0 == seating.claim(context, Caller(tokens["invite"]), game, 0, None)["seat"]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_a_repeated_handover_returns_the_same_token(context: Context, visibility: str) -> None:
    """The first response may be lost, and with it the only token of the seat. The old token has ended by then."""
    game, tokens = new_game(context, PLAYER, PLAYER, visibility=visibility)
    handover = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", KEY)
    assert handover == seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", KEY)
    with raises_error("idempotency/mismatch"):
        seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", replace(KEY, body_hash="another"))
    assert {"seat:0"} == roles(context, game, Caller(handover["token"]))


def test_the_key_of_a_handover_belongs_to_its_caller(context: Context) -> None:
    """Another caller who has found the key does not get the seat's token."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    handover = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", KEY)
    with raises_error("auth/wrong_seat"):
        seating.hand_over(context, seat(tokens, 1), game, 0, "Eve", KEY)
    again = seating.hand_over(context, Caller(handover["token"]), game, 0, "Eve", KEY)
    assert again["token"] != handover["token"]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_a_repeated_claim_of_an_own_seat_returns_the_same_token(context: Context, time: Time, visibility: str) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK, visibility=visibility)
    time.pass_(70)
    timeouts.keep_time(context, game)
    claimed = seating.claim(context, seat(tokens, 0), game, 0, None, None, KEY)
    assert claimed == seating.claim(context, seat(tokens, 0), game, 0, None, None, KEY)


def test_the_key_of_a_claim_belongs_to_its_caller_and_outlives_later_moves(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, OPEN, OPEN)
    _, as_ana = player(context)
    first_claim = seating.claim(context, as_ana, game, None, None, None, KEY)
    other = seating.claim(context, Caller(), game, None, None, None, KEY)
    assert (1, 2) == (first_claim["seat"], other["seat"])
    act(context, game, seat(tokens, 0))
    assert first_claim == seating.claim(context, as_ana, game, None, None, None, KEY)
    assert other == seating.claim(context, Caller(), game, None, None, None, KEY)


def test_a_replayed_claim_stays_hidden_in_an_unreadable_private_game(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, OPEN, visibility="private")
    seating.claim(context, Caller(tokens["invite"]), game, None, None, None, KEY)
    for stranger in (Caller(), Caller("no token")):
        with raises_error("game/not_found"):
            seating.claim(context, stranger, game, None, None, None, KEY)


def test_of_twenty_simultaneous_claims_only_one_caller_gets_each_open_seat(context: Context) -> None:
    game, _ = new_game(context, PLAYER, OPEN, OPEN, OPEN)
    callers = [player(context)[1] if number % 2 else Caller() for number in range(20)]
    results = run_together(*[lambda c=caller: seating.claim(context, c, game, None, None) for caller in callers])
    seated = [actual for actual in results if isinstance(actual, dict)]
    assert [1, 2, 3] == sorted(actual["seat"] for actual in seated)
    assert ["game/full"] * 17 == [actual for actual in results if isinstance(actual, str)]
    log = reading.history(context, Caller(), game)["events"]
    assert ["join"] * 3 == [event["kind"] for event in log if event["kind"] == "join"]
    held = [held for held in context.store.holders(game).values() if "seat:" in held]
    assert 4 == sum(held.count("seat:") for held in held)


def test_of_twenty_simultaneous_claims_only_one_gets_an_abandoned_seat(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70)
    timeouts.keep_time(context, game)
    results = run_together(*[lambda: seating.claim(context, Caller(tokens["invite"]), game, 0, None)] * 20)
    (claimed,) = (actual for actual in results if isinstance(actual, dict))
    assert ["game/full"] * 19 == [actual for actual in results if isinstance(actual, str)]
    assert {"seat:0"} == roles(context, game, Caller(claimed["token"]))
    assert 1 == list(context.store.holders(game).values()).count("seat:0")


def test_twenty_claims_with_one_key_get_the_same_answer(context: Context) -> None:
    game, _ = new_game(context, PLAYER, OPEN, OPEN, OPEN)
    key = Idempotency("one key of more than 128 bits", "hash of the body")
    results = run_together(*[lambda: seating.claim(context, Caller(), game, None, None, None, key)] * 20)
    assert [results[0]] * 20 == results
    assert 2 == view(context, game)["revision"]


def test_a_handover_does_not_change_the_status_of_a_seat(context: Context, time: Time) -> None:
    """The new holder of an away seat returns by claiming it with the token from the handover."""
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70)
    timeouts.keep_time(context, game)
    handover = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve")
    action, revision = first_action(context, game)
    with raises_error("game/away"):
        playing.act(context, Request(Caller(handover["token"]), game, (revision,)), action, None)
    claimed = seating.claim(context, Caller(handover["token"]), game, 0, "Eve")
    act(context, game, Caller(claimed["token"]))
