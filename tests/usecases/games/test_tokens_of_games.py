"""Tokens of a repeated request are the same, and nothing that is stored of them opens a game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import redis

from service.operate.redis.launcher import EmbeddedRedis
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, seating
from service.usecases.games.creating import NewGame
from service.usecases.games.tokens import Issuer
from tests.stored import keys
from tests.usecases.games.test_usecases import KEY, OPEN, PLAYER, new, refused
from tests.usecases.players import player, roles

GAME = NewGame("azul", "coloured", (PLAYER, OPEN, PLAYER), first_seat=0)


def everything_kept(client: redis.Redis, server: EmbeddedRedis) -> str:
    """What the server holds and what stands on its disk."""
    files = [path for path in Path(server.data_dir).rglob("*") if path.is_file()]
    return str(keys.dump(client)) + "".join(path.read_bytes().decode("latin-1") for path in files)


def tokens_of(made: Any) -> list[str]:
    """All tokens of a created game."""
    named = made["tokens"]
    return [named["host"], named["invite"], named["watch"], *named["seats"].values()]


def test_what_is_remembered_of_a_create_and_a_claim_opens_nothing(
    context: Context, redis_client: redis.Redis, valkey: EmbeddedRedis
) -> None:
    made = creating.create(context, Caller(), GAME, KEY)
    game = made["game"]["id"]
    claimed = seating.claim(context, Caller(), game, 1, "Ben", None, KEY)
    handed = seating.hand_over(context, Caller(made["tokens"]["seats"]["0"]), game, 0, "Eve", KEY)
    given = [*tokens_of(made), claimed["token"], handed["token"]]
    kept = everything_kept(redis_client, valkey)
    assert [] == [token for token in given if token in kept]
    assert KEY.key not in kept
    assert game in kept


def test_who_repeats_a_create_gets_the_same_tokens_which_hold(context: Context) -> None:
    made, again = (creating.create(context, Caller(), GAME, KEY) for _ in range(2))
    assert made == again
    assert 5 == len(set(tokens_of(made)))
    assert {"seat:2"} == roles(context, made["game"]["id"], Caller(made["tokens"]["seats"]["2"]))


def test_a_player_who_repeats_a_create_gets_the_same_tokens(context: Context) -> None:
    _, ana = player(context, "Ana")
    made, again = (creating.create(context, ana, GAME, KEY) for _ in range(2))
    assert made == again
    assert ["2"] == list(made["tokens"]["seats"])


def test_a_players_seat_has_no_token_however_often_he_claims_it(context: Context) -> None:
    game, _ = new(context, PLAYER, OPEN)
    _, ben = player(context, "Ben")
    claimed, again = (seating.claim(context, ben, game, None, None, None, KEY) for _ in range(2))
    assert (None, claimed) == (claimed["token"], again)


def test_another_body_with_the_key_gets_no_tokens(context: Context) -> None:
    creating.create(context, Caller(), GAME, KEY)
    with refused("idempotency/mismatch"):
        creating.create(context, Caller(), GAME, Idempotency(KEY.key, "hash of another body"))


@pytest.mark.parametrize(
    "other",
    [
        Issuer.again(Caller(), Idempotency("another key", ""), "salt"),
        Issuer.again(Caller("a token"), Idempotency("key", ""), "salt"),
        Issuer.again(Caller(), Idempotency("key", ""), "another salt"),
        Issuer.new(Caller(), None),
    ],
)
def test_a_token_hangs_on_key_caller_salt_and_role(other: Issuer) -> None:
    issuer = Issuer.again(Caller(), Idempotency("key", ""), "salt")
    assert issuer.token("host") == issuer.token("host")
    assert issuer.token("host") not in (issuer.token("invite"), other.token("host"))
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", issuer.token("host"))
