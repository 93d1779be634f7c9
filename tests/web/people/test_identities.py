"""Sign-in with a real OpenID Connect provider at 127.0.0.1, real tokens and codes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from redis import Redis

from service.storage.people.players import MAX_TOKENS
from service.storage.people.reservations import IDENTITY
from service.usecases.base import reservations
from service.usecases.people import follow_ups
from tests.outgoing.oidc_provider import OidcProvider, oidc_provider
from tests.patience import redis_now_ms
from tests.threads import run_at_once
from tests.usecases.waiting import has_lifetime
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person
from tests.web.table import Wait
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

__all__ = ["oidc_provider"]  # a fixture
BACK = "https://game.example/signed-in"


@pytest.fixture
def google(context: Any, oidc_provider: OidcProvider) -> OidcProvider:
    """Configure one provider."""
    context.settings = replace(context.settings, oidc_providers=(oidc_provider.provider("google"),))
    return oidc_provider


def begin_sign_in(anyone: Client, **more: Any) -> Json:
    return body_of(anyone.post("/v1/sign-ins", {"provider": "google", **more}), 201)


def link(person: Person, google: OidcProvider, **claims_: Any) -> Any:
    """Link an identity of the provider to the player."""
    sign_in = begin_sign_in(person.client)
    body = {"sign_in": sign_in["id"], **proof(sign_in, id_token=google.token(sign_in["nonce"], **claims_))}
    return person.client.post("/v1/me/identities", body)


def proof(sign_in: Json, **more: Any) -> Json:
    """Return the body that completes a sign-in."""
    return {"secret": sign_in["secret"], **more}


def token_path(sign_in: Json) -> str:
    return f"/v1/sign-ins/{sign_in['id']}/token"


def complete(anyone: Client, google: OidcProvider, body: Json | None = None, **claims_: Any) -> Any:
    """Complete a sign-in like an app."""
    sign_in = begin_sign_in(anyone)
    proven = proof(sign_in, id_token=google.token(sign_in["nonce"], **claims_))
    return anyone.post(token_path(sign_in), {**proven, **(body or {})})


def test_providers_are_listed(anyone: Client, google: OidcProvider) -> None:
    (shown,) = body_of(anyone.get("/v1/identity-providers"))["providers"]
    assert ("google", google.issuer) == (shown["id"], shown["issuer"])
    assert shown["client_ids"]


def test_the_entity_tag_of_the_providers_changes_with_them(anyone: Client, context: Any, google: OidcProvider) -> None:
    path = "/v1/identity-providers"
    tag = anyone.get(path).headers["ETag"]
    assert 304 == anyone.get(path, If_None_Match=tag).status_code
    context.settings = replace(context.settings, oidc_providers=())
    assert [] == body_of(anyone.get(path, If_None_Match=tag))["providers"]


def test_a_player_signs_in_on_a_phone_by_a_linked_identity(
    anyone: Client, admin: Client, ana: Person, google: OidcProvider, context: Any
) -> None:
    linked = body_of(link(ana, google, sub="ana at home"), 201)
    assert [linked] == body_of(ana.client.get("/v1/me/identities"))["identities"]
    assert [linked["provider"]] == body_of(admin.get(f"/v1/admin/players/{ana.id}"))["identities"]
    context.moderation.address_links.forget(ana.id)
    made = body_of(complete(anyone, google, {"name": "new phone"}, sub="ana at home"), 201)
    assert 1 == len(context.moderation.address_links.digests(ana.id))
    assert (ana.id, False) == (made["player"]["id"], made["created"])
    phone = anyone.with_token(made["token"])
    listed = body_of(phone.get("/v1/me/tokens"))["tokens"]
    assert [(None, False), ("new phone", True)] == [(token["name"], token["current"]) for token in listed]
    body_of(ana.client.get("/v1/me"))


def test_a_banned_player_cannot_sign_in(anyone: Client, ana: Person, google: OidcProvider, context: Any) -> None:
    body_of(link(ana, google, sub="ana at home"), 201)
    context.players.change(context.players.get(ana.id), {"banned_at": "2026-01-01T12:00:00.000Z"})
    for body in ({}, {"create": True}):
        assert (403, "player/banned") == refusal_of(complete(anyone, google, body, sub="ana at home"))


def test_a_page_signs_in_by_a_code(anyone: Client, ana: Person, google: OidcProvider) -> None:
    sign_in = begin_sign_in(anyone, redirect_uri=BACK)
    redirect = google.sign_in(sign_in["authorization_url"])
    assert sign_in["id"] == redirect["state"]
    body = {"sign_in": sign_in["id"], **proof(sign_in, code=redirect["code"])}
    body_of(ana.client.post("/v1/me/identities", body), 201)
    sign_in = begin_sign_in(anyone, redirect_uri=BACK)
    code = google.sign_in(sign_in["authorization_url"])["code"]
    made = body_of(anyone.post(token_path(sign_in), proof(sign_in, code=code)), 201)
    assert ana.id == made["player"]["id"]


def test_an_observer_of_the_redirect_cannot_complete_the_sign_in(
    anyone: Client, ana: Person, ben: Person, google: OidcProvider, context: Any
) -> None:
    body_of(link(ana, google), 201)
    sign_in = begin_sign_in(anyone, redirect_uri=BACK)
    redirect = google.sign_in(sign_in["authorization_url"])
    assert not [text for text in (sign_in["authorization_url"], *redirect.values()) if sign_in["secret"] in text]
    for guess in ("x", redirect["state"], sign_in["nonce"], context.sign_ins.get(sign_in["id"]).secret_digest):
        body = {"secret": guess, "code": redirect["code"]}
        assert (403, "identity/wrong_secret") == refusal_of(anyone.post(token_path(sign_in), body))
        linking = ben.client.post("/v1/me/identities", {"sign_in": sign_in["id"], **body})
        assert (403, "identity/wrong_secret") == refusal_of(linking)
    made = body_of(anyone.post(token_path(sign_in), proof(sign_in, code=redirect["code"])), 201)
    assert ana.id == made["player"]["id"]


def test_a_sign_in_of_an_older_version_cannot_be_completed(anyone: Client, google: OidcProvider, context: Any) -> None:
    sign_in = begin_sign_in(anyone)
    stored = replace(context.sign_ins.get(sign_in["id"]), secret_digest="")
    assert context.sign_ins.store_proof(stored)
    body = proof(sign_in, id_token=google.token(sign_in["nonce"]))
    assert (403, "identity/wrong_secret") == refusal_of(anyone.post(token_path(sign_in), body))


@pytest.mark.parametrize("by_code", [True, False])
def test_a_refused_completion_does_not_use_up_the_sign_in(
    anyone: Client, ana: Person, ben: Person, google: OidcProvider, context: Any, redis_client: Redis, *, by_code: bool
) -> None:
    sign_in = begin_sign_in(anyone, **({"redirect_uri": BACK} if by_code else {}))
    shown = (
        {"code": google.sign_in(sign_in["authorization_url"])["code"]}
        if by_code
        else {"id_token": google.token(sign_in["nonce"])}
    )
    body = proof(sign_in, **shown)
    key = context.store.keys.sign_in(sign_in["id"])
    redis_client.expire(key, 60)
    assert (404, "identity/unknown") == refusal_of(anyone.post(token_path(sign_in), body))
    assert 0 < redis_client.ttl(key) <= 60
    name = context.sign_ins.get(sign_in["id"]).identity
    assert context.identities.reserve(name, "AAAAAAAAAAAAAAAA", 60)  # for a player who does not exist yet
    busy = anyone.post(token_path(sign_in), {**body, "create": True})
    assert (409, "identity/busy") == refusal_of(busy)
    redis_client.delete(context.store.keys.reservation(IDENTITY, name))
    body_of(link(ana, google), 201)
    linking = ben.client.post("/v1/me/identities", {"sign_in": sign_in["id"], **body})
    assert (409, "identity/taken") == refusal_of(linking)
    assert ana.id == body_of(anyone.post(token_path(sign_in), body), 201)["player"]["id"]
    assert (404, "identity/no_sign_in") == refusal_of(anyone.post(token_path(sign_in), body))


def test_another_proof_of_a_refused_sign_in_is_verified(anyone: Client, ana: Person, google: OidcProvider) -> None:
    body_of(link(ana, google, sub="ana"), 201)
    sign_in = begin_sign_in(anyone)
    for subject, code in (("nobody", "identity/unknown"), ("ana", None)):
        body = proof(sign_in, id_token=google.token(sign_in["nonce"], sub=subject))
        assert code == (anyone.post(token_path(sign_in), body).json or {}).get("code")
    wrong = proof(begin_sign_in(anyone), id_token=body["id_token"])
    assert (404, "identity/no_sign_in") == refusal_of(anyone.post(token_path(sign_in), wrong))


def test_an_unknown_identity_gets_a_player_on_request(anyone: Client, google: OidcProvider) -> None:
    assert (404, "identity/unknown") == refusal_of(complete(anyone, google))
    made = body_of(complete(anyone, google, {"create": True}), 201)
    assert made["created"]
    again = body_of(complete(anyone, google, {"create": True}), 201)
    assert (made["player"]["id"], False) == (again["player"]["id"], again["created"])


def test_a_player_created_by_sign_in_lives_as_long_as_others(
    anyone: Client, google: OidcProvider, context: Any, redis_client: Redis
) -> None:
    began = redis_now_ms(redis_client)
    made = body_of(complete(anyone, google, {"create": True}), 201)
    body_of(anyone.with_token(made["token"]).get("/v1/me"))
    (name,) = (identity.name for identity in context.players.identities(made["player"]["id"]).values())
    keys = context.store.keys
    for key in (keys.player(made["player"]["id"]), keys.reservation(IDENTITY, name)):
        assert has_lifetime(redis_client, key, context.settings.player_ttl_s, began)


def test_identities_are_unique_per_player_and_provider(ana: Person, ben: Person, google: OidcProvider) -> None:
    first = body_of(link(ana, google, sub="one"), 201)
    assert (409, "identity/taken") == refusal_of(link(ben, google, sub="one"))
    assert (409, "identity/linked") == refusal_of(link(ana, google, sub="two"))
    assert first == body_of(link(ana, google, sub="one"), 201)
    body_of(link(ben, google, sub="two"), 201)


def test_an_unlinked_identity_is_free(anyone: Client, ana: Person, ben: Person, google: OidcProvider) -> None:
    body_of(link(ana, google), 201)
    assert 204 == ana.client.delete("/v1/me/identities/google").status_code
    assert (404, "identity/not_found") == refusal_of(ana.client.delete("/v1/me/identities/google"))
    assert [] == body_of(ana.client.get("/v1/me/identities"))["identities"]
    assert (404, "identity/unknown") == refusal_of(complete(anyone, google))
    body_of(link(ben, google), 201)
    assert ben.id == body_of(complete(anyone, google), 201)["player"]["id"]


def test_a_sign_in_is_completed_once_within_ten_minutes(
    anyone: Client, ana: Person, google: OidcProvider, redis_client: Redis, context: Any
) -> None:
    body_of(link(ana, google), 201)
    began, sign_in = redis_now_ms(redis_client), begin_sign_in(anyone)
    assert has_lifetime(redis_client, context.store.keys.sign_in(sign_in["id"]), 600, began)
    path, body = token_path(sign_in), proof(sign_in, id_token=google.token(sign_in["nonce"]))
    body_of(anyone.post(path, body), 201)
    assert (404, "identity/no_sign_in") == refusal_of(anyone.post(path, body))
    linking = {**body, "sign_in": sign_in["id"]}
    assert (404, "identity/no_sign_in") == refusal_of(ana.client.post("/v1/me/identities", linking))


def test_simultaneous_completions_of_sign_in_give_one_token(anyone: Client, ana: Person, google: OidcProvider) -> None:
    body_of(link(ana, google), 201)
    sign_in = begin_sign_in(anyone)
    body = proof(sign_in, id_token=google.token(sign_in["nonce"]))
    clients = [Client(anyone.flask.application.test_client()) for _ in range(8)]
    statuses = run_at_once(lambda one: one.post(token_path(sign_in), body).status_code, clients)
    assert [201] + [404] * 7 == sorted(statuses)


def test_simultaneous_first_sign_ins_create_one_player(anyone: Client, google: OidcProvider, context: Any) -> None:
    clients = [Client(anyone.flask.application.test_client()) for _ in range(8)]
    answers = run_at_once(lambda one: complete(one, google, {"create": True}), clients)
    made = {(answer.json or {})["player"]["id"] for answer in answers if answer.status_code == 201}
    assert 1 == len(made)
    assert {(201, None), (409, "identity/busy")} >= {
        (answer.status_code, (answer.json or {}).get("code")) for answer in answers
    }
    assert made == {body_of(complete(anyone, google), 201)["player"]["id"]}
    assert 1 == len([*context.store.redis.scan_iter("*:player:*")])


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
def test_an_invalid_token_is_refused_and_the_sign_in_stays_open(
    anyone: Client, ana: Person, google: OidcProvider, reason: str, wrong: Json
) -> None:
    body_of(link(ana, google), 201)
    sign_in = begin_sign_in(anyone)
    answer = anyone.post(token_path(sign_in), proof(sign_in, id_token=google.token(sign_in["nonce"], **wrong)))
    assert (422, "identity/refused", reason) == (*refusal_of(answer), (answer.json or {})["reason"])
    body_of(anyone.post(token_path(sign_in), proof(sign_in, id_token=google.token(sign_in["nonce"]))), 201)


def test_a_code_of_another_sign_in_is_refused(anyone: Client, google: OidcProvider) -> None:
    first, second = (begin_sign_in(anyone, redirect_uri=BACK) for _ in range(2))
    code = google.sign_in(first["authorization_url"])["code"]
    for sign_in in (second, begin_sign_in(anyone)):
        answer = anyone.post(token_path(sign_in), proof(sign_in, code=code))
        assert (422, "identity/refused", "code") == (*refusal_of(answer), (answer.json or {})["reason"])


def test_an_unavailable_provider_is_answered_with_retry_after(anyone: Client, google: OidcProvider) -> None:
    google.stop()
    answer = anyone.post("/v1/sign-ins", {"provider": "google", "redirect_uri": BACK})
    assert (503, "identity/unavailable") == refusal_of(answer)
    assert answer.headers["Retry-After"]


LINKING = {"sign_in": "x", "secret": "x"}
FAULTS: list[tuple[str, Json, Faults]] = [
    ("sign-ins", {"provider": "google"}, {"/provider": [MISSING, "apple"], "/state": ["x"]}),
    ("sign-ins", {"provider": "google"}, {"/redirect_uri": ["/back", "https://a.example/#x", "http://["]}),
    ("me/identities", {**LINKING, "id_token": "x"}, {"/sign_in": [MISSING], "/id_token": [MISSING]}),
    ("me/identities", {**LINKING, "code": "x"}, {"/id_token": ["x"], "/secret": [MISSING, None, "", "x" * 101]}),
    ("sign-ins/x/token", {"secret": "x", "id_token": "x"}, {"/id_token": ["x" * 8193], "/create": [1]}),
    ("sign-ins/x/token", {"secret": "x", "code": "x"}, {"/secret": [MISSING, 1]}),
]


def test_invalid_requests_are_refused_with_their_pointers(ana: Person, google: OidcProvider) -> None:
    for path, body, faults in FAULTS:
        for pointer, wrong in wrong_bodies(body, faults):
            assert [pointer] == invalid_fields(ana.client.post(f"/v1/{path}", wrong)), (path, wrong)


def test_without_a_provider_sign_in_is_refused(anyone: Client, context: Any) -> None:
    assert [] == body_of(anyone.get("/v1/identity-providers"))["providers"]
    answer = anyone.post("/v1/sign-ins", {"provider": "google"})
    assert (422, "request/invalid") == refusal_of(answer)


def test_a_sign_in_beyond_ten_tokens_revokes_the_least_recently_used(
    anyone: Client, ana: Person, google: OidcProvider, wait_for: Wait
) -> None:
    body_of(link(ana, google), 201)
    others = []
    for number in range(MAX_TOKENS - 1):
        wait_for(0.001)
        others.append(body_of(ana.client.post("/v1/me/tokens", {"name": str(number)}), 201)["token"])
    made = body_of(complete(anyone, google), 201)
    phone = anyone.with_token(made["token"])
    assert MAX_TOKENS == len(body_of(phone.get("/v1/me/tokens"))["tokens"])
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me"))
    for token in others:
        body_of(anyone.with_token(token).get("/v1/me"))


def test_deleting_a_player_frees_and_erases_their_identity(
    anyone: Client, ana: Person, google: OidcProvider, redis_client: Redis
) -> None:
    body_of(link(ana, google, sub="ana@home.example"), 201)
    assert 1 == len(body_of(ana.client.get("/v1/me/export"))["identities"])
    assert not [key for key in redis_client.scan_iter() if b"ana@home" in (redis_client.dump(key) or b"")]
    assert 204 == ana.client.delete("/v1/me").status_code
    assert [] == [*redis_client.scan_iter("*:identity:*")]
    assert (404, "identity/unknown") == refusal_of(complete(anyone, google, sub="ana@home.example"))


@pytest.mark.parametrize("step", ["claim", "link", "reconcile", "done"])
def test_a_link_killed_before_a_step_is_complete_or_undone(
    ana: Person,
    ben: Person,
    google: OidcProvider,
    context: Any,
    wait_for: Wait,
    redis_client: Redis,
    step: str,
) -> None:
    places = {
        "claim": (context.identities, "reserve"),
        "link": (context.players, "link"),
        "reconcile": (reservations, "reconcile"),
        "done": (context.follow_ups, "remove"),
    }
    with mock.patch.object(*places[step], side_effect=SystemExit), pytest.raises(SystemExit):
        link(ana, google)
    wait_for(follow_ups.DUE_AFTER_MS / 1000 + 1)
    follow_ups.run_due(context)
    assert 0 == follow_ups.run_due(context).done
    is_linked = bool(body_of(ana.client.get("/v1/me/identities"))["identities"])
    assert is_linked == (step in ("reconcile", "done"))
    if step == "link":  # the claim expires
        (key,) = redis_client.scan_iter("*:identity:*")
        assert 0 < redis_client.ttl(key) <= reservations.UNCONFIRMED_S
        redis_client.delete(key)
    assert (409 if is_linked else 201) == link(ben, google).status_code
