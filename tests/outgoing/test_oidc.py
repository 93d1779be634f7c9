"""OpenID Connect: whose token is believed, whose is not and why, and what is done while a provider is away or wrong."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import structlog
import trustme
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from joserfc.jwk import import_key

from service.identity_providers import Provider
from service.outgoing import oidc
from service.outgoing.oidc import IDENTITY_CODES, Identity, IdentityRefused, Providers, challenge_of, new_verifier
from tests.outgoing.oidc_provider import (
    CLIENT_ID,
    OidcProvider,
    SigningKey,
    base64url,
    oidc_provider,
    serialized,
    signing_key,
)
from tests.patience import HANG_S, until

__all__ = ["oidc_provider"]
ROOT = Path(__file__).parents[2]
NONCE = "n-0S6_WzA2Mj"
BACK = "https://games.example/back?x=1"
HOUR_S, DAY_S = 3_600, 86_400


class Clock:
    """Seconds that go on when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def providers(oidc_provider: OidcProvider, clock: Clock) -> Providers:
    return Providers([oidc_provider.provider()], clock)


@pytest.fixture(scope="module")
def shared() -> Iterator[tuple[OidcProvider, Providers]]:
    """One for the tests that make many tokens."""
    with OidcProvider() as provider:
        yield provider, Providers([provider.provider("shared")])


def known(providers: Providers, provider_id: str = "local") -> Provider:
    provider = providers.get(provider_id)
    assert provider is not None
    return provider


def seen_as(providers: Providers, token: str | bytes, now_s: int | None = None) -> str:
    """The subject of a token."""
    return providers.verified(known(providers), token, NONCE, now_s or int(time.time())).subject


def refused(providers: Providers, token: str | bytes, *, nonce: str = NONCE, now_s: int | None = None) -> str:
    """The code with which a token is refused."""
    (provider,) = (providers.get(name) for name in ("local", "shared") if providers.get(name))
    assert provider is not None
    with pytest.raises(IdentityRefused) as error:
        providers.verified(provider, token, nonce, now_s or int(time.time()))
    assert error.value.code in IDENTITY_CODES
    assert (error.value.code,) == error.value.args  # not a word of anybody else's
    return error.value.code


def test_a_good_token_tells_who_somebody_is_and_nothing_else(oidc_provider: OidcProvider, providers: Providers) -> None:
    token = oidc_provider.token(NONCE, email="ana@example.org", name="Ana")
    identity = providers.verified(known(providers), token, NONCE, int(time.time()))
    assert Identity("local", oidc_provider.subject) == identity
    assert identity == providers.verified(known(providers), token.encode(), NONCE, int(time.time()))


def test_providers_are_found_by_their_id_alone(providers: Providers) -> None:
    assert (None, None) == (providers.get("google"), providers.get(""))
    assert "local" == known(providers).id


@pytest.mark.parametrize("alg", ["RS256", "PS256", "ES256", "EdDSA"])
def test_each_of_the_algorithms_is_believed(
    oidc_provider: OidcProvider, providers: Providers, alg: str, recwarn: pytest.WarningsRecorder
) -> None:
    oidc_provider.rotate(signing_key(alg, "of-this-test"))
    assert oidc_provider.subject == seen_as(providers, oidc_provider.token(NONCE))
    assert [] == list(recwarn)
    header, payload, _signature = oidc_provider.token(NONCE).split(".")
    _header, other_payload, signature = oidc_provider.token(NONCE, sub="another").split(".")
    assert "signature" == refused(providers, f"{header}.{payload}.{signature}")
    assert "signature" == refused(providers, f"{header}.{other_payload}.")


# What is no token


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "...",
        "a.b.c",
        "eyJhbGciOiJSUzI1NiJ9",
        "eyJhbGciOiJSUzI1NiJ9.e30",
        "eyJhbGciOiJSUzI1NiJ9.e30.AA.AA.AA",  # five parts: it is encrypted
        "e30.e30.AA",
        "\ud800",
        "zügig.e30.AA",
        b"\xff\xfe",
        b"\x00.\x00.\x00",
        "eyJhbGciOiJSUzI1NiJ9 .e30.AA",
    ],
)
def test_what_is_no_token_is_unreadable(shared: tuple[OidcProvider, Providers], token: str | bytes) -> None:
    assert "unreadable" == refused(shared[1], token)


@pytest.mark.parametrize(
    "header",
    [
        ["alg"],
        ["alg", "b64"],
        "alg",
        "alg b64",
        7,
        None,
        {},
        {"alg": "RS256", "kid": 7},
        {"alg": "RS256", "kid": None},
        {"alg": "RS256", "crit": 5},
        {"alg": "RS256", "crit": [[]]},
        {"alg": "RS256", "crit": ["exp"], "exp": 1},
        {"alg": "RS256", "crit": ["b64"], "b64": False},
        {"alg": "RS256", "b64": False},
        {"alg": "RS256", "b64": True},
    ],
)
def test_a_header_that_is_none_or_wants_what_we_do_not_know_is_unreadable(
    shared: tuple[OidcProvider, Providers], header: Any
) -> None:
    provider, providers = shared
    assert "unreadable" == refused(providers, serialized(header, provider.claims(NONCE), provider.keys[0].sign))


def test_a_header_nested_too_deeply_is_unreadable(shared: tuple[OidcProvider, Providers]) -> None:
    deep = base64url(b"[" * 3_000)
    assert "unreadable" == refused(shared[1], f"{deep}.e30.AA")


def test_header_parameters_that_are_unknown_are_passed_over(oidc_provider: OidcProvider, providers: Providers) -> None:
    token = oidc_provider.token(NONCE, header={"typ": "JWT", "x5c": ["A" * 600], "of_the_provider": [1]})
    assert oidc_provider.subject == seen_as(providers, token)


@pytest.mark.parametrize("payload", [[], "text", 7, None, {}])
def test_claims_that_are_none_are_unreadable(shared: tuple[OidcProvider, Providers], payload: Any) -> None:
    provider, providers = shared
    key = provider.keys[0]
    assert "unreadable" == refused(providers, serialized({"alg": key.alg, "kid": key.kid}, payload, key.sign))


def test_a_token_may_have_8_kb_and_no_more(oidc_provider: OidcProvider, providers: Providers) -> None:
    token = oidc_provider.token(NONCE, filling="")
    room = (oidc.MOST_TOKEN_BYTES - len(token)) * 3 // 4
    fits = oidc_provider.token(NONCE, filling="x" * room)
    assert oidc.MOST_TOKEN_BYTES - 2 <= len(fits) <= oidc.MOST_TOKEN_BYTES
    assert oidc_provider.subject == seen_as(providers, fits)
    assert "unreadable" == refused(providers, oidc_provider.token(NONCE, filling="x" * (room + 3)))


def test_what_is_no_token_has_nothing_fetched(oidc_provider: OidcProvider, providers: Providers) -> None:
    for token in ("", "a.b.c", "x" * 100_000, oidc_provider.token(NONCE, header={"alg": "none"})):
        refused(providers, token)
    assert 0 == oidc_provider.counts.total()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
HEADERS = st.fixed_dictionaries(
    {"alg": st.sampled_from([*oidc.ALGORITHMS, "none", "HS256"]) | JSON},
    optional=dict.fromkeys(("kid", "typ", "crit", "b64", "jku", "jwk", "x5u", "x5c", "x5t"), JSON)
    | {"kid": st.sampled_from(["first", "second"]) | JSON},
)
CLAIMS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("iss", "aud", "azp", "exp", "nbf", "iat", "sub", "nonce"), JSON)
)
KEYS = st.fixed_dictionaries(
    {"kty": st.sampled_from(["RSA", "EC", "OKP", "oct"]) | JSON},
    optional={
        "crv": st.sampled_from(["P-256", "Ed25519", "secp256k1", "X25519", "Ed448"]) | JSON,
        "use": st.sampled_from(["sig", "enc"]) | JSON,
        "key_ops": st.lists(st.sampled_from(["verify", "sign"])) | st.sampled_from(["verify"]) | JSON,
        **dict.fromkeys(("n", "e", "x", "y"), st.binary(max_size=33).map(base64url) | JSON),
        **dict.fromkeys(("alg", "kid", "k"), JSON),
    },
)
MANY = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(token=st.text() | st.binary() | st.text("eyJ.hbGciOiSUzI1N9_-=", max_size=80))
def test_any_text_and_any_bytes_are_refused_and_nothing_else_happens(
    shared: tuple[OidcProvider, Providers], token: str | bytes
) -> None:
    assert refused(shared[1], token) in ("unreadable", "signature")


@MANY
@given(header=HEADERS | JSON, payload=JSON, signature=st.binary(max_size=80))
def test_any_header_is_refused_and_nothing_else_happens(
    shared: tuple[OidcProvider, Providers], header: Any, payload: Any, signature: bytes
) -> None:
    assert refused(shared[1], serialized(header, payload, lambda _: signature)) in ("unreadable", "signature")


@MANY
@given(changes=CLAIMS)
def test_any_signed_claims_are_refused_unless_they_are_as_they_must_be(
    shared: tuple[OidcProvider, Providers], changes: dict[str, Any]
) -> None:
    provider, providers = shared
    key, claims, now = provider.keys[0], {**provider.claims(NONCE), **changes}, int(time.time())
    token = serialized({"alg": key.alg, "kid": key.kid}, claims, key.sign)
    try:
        identity = providers.verified(provider.provider("shared"), token, NONCE, now)
    except IdentityRefused as error:
        assert {} != changes
        assert error.code in ("unreadable", "issuer", "audience", "expired", "nonce")  # noqa: PT017
    else:
        assert (provider.issuer, NONCE, identity.subject) == (claims["iss"], claims["nonce"], claims["sub"])
        assert CLIENT_ID in claims["aud"]
        assert claims["iat"] - 60 <= now < claims["exp"] + 60


@MANY
@given(keys=st.lists(KEYS | JSON, max_size=4) | JSON)
def test_any_published_keys_are_read_or_left_out_and_nothing_else_happens(
    shared: tuple[OidcProvider, Providers], keys: Any
) -> None:
    provider, _providers = shared
    token = oidc._parsed(provider.token(NONCE))
    assert not oidc._is_signed(token, oidc.keys_of({"keys": keys}))


# Signatures


def of_secret(secret: bytes) -> Any:
    return lambda content: hmac.digest(secret, content, "sha256")


def der_and_pem(jwk: Any) -> list[bytes]:
    """What an attacker may take for a secret: the public key, as it is published and as files hold it."""
    key = import_key(dict(jwk))
    assert key.key_type == "RSA"
    return [key.as_pem(), key.as_der(), json.dumps(dict(jwk)).encode(), jwk["n"].encode()]  # type: ignore[union-attr]


@pytest.mark.parametrize("alg", ["HS256", "HS384", "HS512"])
def test_a_public_key_is_no_secret_to_sign_with(oidc_provider: OidcProvider, providers: Providers, alg: str) -> None:
    key = oidc_provider.keys[0]
    for secret in (*der_and_pem(key.jwk), b""):
        forged = SigningKey(key.kid, alg, key.jwk, of_secret(secret))
        assert "signature" == refused(providers, oidc_provider.token(NONCE, forged))
        assert "signature" == refused(providers, oidc_provider.token(NONCE, forged, header={"alg": "RS256"}))


def test_a_secret_that_a_provider_publishes_signs_nothing(oidc_provider: OidcProvider, providers: Providers) -> None:
    secret = {"kty": "oct", "kid": "first", "k": base64url(b"s" * 32), "alg": "HS256"}
    oidc_provider.keys.append(SigningKey("first", "HS256", secret, of_secret(b"s" * 32)))
    assert "signature" == refused(providers, oidc_provider.token(NONCE, oidc_provider.keys[-1]))


@pytest.mark.parametrize(
    "alg", ["none", "None", "NONE", "nOnE", "", 0, None, [], {}, "RS1", "RS512", "ES256K", "Ed25519"]
)
def test_no_signature_and_other_algorithms_are_refused(shared: tuple[OidcProvider, Providers], alg: Any) -> None:
    provider, providers = shared
    for sign in (provider.keys[0].sign, lambda _: b""):
        token = serialized({"alg": alg, "kid": "first"}, provider.claims(NONCE), sign)
        assert "signature" == refused(providers, token)


def test_an_algorithm_must_be_the_keys(oidc_provider: OidcProvider, providers: Providers) -> None:
    """Also where the bits would fit: an RSA key that is for RS256 signs no PS256."""
    first, probabilistic = oidc_provider.keys[0], signing_key("PS256", "other")
    for_both = {name: value for name, value in probabilistic.jwk.items() if name != "alg"}
    oidc_provider.keys = [
        first,
        SigningKey("other", "PS256", {**probabilistic.jwk, "alg": "RS256"}, probabilistic.sign),
    ]
    assert "signature" == refused(providers, oidc_provider.token(NONCE, probabilistic))
    for alg in ("ES256", "EdDSA", "PS256"):
        assert "signature" == refused(providers, oidc_provider.token(NONCE, first, header={"alg": alg}))
    oidc_provider.keys = [SigningKey("other", "PS256", for_both, probabilistic.sign)]
    fresh = Providers([oidc_provider.provider()])
    assert oidc_provider.subject == seen_as(fresh, oidc_provider.token(NONCE))


@pytest.mark.parametrize(
    "changes", [{"use": "enc"}, {"key_ops": ["encrypt"]}, {"kty": "EC"}, {"n": "AA"}, {"n": 7}, {"e": None}, {"kid": 7}]
)
def test_keys_for_something_else_and_damaged_ones_sign_nothing(
    oidc_provider: OidcProvider, providers: Providers, changes: dict[str, Any]
) -> None:
    good, bad = signing_key("ES256", "good"), oidc_provider.keys[0]
    jwk = {
        name: value for name, value in {**bad.jwk, **changes}.items() if not ("key_ops" in changes and name == "use")
    }
    oidc_provider.keys = [SigningKey(bad.kid, bad.alg, jwk, bad.sign), good]
    assert "signature" == refused(providers, oidc_provider.token(NONCE))
    assert oidc_provider.subject == seen_as(providers, oidc_provider.token(NONCE, good))


def test_members_of_a_key_that_we_do_not_need_are_not_read(oidc_provider: OidcProvider, providers: Providers) -> None:
    key = oidc_provider.keys[0]
    jwk = {**key.jwk, "x5u": "no URL", "x5c": 7, "x5t": [], "d": "AA", "p": "AA", "ext": True}
    oidc_provider.keys = [SigningKey(key.kid, key.alg, jwk, key.sign)]
    assert oidc_provider.subject == seen_as(providers, oidc_provider.token(NONCE))


def test_a_short_rsa_key_signs_nothing(oidc_provider: OidcProvider, providers: Providers) -> None:
    oidc_provider.keys = [signing_key("RS256", "short", 1024), signing_key("ES256", "good")]
    with pytest.warns(UserWarning, match="2048 bits"):
        assert "signature" == refused(providers, oidc_provider.token(NONCE))


def test_keys_that_a_token_brings_or_points_at_are_not_looked_at(
    oidc_provider: OidcProvider, providers: Providers
) -> None:
    own = signing_key("RS256", "of-the-attacker")
    pointing = {"jwk": dict(own.jwk), "jku": f"{oidc_provider.issuer}/keys?of=the-attacker", "kid": "first"}
    assert "signature" == refused(providers, oidc_provider.token(NONCE, own, header=pointing))
    assert "signature" == refused(providers, oidc_provider.token(NONCE, own, header={**pointing, "kid": None}))
    assert 1 == oidc_provider.counts["keys"]


def test_without_an_id_any_of_the_keys_may_have_signed(oidc_provider: OidcProvider, providers: Providers) -> None:
    second = signing_key("RS256", "second")
    oidc_provider.keys.append(second)
    assert oidc_provider.subject == seen_as(providers, oidc_provider.token(NONCE, second, header={"kid": None}))
    assert "signature" == refused(providers, oidc_provider.token(NONCE, second, header={"kid": "first"}))


# Claims


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("issuer", {"iss": None}),
        ("issuer", {"iss": "https://accounts.google.com"}),
        ("issuer", {"iss": 7}),
        ("issuer", {"iss": ""}),
        ("audience", {"aud": None}),
        ("audience", {"aud": "another"}),
        ("audience", {"aud": []}),
        ("audience", {"aud": ["another"]}),
        ("audience", {"aud": [CLIENT_ID, 7]}),
        ("audience", {"aud": {CLIENT_ID: 1}}),
        ("audience", {"aud": CLIENT_ID.upper()}),
        ("audience", {"aud": [CLIENT_ID, "another"]}),
        ("audience", {"aud": [CLIENT_ID, "another"], "azp": "another"}),
        ("audience", {"aud": [CLIENT_ID, "another"], "azp": [CLIENT_ID]}),
        ("expired", {"exp": None}),
        ("expired", {"exp": "2100-01-01"}),
        ("expired", {"exp": True}),
        ("expired", {"exp": 0}),
        ("expired", {"exp": -1e300}),
        ("expired", {"iat": None}),
        ("expired", {"iat": 1e300}),
        ("expired", {"nbf": 9_999_999_999}),
        ("nonce", {"nonce": None}),
        ("nonce", {"nonce": ""}),
        ("nonce", {"nonce": "another"}),
        ("nonce", {"nonce": NONCE + "x"}),
        ("nonce", {"nonce": NONCE.lower()}),
        ("nonce", {"nonce": [NONCE]}),
        ("nonce", {"nonce": "ä"}),
        ("unreadable", {"sub": None}),
        ("unreadable", {"sub": ""}),
        ("unreadable", {"sub": 7}),
        ("unreadable", {"sub": "x" * 256}),
        ("unreadable", {"sub": "Jörg"}),
        ("unreadable", {"sub": "a\nb"}),
    ],
)
def test_claims_are_refused_by_a_code(
    shared: tuple[OidcProvider, Providers], code: str, changes: dict[str, Any]
) -> None:
    provider, providers = shared
    assert code == refused(providers, provider.token(NONCE, **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": [CLIENT_ID]},
        {"aud": "app.example"},
        {"aud": CLIENT_ID, "azp": "of-a-phone"},  # as Google has it
        {"aud": ["another", CLIENT_ID], "azp": CLIENT_ID},
        {"aud": ["another", CLIENT_ID], "azp": "app.example"},
        {"exp": 9_999_999_999.5},
        {"nbf": 1},
        {"sub": "x" * 255},
        {"sub": "!"},
    ],
)
def test_claims_that_are_as_they_must_be_are_believed(oidc_provider: OidcProvider, changes: dict[str, Any]) -> None:
    providers = Providers([oidc_provider.provider("local", "app.example")])
    assert changes.get("sub", oidc_provider.subject) == seen_as(providers, oidc_provider.token(NONCE, **changes))


def test_clocks_may_differ_by_a_minute(shared: tuple[OidcProvider, Providers]) -> None:
    provider, providers = shared
    now = 1_800_000_000
    ends, begins = provider.token(NONCE, iat=now - 600, exp=now), provider.token(NONCE, iat=now, exp=now + 600)
    believed = providers.get("shared")
    assert believed is not None
    assert providers.verified(believed, ends, NONCE, now + 59) == providers.verified(believed, begins, NONCE, now - 60)
    assert "expired" == refused(providers, ends, now_s=now + 60)
    assert "expired" == refused(providers, begins, now_s=now - 61)


@pytest.mark.parametrize("nonce", ["", "another", "\ud800", "ä", NONCE[:-1]])
def test_a_token_is_for_the_sign_in_that_asked_for_it(shared: tuple[OidcProvider, Providers], nonce: str) -> None:
    provider, providers = shared
    assert "nonce" == refused(providers, provider.token(NONCE), nonce=nonce)
    assert "nonce" == refused(providers, provider.token(""), nonce="")


def test_of_several_faults_the_first_is_told_and_a_bad_signature_before_all(
    shared: tuple[OidcProvider, Providers],
) -> None:
    provider, providers = shared
    wrong: dict[str, Any] = {"iss": "x", "aud": "x", "exp": 1, "nonce": "x", "sub": 1}
    for code in ("issuer", "audience", "expired", "nonce", "unreadable"):
        assert code == refused(providers, provider.token(NONCE, **wrong))
        wrong.pop(next(iter(wrong)))
    forged = serialized({"alg": "RS256", "kid": "first"}, provider.claims(NONCE, iss="x"), lambda _: b"x" * 256)
    assert "signature" == refused(providers, forged)


def test_one_providers_token_is_not_anothers(oidc_provider: OidcProvider, clock: Clock) -> None:
    with OidcProvider() as another:
        providers = Providers([oidc_provider.provider(), another.provider("another")], clock)
        assert "issuer" == refused(providers, another.token(NONCE))  # both sign with the same key
        another.rotate(signing_key("ES256", "of-another"))
        assert "signature" == refused(providers, another.token(NONCE))
        assert Identity("another", another.subject) == providers.verified(
            known(providers, "another"), another.token(NONCE), NONCE, int(time.time())
        )


# What a provider publishes, and for how long it is kept


def test_documents_are_fetched_when_they_are_needed_and_kept_for_an_hour(
    oidc_provider: OidcProvider, providers: Providers, clock: Clock
) -> None:
    assert 0 == oidc_provider.counts.total()
    for _ in range(3):
        seen_as(providers, oidc_provider.token(NONCE))
    assert {"discovery": 1, "keys": 1} == oidc_provider.counts
    clock.now += HOUR_S - 1
    seen_as(providers, oidc_provider.token(NONCE))
    assert {"discovery": 1, "keys": 1} == oidc_provider.counts
    clock.now += 1
    seen_as(providers, oidc_provider.token(NONCE))
    assert {"discovery": 2, "keys": 2} == oidc_provider.counts


@pytest.mark.parametrize("path", ["/realms/games", "/realms/games/", "/"])
def test_an_issuer_may_have_a_path_and_end_with_a_slash(oidc_provider: OidcProvider, path: str) -> None:
    oidc_provider.path = path
    providers = Providers([oidc_provider.provider()])
    assert oidc_provider.subject == seen_as(providers, oidc_provider.token(NONCE))
    assert "issuer" == refused(providers, oidc_provider.token(NONCE, iss=oidc_provider.issuer.rstrip("s/")))


def test_a_key_that_is_unknown_is_looked_for_once_a_minute(
    oidc_provider: OidcProvider, providers: Providers, clock: Clock
) -> None:
    seen_as(providers, oidc_provider.token(NONCE))
    forged = signing_key("ES256", "of-nobody")
    for _ in range(5):
        assert "signature" == refused(providers, oidc_provider.token(NONCE, forged))
    assert 2 == oidc_provider.counts["keys"]
    clock.now += 59
    assert "signature" == refused(providers, oidc_provider.token(NONCE, forged))
    assert 2 == oidc_provider.counts["keys"]
    clock.now += 1
    assert "signature" == refused(providers, oidc_provider.token(NONCE, forged))
    assert 3 == oidc_provider.counts["keys"]
    assert 1 == oidc_provider.counts["discovery"]


def test_new_keys_are_known_at_once_and_old_ones_no_longer(oidc_provider: OidcProvider, providers: Providers) -> None:
    old = oidc_provider.token(NONCE)
    assert oidc_provider.subject == seen_as(providers, old)
    oidc_provider.rotate(signing_key("ES256", "second"))
    assert oidc_provider.subject == seen_as(providers, oidc_provider.token(NONCE))
    assert "signature" == refused(providers, old)
    assert 2 == oidc_provider.counts["keys"]


def test_while_a_provider_is_away_older_copies_are_used_for_a_day(
    oidc_provider: OidcProvider, providers: Providers, clock: Clock
) -> None:
    token, unknown = oidc_provider.token(NONCE), oidc_provider.token(NONCE, signing_key("ES256", "second"))
    assert oidc_provider.subject == seen_as(providers, token)
    oidc_provider.down()
    clock.now += HOUR_S
    assert oidc_provider.subject == seen_as(providers, token)
    assert "unavailable" == refused(providers, unknown)  # it may be a new one
    assert "unavailable" == refused(providers, unknown)
    clock.now += DAY_S - HOUR_S - 1
    assert oidc_provider.subject == seen_as(providers, token)
    clock.now += 1
    assert "unavailable" == refused(providers, token)
    oidc_provider.up()
    clock.now += oidc.RETRY_S
    assert oidc_provider.subject == seen_as(providers, token)


def test_who_was_never_reached_is_asked_again_after_some_seconds(
    oidc_provider: OidcProvider, providers: Providers, clock: Clock
) -> None:
    oidc_provider.instead["keys"] = (503, b"")
    token = oidc_provider.token(NONCE)
    for _ in range(3):
        assert "unavailable" == refused(providers, token)
    assert {"discovery": 1, "keys": 1} == oidc_provider.counts
    oidc_provider.instead.clear()
    clock.now += oidc.RETRY_S - 1
    assert "unavailable" == refused(providers, token)
    clock.now += 1
    assert oidc_provider.subject == seen_as(providers, token)
    assert "signature" == refused(providers, oidc_provider.token(NONCE, signing_key("ES256", "of-nobody")))


def test_threads_that_come_with_a_new_key_wait_for_it(
    oidc_provider: OidcProvider, providers: Providers, monkeypatch: pytest.MonkeyPatch
) -> None:
    came, renewed = list[object](), oidc._Kept.renewed
    monkeypatch.setattr(oidc._Kept, "renewed", lambda kept: [came.append(kept), renewed(kept)][1])  # type: ignore[func-returns-value]
    seen_as(providers, oidc_provider.token(NONCE))
    oidc_provider.rotate(signing_key("ES256", "second"))
    token, told = oidc_provider.token(NONCE), []
    oidc_provider.speaks.clear()
    threads = [threading.Thread(target=lambda: told.append(seen_as(providers, token))) for _ in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: len(came) == 8 and oidc_provider.counts["keys"] == 2)
    assert [] == told
    oidc_provider.speaks.set()
    for thread in threads:
        thread.join()
    assert [oidc_provider.subject] * 8 == told
    assert 2 == oidc_provider.counts["keys"]


def test_threads_that_come_at_once_have_one_of_them_fetch(oidc_provider: OidcProvider, providers: Providers) -> None:
    token, unknown = oidc_provider.token(NONCE), oidc_provider.token(NONCE, signing_key("ES256", "second"))
    codes: list[str] = []

    def come() -> None:
        codes.append(seen_as(providers, token))
        codes.append(refused(providers, unknown))

    threads = [threading.Thread(target=come) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {oidc_provider.subject, "signature"} == set(codes)
    assert 32 == len(codes)
    assert {"discovery": 1, "keys": 2} == oidc_provider.counts


@pytest.mark.parametrize(
    ("asked_for", "answer"),
    [
        ("discovery", (404, b"")),
        ("discovery", (200, b"")),
        ("discovery", (200, b"[]")),
        ("discovery", (200, b"\xff")),
        ("discovery", (200, b"x" * 70_000)),
        ("discovery", (302, b"")),
        ("keys", (500, b"")),
        ("keys", (200, b"{}")),
        ("keys", (200, b'{"keys": {}}')),
        ("keys", (200, b'{"keys": [7, null, [], {}, {"kty": "RSA"}, {"kty": "EC", "crv": [], "x": "", "y": ""}]}')),
        ("keys", (200, b'{"keys": [{"kty": "OKP", "crv": "Ed1", "x": "AA"}, {"kty": ["RSA"]}]}')),
        ("keys", (200, b'{"keys": [{"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"}]}')),
    ],
)
def test_nonsense_of_a_provider_is_to_be_tried_again(
    oidc_provider: OidcProvider, providers: Providers, asked_for: str, answer: tuple[int, bytes]
) -> None:
    oidc_provider.instead[asked_for] = answer
    assert "unavailable" == refused(providers, oidc_provider.token(NONCE))


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://another.example"},
        {"issuer": None},
        {"issuer": ["http://127.0.0.1"]},
        {"jwks_uri": None},
        {"jwks_uri": 7},
        {"jwks_uri": "http://keys.example/"},
        {"token_endpoint": "http://192.168.0.1/token"},
        {"token_endpoint": "ftp://127.0.0.1/token"},
        {"token_endpoint": None},
        {"authorization_endpoint": "http://login.example/"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "https://me:secret@login.example/"},
        {"authorization_endpoint": "https://login.example/#part"},
        {"authorization_endpoint": "https://login.example:port/"},
        {"authorization_endpoint": "https://[::1/"},
        {"authorization_endpoint": "//login.example/"},
        {"authorization_endpoint": "https://login.example/\nx"},
    ],
)
def test_another_issuer_and_what_must_not_be_called_are_refused(
    oidc_provider: OidcProvider, providers: Providers, metadata: dict[str, Any]
) -> None:
    oidc_provider.metadata = metadata
    assert "unavailable" == refused(providers, oidc_provider.token(NONCE))
    with pytest.raises(IdentityRefused, match="unavailable"):
        providers.authorization_url(known(providers), BACK, "s", NONCE, "c")
    assert 0 == oidc_provider.counts["keys"]


@pytest.mark.parametrize("url", ["http://127.0.0.1/x", "http://localhost/x", "http://login.example/x"])
def test_a_provider_elsewhere_names_nothing_without_tls(url: str) -> None:
    provider = Provider("login", "https://login.example", (CLIENT_ID,))
    names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
    good = {"issuer": provider.issuer, **dict.fromkeys(names, "https://login.example/x")}
    assert "https://login.example/x" == oidc.metadata_of(provider, good).jwks_uri
    for name in names:
        with pytest.raises(ValueError, match="not https"):
            oidc.metadata_of(provider, {**good, name: url})


def test_a_provider_elsewhere_cannot_have_this_machine_called(clock: Clock) -> None:
    """Its name may lead here, and its certificate may be good."""
    providers = Providers([Provider("local", "https://0x7f000001:8443", (CLIENT_ID,))], clock)
    token = OidcProvider().token(NONCE)
    with structlog.testing.capture_logs() as logged:
        assert "unavailable" == refused(providers, token)
    assert logged[0]["why"] in ("address", "name")


def test_why_a_provider_cannot_be_used_is_logged_for_the_operator(
    oidc_provider: OidcProvider, providers: Providers, clock: Clock
) -> None:
    token = oidc_provider.token(NONCE)
    with structlog.testing.capture_logs() as logged:
        oidc_provider.metadata = {"issuer": "https://another.example"}
        refused(providers, token)
        clock.now += oidc.RETRY_S
        oidc_provider.metadata = {}
        oidc_provider.instead["keys"] = (503, b"what is not to be repeated")
        refused(providers, token)
    told = [{name: each[name] for name in ("provider", "asked_for", "why")} for each in logged]
    assert [
        {"provider": "local", "asked_for": "discovery", "why": "another issuer"},
        {"provider": "local", "asked_for": "keys", "why": "status"},
    ] == told
    assert 503 == logged[1]["status"]


# The way of a browser


def test_the_challenge_of_a_verifier_is_that_of_rfc_7636() -> None:
    assert "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" == challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    verifiers = {new_verifier() for _ in range(50)}
    assert 50 == len(verifiers)
    for verifier in verifiers:
        assert 43 == len(verifier)
        digest = hashlib.sha256(verifier.encode()).digest()
        assert base64url(digest) == challenge_of(verifier)


@pytest.mark.parametrize("endpoint", [None, "https://login.example/authorize?tenant=a%20b"])
def test_a_browser_is_sent_with_all_that_is_needed(
    oidc_provider: OidcProvider, providers: Providers, endpoint: str | None
) -> None:
    oidc_provider.metadata = {"authorization_endpoint": endpoint} if endpoint else {}
    url = urlsplit(providers.authorization_url(known(providers), BACK, "st&te", NONCE, challenge_of("v" * 43)))
    expected = {
        "response_type": ["code"],
        "client_id": [CLIENT_ID],
        "redirect_uri": [BACK],
        "scope": ["openid"],
        "state": ["st&te"],
        "nonce": [NONCE],
        "code_challenge": [challenge_of("v" * 43)],
        "code_challenge_method": ["S256"],
    }
    assert (expected | {"tenant": ["a b"]} if endpoint else expected) == parse_qs(url.query)
    assert (endpoint or f"{oidc_provider.issuer}/authorize").partition("?")[
        0
    ] == f"{url.scheme}://{url.netloc}{url.path}"


def back_with(provider: OidcProvider, providers: Providers, verifier: str) -> str:
    """The code with which a browser comes back."""
    url = providers.authorization_url(known(providers), BACK, "the-state", NONCE, challenge_of(verifier))
    back = provider.signed_in(url)
    assert "the-state" == back["state"]
    return back["code"]


def not_redeemed(providers: Providers, code: str, verifier: str, back: str = BACK) -> str:
    with pytest.raises(IdentityRefused) as error:
        providers.redeemed(known(providers), code, verifier, back)
    return error.value.code


@pytest.mark.parametrize(
    ("secret", "method"),
    [
        ("", "none"),
        ("a+secret/with:all%of&it=", "client_secret_basic"),
        ("a+secret/with:all%of&it=", "client_secret_post"),
    ],
)
def test_a_browser_signs_in(secret: str, method: str, clock: Clock) -> None:
    with OidcProvider(secret, method) as provider:
        providers = Providers([provider.provider()], clock)
        verifier = new_verifier()
        provider.subject = "whoever.signs.in"
        code = back_with(provider, providers, verifier)
        token = providers.redeemed(known(providers), code, verifier, BACK)
        assert "whoever.signs.in" == seen_as(providers, token)
        assert "code" == not_redeemed(providers, code, verifier)  # once
        assert {"authorize": 1, "discovery": 1, "keys": 1, "token": 2} == provider.counts
        assert (method == "client_secret_post") == ("client_secret" in provider.seen[0])


@pytest.mark.parametrize(
    ("methods", "by_form"),
    [
        (None, False),
        ("client_secret_post", False),
        ([], False),
        (["client_secret_basic", "client_secret_post"], False),
        (["private_key_jwt", "client_secret_post"], True),
    ],
)
def test_the_secret_goes_by_header_unless_the_form_alone_is_supported(
    oidc_provider: OidcProvider, methods: Any, *, by_form: bool
) -> None:
    oidc_provider.metadata = {"token_endpoint_auth_methods_supported": methods}
    actual = oidc.metadata_of(oidc_provider.provider(), oidc_provider.discovery()).posts_secret
    assert by_form == actual


def test_a_code_is_for_one_verifier_one_address_and_one_client(
    oidc_provider: OidcProvider, providers: Providers
) -> None:
    for verifier, back in (("w" * 43, BACK), ("v" * 43, "https://games.example/elsewhere")):
        code = back_with(oidc_provider, providers, "v" * 43)
        assert "code" == not_redeemed(providers, code, verifier, back)
    assert "code" == not_redeemed(providers, "a-code-of-nobody", "v" * 43)
    oidc_provider.refusal = 403
    assert "code" == not_redeemed(providers, "a-code-of-nobody", "v" * 43)


@pytest.mark.parametrize("code", ["", "zügig", "\ud800", "a\nb", "x" * 4_097])
def test_what_can_be_no_code_is_not_sent(oidc_provider: OidcProvider, providers: Providers, code: str) -> None:
    assert "code" == not_redeemed(providers, code, "v" * 43)
    assert 0 == oidc_provider.counts["token"]


@pytest.mark.parametrize(
    "answer",
    [
        (500, b""),
        (429, b""),
        (302, b""),
        (401, b'{"error": "invalid_client"}'),
        (200, b""),
        (200, b"[]"),
        (200, b'{"access_token": "x"}'),
        (200, b'{"id_token": 7}'),
        (200, b"x" * 70_000),
    ],
)
def test_a_token_endpoint_that_fails_is_to_be_asked_again(
    oidc_provider: OidcProvider, providers: Providers, answer: tuple[int, bytes]
) -> None:
    oidc_provider.instead["token"] = answer
    assert "unavailable" == not_redeemed(providers, "a-code", "v" * 43)


def test_our_secret_being_wrong_is_not_the_callers_fault(clock: Clock) -> None:
    with OidcProvider("what-was-agreed-on") as provider:
        wrong = Provider("local", provider.issuer, (CLIENT_ID,), "another-secret")
        providers = Providers([wrong], clock)
        code = back_with(provider, providers, "v" * 43)
        with structlog.testing.capture_logs() as logged:
            assert "unavailable" == not_redeemed(providers, code, "v" * 43)
        assert [401] == [each["status"] for each in logged]
        assert "another-secret" not in repr((logged, wrong))


def test_a_provider_that_is_away_cannot_be_signed_in_with(oidc_provider: OidcProvider, providers: Providers) -> None:
    oidc_provider.down()
    with pytest.raises(IdentityRefused, match="unavailable"):
        providers.authorization_url(known(providers), BACK, "s", NONCE, "c")
    assert "unavailable" == not_redeemed(providers, "a-code", "v" * 43)


IN_GREENLETS = """
from gevent import monkey
monkey.patch_all()
import itertools, json, sys, threading, time
import gevent
from service.identity_providers import Provider
from service.outgoing import outbound_http
from service.outgoing.oidc import IdentityRefused, Providers
from tests.patience import HANG_S, until
outbound_http.call.__kwdefaults__["deadline_s"] = HANG_S
issuer, token, nonce, is_silent = sys.argv[1:]
provider = Provider("local", issuer, ("games.example",))
providers = Providers([provider])
def come():
    try:
        return providers.verified(provider, token, nonce, int(time.time())).subject
    except IdentityRefused as error:
        return error.code
timers = []
class Timer(threading.Timer):
    def start(self):
        timers.append(self)
def be_late():
    ticks = itertools.count()
    until(lambda: timers and next(ticks) > 20)  # while somebody waits
    until(lambda: all(timer.function() for timer in timers))  # again and again
threading.Timer = Timer
if is_silent == "True":
    gevent.spawn(be_late)
said = [each.value for each in gevent.joinall([gevent.spawn(come) for _ in range(20)])]
print(json.dumps([sorted(set(said)), len(said)]))
"""


def in_greenlets(issuer: str, token: str, *, is_silent: bool = False, **environment: str) -> Any:
    """(what twenty greenlets were told, how many of them).

    While the provider is silent, another greenlet goes on, and then says that it is late.
    """
    command = [sys.executable, "-c", IN_GREENLETS, issuer, token, NONCE, str(is_silent)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=True, capture_output=True, text=True, timeout=HANG_S
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_greenlets_share_what_is_fetched_by_tls_as_in_the_web_server(
    oidc_provider: OidcProvider, tmp_path: Path
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with OidcProvider(context=context) as provider:
        assert provider.issuer.startswith("https://")
        token = provider.token(NONCE)
        trusted = str(tmp_path / "authority.pem")
        assert [[provider.subject], 20] == in_greenlets(provider.issuer, token, SSL_CERT_FILE=trusted)
        assert {"discovery": 1, "keys": 1} == provider.counts
        assert [["unavailable"], 20] == in_greenlets(provider.issuer, token)  # nobody has signed the certificate


def test_a_provider_that_says_nothing_holds_up_nobody_else(oidc_provider: OidcProvider) -> None:
    oidc_provider.speaks.clear()
    assert [["unavailable"], 20] == in_greenlets(oidc_provider.issuer, oidc_provider.token(NONCE), is_silent=True)
