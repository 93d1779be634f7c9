"""Rotated tokens, on a real store."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.games import seating
from tests.usecases.games.test_usecases import OPEN, PLAYER, new_game, raises_error, seat
from tests.usecases.players import new_game_of, player, roles, view


@pytest.mark.parametrize("role", ["host", "invite", "watch"])
def test_rotation_moves_the_role_to_the_new_token(context: Context, role: str) -> None:
    game, tokens = new_game(context, PLAYER, OPEN)
    before = context.store.holders(game)
    rotated = seating.rotate(context, Caller(tokens["host"]), game, role)
    assert role == rotated["role"]
    assert (set(), {role}) == (
        roles(context, game, Caller(tokens[role])),
        roles(context, game, Caller(rotated["token"])),
    )
    after = context.store.holders(game)
    assert {digest_of(tokens[role])} == before.keys() - after.keys()
    assert {digest_of(rotated["token"])} == after.keys() - before.keys()
    assert 1 == view(context, game)["revision"]


def test_only_the_host_can_rotate_a_token(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, OPEN)
    for code, caller in (
        ("auth/token_required", Caller()),
        ("auth/token_unknown", Caller("no token")),
        ("auth/host_only", seat(tokens, 0)),
        ("auth/host_only", Caller(tokens["invite"])),
        ("auth/host_only", Caller(tokens["watch"])),
    ):
        with raises_error(code):
            seating.rotate(context, caller, game, "invite")
    with raises_error("game/not_found"):
        seating.rotate(context, Caller(tokens["host"]), "x" * 16, "invite")


@pytest.mark.parametrize("first_seat", [PLAYER, OPEN], ids=["with a seat", "without a seat"])
def test_a_player_stays_host_when_the_hosts_token_is_rotated(context: Context, first_seat: Any) -> None:
    """The player's own token makes them host, and it did not change."""
    _, as_ana = player(context)
    game, tokens = new_game_of(context, as_ana, first_seat, OPEN)
    before = roles(context, game, as_ana)
    seating.rotate(context, as_ana, game, "host")
    assert set() == roles(context, game, Caller(tokens["host"]))
    assert before == roles(context, game, as_ana)


def test_a_rotation_does_not_prolong_the_game(context: Context, redis_client: Redis) -> None:
    game, tokens = new_game(context, PLAYER, OPEN)
    keys = context.store.keys.game(game)
    before = redis_client.pexpiretime(keys.tokens)
    seating.rotate(context, Caller(tokens["host"]), game, "watch")
    assert before == redis_client.pexpiretime(keys.tokens) == redis_client.pexpiretime(keys.game)
