"""Schemas of what the staff sees and changes so that rated play is fair."""

from __future__ import annotations

from service.web.api import Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import array, instant, nest


class LinkedPlayer(Schema):
    """A player who was seen at the same address as another."""

    player = nest(Player)
    last_seen_at = instant("When the player was last seen at a shared address.")


class LinkedPlayers(Schema):
    """Players who share an address with another."""

    since = instant(
        "Begin of the period in which addresses are compared; null if LINK_PLAYERS is off.", allow_none=True
    )
    players = array(LinkedPlayer, "The last seen first, at most 100.")
