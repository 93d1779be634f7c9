"""A push service at 127.0.0.1, and a device behind it, for tests: real requests, really decrypted.

It looks at a request as RFC 8030 and 8292 have it, and the device reads it with its own keys, by RFC 8291.
"""

from __future__ import annotations

import base64
import http.server
import json
import os
import re
import threading
from dataclasses import dataclass, field
from typing import Any, Self

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02


def text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Device:
    """Keys as a browser has them."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    @property
    def keys(self) -> dict[str, str]:
        """What it tells of them."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": text(point), "auth": text(self._auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        """What was encrypted for it."""
        content = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return dict(json.loads(content))


def claims_of(authorization: str) -> dict[str, Any]:
    """The claims of a VAPID header whose signature is good."""
    assert Vapid02.verify(authorization)
    token = re.split("[=,.]", authorization)[2]
    return dict(json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))))


@dataclass
class PushService:
    """What it was sent, by path: headers and body. `statuses`: what it answers, by path, else 201."""

    seen: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    def __enter__(self) -> Self:
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.seen.append((self.path, {name.lower(): each for name, each in self.headers.items()}, body))
                self.send_response(service.statuses.get(self.path, 201))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
