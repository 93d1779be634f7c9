"""Schemas of games, competitions and bots for admins."""

from __future__ import annotations

from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import array, choice, flag, instant, nest, text
from service.web.schemas.base.names import VISIBILITY
from service.web.schemas.base.queries import ListGamesQuery
from service.web.schemas.base.request_fields import optional_line


class AllGamesQuery(ListGamesQuery):
    """Filters and paging of the list of all games."""

    visibility = choice(VISIBILITY, "Filter by visibility.", required=False)


class ReasonRequest(Request):
    """Reason of an act."""

    reason = optional_line("Reason for the audit log.")


class ReasonQuery(Request):
    """Reason of a deletion."""

    reason = text("Reason for the audit log.", 500, load_default=None)


class AdministeredBot(Schema):
    """A published bot as admins see it."""

    player = nest(Player)
    owner = text("Id of the owner, or null.", allow_none=True)
    url = text("URL of the endpoint; null for a bot that polls.", allow_none=True)
    disabled = flag("Whether the endpoint has failed for a day.")
    arena = flag("Whether the bot takes part in the bots' arena.")
    published_at = instant()
    seen_at = instant("Last request of the bot, or null.", allow_none=True)
    failed_at = instant("Last failure of the endpoint, or null.", allow_none=True)


class AdministeredBotList(Schema):
    """All published bots."""

    bots = array(AdministeredBot, "Last published first.")
