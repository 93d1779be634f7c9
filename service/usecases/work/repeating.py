"""Replies to requests that clients may repeat with the same Idempotency-Key.

The first request claims its key with a replay entry and stores its reply there. A refused request releases the key. If
a process dies in between, the claim ends with its lease, and the next request executes the operation again. The claim
contains the id of what the operation creates and the salt of its tokens (`Issuer`), so the second execution finds what
the first one has created.

A reply is repeated only after the token of the caller was verified. A token that has ended counts as none: then the
operation is executed, and refuses the request if it requires a token. The exception is a token that the first request
replaced. The reply itself never changes, even if a token in it has ended since.

Replies contain tokens and secrets, so they are encrypted. The key is derived from secrets of the caller (the
Idempotency-Key, and the token in the request, if any) and a stored salt. Redis contains neither secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from dataclasses import replace

import orjson
from cryptography.fernet import Fernet

from service.games.errors import GameError
from service.rulesets.wire import Json
from service.usecases.base import access
from service.usecases.base.context import Caller, Context, Idempotency, digest_of
from service.usecases.base.repository import read_replay_entry
from service.usecases.games.tokens import SUCCESSOR, Issuer

CLAIM_MS = 30_000
"""Longer than any request that creates something. Until then, a repeated request may not execute it again."""


def run_once(
    context: Context, caller: Caller, scope: str, idempotency: Idempotency, ttl_s: int, run: Callable[[Issuer], Json]
) -> tuple[Json, bool]:
    """Return the reply of `run`, or that of an earlier request, and whether it is of an earlier one.

    Raises: idempotency/mismatch, idempotency/running, and the errors of `run`.
    """
    caller, digest, before = _find_entry(context, caller, scope, idempotency)
    entry = None if before is None else read_replay_entry(before, idempotency)
    now_ms = context.now_ms()
    if entry is None:
        entity_id = context.store.new_game_id()
        issuer = Issuer(caller, idempotency, entity_id=entity_id)
        entry = {"body": idempotency.body_hash, "id": entity_id, **issuer.to_entry()}
    elif "reply" in entry:
        return orjson.loads(_cipher(caller, idempotency, entry["salt"]).decrypt(entry["reply"])), True
    elif entry["until"] > now_ms:
        raise GameError("idempotency/running")
    else:
        issuer = Issuer.from_entry(caller, idempotency, entry)
    claimed = orjson.dumps({**entry, "until": now_ms + CLAIM_MS})
    if not context.replies.replace(digest, before, claimed, ttl_s):
        raise GameError("idempotency/running")
    try:
        reply = run(issuer)
    except GameError:
        context.replies.replace(digest, claimed, before, ttl_s)
        raise
    encrypted = _cipher(caller, idempotency, entry["salt"]).encrypt(orjson.dumps(reply)).decode()
    context.replies.replace(digest, claimed, orjson.dumps({**entry, "reply": encrypted}), ttl_s)
    return reply, False


def _find_entry(
    context: Context, caller: Caller, scope: str, idempotency: Idempotency
) -> tuple[Caller, str, bytes | None]:
    """Return the caller, without a token that has ended, and the digest and replay entry of the request.

    A token that an earlier request with this key has replaced counts as long as the new one.
    """
    digest = digest_of(f"reply {scope} {caller.digest or ''} {idempotency.key}")
    before = context.store.create_replay(digest)
    if caller.token is None:
        return caller, digest, before
    if access.holder_of(context, caller) is not None and not access.is_ended_staff(context, caller):
        return caller, digest, before
    if before is not None and caller.player_id is not None:
        issuer = Issuer.from_entry(caller, idempotency, orjson.loads(before))
        successor = replace(caller, token=issuer.player_token(caller.player_id, SUCCESSOR))
        if access.holder_of(context, successor) is not None:
            return caller, digest, before
    return _find_entry(context, replace(caller, token=None), scope, idempotency)


def _cipher(caller: Caller, idempotency: Idempotency, salt: str) -> Fernet:
    secret = f"{caller.token or ''} {idempotency.key}".encode()
    return Fernet(base64.urlsafe_b64encode(hmac.digest(secret, f"reply {salt}".encode(), hashlib.sha256)))
