"""Preconditions and idempotency: If-Match, If-None-Match and Idempotency-Key.

The entity tag of a game is its revision in quotes. Some proxies weaken tags when they compress (`W/"17"`), so weak tags
are accepted. Some mobile stacks drop If-Match, so the body may contain the revision instead. If both are sent, they
must agree.
"""

from __future__ import annotations

import re
from typing import Any

from flask import g, request

from service.usecases.base.context import Idempotency
from service.usecases.games.commands import Request
from service.web.http.auth import caller
from service.web.http.problems import abort

TAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e]{0,64})"')
KEY = re.compile(r"[\x21-\x7e]{1,255}")
UNGUESSABLE = 22  # characters with 6 bits each: 128 bits
NO_REVISION = -1  # for unknown tags; always stale


def expected_revision(body: dict[str, Any]) -> int | None:
    """Return the revision in If-Match or in `revision`, or None."""
    in_body: int | None = body.get("revision")
    header = request.headers.get("If-Match")
    if header is None:
        return in_body
    tag = TAG.fullmatch(header.strip())
    if tag is None:
        abort("request/bad_etag")
    number = int(tag[1]) if re.fullmatch(r"[0-9]{1,15}", tag[1]) else NO_REVISION
    if in_body is not None and in_body != number:
        abort("game/revision_conflict")
    return number


def request_of(game_id: str, body: dict[str, Any]) -> Request:
    """Return the current request for a command."""
    return Request(caller(), game_id, expected_revision(body), idempotency())


def known_revisions() -> set[int]:
    """Return the revisions in If-None-Match. Malformed headers are ignored (RFC 9110)."""
    return {
        int(tag) for tag in TAG.findall(request.headers.get("If-None-Match", "")) if tag.isdigit() and len(tag) < 16
    }


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
