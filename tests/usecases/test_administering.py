"""The operator: sees every game, reads private ones, ends any; there is none unless the setting names a token."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import redis

from service.usecases.base.context import Caller, Context
from service.usecases.games import chat, offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.views import administering, reading
from service.usecases.views.listings import Filters
from tests.usecases.answers import answered
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER, new, refused, seat
from tests.usecases.people.test_players import bucketed
from tests.usecases.players import decide
from tests.usecases.waiting import pass_a_millisecond

__all__ = ["bucketed"]
TOKEN = "an operator's token of many characters"
ADMIN = Caller(TOKEN)


@pytest.fixture
def administered(context: Context) -> Context:
    context.settings = replace(context.settings, admin_token=TOKEN)
    return context


def listed(context: Context, filters: Filters | None = None, limit: int = 50) -> list[str]:
    """All ids, over all pages."""
    results: list[str] = []
    cursor = None
    while True:
        page, cursor = answered(administering.listing(context, ADMIN, filters or Filters(), cursor, limit))
        results += [described["id"] for described in page]
        if cursor is None:
            return results


def test_without_the_setting_nobody_is_the_operator(context: Context) -> None:
    game, _ = new(context, PLAYER, PLAYER, visibility="private")
    for caller in (ADMIN, Caller("")):
        with refused("auth/admin_only"):
            administering.listing(context, caller, Filters(), None, 10)
        with refused("game/not_found"):
            reading.glance(context, caller, game)
        with refused("game/not_found"):
            playing.abort(context, Request(caller, game))


def test_a_part_of_the_token_is_not_the_token(administered: Context) -> None:
    with refused("auth/admin_only"):
        administering.listing(administered, Caller(TOKEN[:-1]), Filters(), None, 10)


def test_the_operator_sees_all_games_in_pages_each_once(bucketed: Context) -> None:
    bucketed.settings = replace(bucketed.settings, admin_token=TOKEN)
    made = [
        new(bucketed, PLAYER, OPEN, visibility=visibility)[0] for visibility in ("public", "unlisted", "private") * 4
    ]
    for limit in (1, 5, 50):
        assert sorted(made) == sorted(listed(bucketed, limit=limit))


def test_those_that_live_longest_come_first(administered: Context, redis_client: redis.Redis) -> None:
    older, _ = new(administered, PLAYER, OPEN)
    pass_a_millisecond(redis_client)
    newer, _ = new(administered, PLAYER, OPEN)
    ended, tokens = new(administered, PLAYER, OPEN)
    playing.abort(administered, Request(Caller(tokens["host"]), ended))
    assert [ended, newer, older] == listed(administered)


def test_filters_choose_among_all_games(administered: Context) -> None:
    waiting, _ = new(administered, PLAYER, OPEN, visibility="private")
    begun, _ = new(administered, PLAYER, AI)
    ended, tokens = new(administered, PLAYER, OPEN)
    playing.abort(administered, Request(Caller(tokens["host"]), ended))
    assert [[waiting], [begun], [ended], []] == [
        listed(administered, actual)
        for actual in (
            Filters(open_seats=True),
            Filters(status="playing"),
            Filters(status="aborted"),
            Filters(ruleset="queens-garden"),
        )
    ]


def test_the_operator_reads_private_games(administered: Context) -> None:
    game, tokens = new(administered, PLAYER, PLAYER, visibility="private")
    decide(administered, game, seat(tokens, 0))
    for read in (reading.glance, reading.legal, reading.history):
        assert read(administered, ADMIN, game)
    assert reading.at(administered, ADMIN, game, 3)
    assert next(reading.follow(administered, ADMIN, game, None))
    assert [] == chat.messages(administered, ADMIN, game, 0, 10, 0)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_operator_ends_any_game_whoever_may_lose_by_it(administered: Context, visibility: str) -> None:
    game, tokens = new(administered, PLAYER, PLAYER, visibility=visibility)
    for number in range(2):
        decide(administered, game, seat(tokens, number))
    with refused("game/too_late_to_abort"):
        playing.abort(administered, Request(Caller(tokens["host"]), game))
    assert "abort" == playing.abort(administered, Request(ADMIN, game)).events[0]["kind"]
    with refused("game/over"):
        playing.abort(administered, Request(ADMIN, game))
    with refused("game/not_found"):
        playing.abort(administered, Request(ADMIN, "x" * 16))


def test_the_operator_neither_plays_nor_hosts(administered: Context) -> None:
    game, tokens = new(administered, PLAYER, PLAYER, visibility="private")
    commands: list[tuple[str, Any]] = [
        ("auth/wrong_seat", lambda: decide(administered, game, ADMIN)),
        ("auth/wrong_seat", lambda: playing.resign(administered, Request(ADMIN, game), None)),
        ("auth/wrong_seat", lambda: offering.pause(administered, Request(ADMIN, game), None, 60)),
        ("auth/wrong_seat", lambda: seating.hand_over(administered, ADMIN, game, 0, None, None)),
        ("auth/host_only", lambda: seating.rotate(administered, ADMIN, game, "host")),
        ("auth/invite_required", lambda: seating.claim(administered, ADMIN, game, None, None)),
    ]
    for code, command in commands:
        with refused(code):
            command()
    decide(administered, game, seat(tokens, 0))


def test_the_operators_token_is_in_nothing_that_is_told(administered: Context) -> None:
    game, _ = new(administered, PLAYER, PLAYER, visibility="private")
    written = playing.abort(administered, Request(ADMIN, game))
    assert TOKEN.encode() not in written.view
    assert TOKEN not in str(written.events)
