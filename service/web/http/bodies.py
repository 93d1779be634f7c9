"""Read request bodies with limits on size and time.

gunicorn reads the body from the connection on demand. Errors of the client therefore show up here: malformed chunks, a
body shorter than its announced length, or a stalled connection. A body must arrive within `LONGEST_S`, so that slow
clients cannot occupy connections.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from flask import request
from werkzeug.exceptions import HTTPException

from service.web.http.problems import abort

LONGEST_S = 15.0
IDENTITY = "identity"


class _LateError(Exception):
    """Timed out while reading the request body."""


def read(max_bytes: int) -> bytes:
    """Return the body. Refuse it with request/too_large, request/timeout, or request/malformed if it is incomplete.

    Compressed bodies are refused with request/unsupported_encoding.
    """
    if request.environ.get("HTTP_CONTENT_ENCODING", IDENTITY).strip().lower() != IDENTITY:
        abort("request/unsupported_encoding")
    request.max_content_length = max_bytes + 1
    try:
        with _deadline():
            content = request.get_data(cache=False)
    except HTTPException:  # the announced length is too large
        raise
    except _LateError:
        abort("request/timeout")
    except Exception:  # noqa: BLE001 - gunicorn has an exception for each kind of malformed body
        abort("request/malformed")
    if len(content) > max_bytes:  # chunked bodies have no announced length and are truncated at the limit
        abort("request/too_large")
    if request.content_length is not None and len(content) < request.content_length:
        abort("request/malformed")
    return content


def _deadline() -> AbstractContextManager[Any]:
    """Return a context with the time limit, which only applies under gevent."""
    import gevent  # only after gunicorn has patched the standard library
    from gevent import monkey

    return gevent.Timeout(LONGEST_S, _LateError) if monkey.is_module_patched("socket") else nullcontext()
