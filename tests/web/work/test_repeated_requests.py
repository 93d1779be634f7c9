"""Requests with an Idempotency-Key that are sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast
from unittest import mock

import orjson
import pytest
from redis import Redis

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.storage.work.queue import BACKGROUND
from service.storage.work.tasks import DONE
from service.usecases.base.context import Caller, Context
from service.usecases.games import shares
from service.usecases.keeping import sanctions
from service.usecases.work import repeating
from service.usecases.work.tournaments import TOURNAMENT
from tests.web.client import OPERATIONS, Client, Json, body_of, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.notifications.pings import deliver_ping
from tests.web.players import Person, seat_players
from tests.web.table import Table, Wait
from tests.web.test_callers import BODIES

IGNORING = {"checkPosition", "pingWebhook", "previewAction", "endGame", "exportPlayer", "attemptPuzzle"}
"""Operations whose descriptions say that they ignore the header."""
KEY = {"Idempotency_Key": "0123456789-0123456789-a"}
OTHER_KEY = {"Idempotency_Key": "0123456789-0123456789-b"}
HOOK: Json = {"url": "https://bot.example/azul"}
AZUL: Json = {"ruleset": "azul", "variant": "grey"}
COMPETITION = BODIES["createCompetition"]
POSTS: dict[str, tuple[str, Json, Json]] = {  # path, body and another body
    "createWebhook": ("/v1/me/webhooks", HOOK, {"url": "https://bot.example/other"}),
    "resendDelivery": ("/v1/me/webhooks/{webhook}/deliveries/{delivery}/attempts", {}, {}),
    "rotateWebhookSecret": ("/v1/me/webhooks/{webhook}/secret", {}, {"overlap_s": 0}),
    "sendMessage": ("/v1/games/{game}/messages", {"text": "Hello"}, {"text": "Bye"}),
    "createTournament": ("/v1/tournaments", BODIES["createTournament"], {**BODIES["createTournament"], "deals": 2}),
    "createPlayer": ("/v1/players", {"name": "Cleo"}, {"name": "Dora"}),
    "createMyToken": ("/v1/me/tokens", {"name": "phone"}, {"name": "watch"}),
    "rotateMyToken": ("/v1/me/token", {}, {}),
    "rotateToken": ("/v1/games/{game}/tokens", {"role": "watch"}, {"role": "invite"}),
    "createTicket": ("/v1/games/{game}/tickets", {}, {}),
    "analyseGame": ("/v1/games/{game}/analyses", {"kind": "decision"}, {"kind": "decision", "best": 2}),
    "createSeek": ("/v1/seeks", {**AZUL, "seats": 3}, {**AZUL, "seats": 4}),
    "joinSeek": ("/v1/seeks/{seek}/join", {}, {"mixed": True}),
    "createChallenge": ("/v1/players/{ben}/challenges", AZUL, {**AZUL, "variant": "coloured"}),
    "acceptChallenge": ("/v1/challenges/{challenge}/accept", {}, {"mixed": True}),
    "declineChallenge": ("/v1/challenges/{challenge}/decline", {}, {"reason": "later"}),
    "joinCompetition": ("/v1/competitions/{competition}/join", {}, {}),
    "leaveCompetition": ("/v1/competitions/{competition}/leave", {}, {}),
    "subscribeDevice": ("/v1/me/devices", BODIES["subscribeDevice"], {**BODIES["subscribeDevice"], "name": "Phone"}),
    "createCompetition": ("/v1/competitions", COMPETITION, {**COMPETITION, "rounds": 3}),
}
SECRETS = {"createWebhook": "secret", "createPlayer": "token", "createMyToken": "token", "rotateMyToken": "token"}
HARMLESS = {"createTicket"}
"""Operations whose second result expires within minutes."""
OPTIONS: dict[str, list[Json]] = {  # changes of the body that do not change the game
    "createSeek": [{"fill": {"level": "greedy", "after_s": 5}}, {"keep_s": 99}, {"rating_range": 99}, {"mixed": True}],
    "createChallenge": [{"answer_s": 99}, {"mixed": True}],
    "createCompetition": [{"name": "Other"}, {"most_players": 8}, {"visibility": "unlisted"}, {"by_invitation": True}],
}


class KilledError(BaseException):
    """The process has died."""


@dataclass
class Sender:
    """Sends the POST of an operation with a body and headers."""

    client: Client
    path: str

    def __call__(self, body: Json, headers: Json = KEY) -> Any:
        return self.client.send("POST", self.path, json=body, headers=headers)


Send = Callable[[str], Sender]


@pytest.fixture
def sender(table: Table, ana: Person, ben: Person, anyone: Client, context: Context) -> Send:
    """Return a function that returns the sender of an operation: the host, or nobody in particular, or Ana."""

    def make(operation: str) -> Sender:
        path = POSTS[operation][0]
        client = anyone if operation in ("createTournament", "createPlayer") else ana.client
        if "{game}" in path:
            client = table.host
        others = {
            "seek": ("/v1/seeks", AZUL),
            "challenge": (f"/v1/players/{ana.id}/challenges", AZUL),
            "competition": ("/v1/competitions", COMPETITION),
        }
        made = {n: body_of(ben.client.post(*of), 201)["id"] for n, of in others.items() if f"{{{n}}}" in path}
        if "{webhook}" in path:
            made |= deliver_ping(context, ana)
        return Sender(client, path.format(game=table.id, ben=ben.id, **made))

    return make


def contents(redis_client: Redis) -> dict[bytes, list[bytes]]:
    """Return what is stored without counts of requests: keys, and the names in hashes, sets and sorted sets."""
    commands = {b"hash": "HKEYS", b"set": "SMEMBERS", b"zset": "ZRANGE"}

    def names(key: bytes) -> list[bytes]:
        command, kind = cast("Any", redis_client.execute_command), cast("bytes", redis_client.type(key))
        return sorted(command(commands[kind], key, *((0, -1) if kind == b"zset" else ()))) if kind in commands else []

    keys = [key for key in redis_client.scan_iter() if b"rate" not in key and b"limit" not in key]
    return {key: names(key) for key in keys}


@contextmanager
def killed_before_the_reply_is_stored(context: Context) -> Iterator[None]:
    """Let the process die between the execution of a request and its reply."""
    store = context.replies.replace

    def die(digest: str, before: bytes | None, after: bytes | None, ttl_s: int) -> bool:
        if b'"reply"' in (after or b""):
            raise KilledError
        return store(digest, before, after, ttl_s)

    with mock.patch.object(context.replies, "replace", die), pytest.raises(KilledError):
        yield


def test_every_post_takes_the_header_or_says_that_it_ignores_it() -> None:
    without = {
        name: operation["description"]
        for name, (method, _, operation) in OPERATIONS.items()
        if method == "POST" and "Key'" not in str(operation.get("parameters"))
    }
    assert IGNORING == without.keys()
    assert all("Ignores `Idempotency-Key`" in description for description in without.values())


@pytest.mark.parametrize("operation", POSTS)
def test_a_repeated_post_gets_the_same_response_and_changes_nothing_more(
    sender: Send, redis_client: Redis, operation: str
) -> None:
    send, (_, body, other) = sender(operation), POSTS[operation]
    first = send(body)
    stored = contents(redis_client)
    second = send(body)
    assert first.status_code < 300, first.json
    assert (first.status_code, first.json) == (second.status_code, second.json)
    assert first.headers.get("Location") == second.headers.get("Location")
    assert (None, "true") == tuple(one.headers.get("Idempotency-Replayed") for one in (first, second))
    assert stored == contents(redis_client)
    if other != body:
        assert (422, "idempotency/mismatch") == refusal_of(send(other))
        assert first.json != send(other, OTHER_KEY).json


@pytest.mark.parametrize(("operation", "change"), [(name, change) for name in OPTIONS for change in OPTIONS[name]])
def test_a_repeated_key_with_another_option_is_refused(sender: Send, operation: str, change: Json) -> None:
    send, body = sender(operation), POSTS[operation][1]
    assert 201 == send(body).status_code
    assert (422, "idempotency/mismatch") == refusal_of(send({**body, **change}))
    assert 201 == send({**body, **change}, OTHER_KEY).status_code


@pytest.mark.parametrize("operation", sorted(POSTS.keys() - HARMLESS))
def test_a_request_repeated_after_a_kill_finds_what_the_first_one_created(
    sender: Send, context: Context, redis_client: Redis, wait_for: Wait, operation: str
) -> None:
    send, body = sender(operation), POSTS[operation][1]
    with killed_before_the_reply_is_stored(context):
        send(body)
    stored = contents(redis_client)
    assert (503, "idempotency/running") == refusal_of(send(body))
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    again = send(body)
    assert again.status_code < 300, again.json
    assert stored == contents(redis_client)
    assert again.json == send(body).json
    if SECRETS.get(operation) == "token":
        assert 200 == send.client.with_token(again.json["token"]).get("/v1/me").status_code


@pytest.mark.parametrize("operation", ["createTournament", "createSeek", "createPlayer", "createMyToken"])
def test_a_request_killed_twice_still_creates_one_thing(
    sender: Send, context: Context, redis_client: Redis, wait_for: Wait, operation: str
) -> None:
    send, body, stored = sender(operation), POSTS[operation][1], []
    for _ in range(2):
        with killed_before_the_reply_is_stored(context):
            send(body)
        stored.append(contents(redis_client))
        wait_for(repeating.CLAIM_MS / 1000 + 1)
    assert send(body).status_code < 300
    assert [contents(redis_client)] * 2 == stored


def test_a_refusal_after_a_kill_does_not_forget_what_was_created(
    sender: Send, context: Context, redis_client: Redis, wait_for: Wait, ana: Person
) -> None:
    send, body = sender("createWebhook"), HOOK
    with killed_before_the_reply_is_stored(context):
        send(body)
    stored = contents(redis_client)
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    with mock.patch.object(context, "settings", replace(context.settings, outgoing="off")):
        assert (403, "outgoing/off") == refusal_of(send(body))
    assert 201 == send(body).status_code
    assert stored == contents(redis_client)


def test_a_tournament_that_has_ended_since_the_kill_does_not_start_again(
    sender: Send, context: Context, redis_client: Redis, wait_for: Wait
) -> None:
    send, body = sender("createTournament"), POSTS["createTournament"][1]
    with killed_before_the_reply_is_stored(context):
        send(body)
    (key,) = redis_client.scan_iter("*:task:*")
    task, backlog = context.tasks.get(TOURNAMENT, key.decode().rpartition(":")[2]), context.backlogs[BACKGROUND]
    assert task is not None
    context.tasks.report(task.id, DONE)
    while taken := backlog.take(context.now_ms()):
        backlog.drop([taken.name])
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    made = body_of(send(body), 202)
    assert (task.id, DONE, orjson.loads(task.request)["seed"]) == (made["id"], made["status"], made["seed"])
    assert 0 == backlog.waiting()


@pytest.mark.parametrize("operation", ["createSeek", "createChallenge"])
def test_a_limit_that_the_killed_request_has_reached_does_not_refuse_its_repetition(
    sender: Send, context: Context, wait_for: Wait, operation: str
) -> None:
    send, body = sender(operation), POSTS[operation][1]
    with killed_before_the_reply_is_stored(context):
        send(body)
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    with mock.patch.object(shares, "must_have_room", side_effect=GameError("limit/open_games", limit=1)):
        assert (429, "limit/open_games") == refusal_of(send(body, OTHER_KEY))
        assert 201 == send(body).status_code


def test_a_competition_that_has_started_since_the_kill_is_found(
    sender: Send, context: Context, wait_for: Wait, ana: Person
) -> None:
    send = sender("createCompetition")
    body = {**COMPETITION, "starts_at": rfc3339(context.now_ms() + 10_000), "by_invitation": True}
    with killed_before_the_reply_is_stored(context):
        send(body)
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    made = body_of(send(body), 201)
    assert made["invitation"] == body_of(ana.client.get(f"/v1/competitions/{made['id']}"))["invitation"]


def test_a_webhook_and_a_player_of_a_killed_request_keep_their_secret_and_their_age(
    sender: Send, context: Context, wait_for: Wait, ana: Person
) -> None:
    sends = {name: sender(name) for name in ("createWebhook", "createPlayer")}
    for name, send in sends.items():
        with killed_before_the_reply_is_stored(context):
            send(POSTS[name][1])
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    hook, player = (body_of(send(POSTS[name][1]), 201) for name, send in sends.items())
    stored = context.webhooks.get(ana.id, hook["webhook"]["id"])
    assert stored is not None
    assert (stored.secret, stored.created_at) == (hook["secret"], hook["webhook"]["created_at"])
    assert player["player"].items() <= body_of(ana.client.with_token(player["token"]).get("/v1/me")).items()


def test_a_host_gets_the_same_new_token_after_a_kill(
    table: Table, context: Context, redis_client: Redis, wait_for: Wait
) -> None:
    """The token of the request ended with the first execution."""
    send = Sender(table.host, f"{table.path}/tokens")
    with killed_before_the_reply_is_stored(context):
        send({"role": "host"})
    stored = contents(redis_client)
    assert (401, "auth/token_unknown") == refusal_of(table.host.post(f"{table.path}/messages", {"text": "Hello"}))
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    made = body_of(send({"role": "host"}), 201)
    assert stored == contents(redis_client)
    body_of(table.anyone.with_token(made["token"]).post(f"{table.path}/messages", {"text": "Hello"}), 201)


def test_a_player_who_joined_a_game_by_a_killed_request_finds_it(
    sender: Send, context: Context, wait_for: Wait, ana: Person
) -> None:
    """The other seek no longer waits then."""
    send = sender("joinSeek")
    with killed_before_the_reply_is_stored(context):
        send({})
    wait_for(repeating.CLAIM_MS / 1000 + 1)
    joined = body_of(send({}), 201)
    assert ("paired", [joined["game_id"]]) == (joined["status"], [one["id"] for one in ana.games()["games"]])


# ------------------------------------------------------------------------------------------------ ended tokens


def revoke(context: Context, person: Person) -> None:
    token = next(one for one in body_of(person.client.get("/v1/me/tokens"))["tokens"] if one["current"])
    person.client.delete(f"/v1/me/tokens/{token['id']}")


def ban(context: Context, person: Person) -> None:
    sanctions.act(context, Caller(ADMIN_TOKEN), person.id, "ban")


ENDED = pytest.mark.parametrize("end", [revoke, ban])
OWN = ["createWebhook", "createMyToken", "rotateMyToken", "createSeek", "createChallenge", "createCompetition"]


@ENDED
@pytest.mark.parametrize("operation", OWN)
def test_a_reply_is_not_repeated_for_a_token_that_has_ended(
    sender: Send, context: Context, ana: Person, end: Callable[[Context, Person], None], operation: str
) -> None:
    send, body = sender(operation), POSTS[operation][1]
    made = body_of(send(body), 201)
    end(context, Person(ana.id, ana.client.with_token(made["token"])) if operation == "rotateMyToken" else ana)
    assert (401, "auth/token_unknown") == refusal_of(send(body))


@ENDED
def test_games_and_seats_are_not_given_out_again_for_a_token_that_has_ended(
    ana: Person, ben: Person, context: Context, end: Callable[[Context, Person], None]
) -> None:
    table = seat_players(ana, ben)
    create = {**AZUL, "seats": [{"kind": "player"}, {"kind": "open"}]}
    requests: list[tuple[str, Json]] = [
        ("/v1/games", create),
        (f"{table.path}/messages", {"text": "Hello"}),
        (f"{table.path}/tokens", {"role": "watch"}),
        (f"{table.path}/tickets", {}),
        (f"{table.path}/seats/0/handover", {}),
    ]
    for path, body in requests:
        assert 201 == ana.client.send("POST", path, json=body, headers=KEY).status_code
    end(context, ana)
    for path, body in requests:
        assert (401, "auth/token_unknown") == refusal_of(ana.client.send("POST", path, json=body, headers=KEY)), path


def test_an_operation_without_a_token_repeats_its_reply_for_a_token_that_had_ended_before(
    anyone: Client, ana: Person, context: Context
) -> None:
    revoke(context, ana)
    for operation in ("createTournament", "createPlayer"):
        send = Sender(ana.client, POSTS[operation][0])
        first, again = (send(POSTS[operation][1]) for _ in range(2))
        assert (first.status_code, first.json) == (again.status_code, again.json)
        assert first.status_code < 300


def test_a_token_that_can_only_read_gets_its_ticket_again(table: Table, ana: Person, ben: Person) -> None:
    game = seat_players(ana, ben)
    made = body_of(ana.client.post("/v1/me/tokens", {"scopes": ["read"]}), 201)
    send = Sender(ana.client.with_token(made["token"]), f"{game.path}/tickets")
    assert body_of(send({}), 201) == body_of(send({}), 201)


# ------------------------------------------------------------------------------------------------------ others


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
def test_no_token_of_a_response_is_in_redis(sender: Send, redis_client: Redis, operation: str) -> None:
    token = sender(operation)(POSTS[operation][1]).json[SECRETS[operation]]
    stored = [redis_client.dump(key) or b"" for key in redis_client.scan_iter()]
    assert not any(token.rpartition(".")[2].encode() in content for content in stored)


def test_a_refused_request_releases_its_key(table: Table) -> None:
    path = f"{table.path}/messages"
    refused = table.seat(0).send("POST", path, json={"text": "Hello", "seat": 1}, headers=KEY)
    accepted = table.seat(0).send("POST", path, json={"text": "Hello", "seat": 0}, headers=KEY)
    assert (403, 201) == (refused.status_code, accepted.status_code)
