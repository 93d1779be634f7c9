"""Rated games of people and programs: the rated seats and the required consent."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import EVERYBODY
from service.usecases.games import seating
from service.usecases.games.creating import NewSeat
from service.usecases.matchmaking import challenging, seeking
from tests.usecases.bots import AZUL, CLOCK, RATED, create_bot, publish_bot
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.players import Time, new_game_of, player, view

KINDS = [(one, other) for one in (False, True) for other in (False, True)]
CONSENTS = [(one, other) for one in (False, True) for other in (False, True)]


def create_caller(context: Context, is_bot: bool) -> tuple[str, Caller]:  # noqa: FBT001 - a case of the tables
    return create_bot(context) if is_bot else player(context)


@pytest.mark.parametrize("consents", CONSENTS)
@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("rated", [False, True])
def test_seeks_pair_people_and_bots_only_with_consent_of_both(
    context: Context,
    rated: bool,  # noqa: FBT001
    kinds: tuple[bool, bool],
    consents: tuple[bool, bool],
) -> None:
    callers = [create_caller(context, is_bot)[1] for is_bot in kinds]
    made = [
        seeking.seek(context, caller, replace(RATED if rated else AZUL, mixed=mixed))
        for caller, mixed in zip(callers, consents, strict=True)
    ]
    is_allowed = not rated or kinds[0] == kinds[1] or all(consents)
    assert ("paired" if is_allowed else "open") == made[1]["status"]
    if is_allowed:
        assert (rated, rated and kinds[0] != kinds[1]) == tuple(
            view(context, made[1]["game_id"])[name] for name in ("rated", "mixed")
        )


@pytest.mark.parametrize("consents", CONSENTS)
@pytest.mark.parametrize("kinds", KINDS)
def test_people_and_bots_join_rated_seeks_only_with_consent_of_both(
    context: Context, kinds: tuple[bool, bool], consents: tuple[bool, bool]
) -> None:
    (_, first), (_, second) = (create_caller(context, is_bot) for is_bot in kinds)
    seek = seeking.seek(context, first, replace(RATED, mixed=consents[0]))
    if kinds[0] == kinds[1] or all(consents):
        assert "paired" == seeking.join(context, second, seek["id"], mixed=consents[1])["status"]
    else:
        with raises_error("game/not_mixed"):
            seeking.join(context, second, seek["id"], mixed=consents[1])


def test_a_person_without_consent_is_not_paired_with_two_bots(context: Context) -> None:
    three = replace(RATED, seats=3)
    consents = [(False, True), (True, True), (False, False)]
    for is_bot, mixed in consents:
        made = seeking.seek(context, create_caller(context, is_bot)[1], replace(three, mixed=mixed))
    assert "open" == made["status"]
    made = seeking.seek(context, create_caller(context, True)[1], replace(three, mixed=True))
    assert "paired" == made["status"]


@pytest.mark.parametrize("consents", CONSENTS)
@pytest.mark.parametrize("kinds", KINDS)
def test_people_and_bots_accept_rated_challenges_only_with_consent_of_both(
    context: Context, kinds: tuple[bool, bool], consents: tuple[bool, bool]
) -> None:
    (_, first), (second, as_second) = (create_caller(context, is_bot) for is_bot in kinds)
    settings, is_same = replace(RATED, mixed=consents[0]), kinds[0] == kinds[1]
    if not is_same and not consents[0]:
        with raises_error("game/not_mixed"):
            challenging.create(context, first, second, settings)
        return
    one = challenging.create(context, first, second, settings)
    if is_same or consents[1]:
        game = challenging.accept(context, as_second, one["id"], mixed=consents[1])["game_id"]
        assert is_same != view(context, game)["mixed"]
        return
    with raises_error("game/not_mixed"):
        challenging.accept(context, as_second, one["id"])
    assert "open" == challenging.get(context, as_second, one["id"], 0)["status"]


def test_a_published_bot_consents_to_all_challenges(context: Context) -> None:
    bot, as_bot = publish_bot(context, rated=EVERYBODY)
    one = challenging.create(context, player(context)[1], bot, replace(RATED, mixed=True))
    assert "accepted" == challenging.accept(context, as_bot, one["id"])["status"]


@pytest.mark.parametrize("consents", CONSENTS)
@pytest.mark.parametrize("kinds", KINDS)
def test_people_and_bots_claim_seats_of_rated_games_only_with_consent(
    context: Context, kinds: tuple[bool, bool], consents: tuple[bool, bool]
) -> None:
    """Every player of a mixed game consents, because players of the other kind may follow."""
    (_, first), (_, second) = (create_caller(context, is_bot) for is_bot in kinds)
    game, _ = new_game_of(
        context, first, NewSeat("player"), NewSeat("open"), clock=CLOCK, rated=True, mixed=consents[0]
    )
    is_allowed = consents[1] if consents[0] else kinds[0] == kinds[1]
    if is_allowed:
        seating.claim(context, second, game, None, None, mixed=consents[1])
        assert "playing" == view(context, game)["status"]
        return
    with raises_error("game/not_mixed"):
        seating.claim(context, second, game, None, None, mixed=consents[1])
    assert "open" == view(context, game)["status"]


def test_a_game_that_is_not_rated_needs_no_consent(context: Context) -> None:
    game, _ = new_game_of(context, player(context)[1], NewSeat("player"), NewSeat("open"), mixed=True)
    seating.claim(context, create_bot(context)[1], game, None, None)
    assert (False, "playing") == (view(context, game)["mixed"], view(context, game)["status"])


def test_seeks_of_older_versions_count_as_seeks_of_people_without_consent(context: Context, time: Time) -> None:
    """A seek without the new fields is the seek of a person without consent."""
    ana, as_ana = player(context)
    made = seeking.seek(context, as_ana, RATED)
    key = "{b00}:seeks"
    store = context.seeks._redis
    content = orjson.loads(store.hget(key, made["id"]))  # type: ignore[arg-type]
    store.hset(key, made["id"], orjson.dumps({name: content[name] for name in content if name not in ("bot", "mixed")}))
    assert "open" == seeking.seek(context, create_bot(context)[1], replace(RATED, mixed=True))["status"]
    assert "paired" == seeking.seek(context, player(context)[1], RATED)["status"]
    assert 1 == len(context.players.game_ids(ana))
