"""The staff: moderators and admins with tokens of their own, which admins create and revoke.

A token is checked at the start of each request. An act that began before its token was revoked is completed, and is in
the audit log.
"""

from __future__ import annotations

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.people.moderation import ADMIN, LAST_ADMIN, MISSING, StoredMember
from service.usecases.base import access
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.games.tokens import RANDOM, Issuer

STAFF = "staff"


def list_staff(context: Context, caller: Caller) -> list[Json]:
    """Return all members of staff, oldest first."""
    access.must_be_staff(context, caller, ADMIN)
    return [_member_json(member) for member in context.moderation.members()]


def create(context: Context, caller: Caller, name: str, role: str, issuer: Issuer = RANDOM) -> Json:
    """Create a member of staff. Return them with their token. A repeated request creates no second one."""
    actor, member_id = access.must_be_staff(context, caller, ADMIN), issuer.id_in(context)
    secret = issuer.player_token(f"{STAFF}.{member_id}")
    member = StoredMember(member_id, role, name, rfc3339(context.now_ms()), digest_of(secret))
    context.moderation.add_member(member, LogEntry(actor, "create_staff", STAFF, member_id))
    return {"member": _member_json(member), "token": secret}


def delete(context: Context, caller: Caller, member_id: str) -> None:
    """Delete a member of staff: their token stops working.

    Raises: staff/not_found; staff/last_admin if the last admin would delete themselves.
    """
    actor, member = access.must_be_staff(context, caller, ADMIN), context.moderation.member(member_id)
    if member is None:
        raise GameError("staff/not_found")
    entry = LogEntry(actor, "delete_staff", STAFF, member_id)
    word = context.moderation.remove_member(member, entry, needs_another_admin=member_id == actor.id)
    if word in (MISSING, LAST_ADMIN):
        raise GameError("staff/not_found" if word == MISSING else "staff/last_admin")


def _member_json(member: StoredMember) -> Json:
    return {name: getattr(member, name) for name in ("id", "name", "role", "created_at")}
