"""OpenID Connect: verify ID tokens of the configured providers, and get them for browsers.

Implements OpenID Connect Core 1.0 (https://openid.net/specs/openid-connect-core-1_0.html; validation: section 3.1.3.7),
OpenID Connect Discovery 1.0 and PKCE (RFC 7636). An app sends an ID token that it already has. A browser goes to
`authorization_url` and returns with a code, which `redeem_code` exchanges for an ID token. `verify_token` checks both.

A token must be signed by one of ALGORITHMS with a key that its provider publishes. Keys inside a token, and URLs of
keys, are ignored. Errors contain a code and no text of a token or provider. Problems with a provider are logged.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import math
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote_plus, urlencode

import orjson
import structlog
from joserfc import jws
from joserfc.errors import ClaimError, JoseError, UnsupportedAlgorithmError
from joserfc.jwk import Key, RSAKey, import_key
from joserfc.jws import CompactSignature, JWSRegistry
from joserfc.jwt import JWTClaimsRegistry

from service.identity_providers import Provider, is_secure
from service.outgoing import outbound_http
from service.outgoing.outbound_http import DialError, Policy

LOG = structlog.get_logger()

IDENTITY_CODES = (
    "unreadable",  # not an ID token, longer than MAX_TOKEN_BYTES, or without a usable subject
    "signature",  # not signed by one of ALGORITHMS with a published key
    "issuer",  # issued by another provider
    "audience",  # issued for another client
    "expired",  # or not valid yet
    "nonce",  # belongs to another sign-in, or was used before
    "code",  # the provider rejects the authorization code: used, expired, or for another client, verifier or address
    "unavailable",  # the provider is unreachable or returns an invalid response; retry later
)
ALGORITHMS = ("RS256", "ES256", "PS256", "EdDSA")
MAX_TOKEN_BYTES = 8 * 1024
LEEWAY_S = 60
FRESH_S = 3_600
MAX_STALE_S = 86_400
RENEWAL_S = 60
RETRY_S = 10
RSA_BITS = range(2_048, 8_193)
KEY_TYPES = (("RSA", None), ("EC", "P-256"), ("OKP", "Ed25519"))  # with their curves
KEY_MEMBERS = ("kty", "use", "key_ops", "alg", "kid", "n", "e", "crv", "x", "y")  # public members only
CLAIM_CODES = {"iss": "issuer", "aud": "audience", "exp": "expired", "nbf": "expired", "iat": "expired"}
SUBJECT = re.compile(r"[ -~]{1,255}")
AUTHORIZATION_CODE = re.compile(r"[ -~]{1,4096}")
REJECTED_CODE_STATUSES = (400, 403)  # 401 means that our secret is wrong
HEADERS = {"Accept": "application/json", "User-Agent": "azul-games-api"}
EVERY_PORT = range(1, 65_536)
T = TypeVar("T")


class IdentityRefusedError(Exception):
    """A sign-in that failed. `code`: one of IDENTITY_CODES."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Identity(NamedTuple):
    """A person at a provider. `provider`: its id; `subject`: 1 to 255 printable ASCII characters."""

    provider: str
    subject: str


class Metadata(NamedTuple):
    """The used part of a discovery document. `posts_secret`: send the client secret in the form."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    posts_secret: bool


def new_verifier() -> str:
    """Return a random code verifier."""
    return secrets.token_urlsafe(32)


def code_challenge(verifier: str) -> str:
    """Return the S256 code challenge of a verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode()


class Providers:
    """The configured providers. Threads and greenlets can share an instance.

    Discovery documents and keys are fetched on demand and cached for FRESH_S seconds, or up to MAX_STALE_S while the
    provider is unavailable. `clock`: monotonic seconds.
    """

    def __init__(self, providers: Iterable[Provider], clock: Callable[[], float] = time.monotonic) -> None:
        self._sources = {provider.id: _Source(provider, clock) for provider in providers}

    def get(self, provider_id: str) -> Provider | None:
        """Return the provider, or None if the id is not configured."""
        source = self._sources.get(provider_id)
        return None if source is None else source.provider

    def authorization_url(self, provider: Provider, redirect_uri: str, state: str, nonce: str, challenge: str) -> str:
        """Return the URL at which a browser signs in. Raises IdentityRefusedError: unavailable."""
        endpoint = self._sources[provider.id].metadata.get().authorization_endpoint
        query = {
            "response_type": "code",
            "client_id": provider.client_ids[0],
            "redirect_uri": redirect_uri,
            "scope": "openid",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    def redeem_code(self, provider: Provider, code: str, verifier: str, redirect_uri: str) -> str:
        """Return the unverified ID token for an authorization code. Raises IdentityRefusedError: code, unavailable."""
        if not AUTHORIZATION_CODE.fullmatch(code):
            raise IdentityRefusedError("code")
        metadata = self._sources[provider.id].metadata.get()
        headers = {**HEADERS, "Content-Type": "application/x-www-form-urlencoded"}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        if provider.client_secret and not metadata.posts_secret:
            headers["Authorization"] = _basic_authorization(provider.client_ids[0], provider.client_secret)
        else:
            form["client_id"] = provider.client_ids[0]
            form |= {"client_secret": provider.client_secret} if provider.client_secret else {}
        try:
            content = outbound_http.call(metadata.token_endpoint, headers, _policy(provider), urlencode(form).encode())
        except DialError as error:
            if error.status in REJECTED_CODE_STATUSES:
                raise IdentityRefusedError("code") from None
            raise _unavailable(provider, "token", error) from None
        token = _members(content).get("id_token")
        if not isinstance(token, str):
            raise _unavailable(provider, "token", "no id_token")
        return token

    def verify_token(self, provider: Provider, id_token: str | bytes, nonce: str, now_s: int) -> Identity:
        """Return the identity in an ID token. `now_s`: Unix seconds. Raises IdentityRefusedError: all except `code`."""
        signature = _parse_token(id_token)
        if not _is_valid(signature, self._sources[provider.id].keys_for(signature.headers().get("kid"))):
            raise IdentityRefusedError("signature")
        claims = _members(signature.payload)
        if not claims:
            raise IdentityRefusedError("unreadable")
        _check_claims(claims, provider, now_s)
        if not nonce or not _is_equal(claims.get("nonce"), nonce):
            raise IdentityRefusedError("nonce")
        subject = claims.get("sub")
        if not isinstance(subject, str) or not SUBJECT.fullmatch(subject):
            raise IdentityRefusedError("unreadable")
        return Identity(provider.id, subject)


class _CachedDocument(Generic[T]):
    """A cached document of a provider. `fetch` raises IdentityRefusedError if the document is unavailable."""

    def __init__(self, fetch: Callable[[], T], clock: Callable[[], float]) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = threading.Lock()
        self._copy: tuple[T, float] | None = None  # with the time of the fetch
        self._failed_at = self._renewed_at = -math.inf

    def get(self) -> T:
        """Return the document, fetched if it is missing or old. Raises IdentityRefusedError: unavailable."""
        fresh = self._younger_than(FRESH_S)
        if fresh is not None:
            return fresh
        with self._lock:
            if self._younger_than(FRESH_S) is None:
                self._try_to_fetch()
            return self._usable()

    def refresh(self) -> T:
        """Fetch again, at most once in RENEWAL_S, and return the document. Raises IdentityRefusedError: unavailable."""
        with self._lock:
            if self._clock() - self._renewed_at >= RENEWAL_S:
                self._renewed_at = self._clock()
                self._try_to_fetch()
            if self._failed_at > -math.inf:
                raise IdentityRefusedError("unavailable")
            return self._usable()

    def _try_to_fetch(self) -> None:
        if self._clock() - self._failed_at < RETRY_S:
            return  # other requests should not wait for a fetch that has just failed
        try:
            self._copy = self._fetch(), self._clock()
            self._failed_at = -math.inf
        except IdentityRefusedError:
            self._failed_at = self._clock()

    def _younger_than(self, seconds: float) -> T | None:
        copy = self._copy
        return copy[0] if copy is not None and self._clock() - copy[1] < seconds else None

    def _usable(self) -> T:
        document = self._younger_than(MAX_STALE_S)
        if document is None:
            raise IdentityRefusedError("unavailable")
        return document


class _Source:
    """A provider with its discovery document and keys."""

    def __init__(self, provider: Provider, clock: Callable[[], float]) -> None:
        self.provider = provider
        self.metadata = _CachedDocument(self._fetch_metadata, clock)
        self.keys = _CachedDocument(self._fetch_keys, clock)

    def keys_for(self, kid: str | None) -> list[Key]:
        """Return the keys with an id, or all without one; refresh them if the id is unknown.

        Raises IdentityRefusedError: unavailable.
        """
        keys = self.keys.get()
        if kid is None:
            return keys
        return _keys_with_id(keys, kid) or _keys_with_id(self.keys.refresh(), kid)

    def _fetch_metadata(self) -> Metadata:
        url = f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            return parse_metadata(self.provider, self._fetch("discovery", url))
        except ValueError as error:
            raise _unavailable(self.provider, "discovery", error) from None

    def _fetch_keys(self) -> list[Key]:
        keys = usable_keys(self._fetch("keys", self.metadata.get().jwks_uri))
        if not keys:
            raise _unavailable(self.provider, "keys", "no usable key")
        return keys

    def _fetch(self, document: str, url: str) -> Mapping[str, Any]:
        try:
            return _members(outbound_http.call(url, HEADERS, _policy(self.provider)))
        except DialError as error:
            raise _unavailable(self.provider, document, error) from None


def parse_metadata(provider: Provider, document: Mapping[str, Any]) -> Metadata:
    """Return the used part of a discovery document. Raises ValueError for another issuer or an insecure endpoint."""
    if document.get("issuer") != provider.issuer:
        raise ValueError(f"the issuer is not {provider.issuer}")
    urls = [document.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
    if not all(isinstance(url, str) and is_secure(url, loopback=provider.is_local) for url in urls):
        raise ValueError("an endpoint is missing or not https")
    authorization_endpoint, token_endpoint, jwks_uri = map(str, urls)
    methods = document.get("token_endpoint_auth_methods_supported")
    by_form = isinstance(methods, list) and "client_secret_post" in methods and "client_secret_basic" not in methods
    return Metadata(authorization_endpoint, token_endpoint, jwks_uri, by_form)


def usable_keys(document: Mapping[str, Any]) -> list[Key]:
    """Return the keys of a key set that can verify tokens. Other keys are ignored, as RFC 7517 requires."""
    members = document.get("keys")
    keys = map(_parse_key, members if isinstance(members, list) else ())
    return [key for key in keys if key is not None]


def _parse_key(member: Any) -> Key | None:
    if not isinstance(member, dict) or (member.get("kty"), member.get("crv")) not in KEY_TYPES:
        return None
    try:
        key = import_key({name: member[name] for name in KEY_MEMBERS if name in member})
    except (JoseError, ValueError):
        return None
    return None if isinstance(key, RSAKey) and key.raw_value.key_size not in RSA_BITS else key


def _keys_with_id(keys: Sequence[Key], kid: str) -> list[Key]:
    return [key for key in keys if key.kid == kid]


class _Registry(JWSRegistry):
    """Accepts only ALGORITHMS, and ignores unknown header parameters, as RFC 7515 requires."""

    max_header_length = max_payload_length = max_signature_length = MAX_TOKEN_BYTES

    def get_alg(self, name: str) -> Any:
        """Return the algorithm of a name.

        The library's method warns about EdDSA, but providers do not use its newer names yet.
        """
        if name not in ALGORITHMS:
            raise UnsupportedAlgorithmError
        return self.algorithms[name]


REGISTRY = _Registry(strict_check_header=False)


def _parse_token(id_token: str | bytes) -> CompactSignature:
    """Return the unverified signature. Raises IdentityRefusedError: unreadable, signature."""
    if len(id_token) > MAX_TOKEN_BYTES:
        raise IdentityRefusedError("unreadable")
    content = id_token.encode("ascii", "replace") if isinstance(id_token, str) else id_token
    try:
        signature = jws.extract_compact(content, registry=REGISTRY)
    except (JoseError, ValueError, TypeError, RecursionError):  # the header can be any JSON
        raise IdentityRefusedError("unreadable") from None
    header: Any = signature.headers()
    if not isinstance(header, dict) or not isinstance(header.get("kid", ""), str) or {"crit", "b64"} & header.keys():
        raise IdentityRefusedError("unreadable")
    try:
        REGISTRY.get_alg(header["alg"])
    except UnsupportedAlgorithmError:
        raise IdentityRefusedError("signature") from None
    return signature


def _is_valid(signature: CompactSignature, keys: Iterable[Key]) -> bool:
    """Return whether one of the keys, meant for the algorithm and for signatures, made the signature."""
    for key in keys:
        with contextlib.suppress(JoseError):
            if jws.validate_compact(signature, key, registry=REGISTRY):
                return True
    return False


def _check_claims(claims: Mapping[str, Any], provider: Provider, now_s: int) -> None:
    """Raise IdentityRefusedError if a claim is wrong: issuer, audience, expired."""
    registry = JWTClaimsRegistry(
        now_s,
        LEEWAY_S,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "values": list(provider.client_ids)},
        exp={"essential": True},
        iat={"essential": True},
    )
    try:
        registry.validate({name: claims[name] for name in CLAIM_CODES if name in claims})
    except ClaimError as error:
        first_claim = error.claim.partition(",")[0]  # the library joins the names of all missing claims
        raise IdentityRefusedError(CLAIM_CODES[first_claim]) from None
    if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and claims.get("azp") not in provider.client_ids:
        raise IdentityRefusedError("audience")


def _is_equal(value: Any, expected: str) -> bool:
    return isinstance(value, str) and hmac.compare_digest(value.encode(), expected.encode("utf-8", "surrogatepass"))


def _members(content: bytes) -> Mapping[str, Any]:
    """Return the members of a JSON object, or an empty mapping for anything else."""
    try:
        document = orjson.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _policy(provider: Provider) -> Policy:
    return Policy(enabled=True, ports=EVERY_PORT, loopback=provider.is_local)


def _basic_authorization(client_id: str, client_secret: str) -> str:
    """Return the header of HTTP Basic authentication. RFC 6749, 2.3.1 requires form encoding of both parts."""
    return "Basic " + base64.b64encode(f"{quote_plus(client_id)}:{quote_plus(client_secret)}".encode()).decode()


def _unavailable(provider: Provider, document: str, reason: Exception | str) -> IdentityRefusedError:
    """Log the reason, which is only for the operator, and return the error to raise."""
    status = {"status": reason.status} if isinstance(reason, DialError) and reason.status else {}
    LOG.warning("identity provider unavailable", provider=provider.id, document=document, reason=str(reason), **status)
    return IdentityRefusedError("unavailable")
