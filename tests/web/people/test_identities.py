"""Signing in with a provider of OpenID Connect: a real one at 127.0.0.1, real tokens, real codes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
import redis

from service.storage.people.claims import IDENTITY
from service.storage.people.players import MAX_TOKENS
from service.usecases.base import claims
from service.usecases.people import follow_ups
from tests.outgoing.oidc_provider import OidcProvider, oidc_provider
from tests.patience import by_redis
from tests.usecases.waiting import lives
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.players import Person
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

__all__ = ["oidc_provider"]  # a fixture
BACK = "https://game.example/signed-in"


@pytest.fixture
def google(context: Any, oidc_provider: OidcProvider) -> OidcProvider:
    """The only provider that the operator has named."""
    context.settings = replace(context.settings, oidc_providers=(oidc_provider.provider("google"),))
    return oidc_provider


def begun(anyone: Client, **more: Any) -> Json:
    return answered(anyone.post("/v1/sign-ins", {"provider": "google", **more}), 201)


def link(person: Person, google: OidcProvider, **claims_: Any) -> Any:
    """Link who is signed in at the provider to the player."""
    sign_in = begun(person.client)
    body = {"sign_in": sign_in["id"], "id_token": google.token(sign_in["nonce"], **claims_)}
    return person.client.post("/v1/me/identities", body)


def complete(anyone: Client, google: OidcProvider, body: Json | None = None, **claims_: Any) -> Any:
    """Sign in as an app does."""
    sign_in = begun(anyone)
    proof = {"id_token": google.token(sign_in["nonce"], **claims_)}
    return anyone.post(f"/v1/sign-ins/{sign_in['id']}/token", {**proof, **(body or {})})


def test_the_providers_are_told(anyone: Client, google: OidcProvider) -> None:
    (told,) = answered(anyone.get("/v1/identity-providers"))["providers"]
    assert ("google", google.issuer) == (told["id"], told["issuer"])
    assert told["client_ids"]


def test_a_player_signs_in_on_a_new_phone_by_a_linked_identity(
    anyone: Client, ana: Person, google: OidcProvider
) -> None:
    linked = answered(link(ana, google, sub="ana at home"), 201)
    assert [linked] == answered(ana.client.get("/v1/me/identities"))["identities"]
    made = answered(complete(anyone, google, {"name": "new phone"}, sub="ana at home"), 201)
    assert (ana.id, False) == (made["player"]["id"], made["created"])
    phone = anyone.with_token(made["token"])
    listed = answered(phone.get("/v1/me/tokens"))["tokens"]
    assert [(None, False), ("new phone", True)] == [(token["name"], token["current"]) for token in listed]
    answered(ana.client.get("/v1/me"))


def test_who_is_banned_does_not_sign_in(anyone: Client, ana: Person, google: OidcProvider, context: Any) -> None:
    answered(link(ana, google, sub="ana at home"), 201)
    context.players.change(context.players.get(ana.id), {"banned_at": "2026-01-01T12:00:00.000Z"})
    for body in ({}, {"create": True}):
        assert (403, "player/banned") == refused(complete(anyone, google, body, sub="ana at home"))


def test_a_page_signs_in_by_a_code(anyone: Client, ana: Person, google: OidcProvider) -> None:
    sign_in = begun(anyone, redirect_uri=BACK)
    came = google.signed_in(sign_in["authorization_url"])
    assert sign_in["id"] == came["state"]
    body = {"sign_in": sign_in["id"], "code": came["code"]}
    answered(ana.client.post("/v1/me/identities", body), 201)
    sign_in = begun(anyone, redirect_uri=BACK)
    code = google.signed_in(sign_in["authorization_url"])["code"]
    made = answered(anyone.post(f"/v1/sign-ins/{sign_in['id']}/token", {"code": code}), 201)
    assert ana.id == made["player"]["id"]


def test_an_identity_that_is_nobodys_gets_a_player_where_that_is_wanted(anyone: Client, google: OidcProvider) -> None:
    assert (404, "identity/unknown") == refused(complete(anyone, google))
    made = answered(complete(anyone, google, {"create": True}), 201)
    assert made["created"]
    again = answered(complete(anyone, google, {"create": True}), 201)
    assert (made["player"]["id"], False) == (again["player"]["id"], again["created"])


def test_a_player_who_was_made_by_signing_in_is_kept_like_others(
    anyone: Client, google: OidcProvider, context: Any, redis_client: redis.Redis
) -> None:
    began = by_redis(redis_client)
    made = answered(complete(anyone, google, {"create": True}), 201)
    answered(anyone.with_token(made["token"]).get("/v1/me"))
    (name,) = (identity.name for identity in context.players.identities(made["player"]["id"]).values())
    keys = context.store.keys
    for key in (keys.player(made["player"]["id"]), keys.claim(IDENTITY, name)):
        assert lives(redis_client, key, context.settings.player_ttl_s, began)


def test_an_identity_is_one_players_and_a_player_has_one_of_each_provider(
    ana: Person, ben: Person, google: OidcProvider
) -> None:
    first = answered(link(ana, google, sub="one"), 201)
    assert (409, "identity/taken") == refused(link(ben, google, sub="one"))
    assert (409, "identity/linked") == refused(link(ana, google, sub="two"))
    assert first == answered(link(ana, google, sub="one"), 201)
    answered(link(ben, google, sub="two"), 201)


def test_an_identity_that_is_unlinked_is_free(anyone: Client, ana: Person, ben: Person, google: OidcProvider) -> None:
    answered(link(ana, google), 201)
    assert 204 == ana.client.delete("/v1/me/identities/google").status_code
    assert (404, "identity/not_found") == refused(ana.client.delete("/v1/me/identities/google"))
    assert [] == answered(ana.client.get("/v1/me/identities"))["identities"]
    assert (404, "identity/unknown") == refused(complete(anyone, google))
    answered(link(ben, google), 201)
    assert ben.id == answered(complete(anyone, google), 201)["player"]["id"]


def test_a_sign_in_is_completed_once_within_ten_minutes(
    anyone: Client, ana: Person, google: OidcProvider, redis_client: redis.Redis, context: Any
) -> None:
    answered(link(ana, google), 201)
    began, sign_in = by_redis(redis_client), begun(anyone)
    assert lives(redis_client, context.store.keys.sign_in(sign_in["id"]), 600, began)
    path, body = f"/v1/sign-ins/{sign_in['id']}/token", {"id_token": google.token(sign_in["nonce"])}
    answered(anyone.post(path, body), 201)
    assert (404, "identity/no_sign_in") == refused(anyone.post(path, body))
    linking = {**body, "sign_in": sign_in["id"]}
    assert (404, "identity/no_sign_in") == refused(ana.client.post("/v1/me/identities", linking))


def test_of_many_who_complete_one_sign_in_at_once_one_gets_a_token(
    anyone: Client, ana: Person, google: OidcProvider
) -> None:
    answered(link(ana, google), 201)
    sign_in = begun(anyone)
    body = {"id_token": google.token(sign_in["nonce"])}
    clients = [Client(anyone.flask.application.test_client()) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        statuses = pool.map(lambda one: one.post(f"/v1/sign-ins/{sign_in['id']}/token", body).status_code, clients)
        assert [201] + [404] * 7 == sorted(statuses)


def test_of_many_first_sign_ins_of_one_identity_at_once_comes_one_player(
    anyone: Client, google: OidcProvider, context: Any
) -> None:
    clients = [Client(anyone.flask.application.test_client()) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: complete(one, google, {"create": True}), clients))
    made = {(answer.json or {})["player"]["id"] for answer in answers if answer.status_code == 201}
    assert 1 == len(made)
    assert {(201, None), (409, "identity/busy")} >= {
        (answer.status_code, (answer.json or {}).get("code")) for answer in answers
    }
    assert made == {answered(complete(anyone, google), 201)["player"]["id"]}
    assert 1 == len([*context.store._redis.scan_iter("*:player:*")])


@pytest.mark.parametrize(
    ("reason", "wrong"),
    [
        ("nonce", {"nonce": "another"}),
        ("audience", {"aud": "another.example"}),
        ("issuer", {"iss": "https://another.example"}),
        ("expired", {"exp": 1}),
        ("unreadable", {"sub": 5}),
    ],
)
def test_what_does_not_prove_it_is_refused_and_the_sign_in_may_be_completed_yet(
    anyone: Client, ana: Person, google: OidcProvider, reason: str, wrong: Json
) -> None:
    answered(link(ana, google), 201)
    sign_in = begun(anyone)
    path = f"/v1/sign-ins/{sign_in['id']}/token"
    answer = anyone.post(path, {"id_token": google.token(sign_in["nonce"], **wrong)})
    assert (422, "identity/refused", reason) == (*refused(answer), (answer.json or {})["reason"])
    answered(anyone.post(path, {"id_token": google.token(sign_in["nonce"])}), 201)


def test_a_code_is_refused_that_is_not_for_this_sign_in(anyone: Client, google: OidcProvider) -> None:
    first, second = (begun(anyone, redirect_uri=BACK) for _ in range(2))
    code = google.signed_in(first["authorization_url"])["code"]
    for sign_in in (second, begun(anyone)):
        answer = anyone.post(f"/v1/sign-ins/{sign_in['id']}/token", {"code": code})
        assert (422, "identity/refused", "code") == (*refused(answer), (answer.json or {})["reason"])


def test_while_the_provider_is_away_one_is_asked_to_come_back(anyone: Client, google: OidcProvider) -> None:
    google.down()
    answer = anyone.post("/v1/sign-ins", {"provider": "google", "redirect_uri": BACK})
    assert (503, "identity/unavailable") == refused(answer)
    assert answer.headers["Retry-After"]


FAULTS: list[tuple[str, Json, Faults]] = [
    ("sign-ins", {"provider": "google"}, {"/provider": [MISSING, "apple"], "/state": ["x"]}),
    ("sign-ins", {"provider": "google"}, {"/redirect_uri": ["/back", "https://a.example/#x", "http://["]}),
    ("me/identities", {"sign_in": "x", "id_token": "x"}, {"/sign_in": [MISSING], "/id_token": [MISSING]}),
    ("me/identities", {"sign_in": "x", "code": "x"}, {"/id_token": ["x"]}),
    ("sign-ins/x/token", {"id_token": "x"}, {"/id_token": ["x" * 8193], "/create": [1]}),
]


def test_faults_are_told_with_their_places(ana: Person, google: OidcProvider) -> None:
    for path, body, faults in FAULTS:
        for pointer, wrong in wrong_bodies(body, faults):
            assert [pointer] == invalid(ana.client.post(f"/v1/{path}", wrong)), (path, wrong)


def test_where_no_provider_is_named_nobody_signs_in(anyone: Client, context: Any) -> None:
    assert [] == answered(anyone.get("/v1/identity-providers"))["providers"]
    answer = anyone.post("/v1/sign-ins", {"provider": "google"})
    assert (422, "request/invalid") == refused(answer)


def test_who_has_ten_tokens_signs_in_and_the_one_ends_that_was_used_longest_ago(
    anyone: Client, ana: Person, google: OidcProvider, wait_for: Callable[[float], None]
) -> None:
    answered(link(ana, google), 201)
    others = []
    for number in range(MAX_TOKENS - 1):
        wait_for(0.001)
        others.append(answered(ana.client.post("/v1/me/tokens", {"name": str(number)}), 201)["token"])
    made = answered(complete(anyone, google), 201)
    phone = anyone.with_token(made["token"])
    assert MAX_TOKENS == len(answered(phone.get("/v1/me/tokens"))["tokens"])
    assert (401, "auth/token_unknown") == refused(ana.client.get("/v1/me"))
    for token in others:
        answered(anyone.with_token(token).get("/v1/me"))


def test_with_the_player_the_identity_is_free_and_nothing_is_kept_that_tells_who_it_was(
    anyone: Client, ana: Person, google: OidcProvider, redis_client: redis.Redis
) -> None:
    answered(link(ana, google, sub="ana@home.example"), 201)
    assert 1 == len(answered(ana.client.get("/v1/me/export"))["identities"])
    assert not [key for key in redis_client.scan_iter() if b"ana@home" in (redis_client.dump(key) or b"")]
    assert 204 == ana.client.delete("/v1/me").status_code
    assert [] == [*redis_client.scan_iter("*:identity:*")]
    assert (404, "identity/unknown") == refused(complete(anyone, google, sub="ana@home.example"))


@pytest.mark.parametrize("step", ["claim", "link", "settle", "done"])
def test_a_link_that_is_killed_before_a_step_is_made_whole_or_not_at_all(
    ana: Person,
    ben: Person,
    google: OidcProvider,
    context: Any,
    wait_for: Callable[[float], None],
    redis_client: redis.Redis,
    step: str,
) -> None:
    places = {
        "claim": (context.identities, "claim"),
        "link": (context.players, "link"),
        "settle": (claims, "settle"),
        "done": (context.follow_ups, "done"),
    }
    with mock.patch.object(*places[step], side_effect=SystemExit), pytest.raises(SystemExit):
        link(ana, google)
    wait_for(follow_ups.DUE_AFTER_MS / 1000 + 1)
    follow_ups.look_after(context)
    assert 0 == follow_ups.look_after(context).done
    is_linked = bool(answered(ana.client.get("/v1/me/identities"))["identities"])
    assert is_linked == (step in ("settle", "done"))
    if step == "link":  # it runs out by itself
        (key,) = redis_client.scan_iter("*:identity:*")
        assert 0 < redis_client.ttl(key) <= claims.UNCONFIRMED_S
        redis_client.delete(key)
    assert (409 if is_linked else 201) == link(ben, google).status_code
