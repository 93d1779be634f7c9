"""A small application for the tests of the web server's configuration; knows nothing of games."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

LOADED_IN = os.getpid()
PATCHED = socket.socket.__module__


def create_app() -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """Answers everything with: its process, the process it was loaded in, which `socket` it sees, its
    scheme.
    """

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [f"{os.getpid()} {LOADED_IN} {PATCHED} {environ['wsgi.url_scheme']}".encode()]

    hub = SimpleNamespace(close=lambda: None)
    app.extensions = {"context": SimpleNamespace(hub=hub)}  # type: ignore[attr-defined]  # as of a Flask
    return app
