"""Schemas of the staff and the audit log."""

from __future__ import annotations

from service.web.api import Request, Schema
from service.web.schemas.base.fields import array, choice, instant, nest, text
from service.web.schemas.base.names import STAFF_ROLE
from service.web.schemas.base.queries import cursor_field, limit_field
from service.web.schemas.base.request_fields import name_field


class StaffMember(Schema):
    """A moderator or an admin."""

    id = text()
    name = text()
    role = choice(STAFF_ROLE)
    created_at = instant()


class StaffList(Schema):
    """The staff."""

    staff = array(StaffMember, "Oldest first, without the operator.")


class CreatedStaffMember(Schema):
    """A new member of staff and their token, which is shown only once."""

    member = nest(StaffMember)
    token = text("Bearer token of the member.")


class CreateStaffRequest(Request):
    """The member of staff to create."""

    name = name_field("Name in the audit log.", required=True)
    role = choice(STAFF_ROLE, required=True)


class AuditActor(Schema):
    """The member of staff who acted."""

    id = text("Id of the member, or `operator` for the token from the setting `ADMIN_TOKEN`.")
    name = text("Name of the member at that time; null for the operator.", allow_none=True)


class AuditObject(Schema):
    """What an act changed."""

    type = text("Kind of the object, such as `player`, `game` or `staff`.")
    id = text("Id of the object; for a process, its name.")


class AuditEntry(Schema):
    """An act of staff."""

    id = text()
    at = instant()
    actor = nest(AuditActor)
    act = text("What the member did, such as `ban` or `end_game`. The guide on moderation lists all acts.")
    object = nest(AuditObject)
    reason = text("Reason given by the member, or null.", allow_none=True)


class AuditPage(Schema):
    """A page of the audit log."""

    entries = array(AuditEntry, "Newest first.")
    next_cursor = text("Cursor of the next page, or null.", allow_none=True)


class AuditQuery(Request):
    """Filters and paging of the audit log."""

    act = text("Filter by act, such as `ban`.", 40, load_default=None)
    contains = text("Filter by a text in the actor, the object or the reason, in any case.", 100, load_default=None)
    cursor = cursor_field()
    limit = limit_field()
