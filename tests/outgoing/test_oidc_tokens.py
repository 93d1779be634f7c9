"""ID tokens: accepted signatures and claims, and the codes of refusals."""

from __future__ import annotations

import hmac
import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from joserfc.jwk import import_key

from service.outgoing import oidc
from service.outgoing.oidc import Identity, IdentityRefusedError, Providers
from tests.outgoing.oidc_provider import (
    CLIENT_ID,
    OidcProvider,
    SigningKey,
    base64url,
    signed_token,
    signing_key,
)
from tests.outgoing.relying_party import NONCE, RelyingParty


def sign_with_first_key(party: RelyingParty, header: Any, payload: Any) -> str:
    """Return a token with any header and payload and a valid signature of the provider."""
    return signed_token(header, payload, party.provider.keys[0].sign)


def test_valid_token_yields_only_the_identity(party: RelyingParty) -> None:
    token, now = party.token(email="ana@example.org", name="Ana"), int(time.time())
    for each in (token, token.encode()):
        assert Identity("local", party.provider.subject) == party.providers.verify_token(
            party.setting, each, NONCE, now
        )


def test_providers_are_found_by_their_id_alone(party: RelyingParty) -> None:
    assert [None, None, party.setting] == [party.providers.get(name) for name in ("google", "", "local")]


@pytest.mark.filterwarnings("error::joserfc.errors.SecurityWarning")
@pytest.mark.parametrize("alg", ["RS256", "PS256", "ES256", "EdDSA"])
def test_each_algorithm_is_accepted_and_checked(party: RelyingParty, alg: str) -> None:
    party.provider.rotate(signing_key(alg, "of-this-test"))
    assert party.provider.subject == party.subject(party.token())
    header, payload, _signature = party.token().split(".")
    _header, other_payload, signature = party.token(sub="another").split(".")
    assert "signature" == party.refusal(f"{header}.{payload}.{signature}")
    assert "signature" == party.refusal(f"{header}.{other_payload}.")


# Invalid tokens

NO_TOKENS = [
    *("", ".", "..", "...", "a.b.c", "e30.e30.AA", "\ud800", "zügig.e30.AA", b"\xff\xfe", b"\x00.\x00.\x00"),
    *("eyJhbGciOiJSUzI1NiJ9", "eyJhbGciOiJSUzI1NiJ9.e30", "eyJhbGciOiJSUzI1NiJ9 .e30.AA"),
    "eyJhbGciOiJSUzI1NiJ9.e30.AA.AA.AA",  # five parts: an encrypted token
    base64url(b"[" * 3_000) + ".e30.AA",
]
NO_HEADERS = [["alg"], ["alg", "b64"], "alg", "alg b64", 7, None, {}]
UNKNOWN_HEADERS: list[dict[str, Any]] = [
    *({"kid": kid} for kid in (7, None)),
    {"crit": 5},
    {"crit": [[]]},
    {"crit": ["exp"], "exp": 1},
    {"crit": ["b64"], "b64": False},
    *({"b64": b64} for b64 in (False, True)),
]


@pytest.mark.parametrize("token", NO_TOKENS)
def test_invalid_token_is_unreadable(shared_party: RelyingParty, token: str | bytes) -> None:
    assert "unreadable" == shared_party.refusal(token)


@pytest.mark.parametrize("header", [*NO_HEADERS, *({"alg": "RS256", **members} for members in UNKNOWN_HEADERS)])
def test_invalid_or_unsupported_header_is_unreadable(shared_party: RelyingParty, header: Any) -> None:
    assert "unreadable" == shared_party.refusal(
        sign_with_first_key(shared_party, header, shared_party.provider.claims(NONCE))
    )


def test_unknown_header_parameters_are_ignored(party: RelyingParty) -> None:
    token = party.token(header={"typ": "JWT", "x5c": ["A" * 600], "of_the_provider": [1]})
    assert party.provider.subject == party.subject(token)


@pytest.mark.parametrize("payload", [[], "text", 7, None, {}])
def test_invalid_claims_are_unreadable(shared_party: RelyingParty, payload: Any) -> None:
    assert "unreadable" == shared_party.refusal(
        sign_with_first_key(shared_party, {"alg": "RS256", "kid": "first"}, payload)
    )


def test_a_token_has_at_most_8_kb(party: RelyingParty) -> None:
    room = (oidc.MAX_TOKEN_BYTES - len(party.token(filling=""))) * 3 // 4
    fits = party.token(filling="x" * room)
    assert oidc.MAX_TOKEN_BYTES - 2 <= len(fits) <= oidc.MAX_TOKEN_BYTES
    assert party.provider.subject == party.subject(fits)
    assert "unreadable" == party.refusal(party.token(filling="x" * (room + 3)))


def test_invalid_token_causes_no_fetch(party: RelyingParty) -> None:
    for token in ("", "a.b.c", "x" * 100_000, party.token(header={"alg": "none"})):
        party.refusal(token)
    assert 0 == party.provider.counts.total()


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
def test_any_text_and_any_bytes_are_refused(shared_party: RelyingParty, token: str | bytes) -> None:
    assert shared_party.refusal(token) in ("unreadable", "signature")


@MANY
@given(header=HEADERS | JSON, payload=JSON, signature=st.binary(max_size=80))
def test_any_header_is_refused(shared_party: RelyingParty, header: Any, payload: Any, signature: bytes) -> None:
    assert shared_party.refusal(signed_token(header, payload, lambda _: signature)) in ("unreadable", "signature")


@MANY
@given(changes=CLAIMS)
def test_arbitrary_signed_claims_are_refused_unless_they_are_valid(
    shared_party: RelyingParty, changes: dict[str, Any]
) -> None:
    claims, now = {**shared_party.provider.claims(NONCE), **changes}, int(time.time())
    token = sign_with_first_key(shared_party, {"alg": "RS256", "kid": "first"}, claims)
    try:
        identity = shared_party.providers.verify_token(shared_party.setting, token, NONCE, now)
    except IdentityRefusedError as error:
        assert {} != changes
        assert error.code in ("unreadable", "issuer", "audience", "expired", "nonce")  # noqa: PT017
    else:
        assert (shared_party.provider.issuer, NONCE, identity.subject) == (
            claims["iss"],
            claims["nonce"],
            claims["sub"],
        )
        assert CLIENT_ID in claims["aud"]
        assert claims["iat"] - 60 <= now < claims["exp"] + 60


@MANY
@given(keys=st.lists(KEYS | JSON, max_size=4) | JSON)
def test_arbitrary_published_keys_are_read_or_skipped(shared_party: RelyingParty, keys: Any) -> None:
    assert not oidc._is_valid(oidc._parse_token(shared_party.token()), oidc.usable_keys({"keys": keys}))


# Signatures


def hmac_signer(secret: bytes) -> Any:
    return lambda content: hmac.digest(secret, content, "sha256")


@pytest.mark.parametrize("alg", ["HS256", "HS384", "HS512"])
def test_public_key_cannot_be_used_as_an_hmac_secret(party: RelyingParty, alg: str) -> None:
    """An attacker may use the published key or the forms in which files contain it."""
    jwk = party.provider.keys[0].jwk
    key = import_key(dict(jwk))
    files = [key.as_pem(), key.as_der()]  # type: ignore[union-attr]
    for secret in (*files, json.dumps(dict(jwk)).encode(), jwk["n"].encode(), b""):
        forged = SigningKey("first", alg, jwk, hmac_signer(secret))
        assert "signature" == party.refusal(party.token(forged))
        assert "signature" == party.refusal(party.token(forged, header={"alg": "RS256"}))


def test_published_secret_verifies_no_signature(party: RelyingParty) -> None:
    secret = {"kty": "oct", "kid": "first", "k": base64url(b"s" * 32), "alg": "HS256"}
    party.provider.keys.append(SigningKey("first", "HS256", secret, hmac_signer(b"s" * 32)))
    assert "signature" == party.refusal(party.token(party.provider.keys[-1]))


@pytest.mark.parametrize(
    "alg", ["none", "None", "NONE", "nOnE", "", 0, None, [], {}, "RS1", "RS512", "ES256K", "Ed25519"]
)
def test_no_signature_and_other_algorithms_are_refused(shared_party: RelyingParty, alg: Any) -> None:
    for sign in (shared_party.provider.keys[0].sign, lambda _: b""):
        token = signed_token({"alg": alg, "kid": "first"}, shared_party.provider.claims(NONCE), sign)
        assert "signature" == shared_party.refusal(token)


def test_algorithm_must_match_the_key(party: RelyingParty) -> None:
    """The bits could match: an RSA key for RS256 does not verify PS256."""
    first, probabilistic = party.provider.keys[0], signing_key("PS256", "other")
    for_both = {name: value for name, value in probabilistic.jwk.items() if name != "alg"}
    for_another = SigningKey("other", "PS256", {**for_both, "alg": "RS256"}, probabilistic.sign)
    party.provider.keys = [first, for_another]
    assert "signature" == party.refusal(party.token(probabilistic))
    for alg in ("ES256", "EdDSA", "PS256"):
        assert "signature" == party.refusal(party.token(first, header={"alg": alg}))
    party.provider.keys = [SigningKey("other", "PS256", for_both, probabilistic.sign)]
    fresh = RelyingParty(party.provider)
    assert party.provider.subject == fresh.subject(fresh.token())


@pytest.mark.parametrize(
    "changes", [{"use": "enc"}, {"key_ops": ["encrypt"]}, {"kty": "EC"}, {"n": "AA"}, {"n": 7}, {"e": None}, {"kid": 7}]
)
def test_keys_for_other_uses_and_damaged_keys_verify_nothing(party: RelyingParty, changes: dict[str, Any]) -> None:
    good, bad = signing_key("ES256", "good"), party.provider.keys[0]
    jwk = {**bad.jwk, **changes}
    if "key_ops" in changes:
        del jwk["use"]
    party.provider.keys = [SigningKey(bad.kid, bad.alg, jwk, bad.sign), good]
    assert "signature" == party.refusal(party.token())
    assert party.provider.subject == party.subject(party.token(good))


def test_unneeded_members_of_a_key_are_ignored(party: RelyingParty) -> None:
    key = party.provider.keys[0]
    jwk = {**key.jwk, "x5u": "no URL", "x5c": 7, "x5t": [], "d": "AA", "p": "AA", "ext": True}
    party.provider.keys = [SigningKey(key.kid, key.alg, jwk, key.sign)]
    assert party.provider.subject == party.subject(party.token())


def test_short_rsa_key_verifies_nothing(party: RelyingParty) -> None:
    party.provider.keys = [signing_key("RS256", "short", 1024), signing_key("ES256", "good")]
    with pytest.warns(UserWarning, match="2048 bits"):
        assert "signature" == party.refusal(party.token())


def test_keys_in_or_linked_from_a_token_are_ignored(party: RelyingParty) -> None:
    own = signing_key("RS256", "of-the-attacker")
    pointing = {"jwk": dict(own.jwk), "jku": f"{party.provider.issuer}/keys?of=the-attacker"}
    for kid in ("first", None):
        assert "signature" == party.refusal(party.token(own, header={**pointing, "kid": kid}))
    assert 1 == party.provider.counts["keys"]


def test_token_without_a_key_id_is_checked_with_all_keys(party: RelyingParty) -> None:
    second = signing_key("RS256", "second")
    party.provider.keys.append(second)
    assert party.provider.subject == party.subject(party.token(second, header={"kid": None}))
    assert "signature" == party.refusal(party.token(second, header={"kid": "first"}))


# Claims

WRONG_CLAIMS: dict[str, tuple[str, list[Any]]] = {
    "iss": ("issuer", [None, "https://accounts.google.com", 7, ""]),
    "aud": ("audience", [None, "another", [], ["another"], [CLIENT_ID, 7], {CLIENT_ID: 1}, CLIENT_ID.upper()]),
    "exp": ("expired", [None, "2100-01-01", True, 0, -1e300]),
    "iat": ("expired", [None, 1e300]),
    "nbf": ("expired", [9_999_999_999]),
    "nonce": ("nonce", [None, "", "another", NONCE + "x", NONCE.lower(), [NONCE], "ä"]),
    "sub": ("unreadable", [None, "", 7, "x" * 256, "Jörg", "a\nb"]),
}


@pytest.mark.parametrize("claim", WRONG_CLAIMS)
def test_invalid_claims_are_refused_with_their_code(shared_party: RelyingParty, claim: str) -> None:
    code, values = WRONG_CLAIMS[claim]
    for value in values:
        assert code == shared_party.refusal(shared_party.token(**{claim: value})), value


@pytest.mark.parametrize("azp", [None, "another", [CLIENT_ID]])
def test_a_token_for_several_audiences_must_name_us_as_authorized_party(shared_party: RelyingParty, azp: Any) -> None:
    assert "audience" == shared_party.refusal(shared_party.token(aud=[CLIENT_ID, "another"], azp=azp))


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": [CLIENT_ID]},
        {"aud": "app.example"},
        {"aud": CLIENT_ID, "azp": "of-a-phone"},  # as in tokens of Google
        {"aud": ["another", CLIENT_ID], "azp": CLIENT_ID},
        {"aud": ["another", CLIENT_ID], "azp": "app.example"},
        {"exp": 9_999_999_999.5},
        {"nbf": 1},
        {"sub": "x" * 255},
        {"sub": "!"},
    ],
)
def test_valid_claims_are_accepted(oidc_provider: OidcProvider, changes: dict[str, Any]) -> None:
    party = RelyingParty(oidc_provider, oidc_provider.provider("local", "app.example"))
    assert changes.get("sub", oidc_provider.subject) == party.subject(party.token(**changes))


def test_clocks_may_differ_by_a_minute(shared_party: RelyingParty) -> None:
    now = 1_800_000_000
    ends, begins = shared_party.token(iat=now - 600, exp=now), shared_party.token(iat=now, exp=now + 600)
    assert shared_party.subject(ends, now + 59) == shared_party.subject(begins, now - 60)
    assert "expired" == shared_party.refusal(ends, now_s=now + 60)
    assert "expired" == shared_party.refusal(begins, now_s=now - 61)


@pytest.mark.parametrize("nonce", ["", "another", "\ud800", "ä", NONCE[:-1]])
def test_a_token_with_another_nonce_is_refused(shared_party: RelyingParty, nonce: str) -> None:
    assert "nonce" == shared_party.refusal(shared_party.token(), nonce)
    assert "nonce" == shared_party.refusal(shared_party.token(nonce=""), "")


def test_first_fault_is_reported_and_a_bad_signature_comes_first(shared_party: RelyingParty) -> None:
    wrong: dict[str, Any] = {"iss": "x", "aud": "x", "exp": 1, "nonce": "x", "sub": 1}
    for code in ("issuer", "audience", "expired", "nonce", "unreadable"):
        assert code == shared_party.refusal(shared_party.token(**wrong))
        wrong.pop(next(iter(wrong)))
    claims = shared_party.provider.claims(NONCE, iss="x")
    assert "signature" == shared_party.refusal(
        signed_token({"alg": "RS256", "kid": "first"}, claims, lambda _: b"x" * 256)
    )


def test_a_token_of_another_provider_is_refused(party: RelyingParty) -> None:
    with OidcProvider() as another:
        known = another.provider("another")
        both = Providers([party.setting, known])
        party.providers = both
        assert "issuer" == party.refusal(another.token(NONCE))  # both sign with the same key
        another.rotate(signing_key("ES256", "of-another"))
        assert "signature" == party.refusal(another.token(NONCE))
        identity = both.verify_token(known, another.token(NONCE), NONCE, int(time.time()))
        assert Identity("another", another.subject) == identity
