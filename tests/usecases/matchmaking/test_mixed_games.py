"""Rated games of people and programs: who is rated with whom, and who has to say so."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import EVERYBODY
from service.usecases.games import seating
from service.usecases.games.creating import NewSeat
from service.usecases.matchmaking import challenging, seeking
from tests.usecases.bots import AZUL, CLOCK, RATED, program, published
from tests.usecases.games.test_usecases import refused
from tests.usecases.players import Time, new_of, player, view

KINDS = [(one, other) for one in (False, True) for other in (False, True)]
SAID = [(one, other) for one in (False, True) for other in (False, True)]


def of_kind(context: Context, is_bot: bool) -> tuple[str, Caller]:  # noqa: FBT001 - a case of the tables
    return program(context) if is_bot else player(context)


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("rated", [False, True])
def test_who_is_paired_by_seeks(
    context: Context,
    rated: bool,  # noqa: FBT001
    kinds: tuple[bool, bool],
    said: tuple[bool, bool],
) -> None:
    callers = [of_kind(context, is_bot)[1] for is_bot in kinds]
    made = [
        seeking.seek(context, caller, replace(RATED if rated else AZUL, mixed=mixed))
        for caller, mixed in zip(callers, said, strict=True)
    ]
    may = not rated or kinds[0] == kinds[1] or all(said)
    assert ("paired" if may else "open") == made[1]["status"]
    if may:
        assert (rated, rated and kinds[0] != kinds[1]) == tuple(
            view(context, made[1]["game_id"])[name] for name in ("rated", "mixed")
        )


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("kinds", KINDS)
def test_who_may_join_a_rated_seek(context: Context, kinds: tuple[bool, bool], said: tuple[bool, bool]) -> None:
    (_, first), (_, second) = (of_kind(context, is_bot) for is_bot in kinds)
    own = seeking.seek(context, first, replace(RATED, mixed=said[0]))
    if kinds[0] == kinds[1] or all(said):
        assert "paired" == seeking.join(context, second, own["id"], mixed=said[1])["status"]
    else:
        with refused("game/not_mixed"):
            seeking.join(context, second, own["id"], mixed=said[1])


def test_one_of_three_who_has_not_said_so_is_not_paired_with_programs(context: Context) -> None:
    three = replace(RATED, seats=3)
    said = [(False, True), (True, True), (False, False)]
    for is_bot, mixed in said:
        made = seeking.seek(context, of_kind(context, is_bot)[1], replace(three, mixed=mixed))
    assert "open" == made["status"]
    made = seeking.seek(context, of_kind(context, True)[1], replace(three, mixed=True))
    assert "paired" == made["status"]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("kinds", KINDS)
def test_who_may_accept_a_rated_challenge(context: Context, kinds: tuple[bool, bool], said: tuple[bool, bool]) -> None:
    (_, first), (second, as_second) = (of_kind(context, is_bot) for is_bot in kinds)
    wanted, is_same = replace(RATED, mixed=said[0]), kinds[0] == kinds[1]
    if not is_same and not said[0]:
        with refused("game/not_mixed"):
            challenging.challenge(context, first, second, wanted)
        return
    one = challenging.challenge(context, first, second, wanted)
    if is_same or said[1]:
        game = challenging.accept(context, as_second, one["id"], mixed=said[1])["game_id"]
        assert is_same != view(context, game)["mixed"]
        return
    with refused("game/not_mixed"):
        challenging.accept(context, as_second, one["id"])
    assert "open" == challenging.look(context, as_second, one["id"], 0)["status"]


def test_a_bot_says_so_once_for_all_challenges(context: Context) -> None:
    bot, as_bot = published(context, rated=EVERYBODY)
    one = challenging.challenge(context, player(context)[1], bot, replace(RATED, mixed=True))
    assert "accepted" == challenging.accept(context, as_bot, one["id"])["status"]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("kinds", KINDS)
def test_who_may_claim_a_seat_of_a_rated_game(
    context: Context, kinds: tuple[bool, bool], said: tuple[bool, bool]
) -> None:
    """In a mixed game whoever sits down says so, of whatever kind: others may come who are of another."""
    (_, first), (_, second) = (of_kind(context, is_bot) for is_bot in kinds)
    game, _ = new_of(context, first, NewSeat("player"), NewSeat("open"), clock=CLOCK, rated=True, mixed=said[0])
    may = said[1] if said[0] else kinds[0] == kinds[1]
    if may:
        seating.claim(context, second, game, None, None, mixed=said[1])
        assert "playing" == view(context, game)["status"]
        return
    with refused("game/not_mixed"):
        seating.claim(context, second, game, None, None, mixed=said[1])
    assert "open" == view(context, game)["status"]


def test_a_game_that_is_not_rated_is_anybodys(context: Context) -> None:
    game, _ = new_of(context, player(context)[1], NewSeat("player"), NewSeat("open"), mixed=True)
    seating.claim(context, program(context)[1], game, None, None)
    assert (False, "playing") == (view(context, game)["mixed"], view(context, game)["status"])


def test_what_older_versions_have_stored_is_of_people_alone(context: Context, time: Time) -> None:
    """A seek without the new members is read as one of a person who has not said so."""
    ana, as_ana = player(context)
    made = seeking.seek(context, as_ana, RATED)
    key = "{b00}:seeks"
    store = context.seeks._redis
    content = orjson.loads(store.hget(key, made["id"]))  # type: ignore[arg-type]
    store.hset(key, made["id"], orjson.dumps({name: content[name] for name in content if name not in ("bot", "mixed")}))
    assert "open" == seeking.seek(context, program(context)[1], replace(RATED, mixed=True))["status"]
    assert "paired" == seeking.seek(context, player(context)[1], RATED)["status"]
    assert 1 == len(context.players.game_ids(ana))
