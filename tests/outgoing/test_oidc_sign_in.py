"""Sign-in with an OpenID provider: the authorization URL, and the exchange of the code."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import parse_qs

import pytest
import structlog

from service.identity_providers import Provider
from service.outgoing import oidc
from service.outgoing.oidc import IdentityRefusedError, code_challenge, new_verifier
from tests.outgoing.oidc_provider import CLIENT_ID, OidcProvider, base64url
from tests.outgoing.relying_party import BACK, NONCE, RelyingParty


def test_the_challenge_of_a_verifier_follows_rfc_7636() -> None:
    assert "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" == code_challenge(
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    )
    verifiers = {new_verifier() for _ in range(50)}
    assert 50 == len(verifiers)
    for verifier in verifiers:
        assert 43 == len(verifier)
        assert base64url(hashlib.sha256(verifier.encode()).digest()) == code_challenge(verifier)


@pytest.mark.parametrize("endpoint", [None, "https://login.example/authorize?tenant=a%20b"])
def test_authorization_url_contains_all_parameters(party: RelyingParty, endpoint: str | None) -> None:
    party.provider.metadata = {"authorization_endpoint": endpoint} if endpoint else {}
    address, _, query = party.authorization_url(state="st&te").partition("?")
    assert (endpoint or f"{party.provider.issuer}/authorize").partition("?")[0] == address
    assert {
        "response_type": ["code"],
        "client_id": [CLIENT_ID],
        "redirect_uri": [BACK],
        "scope": ["openid"],
        "state": ["st&te"],
        "nonce": [NONCE],
        "code_challenge": [code_challenge("v" * 43)],
        "code_challenge_method": ["S256"],
        **({"tenant": ["a b"]} if endpoint else {}),
    } == parse_qs(query)


SECRET = "a+secret/with:all%of&it="


@pytest.mark.parametrize(
    ("secret", "method"), [("", "none"), (SECRET, "client_secret_basic"), (SECRET, "client_secret_post")]
)
def test_a_browser_signs_in(secret: str, method: str) -> None:
    with OidcProvider(secret, method) as provider:
        party, verifier = RelyingParty(provider), new_verifier()
        provider.subject = "someone.signs.in"
        code = party.code(verifier)
        assert "someone.signs.in" == party.subject(party.redeem(code, verifier))
        assert "code" == party.redeem_error(code, verifier)  # once
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
def test_secret_is_sent_by_header_unless_only_the_form_is_supported(
    party: RelyingParty, methods: Any, *, by_form: bool
) -> None:
    party.provider.metadata = {"token_endpoint_auth_methods_supported": methods}
    assert by_form == oidc.parse_metadata(party.setting, party.provider.discovery()).posts_secret


def test_a_code_is_valid_only_with_its_verifier_and_redirect_url(party: RelyingParty) -> None:
    assert "code" == party.redeem_error(party.code(), "w" * 43)
    assert "code" == party.redeem_error(party.code(), back="https://games.example/elsewhere")
    for status in (400, 403):
        party.provider.refusal = status
        assert "code" == party.redeem_error("a-code-of-nobody")


@pytest.mark.parametrize("code", ["", "zügig", "\ud800", "a\nb", "x" * 4_097])
def test_invalid_code_is_not_sent(party: RelyingParty, code: str) -> None:
    assert "code" == party.redeem_error(code)
    assert 0 == party.provider.counts["token"]


@pytest.mark.parametrize(
    "answer",
    [
        *((500, b""), (429, b""), (302, b""), (401, b'{"error": "invalid_client"}'), (200, b""), (200, b"[]")),
        *((200, b'{"access_token": "x"}'), (200, b'{"id_token": 7}'), (200, b"x" * 70_000)),
    ],
)
def test_failing_token_endpoint_makes_the_provider_unavailable(party: RelyingParty, answer: tuple[int, bytes]) -> None:
    party.provider.instead["token"] = answer
    assert "unavailable" == party.redeem_error("a-code")


def test_wrong_secret_of_the_service_makes_the_provider_unavailable() -> None:
    with OidcProvider("what-was-agreed-on") as provider:
        party = RelyingParty(provider, Provider("local", provider.issuer, (CLIENT_ID,), "another-secret"))
        with structlog.testing.capture_logs() as logged:
            assert "unavailable" == party.redeem_error(party.code())
        assert [401] == [each["status"] for each in logged]
        assert "another-secret" not in repr((logged, party.setting))


def test_sign_in_fails_while_the_provider_is_down(party: RelyingParty) -> None:
    party.provider.stop()
    with pytest.raises(IdentityRefusedError, match="unavailable"):
        party.authorization_url()
    assert "unavailable" == party.redeem_error("a-code")
