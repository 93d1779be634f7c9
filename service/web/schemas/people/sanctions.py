"""Schemas of the acts of moderators on players."""

from __future__ import annotations

from service.games.state.moments import parse_ms
from service.usecases.keeping.sanctions import ACTS, UNTIL_FIELDS
from service.web.api import Request, Schema
from service.web.http.auth import context
from service.web.schemas.base.accounts import Player, PlayerStanding
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import array, choice, instant, integer, nest, text
from service.web.schemas.base.names import ACT
from service.web.schemas.base.queries import CURSOR, limit_field, query_flag
from service.web.schemas.base.request_fields import moment, optional_line
from service.web.schemas.games.games import GameSummary
from service.web.schemas.people.ratings import Rating

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


class PlayerDetails(ModeratedPlayer):
    """A player with what the staff see of their account."""

    tokens = integer("Number of tokens, one for each device or program.")
    last_used_at = instant("Last use of a token, to within a hundredth of `PLAYER_TTL_S`, or null.", allow_none=True)
    devices = integer("Number of devices that receive notices.")
    webhooks = integer("Number of webhooks.")
    identities = array(text(), "Ids of the providers with which the player can sign in.")
    ratings = array(Rating)
    games = array(GameSummary, "The last ten games, also private ones, last changed first.")


class FoundPlayer(Schema):
    """A player in a list."""

    player = nest(Player)
    banned_at = instant("Time of the ban, or null.", allow_none=True)


class FoundPlayerPage(Schema):
    """A page of players."""

    players = array(FoundPlayer)
    next_cursor = text("Cursor of the next page, or null.", allow_none=True)


class SearchPlayersQuery(Request):
    """Search for players."""

    handle = text("Beginning of the handle, in any case.", 40, load_default=None)
    name = text("Beginning of the name, in any case.", 40, load_default=None)
    banned = query_flag("Whether only banned players are listed.", load_default=False)
    cursor = text(CURSOR, 400, required=False)
    limit = limit_field()


class ModeratorActRequest(CheckedRequest):
    """The act to do."""

    act = choice(ACT, required=True)
    until = instant(
        "End, in the future. Required for `mute` and `exclude_from_rated`; without it, a `ban` is for good.",
        load_default=None,
        allow_none=True,
        validate=moment,
    )
    reason = optional_line(
        "Reason for the audit log. The player sees it for `warn`, `mute`, `exclude_from_rated` and `ban`. "
        "Required for `warn` and `ban`."
    )

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
