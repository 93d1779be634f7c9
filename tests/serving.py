"""HTTP servers for tests, on a free port of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Respond to GET and POST alike, without a log."""

    def respond(self) -> None:
        """Respond to the request."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Respond to GET."""
        self.respond()

    def do_POST(self) -> None:
        """Respond to POST."""
        self.respond()

    def answer(self, content: bytes = b"", status: int = 200, **headers: str) -> None:
        """Send this content, unless the client has gone. Header names have `_` for `-`."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        with suppress(OSError):
            self.end_headers()
            self.wfile.write(content)

    @property
    def content(self) -> bytes:
        """The body of the request. It can be read once."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def served_by(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Yield the address of a running server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
