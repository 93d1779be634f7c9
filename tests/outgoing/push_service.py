"""A push service on 127.0.0.1 and a device behind it: real requests, really decrypted.

The service receives requests according to RFC 8030 and 8292, and the device reads them with its keys (RFC 8291).
"""

from __future__ import annotations

import base64
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any, Self

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.outgoing.oidc_provider import base64url
from tests.serving import Handler, served_by


class Device:
    """The keys of a browser."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    @property
    def keys(self) -> dict[str, str]:
        """The public keys that the device publishes."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": base64url(point), "auth": base64url(self._auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        """Return the content of an encrypted message."""
        content = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return dict(json.loads(content))


def claims_of(authorization: str) -> dict[str, Any]:
    """Return the claims of a VAPID header after checking its signature."""
    assert Vapid02.verify(authorization)
    token = re.split("[=,.]", authorization)[2]
    return dict(json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))))


@dataclass
class PushService:
    """`seen`: path, headers and body of each request. `statuses`: the response by path, otherwise 201."""

    seen: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    def __enter__(self) -> Self:
        service = self

        class Receiver(Handler):
            def respond(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.seen.append((self.path, headers, self.content))
                self.answer(status=service.statuses.get(self.path, 201))

        self._server = served_by(Receiver)
        self.origin = self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.__exit__(None, None, None)
