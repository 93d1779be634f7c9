"""Revisions and repetitions: If-Match, If-None-Match, Idempotency-Key.

The entity tag of a game is its revision in quotes. Some proxies weaken tags when they compress (`W/"17"`), and
some mobile stacks lose If-Match altogether; so a weak tag is taken for a strong one, and the body may name the
revision instead. Both together must agree.
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
UNGUESSABLE = 22  # characters of 64 kinds hold 128 bits
NO_REVISION = -1  # of a tag that we never gave: no game has it, so it is stale


def expected_revision(body: dict[str, Any]) -> int | None:
    """The revision the caller decided on; None where neither If-Match nor `revision` says."""
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
    """The present request, as a command takes it."""
    return Request(caller(), game_id, expected_revision(body), idempotency())


def known_revisions() -> set[int]:
    """The revisions that If-None-Match names; a header that cannot be read is as good as none (RFC 9110)."""
    return {
        int(tag) for tag in TAG.findall(request.headers.get("If-None-Match", "")) if tag.isdigit() and len(tag) < 16
    }


def knows(revision: int) -> bool:
    """Whether the caller has this revision already."""
    header = request.headers.get("If-None-Match")
    return header is not None and (header.strip() == "*" or revision in known_revisions())


def idempotency(*, scoped: bool = True) -> Idempotency | None:
    """The caller's key with the hash of this body. `scoped`: a token says whose key it is."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not KEY.fullmatch(key) or (not scoped and len(key) < UNGUESSABLE):
        abort("idempotency/bad_key")
    return Idempotency(key, g.body_hash)
