"""The operator: sees every game, reads private ones, ends any, and exists only if the setting names a token."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from service.usecases.base.context import Caller, Context
from service.usecases.games import chat, offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.keeping import administering
from service.usecases.views import reading
from service.usecases.views.listings import Filters
from tests.storage.commits import pass_a_millisecond
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER, new_game, raises_error, seat
from tests.usecases.people.test_players import bucket_context
from tests.usecases.players import decide

__all__ = ["bucket_context"]
TOKEN = "an operator's token of many characters"
ADMIN = Caller(TOKEN)


@pytest.fixture
def admin_context(context: Context) -> Context:
    context.settings = replace(context.settings, admin_token=TOKEN)
    return context


def listed_ids(context: Context, filters: Filters | None = None, limit: int = 50) -> list[str]:
    """Return the ids over all pages."""
    results: list[str] = []
    cursor = None
    while True:
        page, cursor = to_json(administering.list_games(context, ADMIN, filters or Filters(), cursor, limit))
        results += [described["id"] for described in page]
        if cursor is None:
            return results


def test_without_an_admin_token_every_caller_is_refused(context: Context) -> None:
    game, _ = new_game(context, PLAYER, PLAYER, visibility="private")
    for caller in (ADMIN, Caller("")):
        with raises_error("auth/staff_only"):
            administering.list_games(context, caller, Filters(), None, 10)
        with raises_error("game/not_found"):
            reading.glance(context, caller, game)
        with raises_error("game/not_found"):
            playing.abort(context, Request(caller, game))


def test_a_part_of_the_admin_token_is_refused(admin_context: Context) -> None:
    with raises_error("auth/staff_only"):
        administering.list_games(admin_context, Caller(TOKEN[:-1]), Filters(), None, 10)


def test_the_operator_sees_all_games_in_pages_each_once(bucket_context: Context) -> None:
    bucket_context.settings = replace(bucket_context.settings, admin_token=TOKEN)
    made = [
        new_game(bucket_context, PLAYER, OPEN, visibility=visibility)[0]
        for visibility in ("public", "unlisted", "private") * 4
    ]
    for limit in (1, 5, 50):
        assert sorted(made) == sorted(listed_ids(bucket_context, limit=limit))


def test_the_games_that_expire_last_are_listed_first(admin_context: Context, redis_client: Redis) -> None:
    older, _ = new_game(admin_context, PLAYER, OPEN)
    pass_a_millisecond(redis_client)
    newer, _ = new_game(admin_context, PLAYER, OPEN)
    aborted_game, tokens = new_game(admin_context, PLAYER, OPEN)
    playing.abort(admin_context, Request(Caller(tokens["host"]), aborted_game))
    assert [aborted_game, newer, older] == listed_ids(admin_context)


def test_filters_apply_to_all_games(admin_context: Context) -> None:
    waiting, _ = new_game(admin_context, PLAYER, OPEN, visibility="private")
    running_game, _ = new_game(admin_context, PLAYER, AI)
    aborted_game, tokens = new_game(admin_context, PLAYER, OPEN)
    playing.abort(admin_context, Request(Caller(tokens["host"]), aborted_game))
    assert [[waiting], [running_game], [aborted_game], []] == [
        listed_ids(admin_context, actual)
        for actual in (
            Filters(open_seats=True),
            Filters(status="playing"),
            Filters(status="aborted"),
            Filters(ruleset="queens-garden"),
        )
    ]


def test_the_operator_reads_private_games(admin_context: Context) -> None:
    game, tokens = new_game(admin_context, PLAYER, PLAYER, visibility="private")
    decide(admin_context, game, seat(tokens, 0))
    for read in (reading.glance, reading.list_legal_actions, reading.history):
        assert read(admin_context, ADMIN, game)
    assert reading.view_at(admin_context, ADMIN, game, 3)
    assert next(reading.follow(admin_context, ADMIN, game, None))
    assert [] == chat.messages(admin_context, ADMIN, game, 0, 10, 0)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_operator_can_end_any_game(admin_context: Context, visibility: str) -> None:
    game, tokens = new_game(admin_context, PLAYER, PLAYER, visibility=visibility)
    for number in range(2):
        decide(admin_context, game, seat(tokens, number))
    with raises_error("game/too_late_to_abort"):
        playing.abort(admin_context, Request(Caller(tokens["host"]), game))
    assert "abort" == playing.abort(admin_context, Request(ADMIN, game)).events[0]["kind"]
    with raises_error("game/over"):
        playing.abort(admin_context, Request(ADMIN, game))
    with raises_error("game/not_found"):
        playing.abort(admin_context, Request(ADMIN, "x" * 16))


def test_the_operator_can_neither_play_nor_host(admin_context: Context) -> None:
    game, tokens = new_game(admin_context, PLAYER, PLAYER, visibility="private")
    commands: list[tuple[str, Any]] = [
        ("auth/wrong_seat", lambda: decide(admin_context, game, ADMIN)),
        ("auth/wrong_seat", lambda: playing.resign(admin_context, Request(ADMIN, game), None)),
        ("auth/wrong_seat", lambda: offering.pause(admin_context, Request(ADMIN, game), None, 60)),
        ("auth/wrong_seat", lambda: seating.hand_over(admin_context, ADMIN, game, 0, None, None)),
        ("auth/host_only", lambda: seating.rotate(admin_context, ADMIN, game, "host")),
        ("auth/invite_required", lambda: seating.claim(admin_context, ADMIN, game, None, None)),
    ]
    for code, command in commands:
        with raises_error(code):
            command()
    decide(admin_context, game, seat(tokens, 0))


def test_no_view_or_event_contains_the_operators_token(admin_context: Context) -> None:
    game, _ = new_game(admin_context, PLAYER, PLAYER, visibility="private")
    written = playing.abort(admin_context, Request(ADMIN, game))
    assert TOKEN.encode() not in written.view
    assert TOKEN not in str(written.events)
