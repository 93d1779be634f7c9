"""Run views once for each Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, request

from service.rulesets.wire import Json
from service.usecases.base.repository import ANSWER_TTL_S, IDEMPOTENCY_TTL_S
from service.usecases.work import repeating
from service.web.http.auth import caller, context
from service.web.http.preconditions import idempotency

STORED_HEADERS = ("Content-Type", "Content-Language", "Location", "ETag")


def make_repeatable(view: Callable[..., Response], *, scoped: bool) -> Callable[..., Response]:
    """Return the view, which repeats its response for a repeated key. `scoped`: see `idempotency`."""

    @wraps(view)
    def repeatable(*args: Any, **names: Any) -> Response:
        key = idempotency(scoped=scoped)
        if key is None:
            return view(*args, **names)

        def run() -> Json:
            answer = view(*args, **names)
            headers = {name: answer.headers[name] for name in STORED_HEADERS if name in answer.headers}
            return {"status": answer.status_code, "headers": headers, "body": answer.get_data(as_text=True)}

        ttl_s = IDEMPOTENCY_TTL_S if scoped else ANSWER_TTL_S
        reply, is_repeated = repeating.run_once(context(), caller(), request.path, key, ttl_s, run)
        answer = Response(reply["body"], reply["status"], reply["headers"])
        if is_repeated:
            answer.headers["Idempotency-Replayed"] = "true"
        return answer

    return repeatable
