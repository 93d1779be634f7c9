"""An opponent over HTTP that decides at random: the dialers call it."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Bot(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Decide."""
        described = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["data"]
        if described["actions"] is None:  # too many to be listed
            self.send_error(501)
            return
        content = json.dumps({"id": random.choice(described["actions"])["id"]}).encode()
        with suppress(ConnectionError):  # the dialer was killed
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def bot() -> Iterator[str]:
    """Its URL, while it runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Bot)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
