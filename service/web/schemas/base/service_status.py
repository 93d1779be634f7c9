"""Schemas of the announcement and of maintenance."""

from __future__ import annotations

from service.games.state.moments import parse_ms
from service.web.api import Schema
from service.web.http.auth import context
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import instant, nest, text
from service.web.schemas.base.request_fields import line_field, moment, optional_line


class Announcement(Schema):
    """A text for everyone."""

    en = text("The text in English.")
    de = text("The text in German, or null.", allow_none=True)
    until = instant("When the announcement ends, or null.", allow_none=True)


class Maintenance(Schema):
    """Maintenance: nothing new begins, running games go on."""

    reason = text("The reason, or null.", allow_none=True)
    until = instant("When the maintenance ends, or null.", allow_none=True)


class Service(Schema):
    """The service, with its announcement and maintenance."""

    name = text()
    version = text("API version.")
    announcement = nest(Announcement, "The announcement, or null.", allow_none=True)
    maintenance = nest(Maintenance, "The maintenance, or null.", allow_none=True)


class TimedRequest(CheckedRequest):
    """A request with an end."""

    until = instant("When it ends by itself, in the future.", load_default=None, allow_none=True, validate=moment)

    def contradictions(self, members: Members) -> Faults:
        """Return an end that is past."""
        until = members.valid.get("until")
        return {} if until is None or parse_ms(until) > context().now_ms() else {"/until": "must be in the future"}


class AnnouncementRequest(TimedRequest):
    """The announcement."""

    en = line_field("The text in English.")
    de = optional_line("The text in German.")


class MaintenanceRequest(TimedRequest):
    """The maintenance."""

    reason = optional_line("The reason, for everyone.")
