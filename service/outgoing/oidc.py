"""Identities of OpenID Connect: ID tokens of the providers that the operator has named, and how a browser gets one.

By OpenID Connect Core 1.0 (https://openid.net/specs/openid-connect-core-1_0.html; what is checked stands in 3.1.3.7),
OpenID Connect Discovery 1.0, and PKCE (RFC 7636). An app has got an ID token by itself, which `verified` looks at. A
browser is sent to `authorization_url` and comes back with a code; `redeemed` gets the ID token for it, to be verified.

A token is signed with a key that its provider publishes, by one of ALGORITHMS, or it is refused. Keys that a token
brings along or points at are never looked at. What is wrong is told by a code, never in the words of a token or a
provider; why a provider cannot be used is logged.
"""

from __future__ import annotations

import base64
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
    "unreadable",  # it is no ID token, is longer than MAX_TOKEN_BYTES, or tells no usable subject
    "signature",  # not by one of ALGORITHMS with a key of the provider's
    "issuer",  # of another provider
    "audience",  # for somebody else
    "expired",  # or not valid yet
    "nonce",  # asked for by another sign-in, or a token that was used before
    "code",  # the provider refuses the authorization code: used, too old, of another client, verifier or address
    "unavailable",  # the provider cannot be reached or answers nonsense: to be tried again
)
ALGORITHMS = ("RS256", "ES256", "PS256", "EdDSA")
MAX_TOKEN_BYTES = 8 * 1024
LEEWAY_S = 60
FRESH_S = 3_600
LONGEST_KEPT_S = 86_400
RENEWAL_S = 60
RETRY_S = 10
RSA_BITS = range(2_048, 8_193)
KEY_KINDS = (("RSA", None), ("EC", "P-256"), ("OKP", "Ed25519"))  # with its curve
KEY_MEMBERS = ("kty", "use", "key_ops", "alg", "kid", "n", "e", "crv", "x", "y")  # no private ones
CLAIM_CODES = {"iss": "issuer", "aud": "audience", "exp": "expired", "nbf": "expired", "iat": "expired"}
SUBJECT = re.compile(r"[ -~]{1,255}")
AUTHORIZATION_CODE = re.compile(r"[ -~]{1,4096}")
REFUSING = (400, 403)  # 401 is about our secret
HEADERS = {"Accept": "application/json", "User-Agent": "azul-games-api"}
EVERY_PORT = range(1, 65_536)
T = TypeVar("T")


class IdentityRefusedError(Exception):
    """Why nobody's identity is known. `code`: one of IDENTITY_CODES."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Identity(NamedTuple):
    """Somebody, as a provider knows them. `provider`: its id; `subject`: 1 to 255 printable ASCII characters."""

    provider: str
    subject: str


class Metadata(NamedTuple):
    """What is needed of a discovery document. `posts_secret`: the client's secret goes into the form."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    posts_secret: bool


def new_verifier() -> str:
    """A code verifier that nobody knows yet."""
    return secrets.token_urlsafe(32)


def challenge_of(verifier: str) -> str:
    """The code challenge of a verifier, by S256."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode()


class Providers:
    """The providers that the operator has named; safe to share between threads and greenlets.

    Discovery documents and keys are fetched when they are needed, kept for FRESH_S seconds, and where no newer ones can
    be had for LONGEST_KEPT_S. `clock`: seconds that never go back.
    """

    def __init__(self, providers: Iterable[Provider], clock: Callable[[], float] = time.monotonic) -> None:
        self._sources = {provider.id: _Source(provider, clock) for provider in providers}

    def get(self, provider_id: str) -> Provider | None:
        """The provider of an id, None where the operator has named none."""
        source = self._sources.get(provider_id)
        return None if source is None else source.provider

    def authorization_url(self, provider: Provider, redirect_uri: str, state: str, nonce: str, challenge: str) -> str:
        """Where a browser signs in, to come back to `redirect_uri` with a code. IdentityRefusedError: unavailable."""
        endpoint = self._sources[provider.id].metadata.get().authorization_endpoint
        asked = {
            "response_type": "code",
            "client_id": provider.client_ids[0],
            "redirect_uri": redirect_uri,
            "scope": "openid",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    def redeemed(self, provider: Provider, code: str, verifier: str, redirect_uri: str) -> str:
        """The ID token for an authorization code, not verified yet. IdentityRefusedError: code, unavailable."""
        if not AUTHORIZATION_CODE.fullmatch(code):
            raise IdentityRefusedError("code")
        metadata, headers = self._sources[provider.id].metadata.get(), {**HEADERS}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        if provider.client_secret and not metadata.posts_secret:
            headers["Authorization"] = _basic(provider.client_ids[0], provider.client_secret)
        else:
            form["client_id"] = provider.client_ids[0]
            form |= {"client_secret": provider.client_secret} if provider.client_secret else {}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            content = outbound_http.call(metadata.token_endpoint, headers, _policy(provider), urlencode(form).encode())
        except DialError as error:
            if error.status in REFUSING:
                raise IdentityRefusedError("code") from None
            raise _unavailable(provider, "token", error) from None
        token = _members(content).get("id_token")
        if not isinstance(token, str):
            raise _unavailable(provider, "token", "no id_token")
        return token

    def verified(self, provider: Provider, id_token: str | bytes, nonce: str, now_s: int) -> Identity:
        """Whose ID token it is; `now_s`: Unix time in seconds. IdentityRefusedError: all codes but `code`."""
        signature = _parsed(id_token)
        if not _is_signed(signature, self._sources[provider.id].keys_for(signature.headers().get("kid"))):
            raise IdentityRefusedError("signature")
        claims = _members(signature.payload)
        if not claims:
            raise IdentityRefusedError("unreadable")
        _check_claims(claims, provider, now_s)
        if not nonce or not _is_same(claims.get("nonce"), nonce):
            raise IdentityRefusedError("nonce")
        subject = claims.get("sub")
        if not isinstance(subject, str) or not SUBJECT.fullmatch(subject):
            raise IdentityRefusedError("unreadable")
        return Identity(provider.id, subject)


class _Kept(Generic[T]):
    """Something that a provider publishes, kept. `fetch` raises IdentityRefusedError where it cannot be had."""

    def __init__(self, fetch: Callable[[], T], clock: Callable[[], float]) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = threading.Lock()
        self._copy: tuple[T, float] | None = None  # with the moment from which it is
        self._failed_at = self._renewed_at = -math.inf

    def get(self) -> T:
        """It, as old as it may be. IdentityRefusedError: unavailable."""
        held = self._held_for(FRESH_S)
        if held is not None:
            return held
        with self._lock:
            if self._held_for(FRESH_S) is None:
                self._try()
            return self._usable()

    def renewed(self) -> T:
        """Return the value; fetch it again unless it was fetched within RENEWAL_S. Raises IdentityRefusedError."""
        with self._lock:
            if self._clock() - self._renewed_at >= RENEWAL_S:
                self._renewed_at = self._clock()
                self._try()
            if self._failed_at > -math.inf:
                raise IdentityRefusedError("unavailable")
            return self._usable()

    def _try(self) -> None:
        if self._clock() - self._failed_at < RETRY_S:
            return  # nobody else waits for what has just failed
        try:
            self._copy = self._fetch(), self._clock()
            self._failed_at = -math.inf
        except IdentityRefusedError:
            self._failed_at = self._clock()

    def _held_for(self, seconds: float) -> T | None:
        copy = self._copy
        return copy[0] if copy is not None and self._clock() - copy[1] < seconds else None

    def _usable(self) -> T:
        held = self._held_for(LONGEST_KEPT_S)
        if held is None:
            raise IdentityRefusedError("unavailable")
        return held


class _Source:
    """What a provider publishes about itself."""

    def __init__(self, provider: Provider, clock: Callable[[], float]) -> None:
        self.provider = provider
        self.metadata = _Kept(self._fetched_metadata, clock)
        self.keys = _Kept(self._fetched_keys, clock)

    def keys_for(self, kid: str | None) -> list[Key]:
        """The keys of an id, fetched again where none has it; without an id all. IdentityRefusedError: unavailable."""
        keys = self.keys.get()
        if kid is None:
            return keys
        return _named(keys, kid) or _named(self.keys.renewed(), kid)

    def _fetched_metadata(self) -> Metadata:
        url = f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            return metadata_of(self.provider, self._fetched("discovery", url))
        except ValueError as error:
            raise _unavailable(self.provider, "discovery", error) from None

    def _fetched_keys(self) -> list[Key]:
        keys = keys_of(self._fetched("keys", self.metadata.get().jwks_uri))
        if not keys:
            raise _unavailable(self.provider, "keys", "no usable key")
        return keys

    def _fetched(self, what: str, url: str) -> Mapping[str, Any]:
        try:
            return _members(outbound_http.call(url, HEADERS, _policy(self.provider)))
        except DialError as error:
            raise _unavailable(self.provider, what, error) from None


def metadata_of(provider: Provider, document: Mapping[str, Any]) -> Metadata:
    """What a discovery document says. ValueError where it is another issuer's, or names what must not be called."""
    if document.get("issuer") != provider.issuer:
        raise ValueError("another issuer")
    urls = [document.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
    if not all(isinstance(url, str) and is_secure(url, loopback=provider.is_here) for url in urls):
        raise ValueError("an endpoint that is not https")
    authorization_endpoint, token_endpoint, jwks_uri = map(str, urls)
    methods = document.get("token_endpoint_auth_methods_supported")
    by_form = isinstance(methods, list) and "client_secret_post" in methods and "client_secret_basic" not in methods
    return Metadata(authorization_endpoint, token_endpoint, jwks_uri, by_form)


def keys_of(document: Mapping[str, Any]) -> list[Key]:
    """The keys of a key set that a token may be signed with. What cannot be used is left out, as RFC 7517 has it."""
    members = document.get("keys")
    keys = map(_key_of, members if isinstance(members, list) else ())
    return [key for key in keys if key is not None]


def _key_of(member: Any) -> Key | None:
    if not isinstance(member, dict) or (member.get("kty"), member.get("crv")) not in KEY_KINDS:
        return None
    try:
        key = import_key({name: member[name] for name in KEY_MEMBERS if name in member})
    except (JoseError, ValueError):
        return None
    return None if isinstance(key, RSAKey) and key.raw_value.key_size not in RSA_BITS else key


def _named(keys: Sequence[Key], kid: str) -> list[Key]:
    return [key for key in keys if key.kid == kid]


class _Registry(JWSRegistry):
    """ALGORITHMS alone, and header parameters that are unknown are passed over, as RFC 7515 has it."""

    max_header_length = max_payload_length = max_signature_length = MAX_TOKEN_BYTES

    def get_alg(self, name: str) -> Any:
        """The algorithm of a name. The library's own warns of EdDSA, whose newer names providers do not use yet."""
        if name not in ALGORITHMS:
            raise UnsupportedAlgorithmError
        return self.algorithms[name]


REGISTRY = _Registry(strict_check_header=False)


def _parsed(id_token: str | bytes) -> CompactSignature:
    """A signature that nobody has looked at. IdentityRefusedError: unreadable, signature."""
    if len(id_token) > MAX_TOKEN_BYTES:
        raise IdentityRefusedError("unreadable")
    content = id_token.encode("ascii", "replace") if isinstance(id_token, str) else id_token
    try:
        signature = jws.extract_compact(content, registry=REGISTRY)
    except (JoseError, ValueError, TypeError, RecursionError):  # its header may be any JSON
        raise IdentityRefusedError("unreadable") from None
    header: Any = signature.headers()
    if not isinstance(header, dict) or not isinstance(header.get("kid", ""), str) or {"crit", "b64"} & header.keys():
        raise IdentityRefusedError("unreadable")
    try:
        REGISTRY.get_alg(header["alg"])
    except UnsupportedAlgorithmError:
        raise IdentityRefusedError("signature") from None
    return signature


def _is_signed(signature: CompactSignature, keys: Iterable[Key]) -> bool:
    return any(_is_signed_with(signature, key) for key in keys)


def _is_signed_with(signature: CompactSignature, key: Key) -> bool:
    """Whether the key, made for the algorithm and for signatures, has made this one."""
    try:
        return jws.validate_compact(signature, key, registry=REGISTRY)
    except JoseError:
        return False


def _check_claims(claims: Mapping[str, Any], provider: Provider, now_s: int) -> None:
    """IdentityRefusedError: issuer, audience, expired."""
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
        raise IdentityRefusedError(
            CLAIM_CODES[error.claim.partition(",")[0]]
        ) from None  # of several that miss, the first
    if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and claims.get("azp") not in provider.client_ids:
        raise IdentityRefusedError("audience")


def _is_same(given: Any, expected: str) -> bool:
    return isinstance(given, str) and hmac.compare_digest(given.encode(), expected.encode("utf-8", "surrogatepass"))


def _members(content: bytes) -> Mapping[str, Any]:
    """The members of a JSON object, none where it is no such thing."""
    try:
        document = orjson.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _policy(provider: Provider) -> Policy:
    return Policy(enabled=True, ports=EVERY_PORT, loopback=provider.is_here)


def _basic(client_id: str, client_secret: str) -> str:
    """As RFC 6749, 2.3.1: both are form-encoded first."""
    return "Basic " + base64.b64encode(f"{quote_plus(client_id)}:{quote_plus(client_secret)}".encode()).decode()


def _unavailable(provider: Provider, what: str, why: Exception | str) -> IdentityRefusedError:
    """What to raise; why is logged, since nobody but the operator may learn it."""
    status = {"status": why.status} if isinstance(why, DialError) and why.status else {}
    LOG.warning("a provider cannot be used", provider=provider.id, asked_for=what, why=str(why), **status)
    return IdentityRefusedError("unavailable")
