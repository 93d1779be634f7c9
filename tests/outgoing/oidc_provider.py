"""An OpenID Connect provider on 127.0.0.1 for tests: real requests, real signatures.

Keys and tokens are made by the letter of RFC 7515, 7517 and 7518, not by the library under test.

    with OidcProvider() as google:
        providers = Providers([google.provider()])
        token = google.token("the nonce")
        query = google.sign_in(providers.authorization_url(…))
"""

from __future__ import annotations

import base64
import functools
import hashlib
import http.server
import json
import secrets
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA256

from service.identity_providers import Provider
from tests.patience import HANG_S
from tests.serving import Handler

CLIENT_ID = "games.example"


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def base64url_number(number: int) -> str:
    return base64url(number.to_bytes((number.bit_length() + 7) // 8, "big"))


@dataclass(frozen=True)
class SigningKey:
    """A key pair. `jwk`: the published public half; `sign`: returns the signature of some bytes."""

    kid: str
    alg: str
    jwk: Mapping[str, Any]
    sign: Callable[[bytes], bytes]


@functools.cache
def signing_key(alg: str, kid: str, bits: int = 2048) -> SigningKey:
    """Return the key of an algorithm and an id, always the same within a process. `bits`: for RSA."""
    common = {"kid": kid, "alg": alg, "use": "sig"}
    if alg == "ES256":
        curve = ec.generate_private_key(ec.SECP256R1())
        point = curve.public_key().public_numbers()
        x, y = (base64url(number.to_bytes(32, "big")) for number in (point.x, point.y))

        def sign(content: bytes) -> bytes:
            r, s = utils.decode_dss_signature(curve.sign(content, ec.ECDSA(SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")

        return SigningKey(kid, alg, {**common, "kty": "EC", "crv": "P-256", "x": x, "y": y}, sign)
    if alg == "EdDSA":
        edwards = ed25519.Ed25519PrivateKey.generate()
        x = base64url(edwards.public_key().public_bytes_raw())
        return SigningKey(kid, alg, {**common, "kty": "OKP", "crv": "Ed25519", "x": x}, edwards.sign)
    private = rsa.generate_private_key(65_537, bits)
    numbers = private.public_key().public_numbers()
    pads = {"RS256": padding.PKCS1v15(), "PS256": padding.PSS(padding.MGF1(SHA256()), 32)}
    jwk = {**common, "kty": "RSA", "n": base64url_number(numbers.n), "e": base64url_number(numbers.e)}
    return SigningKey(kid, alg, jwk, lambda content: private.sign(content, pads[alg], SHA256()))


def signed_token(header: Any, payload: Any, sign: Callable[[bytes], bytes]) -> str:
    """Return a token with any header and payload."""
    content = ".".join(base64url(json.dumps(part).encode()) for part in (header, payload))
    return f"{content}.{base64url(sign(content.encode()))}"


class OidcProvider:
    """A provider that serves while it is entered. `stop` and `start` interrupt it, at the same address.

    `counts`: requests by kind: `discovery`, `keys`, `authorize`, `token`. `instead`: a status and a body that replace
    the response to one kind. `metadata`: changed members of the discovery document, omitted if None. `subject`: the
    subject that signs in. `refusal`: the status for an invalid code. `speaks`: while it is not set, the provider does
    not respond. `path`: of its issuer. With `context` it uses TLS.
    """

    def __init__(
        self,
        client_secret: str = "",
        auth_method: str = "client_secret_basic",
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.client_secret = client_secret
        self.auth_method = auth_method
        self.keys = [signing_key("RS256", "first")]
        self.counts: Counter[str] = Counter()
        self.instead: dict[str, tuple[int, bytes]] = {}
        self.metadata: dict[str, Any] = {}
        self.subject = "110169484474386276334"
        self.refusal = 400
        self.speaks = threading.Event()
        self.speaks.set()
        self.path = ""
        self._context = context
        self.seen: list[dict[str, str]] = []  # forms sent to the token endpoint
        self._codes: dict[str, dict[str, str]] = {}
        self._server: http.server.ThreadingHTTPServer | None = None
        self._port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.speaks.set()
        self.stop()

    def start(self) -> None:
        """Serve at the same address as before."""
        handler = type("Handling", (_Handler,), {"provider": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._port = self._server.server_address[1]
        if self._context is not None:
            self._server.socket = self._context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Stop serving, so that connections are refused."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    @property
    def issuer(self) -> str:
        return self._root + self.path

    @property
    def _root(self) -> str:
        return f"http{'s' if self._context else ''}://127.0.0.1:{self._port}"

    def provider(self, provider_id: str = "local", *more_client_ids: str) -> Provider:
        """Return the provider as the operator configures it."""
        return Provider(provider_id, self.issuer, (CLIENT_ID, *more_client_ids), self.client_secret)

    def setting(self, provider_id: str = "local") -> str:
        """Return the setting OIDC_PROVIDERS for this provider."""
        members = {"id": provider_id, "issuer": self.issuer, "client_ids": [CLIENT_ID]}
        return json.dumps([members | ({"client_secret": self.client_secret} if self.client_secret else {})])

    def rotate(self, key: SigningKey) -> None:
        """Sign with another key from now on, and publish only that key."""
        self.keys = [key]

    def claims(self, nonce: str, /, **changes: Any) -> dict[str, Any]:
        """Return the claims of a valid token with changes. None removes a claim."""
        now = int(time.time())
        usual = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": self.subject,
            "iat": now,
            "exp": now + 600,
            "nonce": nonce,
        }
        return {name: value for name, value in {**usual, **changes}.items() if value is not None}

    def token(self, nonce: str, /, key: SigningKey | None = None, header: Any = (), **changes: Any) -> str:
        """Return an ID token with changed header and claims, signed with a key or the current one."""
        key = key or self.keys[0]
        members = {"alg": key.alg, "kid": key.kid, **dict(header)}
        present = {name: value for name, value in members.items() if value is not None}
        return signed_token(present, self.claims(nonce, **changes), key.sign)

    def sign_in(self, url: str) -> dict[str, str]:
        """Open an authorization URL like a browser, and return the query of the redirect."""
        answer = requests.get(url, allow_redirects=False, timeout=HANG_S)
        assert answer.status_code == 302, answer.text
        return dict(parse_qsl(urlsplit(answer.headers["Location"]).query))

    def discovery(self) -> dict[str, Any]:
        """Return the discovery document."""
        usual = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self._root}/authorize",
            "token_endpoint": f"{self._root}/token",
            "jwks_uri": f"{self._root}/keys",
            "token_endpoint_auth_methods_supported": [self.auth_method],
        }
        return {name: value for name, value in {**usual, **self.metadata}.items() if value is not None}

    def code_for(self, asked: Mapping[str, str]) -> str:
        """Return a code for a valid authorization request."""
        assert ("code", CLIENT_ID, "S256") == tuple(
            asked[name] for name in ("response_type", "client_id", "code_challenge_method")
        )
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self._codes[code] = {**asked, "subject": self.subject}
        return code

    def answer_to(self, form: dict[str, str], authorization: str | None) -> tuple[int, dict[str, str]]:
        """Return the response of the token endpoint. A code is valid once, for its client, verifier and address."""
        self.seen.append(form)
        if self._client_of(form, authorization) != (CLIENT_ID, self.client_secret):
            return 401, {"error": "invalid_client"}
        asked = self._codes.pop(form.get("code", ""), None)
        challenge = base64url(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            asked is None
            or form.get("grant_type") != "authorization_code"
            or (asked["redirect_uri"], asked["code_challenge"]) != (form.get("redirect_uri"), challenge)
        ):
            return self.refusal, {"error": "invalid_grant"}
        return 200, {"token_type": "Bearer", "id_token": self.token(asked["nonce"], sub=asked["subject"])}

    def _client_of(self, form: Mapping[str, str], authorization: str | None) -> tuple[str, str]:
        """Return the client's id and secret, which it must send by the configured method only."""
        by_form = (form.get("client_id", ""), form.get("client_secret", ""))
        if not self.client_secret or self.auth_method == "client_secret_post":
            return by_form if authorization is None else ("", "")
        if authorization is None or by_form != ("", ""):
            return "", ""
        client_id, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        return unquote_plus(client_id), unquote_plus(secret)


class _Handler(Handler):
    provider: OidcProvider

    def respond(self) -> None:
        """Respond to requests for authorization, discovery, keys and tokens."""
        url = urlsplit(self.path)
        if self.command == "POST":
            self._exchange_code()
        elif url.path == "/authorize" and not self._is_answered("authorize"):
            asked = dict(parse_qsl(url.query))
            query = urlencode({"code": self.provider.code_for(asked), "state": asked["state"]})
            back = asked["redirect_uri"]
            self.answer(b"", 302, Location=f"{back}{'&' if '?' in back else '?'}{query}")
        elif url.path == f"{self.provider.path.rstrip('/')}/.well-known/openid-configuration" and not self._is_answered(
            "discovery"
        ):
            self.answer(json.dumps(self.provider.discovery()).encode())
        elif url.path == "/keys" and not self._is_answered("keys"):
            self.answer(json.dumps({"keys": [dict(key.jwk) for key in self.provider.keys]}).encode())

    def _exchange_code(self) -> None:
        form = dict(parse_qsl(self.content.decode()))
        if self.path == "/token" and not self._is_answered("token"):
            assert self.headers["Content-Type"] == "application/x-www-form-urlencoded"
            status, members = self.provider.answer_to(form, self.headers["Authorization"])
            self.answer(json.dumps(members).encode(), status)

    def _is_answered(self, asked_for: str) -> bool:
        """Count the request. Return whether `instead` has replaced the response."""
        self.provider.counts[asked_for] += 1
        self.provider.speaks.wait()
        if asked_for in self.provider.instead:
            status, content = self.provider.instead[asked_for]
            self.answer(content, status)
        return asked_for in self.provider.instead


@pytest.fixture
def oidc_provider() -> Iterator[OidcProvider]:
    """Yield a provider that requires no secret. Tests import this fixture."""
    with OidcProvider() as provider:
        yield provider
