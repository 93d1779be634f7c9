"""Servers of a test's own, at a free port of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Responds to GET and POST alike, and says nothing of what it is asked."""

    def respond(self) -> None:
        """Answer the request."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """GET."""
        self.respond()

    def do_POST(self) -> None:
        """POST."""
        self.respond()

    def answer(self, content: bytes = b"", **headers: str) -> None:
        """Send 200 with this content; header names with `_` for `-`."""
        self.send_response(200)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    @property
    def content(self) -> bytes:
        """The body of a request; it can be read once."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served_by(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server, while it runs."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
