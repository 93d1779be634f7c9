"""Requests without a socket: direct calls of the WSGI application."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any

import orjson
from flask import Flask

Wsgi = Callable[..., Any]


def call(
    app: Wsgi, method: str, path: str, body: Any = None, token: str = "", query: str = "", **headers: str
) -> bytes:
    """Send a request and return the body of the response."""
    content = b"" if body is None else orjson.dumps(body)
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "bench",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(content),
        "wsgi.errors": io.StringIO(),
        "wsgi.version": (1, 0),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(len(content)),
        "CONTENT_TYPE": "application/json",
        **({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}),
        **headers,
    }
    described: list[str] = []
    chunks = app(environ, lambda status, *_: described.append(status))
    answer = b"".join(chunks)
    if described[0][0] not in "23":
        raise RuntimeError(f"{method} {path}: {described[0]} {answer[:300]!r}")
    return answer


def micros(act: Callable[[], object], times: int) -> float:
    """Return the CPU µs of a call."""
    began = time.process_time()
    for _ in range(times):
        act()
    return (time.process_time() - began) / times * 1e6


def hello_app() -> Flask:
    """Return a bare Flask application."""
    app = Flask("hello")

    @app.route("/hello")
    def hello() -> dict[str, str]:
        return {"hello": "world"}

    @app.route("/cpu")
    def cpu() -> str:
        return str(time.process_time())

    return app
