"""A small WSGI application for the tests of the web server's configuration."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

LOADED_IN = os.getpid()
PATCHED = socket.socket.__module__


def create_app() -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """Return an application that responds with its process, the process that loaded it, its sockets and its scheme."""

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [f"{os.getpid()} {LOADED_IN} {PATCHED} {environ['wsgi.url_scheme']}".encode()]

    hub = SimpleNamespace(close=lambda: None)
    app.extensions = {"context": SimpleNamespace(hub=hub)}  # type: ignore[attr-defined]  # as in Flask
    return app
