"""Consent given in advance ends: with another game, with time, with a block, with the account."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from service.games.errors import GameError
from service.games.state.clocks import LIVE_S, ClockRule
from service.games.state.offers import LIVE_OFFER_MS, SLOW_OFFER_MS
from service.storage.matchmaking.starts import LONGEST_CONSENT_MS
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, offering, seating
from service.usecases.games.commands import Request
from service.usecases.matchmaking import challenging, pairing, seeking
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import players, relations
from service.usecases.views import reading
from tests.threads import run_at_once
from tests.usecases.games.starts import (
    AZUL,
    LIVE,
    SLOW,
    STARTS,
    answer,
    finished_game,
    new_game,
    offer_rematch,
    play_an_ai,
    seek,
)
from tests.usecases.games.test_usecases import OPEN, PLAYER, raises_error
from tests.usecases.players import Time, decide, new_game_of, offer_id, player, resign, view

# --------------------------------------------------------------------------------------------- offers in games


@pytest.mark.parametrize("begin", STARTS)
def test_a_rematch_offer_ends_when_its_maker_starts_another_live_game(
    context: Context, time: Time, begin: Callable[[Context, Caller], None]
) -> None:
    (_, as_ana), (_, as_ben) = player(context, "Ana"), player(context, "Ben")
    game = finished_game(context, as_ana, as_ben)
    offer_rematch(context, as_ana, game)
    time.pass_(1)
    begin(context, as_ana)
    time.pass_(30)
    with raises_error("offer/not_found"):
        answer(context, as_ben, game)
    assert view(context, game)["rematch"] is None
    offer_rematch(context, as_ben, game)  # an offer of Ben's own
    (offer,) = view(context, game)["offers"]
    assert (1, [0]) == (offer["seat"], offer["awaiting"])
    answer(context, as_ana, game)
    assert "playing" == view(context, view(context, game)["rematch"])["status"]


@pytest.mark.parametrize("elsewhere", ["before", "after"])
def test_an_acceptance_ends_when_its_player_starts_another_live_game(
    context: Context, time: Time, elsewhere: str
) -> None:
    """Ben accepts, and Cleo is the last."""
    people = [player(context)[1] for _ in range(3)]
    game, _ = new_game_of(context, people[0], PLAYER, OPEN, OPEN, clock=LIVE)
    for caller in people[1:]:
        seating.claim(context, caller, game, None, None)
    for caller in people[:2]:
        resign(context, game, caller)
    offer_rematch(context, people[0], game)
    for step in ("before", "accept", "after"):
        time.pass_(1)
        if step == "accept":
            answer(context, people[1], game)
        elif step == elsewhere:
            play_an_ai(context, people[1])
    if elsewhere == "before":
        answer(context, people[2], game)
        assert view(context, game)["rematch"] is not None
        return
    with raises_error("offer/not_found"):
        answer(context, people[2], game)


@pytest.mark.parametrize("clock", [SLOW, None])
def test_a_rematch_offer_of_a_slow_game_lapses_after_three_days(
    context: Context, time: Time, clock: ClockRule | None
) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    games = [finished_game(context, as_ana, as_ben, clock) for _ in range(2)]
    for game in games:
        offer_rematch(context, as_ana, game)
    play_an_ai(context, as_ana)
    time.pass_(SLOW_OFFER_MS / 1000 - 1)
    answer(context, as_ben, games[0])
    time.pass_(1)
    with raises_error("offer/not_found"):
        answer(context, as_ben, games[1])
    offer_rematch(context, as_ana, games[1])
    answer(context, as_ben, games[1])


def test_a_rematch_offer_of_a_live_game_lapses_after_five_minutes(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game = finished_game(context, as_ana, as_ben)
    offer_rematch(context, as_ana, game)
    time.pass_(LIVE_OFFER_MS / 1000)
    with raises_error("offer/not_found"):
        answer(context, as_ben, game)


@pytest.mark.parametrize(("turn_s", "is_live"), [(LIVE_S - 60, True), (LIVE_S - 59, False)])
def test_a_clock_is_live_up_to_an_hour_of_a_seat(*, turn_s: int, is_live: bool) -> None:
    assert is_live == ClockRule(turn_s, 60, "lose", "random").is_live


@pytest.mark.parametrize("maker", [0, 1])
def test_one_of_two_rematches_accepted_at_the_same_time_starts(context: Context, maker: int) -> None:
    """Each of two strangers accepts the same player's offer."""
    _, as_ana = player(context)
    others = [player(context)[1] for _ in range(4)]
    games = [finished_game(context, *((as_ana, other) if maker == 0 else (other, as_ana))) for other in others]
    for game in games:
        offer_rematch(context, as_ana, game)

    def try_to_accept(number: int) -> None:
        with contextlib.suppress(GameError):
            answer(context, others[number], games[number])

    run_at_once(try_to_accept, range(len(games)))
    assert 1 == sum(view(context, game)["rematch"] is not None for game in games)


def test_an_offer_to_resume_ends_when_its_maker_plays_elsewhere(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game = new_game(context, as_ana, as_ben)
    offering.pause(context, Request(as_ana, game), None, 86_400)
    answer(context, as_ben, game)
    offering.resume(context, Request(as_ana, game), None)
    time.pass_(1)
    seek(context, as_ana)
    with raises_error("offer/not_found"):
        answer(context, as_ben, game)
    assert view(context, game)["paused_until"] is not None


def test_takebacks_and_pauses_of_slow_games_lapse_after_three_days(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    requests: list[Callable[[Request], Any]] = [
        lambda request: offering.pause(context, request, None, 60),
        lambda request: offering.take_back(context, request, None),
    ]
    for make in requests:
        game = new_game(context, as_ana, as_ben, None)
        for _ in range(2):
            decide(context, game, (as_ana, as_ben)[view(context, game)["to_decide"]])
        make(Request(as_ana, game))
        time.pass_(SLOW_OFFER_MS / 1000)
        with raises_error("offer/not_found"):
            answer(context, as_ben, game)


def test_a_rematch_offer_ends_with_the_account_of_its_maker(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game = finished_game(context, as_ana, as_ben)
    offer_rematch(context, as_ana, game)
    players.delete(context, as_ana)
    assert [] == view(context, game)["offers"]


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_ends_a_rematch_offer(context: Context, blocker: int) -> None:
    people = [player(context) for _ in range(2)]
    game = finished_game(context, people[0][1], people[1][1])
    offer_rematch(context, people[0][1], game)
    relations.block(context, people[blocker][1], people[1 - blocker][0])
    with raises_error("player/blocked"):
        answer(context, people[1][1], game)
    with raises_error("player/blocked"):
        offer_rematch(context, people[1][1], game)
    offering.answer(context, Request(people[0][1], game), offer_id(context, game), None, accept=False)
    for _, caller in people:
        with raises_error("player/blocked"):
            offer_rematch(context, caller, game)


# --------------------------------------------------------------------------------------------- seats of open games


def test_a_seat_waits_for_no_player_who_plays_elsewhere(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game, tokens = new_game_of(context, as_ana, PLAYER, OPEN, clock=LIVE)
    time.pass_(1)
    seek(context, as_ana)
    for join in (
        lambda: seating.claim(context, as_ben, game, None, None),
        lambda: creating.start(context, Request(Caller(tokens["host"]), game)),
    ):
        with raises_error("game/not_ready"):
            join()
    assert "open" == view(context, game)["status"]
    seating.claim(context, as_ana, game, 0, None)  # Ana is back
    seating.claim(context, as_ben, game, None, None)
    assert "playing" == view(context, game)["status"]


def test_a_player_who_follows_an_open_game_is_ready(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, OPEN, clock=LIVE)
    time.pass_(1)
    seek(context, as_ana)
    items = reading.follow(context, as_ana, game, None)
    next(items)
    seating.claim(context, as_ben, game, None, None)
    assert "playing" == view(context, game)["status"]
    items.close()


@pytest.mark.parametrize("clock", [LIVE, SLOW, None])
def test_a_seat_is_promised_for_three_days(context: Context, time: Time, clock: ClockRule | None) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, OPEN, clock=clock)
    time.pass_(LONGEST_CONSENT_MS / 1000)
    with raises_error("game/not_ready"):
        seating.claim(context, as_ben, game, None, None)
    seating.claim(context, as_ana, game, 0, None)
    seating.claim(context, as_ben, game, None, None)


# ------------------------------------------------------------------------------------------- challenges and seeks


@pytest.mark.parametrize("begin", STARTS)
def test_challenges_and_seeks_end_when_their_maker_starts_a_live_game(
    context: Context, time: Time, begin: Callable[[Context, Caller], None]
) -> None:
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    one = challenging.create(context, as_ana, ben, AZUL)
    slow = challenging.create(context, as_ana, ben, NewSeek("azul", "grey", 2, SLOW))
    if begin is not seek:
        seeking.seek(context, as_ana, NewSeek("azul", "grey", 2, keep_s=600))
    time.pass_(1)
    begin(context, as_ana)
    assert [] == [each for each in seeking.lobby(context, None, None, None) if each["player"]["id"] == as_ana.player_id]
    with raises_error("challenge/answered") as error:
        challenging.accept(context, as_ben, one["id"])
    assert {"became": "withdrawn"} == error.value.extra
    pairing.run_due(context)
    assert "withdrawn" == challenging.get(context, as_ben, one["id"], 0)["status"]
    assert [slow["id"]] == [each["id"] for each in challenging.list_challenges(context, as_ben, 0)["received"]]
    challenging.accept(context, as_ben, slow["id"])


def test_a_challenge_made_after_a_start_is_open(context: Context, time: Time) -> None:
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    seek(context, as_ana)
    time.pass_(1)
    one = challenging.create(context, as_ana, ben, AZUL)
    pairing.run_due(context)
    assert challenging.accept(context, as_ben, one["id"])["game_id"]


def test_a_challenge_stays_open_when_its_maker_starts_a_slow_game(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben), (_, as_cleo) = player(context), player(context), player(context)
    one = challenging.create(context, as_ana, ben, AZUL)
    time.pass_(1)
    slow = challenging.create(context, as_cleo, ana, NewSeek("azul", "grey", 2, SLOW))
    challenging.accept(context, as_ana, slow["id"])
    assert challenging.accept(context, as_ben, one["id"])["game_id"]


@pytest.mark.parametrize("challenger", [0, 1])
def test_a_block_ends_the_challenges_between_both(context: Context, challenger: int) -> None:
    """Ana blocks Ben. Ben only sees that the challenge is over."""
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    sender, recipient = [(as_ana, ben), (as_ben, ana)][challenger]
    one = challenging.create(context, sender, recipient, AZUL)
    kept = challenging.create(context, as_ana, player(context)[0], AZUL)
    relations.block(context, as_ana, ben)
    assert ("withdrawn", "declined")[challenger] == challenging.get(context, as_ben, one["id"], 0)["status"]
    assert [kept["id"]] == [each["id"] for each in challenging.list_challenges(context, as_ana, 0)["sent"]]
    for caller, other in ((as_ana, ben), (as_ben, ana)):
        with raises_error("player/blocked"):
            challenging.create(context, caller, other, AZUL)


def test_a_challenge_is_not_accepted_after_a_block_whose_writer_died(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    one = challenging.create(context, as_ana, ben, AZUL)
    monkeypatch.setattr(challenging, "end_between", lambda *_: None)
    relations.block(context, as_ana, ben)
    with raises_error("challenge/answered"):
        challenging.accept(context, as_ben, one["id"])


@pytest.mark.parametrize("blocker", [0, 1])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_block_reaches_waiting_seeks(context: Context, blocker: int, seats: int) -> None:
    people = [player(context) for _ in range(seats + 1)]
    wanted = NewSeek("azul", "coloured", seats, LIVE, keep_s=600)
    seeks = [seeking.seek(context, people[0][1], wanted)]
    relations.block(context, people[blocker][1], people[1 - blocker][0])
    with raises_error("player/blocked"):
        seeking.join(context, people[1][1], seeks[0]["id"])
    seeks += [seeking.seek(context, caller, wanted) for _, caller in people[1:seats]]
    assert ["open"] * seats == [seeking.get(context, people[n][1], seeks[n]["id"], 0)["status"] for n in range(seats)]
    seeking.seek(context, people[seats][1], wanted)
    pairing.run_due(context)
    pairing.run_due(context)
    statuses = [seeking.get(context, people[n][1], seeks[n]["id"], 0)["status"] for n in range(seats)]
    assert (1, 1) == (statuses[:2].count("open"), statuses[:2].count("paired"))


@pytest.mark.parametrize("blocker", [0, 1])
def test_two_waiting_seeks_are_not_paired_after_a_block(context: Context, blocker: int, time: Time) -> None:
    """They wait for a third player, or until their ratings are near enough."""
    people = [player(context) for _ in range(3)]
    wanted = NewSeek("azul", "coloured", 3, keep_s=600)
    seeks = [seeking.seek(context, caller, wanted) for _, caller in people[:2]]
    relations.block(context, people[blocker][1], people[1 - blocker][0])
    seeking.seek(context, people[2][1], wanted)
    for _ in range(3):
        pairing.run_due(context)
    assert {"open"} == {seeking.get(context, people[n][1], seeks[n]["id"], 0)["status"] for n in range(2)}
