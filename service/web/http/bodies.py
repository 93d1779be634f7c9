"""The bytes of a request's body: bounded in size and in time, and whole.

gunicorn reads a body off the connection while we ask for it, so what a client does wrong shows here: chunks that are
none, an end before the length that was announced, or silence. None of it is our fault, and none may hold a connection
for long: a client that sends its body drop by drop is given up after `LONGEST_S`, whatever it has sent until then.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from flask import request
from werkzeug.exceptions import HTTPException

from service.web.http.problems import abort

LONGEST_S = 15.0


class _LateError(Exception):
    """The body has not come in time."""


def read(most: int) -> bytes:
    """The body. request/too_large beyond so many bytes, request/timeout, request/malformed where it cannot be read."""
    request.max_content_length = most + 1
    try:
        with _deadline():
            content = request.get_data(cache=False)
    except HTTPException:  # too large, by the length that was announced
        raise
    except _LateError:
        abort("request/timeout")
    except Exception:  # noqa: BLE001 - the server's own, one for each way of being malformed
        abort("request/malformed")
    if len(content) > most:  # a chunked body has no length before it is read, and is cut off at the limit
        abort("request/too_large")
    if request.content_length is not None and len(content) < request.content_length:
        abort("request/malformed")
    return content


def _deadline() -> AbstractContextManager[Any]:
    """Cut off what takes too long, where the server serves many in one thread; tests read from memory."""
    import gevent  # after the server has patched, or not at all
    from gevent import monkey

    return gevent.Timeout(LONGEST_S, _LateError) if monkey.is_module_patched("socket") else nullcontext()
