"""Replies to requests that clients may repeat with the same Idempotency-Key.

The first request claims its key with a replay entry and stores its reply there. A refused request releases the key. If
a process dies in between, the claim ends with its lease, and the next request executes the operation. Operations that
must not be executed twice then derive the ids of what they create from the key; see `repository.id_of`.

Replies contain tokens and secrets, so they are encrypted. The key is derived from secrets of the caller (the
Idempotency-Key, and the token in the request, if any) and a stored salt. Redis contains neither secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable

import orjson
from cryptography.fernet import Fernet

from service.games.errors import GameError
from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Context, Idempotency, digest_of
from service.usecases.base.repository import read_replay_entry

CLAIM_MS = 30_000
"""Longer than any request that creates something. Until then, a repeated request may not execute it again."""


def run_once(
    context: Context, caller: Caller, scope: str, idempotency: Idempotency, ttl_s: int, run: Callable[[], Json]
) -> tuple[Json, bool]:
    """Return the reply of `run`, or that of an earlier request, and whether it is of an earlier one.

    Raises: idempotency/mismatch, idempotency/running, and the errors of `run`.
    """
    digest = digest_of(f"reply {scope} {caller.digest or ''} {idempotency.key}")
    before = context.store.create_replay(digest)
    entry = None if before is None else read_replay_entry(before, idempotency)
    if entry is not None and "reply" in entry:
        return orjson.loads(_cipher(caller, idempotency, entry["salt"]).decrypt(entry["reply"])), True
    now_ms = context.now_ms()
    if entry is not None and entry["until"] > now_ms:
        raise GameError("idempotency/running")
    claim: Json = {"body": idempotency.body_hash, "salt": secrets.token_urlsafe(16), "until": now_ms + CLAIM_MS}
    claimed = orjson.dumps(claim)
    if not context.replies.replace(digest, before, claimed, ttl_s):
        raise GameError("idempotency/running")
    try:
        reply = run()
    except GameError:
        context.replies.delete(digest, claimed)
        raise
    encrypted = _cipher(caller, idempotency, claim["salt"]).encrypt(orjson.dumps(reply)).decode()
    context.replies.replace(digest, claimed, orjson.dumps({**claim, "reply": encrypted}), ttl_s)
    return reply, False


def _cipher(caller: Caller, idempotency: Idempotency, salt: str) -> Fernet:
    secret = f"{caller.token or ''} {idempotency.key}".encode()
    return Fernet(base64.urlsafe_b64encode(hmac.digest(secret, f"reply {salt}".encode(), hashlib.sha256)))
