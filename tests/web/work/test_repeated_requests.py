"""Requests with an Idempotency-Key that are sent twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from redis import Redis

from service.usecases.base.context import Context
from service.usecases.work import repeating
from tests.web.client import OPERATIONS, Client, Json, body_of, refusal_of
from tests.web.players import Person
from tests.web.table import Table
from tests.web.test_callers import BODIES

IGNORING = {"checkPosition", "pingWebhook"}
"""Operations whose descriptions say that they ignore the header."""
KEY = {"Idempotency_Key": "0123456789-0123456789-a"}
OTHER_KEY = {"Idempotency_Key": "0123456789-0123456789-b"}
HOOK: Json = {"url": "https://bot.example/azul"}
POSTS: dict[str, tuple[str, Json, Json]] = {  # path, body and another body
    "createWebhook": ("/v1/me/webhooks", HOOK, {"url": "https://bot.example/other"}),
    "sendMessage": ("/v1/games/{game}/messages", {"text": "Hello"}, {"text": "Bye"}),
    "createTournament": ("/v1/tournaments", BODIES["createTournament"], {**BODIES["createTournament"], "deals": 2}),
    "createPlayer": ("/v1/players", {"name": "Cleo"}, {"name": "Dora"}),
    "createMyToken": ("/v1/me/tokens", {"name": "phone"}, {"name": "watch"}),
    "rotateMyToken": ("/v1/me/token", {}, {}),
    "rotateToken": ("/v1/games/{game}/tokens", {"role": "watch"}, {"role": "invite"}),
    "createTicket": ("/v1/games/{game}/tickets", {}, {}),
}
SECRETS = {"createWebhook": "secret", "createPlayer": "token", "createMyToken": "token", "rotateMyToken": "token"}


def test_every_post_takes_the_header_or_says_that_it_ignores_it() -> None:
    without = {
        name: operation["description"]
        for name, (method, _, operation) in OPERATIONS.items()
        if method == "POST" and "Key'" not in str(operation.get("parameters"))
    }
    assert IGNORING == without.keys()
    assert all("Ignores `Idempotency-Key`" in description for description in without.values())


def sender(operation: str, table: Table, ana: Person, anyone: Client) -> Callable[..., Any]:
    """Return a function that sends the operation's POST with a body and headers."""
    path = POSTS[operation][0].format(game=table.id)
    client = ana.client if path.startswith("/v1/me") else anyone if "{game}" not in POSTS[operation][0] else table.host
    return lambda body, headers=KEY: client.send("POST", path, json=body, headers=headers)


@pytest.mark.parametrize("operation", POSTS)
def test_a_repeated_post_gets_the_same_response_and_changes_nothing_more(
    table: Table, ana: Person, anyone: Client, redis_client: Redis, operation: str
) -> None:
    send, (_, body, other) = sender(operation, table, ana, anyone), POSTS[operation]
    first = send(body)
    stored = {key for key in redis_client.scan_iter() if b"rate" not in key and b"limit" not in key}
    second = send(body)
    assert first.status_code < 300, first.json
    assert (first.status_code, first.json) == (second.status_code, second.json)
    assert first.headers.get("Location") == second.headers.get("Location")
    assert (None, "true") == tuple(one.headers.get("Idempotency-Replayed") for one in (first, second))
    assert stored == {key for key in redis_client.scan_iter() if b"rate" not in key and b"limit" not in key}
    if other != body:
        assert (422, "idempotency/mismatch") == refusal_of(send(other))
        assert first.json != send(other, OTHER_KEY).json


def test_one_key_makes_one_webhook_and_one_message(table: Table, ana: Person) -> None:
    for _ in range(2):
        ana.client.send("POST", "/v1/me/webhooks", json=HOOK, headers=KEY)
        table.host.send("POST", f"{table.path}/messages", json={"text": "Hello"}, headers=KEY)
    assert 1 == len(body_of(ana.client.get("/v1/me/webhooks"))["webhooks"])
    assert 1 == len(body_of(table.host.get(f"{table.path}/messages"))["messages"])


def test_the_same_key_of_two_players_makes_two_webhooks(ana: Person, ben: Person) -> None:
    made = [one.client.send("POST", "/v1/me/webhooks", json=HOOK, headers=KEY).json for one in (ana, ben)]
    assert made[0] != made[1]


@pytest.mark.parametrize("operation", [name for name in SECRETS if name != "createWebhook"])
def test_no_token_of_a_response_is_in_redis(
    table: Table, ana: Person, anyone: Client, redis_client: Redis, operation: str
) -> None:
    token = sender(operation, table, ana, anyone)(POSTS[operation][1]).json[SECRETS[operation]]
    stored = [redis_client.dump(key) or b"" for key in redis_client.scan_iter()]
    assert not any(token.rpartition(".")[2].encode() in content for content in stored)


def test_a_refused_request_releases_its_key(table: Table) -> None:
    path = f"{table.path}/messages"
    refused = table.seat(0).send("POST", path, json={"text": "Hello", "seat": 1}, headers=KEY)
    accepted = table.seat(0).send("POST", path, json={"text": "Hello", "seat": 0}, headers=KEY)
    assert (403, 201) == (refused.status_code, accepted.status_code)


def test_an_interrupted_request_is_completed_once_after_its_lease(
    table: Table, ana: Person, context: Context, wait_for: Callable[[float], None]
) -> None:
    def send() -> list[int]:
        hook = ana.client.send("POST", "/v1/me/webhooks", json=HOOK, headers=KEY)
        said = table.host.send("POST", f"{table.path}/messages", json={"text": "Hello"}, headers=KEY)
        return [hook.status_code, said.status_code]

    replace = context.replies.replace

    def lose_reply(digest: str, before: bytes | None, after: bytes, ttl_s: int) -> bool:
        return b'"reply"' not in after and replace(digest, before, after, ttl_s)

    with mock.patch.object(context.replies, "replace", lose_reply):
        assert [201, 201] == send()
    assert [503, 503] == send()
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    assert [201, 201] == send()
    assert 1 == len(body_of(ana.client.get("/v1/me/webhooks"))["webhooks"])
    assert 1 == len(body_of(table.host.get(f"{table.path}/messages"))["messages"])
