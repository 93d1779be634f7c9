"""Web Push: bodies and headers of requests to push services.

The body is encrypted for the device (RFC 8291, with http_ece). A signed token identifies the service (VAPID, RFC 8292).
A private key is the 32 bytes of a P-256 key in base64url. Browsers subscribe with the public key.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

CURVE = ec.SECP256R1()
PRIVATE_BYTES, PUBLIC_BYTES, AUTH_BYTES = 32, 65, 16
TOKEN_S = 12 * 3_600
"""Lifetime of a token. RFC 8292 allows up to a day."""


def new_private_key() -> str:
    """Return a random private key."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return _text(number.to_bytes(PRIVATE_BYTES, "big"))


def public_key(private_key: str) -> str:
    """Return the uncompressed public key in base64url. Raises ValueError if the private key is invalid."""
    return _text(_point(_private(private_key).public_key()))


def device_key_errors(p256dh: str, auth: str) -> dict[str, str]:
    """Return what is wrong with the keys of a subscription, by name of the key."""
    errors = {}
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _bytes(p256dh, PUBLIC_BYTES))
    except ValueError:
        errors["p256dh"] = "must be a P-256 public key: 65 bytes in base64url"
    try:
        _bytes(auth, AUTH_BYTES)
    except ValueError:
        errors["auth"] = "must be 16 bytes in base64url"
    return errors


def encrypt(content: bytes, p256dh: str, auth: str) -> bytes:
    """Return the content, encrypted for the device with these keys."""
    device, secret = _bytes(p256dh, PUBLIC_BYTES), _bytes(auth, AUTH_BYTES)
    own = ec.generate_private_key(CURVE)
    salt = secrets.token_bytes(AUTH_BYTES)
    return bytes(
        http_ece.encrypt(content, salt=salt, private_key=own, dh=device, auth_secret=secret, version="aes128gcm")
    )


def headers(private_key: str, contact: str, url: str, unix_s: int) -> dict[str, str]:
    """Return the headers of a request to a push service. `contact`: a `mailto:` or `https:` URL, or empty."""
    parts = urlsplit(url)
    claims: dict[str, str | int] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": unix_s + TOKEN_S}
    claims |= {"sub": contact} if contact else {}
    key = _private(private_key)
    token = jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, ECKey.import_key(key))
    return {
        "Authorization": f"vapid t={token},k={_text(_point(key.public_key()))}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
    }


def _private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(_bytes(text, PRIVATE_BYTES), "big"), CURVE)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _bytes(text: str, length: int) -> bytes:
    """Return decoded base64url, with or without padding. Raises ValueError for another length."""
    text = text.rstrip("=")
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("the value is not base64url") from error
    if len(content) != length:
        raise ValueError(f"the value has {len(content)} bytes instead of {length}")
    return content
