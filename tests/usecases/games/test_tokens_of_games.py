"""A repeated request returns the same tokens, and the stored data contains no token."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, seating
from service.usecases.games.creating import NewGame
from service.usecases.games.tokens import Issuer
from tests.stored import keys
from tests.usecases.games.test_usecases import KEY, OPEN, PLAYER, new_game, raises_error
from tests.usecases.players import player, roles

GAME = NewGame("azul", "coloured", (PLAYER, OPEN, PLAYER), first_seat=0)


def everything_kept(client: Redis, server: EmbeddedRedis) -> str:
    """Return the content of the server's memory and disk."""
    files = [path for path in Path(server.data_dir).rglob("*") if path.is_file()]
    return str(keys.dump(client)) + "".join(path.read_bytes().decode("latin-1") for path in files)


def tokens_of(made: Any) -> list[str]:
    """Return all tokens of a created game."""
    named = made["tokens"]
    return [named["host"], named["invite"], named["watch"], *named["seats"].values()]


def test_stored_replies_of_create_and_claim_contain_no_token(
    context: Context, redis_client: Redis, valkey: EmbeddedRedis
) -> None:
    made = creating.create(context, Caller(), GAME, KEY)
    game = made["game"]["id"]
    claimed = seating.claim(context, Caller(), game, 1, "Ben", None, KEY)
    handed = seating.hand_over(context, Caller(made["tokens"]["seats"]["0"]), game, 0, "Eve", KEY)
    all_tokens = [*tokens_of(made), claimed["token"], handed["token"]]
    stored = everything_kept(redis_client, valkey)
    assert [] == [token for token in all_tokens if token in stored]
    assert KEY.key not in stored
    assert game in stored


def test_a_repeated_create_returns_the_same_valid_tokens(context: Context) -> None:
    made, again = (creating.create(context, Caller(), GAME, KEY) for _ in range(2))
    assert made == again
    assert 5 == len(set(tokens_of(made)))
    assert {"seat:2"} == roles(context, made["game"]["id"], Caller(made["tokens"]["seats"]["2"]))


def test_a_repeated_create_by_a_player_returns_the_same_tokens(context: Context) -> None:
    _, ana = player(context, "Ana")
    made, again = (creating.create(context, ana, GAME, KEY) for _ in range(2))
    assert made == again
    assert ["2"] == list(made["tokens"]["seats"])


def test_a_repeated_claim_by_a_player_returns_no_token(context: Context) -> None:
    game, _ = new_game(context, PLAYER, OPEN)
    _, ben = player(context, "Ben")
    claimed, again = (seating.claim(context, ben, game, None, None, None, KEY) for _ in range(2))
    assert (None, claimed) == (claimed["token"], again)


def test_another_body_with_the_key_gets_no_tokens(context: Context) -> None:
    creating.create(context, Caller(), GAME, KEY)
    with raises_error("idempotency/mismatch"):
        creating.create(context, Caller(), GAME, Idempotency(KEY.key, "hash of another body"))


@pytest.mark.parametrize(
    "other",
    [
        Issuer(Caller(), Idempotency("another key", ""), "salt"),
        Issuer(Caller("a token"), Idempotency("key", ""), "salt"),
        Issuer(Caller(), Idempotency("key", ""), "another salt"),
        Issuer(Caller(), None),
    ],
)
def test_a_token_depends_on_key_caller_salt_and_role(other: Issuer) -> None:
    issuer = Issuer(Caller(), Idempotency("key", ""), "salt")
    assert issuer.token("host") == issuer.token("host")
    assert issuer.token("host") not in (issuer.token("invite"), other.token("host"))
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", issuer.token("host"))
