"""Places of published bots: no way to a game exceeds them, and no game takes one for long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.games.errors import GameError
from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import BOTS_ALONE
from service.usecases.games import endpoints, offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import bots, challenging, seeking
from service.usecases.people import follow_ups, relations
from tests.threads import run_at_once
from tests.usecases.bots import AZUL, CALLED, CLOCK, POLLING, publish_bot
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER, raises_error
from tests.usecases.players import Time, issuer_of_retry, new_game_of, player, view


@pytest.fixture
def calling(context: Context) -> Context:
    """Allow outgoing calls."""
    context.settings = replace(context.settings, outgoing="on")
    return context


# ------------------------------------------------------------------------------------------- limits on acceptance


def accept_challenge(context: Context, bot: str, as_bot: Caller) -> None:
    _, as_ana = player(context)
    challenging.accept(context, as_bot, challenging.create(context, as_ana, bot, replace(AZUL, clock=CLOCK))["id"])


def have_a_challenge_accepted(context: Context, bot: str, as_bot: Caller) -> None:
    ana, as_ana = player(context)
    challenging.accept(context, as_ana, challenging.create(context, as_bot, ana, AZUL)["id"])


def be_paired(context: Context, bot: str, as_bot: Caller) -> None:
    seeking.seek(context, as_bot, AZUL)
    other = seeking.seek(context, player(context)[1], AZUL)
    if other["status"] == "open":
        for waiting in context.seeks.list_waiting(context.now_ms()):
            context.seeks.drop(waiting)
        raise GameError("bot/busy")


def claim_a_seat(context: Context, bot: str, as_bot: Caller) -> None:
    game, _ = new_game_of(context, player(context)[1], PLAYER, OPEN)
    seating.claim(context, as_bot, game, None, None)


def create_a_game(context: Context, bot: str, as_bot: Caller) -> None:
    new_game_of(context, as_bot, PLAYER, AI)


WAYS = (accept_challenge, have_a_challenge_accepted, be_paired, claim_a_seat, create_a_game)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("places", [1, 2])
def test_a_polling_bot_plays_no_more_games_than_it_allows(
    context: Context, way: Callable[[Context, str, Caller], None], places: int
) -> None:
    bot, as_bot = publish_bot(context, games_at_once=places)
    for _ in range(places):
        way(context, bot, as_bot)
    for other_way in WAYS[1:]:
        with raises_error("bot/busy"):
            other_way(context, bot, as_bot)
    assert places == len(context.players.game_ids(bot)) == bots.get(context, bot)["playing"]


def test_a_polling_bot_accepts_one_of_six_challenges_sent_before(context: Context) -> None:
    bot, as_bot = publish_bot(context)
    challenges = [challenging.create(context, player(context)[1], bot, AZUL)["id"] for _ in range(6)]

    def try_to_accept(challenge: str) -> str:
        try:
            return str(challenging.accept(context, as_bot, challenge)["status"])
        except GameError as error:
            return error.code

    assert ["accepted", *["bot/busy"] * 5] == sorted(run_at_once(try_to_accept, challenges))
    assert 1 == len(context.players.game_ids(bot))


def test_a_rematch_needs_a_place_of_the_bot(context: Context, time: Time) -> None:
    bot, as_bot = publish_bot(context)
    _, as_ana = player(context)
    games = []
    for _ in range(2):
        one = challenging.create(context, as_ana, bot, AZUL)
        games.append(challenging.accept(context, as_bot, one["id"])["game_id"])
        playing.resign(context, Request(as_ana, games[-1]), None)
        follow_ups.run_due(context)
        offering.rematch(context, Request(as_bot, games[-1]), None)
    offering.rematch(context, Request(as_ana, games[0]), None)
    with raises_error("bot/busy"):
        offering.rematch(context, Request(as_ana, games[1]), None)
    rematch = view(context, games[0])["rematch"]
    playing.resign(context, Request(as_ana, rematch), None)
    follow_ups.run_due(context)
    offering.rematch(context, Request(as_ana, games[1]), None)


def test_a_busy_bot_does_not_block_seeks_of_others(context: Context) -> None:
    bot, as_bot = publish_bot(context)
    seeking.seek(context, as_bot, AZUL)
    create_a_game(context, bot, as_bot)
    assert "open" == seeking.seek(context, player(context)[1], AZUL)["status"]
    assert "paired" == seeking.seek(context, player(context)[1], AZUL)["status"]


def test_a_rematch_with_a_called_bot_needs_its_consent(calling: Context) -> None:
    """It may have other terms, be busy, or be withdrawn, or its owner may have blocked the player."""
    bot, as_bot = publish_bot(calling, CALLED, games_at_once=2)
    ana, as_ana = player(calling)
    game = challenging.create(calling, as_ana, bot, AZUL)["game_id"]
    playing.resign(calling, Request(as_ana, game), None)
    follow_ups.run_due(calling)

    def rematch() -> Any:
        return offering.rematch(calling, Request(as_ana, game), None)

    bots.publish(calling, as_bot, replace(CALLED, opponents=BOTS_ALONE))
    with raises_error("bot/declines"):
        rematch()
    bots.publish(calling, as_bot, CALLED)
    other = challenging.create(calling, as_ana, bot, AZUL)["game_id"]
    with raises_error("bot/busy"):
        rematch()
    playing.resign(calling, Request(as_ana, other), None)
    follow_ups.run_due(calling)
    relations.block(calling, as_bot, ana)
    with raises_error("player/blocked"):
        rematch()
    relations.unblock(calling, as_bot, ana)
    bots.withdraw(calling, as_bot)
    with raises_error("bot/declines"):
        rematch()
    bots.publish(calling, as_bot, CALLED)
    assert "playing" == view(calling, orjson.loads(rematch().view)["rematch"])["status"]
    assert 1 == bots.get(calling, bot)["playing"]


# ------------------------------------------------------------------------------------------- games without a clock


@pytest.mark.parametrize(
    ("bounds", "clock"),
    [
        ({}, (600, 600)),
        ({"bank_s": (0, 86_400)}, (600, 3_600)),
        ({"turn_s": (0, 30), "bank_s": (0, 60)}, (30, 60)),
        ({"turn_s": (0, 0), "bank_s": (0, 0)}, (600, 3_600)),
    ],
)
@pytest.mark.parametrize("published", [CALLED, POLLING])
def test_a_challenge_of_a_bot_without_a_clock_gets_one(
    calling: Context, published: bots.NewBot, bounds: Json, clock: tuple[int, int]
) -> None:
    bot, as_bot = publish_bot(calling, published, **bounds)
    _, as_ana = player(calling)
    one = challenging.create(calling, as_ana, bot, AZUL, issuer_of_retry(as_ana))
    assert (*clock, "lose") == tuple(one["clock"][name] for name in ("turn_s", "bank_s", "on_timeout"))
    assert one["id"] == challenging.create(calling, as_ana, bot, AZUL, issuer_of_retry(as_ana))["id"]
    game = one["game_id"] or challenging.accept(calling, as_bot, one["id"])["game_id"]
    assert clock[0] == view(calling, game)["clock"]["turn_s"]


def test_a_person_who_leaves_frees_the_place_of_a_called_bot(calling: Context, time: Time) -> None:
    bot, _ = publish_bot(calling, CALLED)
    game = challenging.create(calling, player(calling)[1], bot, AZUL)["game_id"]
    number = next(number for number, seat in enumerate(view(calling, game)["seats"]) if seat["player"] == bot)
    while view(calling, game)["to_decide"] == number:
        call = endpoints.take(calling, game, view(calling, game)["revision"], number)
        assert call is not None
        endpoints.decide(calling, call, orjson.dumps({"id": str(call.position.legal_actions()[0])}))
    time.pass_(1_200)
    duties.run_due(calling, duties.BackOff())
    assert "finished" == view(calling, game)["status"]
    assert not bots.get(calling, bot)["busy"]


def test_games_with_a_called_bot_always_have_a_clock_and_cannot_be_paused(calling: Context) -> None:
    _, as_bot = publish_bot(calling, CALLED)
    _, as_ana = player(calling)
    seeking.seek(calling, as_bot, AZUL)
    game = seeking.seek(calling, as_ana, AZUL)["game_id"]
    assert view(calling, game)["clock"] is not None
    with raises_error("bot/declines") as error:
        offering.pause(calling, Request(as_ana, game), None, 60)
    assert {"/seconds"} == set(error.value.errors)
