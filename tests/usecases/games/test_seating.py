"""Seats change hands on a real store: handovers, claims of open and of gone seats, new tokens."""

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
from tests.usecases.answers import answered
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, first, new, refused, seat
from tests.usecases.players import Time, new_of, player, roles, view
from tests.usecases.waiting import together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")


def given_to(context: Context, old: Caller, game: str, number: int, heir: Caller, name: str | None = None) -> Any:
    """The old holder hands the seat over, and a player makes it their own."""
    token = seating.hand_over(context, old, game, number, None)["token"]
    return seating.claim(context, heir, game, number, name, token)


def test_a_seat_handed_over_by_token_is_whose_who_has_the_new_one_and_the_old_token_is_dead(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    old = seat(tokens, 0)
    given = seating.hand_over(context, old, game, 0, "Eve")
    assert (0, "Eve") == (given["seat"], given["game"]["seats"][0]["name"])
    for command in (lambda: act(context, game, old), lambda: playing.resign(context, Request(old, game), None)):
        with refused("auth/token_unknown"):
            command()
    assert {"seat:0"} == roles(context, game, Caller(given["token"]))
    act(context, game, Caller(given["token"]))


def test_a_seat_handed_over_to_a_player_is_his_without_a_token(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    ben, as_ben = player(context, "Ben")
    given = given_to(context, seat(tokens, 0), game, 0, as_ben)
    assert (None, ben, "Ben") == (
        given["token"],
        given["game"]["seats"][0]["player"],
        given["game"]["seats"][0]["name"],
    )
    with refused("auth/token_unknown"):
        act(context, game, seat(tokens, 0))
    assert [game] == [actual["id"] for actual in answered(players.turns(context, as_ben, 0))]
    act(context, game, as_ben)
    assert [] == answered(players.turns(context, as_ben, 0))


def test_a_player_with_several_seats_keeps_the_others_when_he_gives_one_away(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    game, _ = new_of(context, as_ana, PLAYER, OPEN, OPEN)
    for number in (1, 2):
        seating.claim(context, as_ana, game, number, None)
    assert {"host", "seat:0", "seat:1", "seat:2"} == roles(context, game, as_ana)
    given = seating.hand_over(context, as_ana, game, 1, "Bo")
    assert {"host", "seat:0", "seat:2"} == roles(context, game, as_ana)
    assert [ana, None, ana] == [actual["player"] for actual in given["game"]["seats"]]
    act(context, game, as_ana)
    with refused("game/not_your_turn"):
        act(context, game, as_ana)
    act(context, game, Caller(given["token"]))
    act(context, game, as_ana)
    with refused("auth/wrong_seat"):
        seating.hand_over(context, as_ana, game, 1, None)


def test_of_several_seats_a_player_plays_the_one_to_decide_or_the_one_he_names(context: Context) -> None:
    _, as_ana = player(context)
    game, _ = new_of(context, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(context, as_ana, game, 1, None)
    seating.claim(context, Caller(), game, 2, None)
    for _ in range(2):
        act(context, game, as_ana)
    with refused("auth/wrong_seat"):
        playing.resign(context, Request(as_ana, game), 2)
    resigned = playing.resign(context, Request(as_ana, game), 1)
    assert 1 == resigned.events[0]["seat"]


def test_a_seat_given_to_a_player_who_has_one_already_is_added_to_his(context: Context) -> None:
    _, as_ana = player(context)
    game, tokens = new_of(context, as_ana, PLAYER, PLAYER)
    given_to(context, seat(tokens, 1), game, 1, as_ana)
    assert {"host", "seat:0", "seat:1"} == roles(context, game, as_ana)
    assert {"seat:0", "seat:1", "host"} == roles(context, game, as_ana)
    given_to(context, as_ana, game, 0, as_ana)  # to themselves: nothing changes
    assert {"host", "seat:0", "seat:1"} == roles(context, game, as_ana)


def test_who_gave_his_last_seat_away_has_the_game_no_longer_in_his_list(context: Context) -> None:
    _, as_ana = player(context)
    _, as_ben = player(context)
    game, _ = new_of(context, Caller(), OPEN, AI)
    seating.claim(context, as_ana, game, 0, None)
    assert [game] == [actual["id"] for actual in answered(listings.own(context, as_ana, ANY, None, 10))[0]]
    given_to(context, as_ana, game, 0, as_ben)
    assert ([], []) == (
        answered(listings.own(context, as_ana, ANY, None, 10))[0],
        answered(players.turns(context, as_ana, 0)),
    )
    assert [game] == [actual["id"] for actual in answered(listings.own(context, as_ben, ANY, None, 10))[0]]
    assert set() == roles(context, game, as_ana)


def test_only_the_holder_hands_a_seat_over(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    for code, caller in (
        ("auth/token_required", Caller()),
        ("auth/token_unknown", Caller("no token")),
        ("auth/wrong_seat", seat(tokens, 1)),
        ("auth/wrong_seat", Caller(tokens["host"])),
        ("auth/wrong_seat", Caller(tokens["invite"])),
    ):
        with refused(code):
            seating.hand_over(context, caller, game, 0, None)
    assert 3 == view(context, game)["revision"]


def test_a_player_who_claims_an_open_seat_has_it_by_his_own_token_and_under_his_name(context: Context) -> None:
    game, _ = new(context, PLAYER, OPEN, OPEN)
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
    ("has", "asks", "told"), [(None, None, None), (None, "Bo", "Bo"), ("Ana", None, "Ana"), ("Ana", "Bo", "Bo")]
)
def test_a_name_that_is_not_given_is_the_players(
    context: Context, has: str | None, asks: str | None, told: str
) -> None:
    _, as_ana = player(context, has)
    game, tokens = new(context, PLAYER, OPEN)
    assert told == seating.claim(context, as_ana, game, None, asks)["game"]["seats"][1]["name"]
    assert told == given_to(context, seat(tokens, 0), game, 0, as_ana, asks)["game"]["seats"][0]["name"]
    game, _ = new_of(context, as_ana, replace(PLAYER, name=asks), AI)
    assert told == view(context, game)["seats"][0]["name"]


def test_a_player_of_another_secret_claims_nothing(context: Context) -> None:
    game, _ = new(context, PLAYER, OPEN)
    ana, _ = player(context)
    with refused("auth/token_unknown"):
        seating.claim(context, Caller(f"{ana}.{'x' * 43}"), game, None, None)


def test_who_creates_a_game_as_a_player_is_its_host_and_has_its_first_seat(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    game, tokens = new_of(context, as_ana, AI, PLAYER, PLAYER)
    assert {"host", "seat:1"} == roles(context, game, as_ana)
    assert ({"2"}, [None, ana, None]) == (
        set(tokens["seats"]),
        [actual["player"] for actual in view(context, game)["seats"]],
    )


def test_a_seat_the_clock_has_given_to_an_ai_is_claimed_at_once_by_who_is_invited(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(69.999)
    assert not timeouts.keep_time(context, game)
    time.pass_(0.001)
    assert timeouts.keep_time(context, game)
    assert view(context, game)["seats"][0]["replaceable_at"] == view(context, game)["updated_at"]
    for stranger in (Caller(), Caller("no token"), Caller(tokens["watch"]), player(context)[1]):
        with refused("auth/invite_required"):
            seating.claim(context, stranger, game, 0, None)
    with refused("game/full"):
        seating.claim(context, Caller(tokens["invite"]), game, None, None)
    with refused("game/full"):
        seating.claim(context, Caller(tokens["invite"]), game, 1, None)
    claimed = seating.claim(context, Caller(tokens["invite"]), game, 0, "Zoe")
    assert ("active", "Zoe", [30.0, 60.0]) == (
        claimed["game"]["seats"][0]["status"],
        claimed["game"]["seats"][0]["name"],
        claimed["game"]["clock"]["banks"],
    )
    with refused("auth/token_unknown"):
        act(context, game, seat(tokens, 0))
    act(context, game, Caller(claimed["token"]))


@pytest.mark.parametrize("who", ["host", "own", "player's own"])
def test_a_gone_seat_is_had_by_the_host_and_by_its_own(context: Context, time: Time, who: str) -> None:
    ana, as_ana = player(context)
    creator = as_ana if who == "player's own" else Caller()
    game, tokens = new_of(context, creator, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70)
    timeouts.keep_time(context, game)
    caller = {
        "host": Caller(tokens["host"]),
        "own": Caller(tokens["seats"].get("0")),
        "player's own": as_ana,
    }[who]
    with refused("game/away|auth/wrong_seat|game/not_your_turn"):
        act(context, game, caller)
    claimed = seating.claim(context, caller, game, 0, None)
    if who == "player's own":
        assert (None, {"host", "seat:0"}) == (claimed["token"], roles(context, game, as_ana))
    else:
        assert {"seat:0"} == roles(context, game, Caller(claimed["token"]))
    assert ana == claimed["game"]["seats"][0]["player"] or who != "player's own"
    assert "active" == claimed["game"]["seats"][0]["status"]


def test_without_a_clock_a_seat_is_gone_when_it_was_waited_for_so_long(context: Context, time: Time) -> None:
    context.settings = replace(context.settings, gone_s=100)
    game, tokens = new(context, PLAYER, PLAYER)
    invited = Caller(tokens["invite"])
    time.pass_(50)
    act(context, game, seat(tokens, 0))
    time.pass_(99.999)
    for number in (0, 1):
        with refused("game/full"):
            seating.claim(context, invited, game, number, None)
    time.pass_(0.001)
    with refused("game/full"):
        seating.claim(context, invited, game, 0, None)
    with refused("auth/invite_required"):
        seating.claim(context, Caller(), game, 1, None)
    claimed = seating.claim(context, invited, game, 1, "Zoe")
    with refused("auth/token_unknown"):
        act(context, game, seat(tokens, 1))
    act(context, game, Caller(claimed["token"]))


def test_offers_and_talk_do_not_make_a_gone_seat_wait_anew(context: Context, time: Time) -> None:
    context.settings = replace(context.settings, gone_s=100)
    game, tokens = new(context, PLAYER, PLAYER)
    time.pass_(60)
    offering.pause(context, Request(seat(tokens, 1), game), None, 60)
    time.pass_(40)
    assert 0 == seating.claim(context, Caller(tokens["invite"]), game, 0, None)["seat"]


def test_in_a_private_game_a_gone_seat_is_hidden_from_strangers(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK, visibility="private")
    time.pass_(70)
    timeouts.keep_time(context, game)
    with refused("game/not_found"):
        seating.claim(context, Caller(), game, 0, None)
    with refused("auth/invite_required"):
        seating.claim(context, Caller(tokens["watch"]), game, 0, None)
    assert 0 == seating.claim(context, Caller(tokens["invite"]), game, 0, None)["seat"]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_a_handover_asked_for_again_with_its_key_gives_the_same_token(context: Context, visibility: str) -> None:
    """The first answer may be lost, and with it the only token of the seat; the old one has ended by then."""
    game, tokens = new(context, PLAYER, PLAYER, visibility=visibility)
    given = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", KEY)
    assert given == seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", KEY)
    with refused("idempotency/mismatch"):
        seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", replace(KEY, body_hash="another"))
    assert {"seat:0"} == roles(context, game, Caller(given["token"]))


def test_a_key_of_a_handover_is_the_callers_own(context: Context) -> None:
    """Whoever has come upon it does not get the seat's token."""
    game, tokens = new(context, PLAYER, PLAYER)
    given = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve", KEY)
    with refused("auth/wrong_seat"):
        seating.hand_over(context, seat(tokens, 1), game, 0, "Eve", KEY)
    again = seating.hand_over(context, Caller(given["token"]), game, 0, "Eve", KEY)
    assert again["token"] != given["token"]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_an_own_seat_claimed_back_and_asked_for_again_gives_the_same_token(
    context: Context, time: Time, visibility: str
) -> None:
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK, visibility=visibility)
    time.pass_(70)
    timeouts.keep_time(context, game)
    claimed = seating.claim(context, seat(tokens, 0), game, 0, None, None, KEY)
    assert claimed == seating.claim(context, seat(tokens, 0), game, 0, None, None, KEY)


def test_a_key_of_a_claim_is_the_callers_own_and_is_answered_though_the_game_has_moved_on(context: Context) -> None:
    game, tokens = new(context, PLAYER, OPEN, OPEN)
    _, as_ana = player(context)
    once = seating.claim(context, as_ana, game, None, None, None, KEY)
    other = seating.claim(context, Caller(), game, None, None, None, KEY)
    assert (1, 2) == (once["seat"], other["seat"])
    act(context, game, seat(tokens, 0))
    assert once == seating.claim(context, as_ana, game, None, None, None, KEY)
    assert other == seating.claim(context, Caller(), game, None, None, None, KEY)


def test_nobody_gets_the_answer_of_a_key_in_a_private_game_he_may_not_read(context: Context) -> None:
    game, tokens = new(context, PLAYER, OPEN, visibility="private")
    seating.claim(context, Caller(tokens["invite"]), game, None, None, None, KEY)
    for stranger in (Caller(), Caller("no token")):
        with refused("game/not_found"):
            seating.claim(context, stranger, game, None, None, None, KEY)


def test_of_twenty_who_claim_at_once_each_open_seat_goes_to_one(context: Context) -> None:
    game, _ = new(context, PLAYER, OPEN, OPEN, OPEN)
    callers = [player(context)[1] if number % 2 else Caller() for number in range(20)]
    results = together(*[lambda c=caller: seating.claim(context, c, game, None, None) for caller in callers])
    seated = [actual for actual in results if isinstance(actual, dict)]
    assert [1, 2, 3] == sorted(actual["seat"] for actual in seated)
    assert ["game/full"] * 17 == [actual for actual in results if isinstance(actual, str)]
    log = reading.history(context, Caller(), game)["events"]
    assert ["join"] * 3 == [event["kind"] for event in log if event["kind"] == "join"]
    held = [held for held in context.store.holders(game).values() if "seat:" in held]
    assert 4 == sum(held.count("seat:") for held in held)


def test_of_twenty_who_claim_a_gone_seat_at_once_one_has_it(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70)
    timeouts.keep_time(context, game)
    results = together(*[lambda: seating.claim(context, Caller(tokens["invite"]), game, 0, None)] * 20)
    (claimed,) = (actual for actual in results if isinstance(actual, dict))
    assert ["game/full"] * 19 == [actual for actual in results if isinstance(actual, str)]
    assert {"seat:0"} == roles(context, game, Caller(claimed["token"]))
    assert 1 == list(context.store.holders(game).values()).count("seat:0")


def test_of_twenty_claims_with_one_key_one_is_done_and_all_are_told_its_answer(context: Context) -> None:
    game, _ = new(context, PLAYER, OPEN, OPEN, OPEN)
    key = Idempotency("one key of more than 128 bits", "hash of the body")
    results = together(*[lambda: seating.claim(context, Caller(), game, None, None, None, key)] * 20)
    assert [results[0]] * 20 == results
    assert 2 == view(context, game)["revision"]


def test_a_seats_status_does_not_change_hands(context: Context, time: Time) -> None:
    """Who is away gives their seat away: the new holder comes back by claiming it, with the token they were given."""
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70)
    timeouts.keep_time(context, game)
    given = seating.hand_over(context, seat(tokens, 0), game, 0, "Eve")
    action, revision = first(context, game)
    with refused("game/away"):
        playing.act(context, Request(Caller(given["token"]), game, revision), action, None)
    claimed = seating.claim(context, Caller(given["token"]), game, 0, "Eve")
    act(context, game, Caller(claimed["token"]))
