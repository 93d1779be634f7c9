"""Preconditions and idempotency: If-Match, If-None-Match and Idempotency-Key.

The entity tag of a game is its revision in quotes. Headers are read as in RFC 9110: both accept lists and `*`. A weak
tag (`W/"17"`) matches in If-None-Match, but never in If-Match. Some mobile stacks drop If-Match, so the body may
contain the revision instead. If both are sent, they must agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response, g, request

from service.rulesets.wire import Json
from service.usecases.base.context import Idempotency
from service.usecases.base.repository import ANSWER_TTL_S, IDEMPOTENCY_TTL_S, Revisions
from service.usecases.games.commands import ANY_REVISION, Request
from service.usecases.games.tokens import Issuer
from service.usecases.work import repeating
from service.web.http.auth import caller, context
from service.web.http.problems import abort

TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
TAG_LIST = re.compile(rf"[ \t,]*{TAG}(?:[ \t]*,[ \t,]*{TAG})*[ \t,]*")
WEAK_OR_STRONG = re.compile(r'"(0|[1-9][0-9]{0,14})"')
STRONG = re.compile(rf"(?<!W/){WEAK_OR_STRONG.pattern}")
KEY = re.compile(r"[\x21-\x7e]{1,255}")
UNGUESSABLE = 22  # characters with 6 bits each: 128 bits
STORED_HEADERS = ("Content-Type", "Content-Language", "Location", "ETag", "Vary")


def expected_revisions(body: dict[str, Any]) -> Revisions | None:
    """Return the revisions in If-Match or in `revision`, or None. Unknown and weak tags are no revisions."""
    in_body: int | None = body.get("revision")
    header = request.headers.get("If-Match")
    if header is None:
        return None if in_body is None else (in_body,)
    if header.strip() == "*":
        return ANY_REVISION if in_body is None else (in_body,)
    if not TAG_LIST.fullmatch(header):
        abort("request/bad_etag")
    numbers = [*map(int, STRONG.findall(header))]
    if in_body is None:
        return numbers
    if in_body not in numbers:
        abort("game/revision_conflict")
    return (in_body,)


def request_of(game_id: str, body: dict[str, Any]) -> Request:
    """Return the current request for a command."""
    return Request(caller(), game_id, expected_revisions(body), idempotency())


def known_revisions() -> set[int]:
    """Return the revisions in If-None-Match. Malformed headers are ignored (RFC 9110)."""
    return {*map(int, WEAK_OR_STRONG.findall(request.headers.get("If-None-Match", "")))}


def has_current(revision: int) -> bool:
    """Return whether If-None-Match contains the current revision."""
    header = request.headers.get("If-None-Match")
    return header is not None and (header.strip() == "*" or revision in known_revisions())


def idempotency(*, scoped: bool = True) -> Idempotency | None:
    """Return the idempotency key with the hash of the body. `scoped`: it belongs to a token, so it may be short."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not KEY.fullmatch(key) or (not scoped and len(key) < UNGUESSABLE):
        abort("idempotency/bad_key")
    return Idempotency(key, g.body_hash)


def issuer() -> Issuer:
    """Return the issuer of the id and tokens of what the current request creates."""
    issued: Issuer = g.get("issuer") or Issuer(caller(), None)
    return issued


def mark_replayed(answer: Response) -> Response:
    """Add the header of a response that repeats an earlier one."""
    answer.headers["Idempotency-Replayed"] = "true"
    return answer


def make_repeatable(view: Callable[..., Response], *, scoped: bool) -> Callable[..., Response]:
    """Return the view, which repeats its response for a repeated key. `scoped`: see `idempotency`."""

    @wraps(view)
    def repeatable(*args: Any, **names: Any) -> Response:
        key = idempotency(scoped=scoped)
        if key is None:
            return view(*args, **names)

        def run(issuer: Issuer) -> Json:
            g.issuer = issuer
            answer = view(*args, **names)
            headers = {name: answer.headers[name] for name in STORED_HEADERS if name in answer.headers}
            return {"status": answer.status_code, "headers": headers, "body": answer.get_data(as_text=True)}

        ttl_s = IDEMPOTENCY_TTL_S if scoped else ANSWER_TTL_S
        reply, is_repeated = repeating.run_once(context(), caller(changes=False), request.path, key, ttl_s, run)
        answer = Response(reply["body"], reply["status"], reply["headers"])
        return mark_replayed(answer) if is_repeated else answer

    return repeatable
