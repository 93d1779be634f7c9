"""Schemas of the acts of moderators on players."""

from __future__ import annotations

from service.games.state.moments import parse_ms
from service.usecases.keeping.sanctions import ACTS, UNTIL_FIELDS
from service.web.api import Request, Schema
from service.web.http.auth import context
from service.web.schemas.base.accounts import Player, PlayerStanding
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import choice, instant, nest, text
from service.web.schemas.base.names import ACT
from service.web.schemas.base.request_fields import moment, optional_line

WITH_REASON = ("warn", "ban")


class Ban(Schema):
    """A ban."""

    at = instant()
    until = instant("End of the ban; null for good.", allow_none=True)
    reason = text("The reason that the player sees, or null.", allow_none=True)


class ModeratedPlayer(Schema):
    """A player as moderators see them."""

    player = nest(Player)
    standing = nest(PlayerStanding)
    ban = nest(Ban, "The ban, or null.", allow_none=True)


class ModeratorActRequest(CheckedRequest):
    """The act to do."""

    act = choice(ACT, required=True)
    until = instant(
        "End, in the future. Required for `mute` and `exclude_from_rated`; without it, a `ban` is for good.",
        load_default=None,
        allow_none=True,
        validate=moment,
    )
    reason = optional_line("Reason for the audit log. Required for `warn` and `ban`, whose player sees it.")

    def contradictions(self, members: Members) -> Faults:
        """Return an end or a reason that the act lacks, or an end that it cannot have."""
        if (kind := members.valid.get("act")) not in ACTS:
            return {}
        faults: Faults = {}
        if members.given.get("until") is None:
            faults |= {"/until": f"is required for {kind}"} if kind in UNTIL_FIELDS else {}
        elif kind not in (*UNTIL_FIELDS, "ban"):
            faults["/until"] = f"does not belong to {kind}"
        elif "until" in members.valid and parse_ms(members.valid["until"]) <= context().now_ms():
            faults["/until"] = "must be in the future"
        if kind in WITH_REASON and members.given.get("reason") is None:
            faults["/reason"] = f"is required for {kind}"
        return faults


class DeleteMessageQuery(Request):
    """Reason of a deletion."""

    reason = text("Reason for the audit log.", 500, load_default=None)
