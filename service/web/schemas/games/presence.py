"""Schemas of the connected seats and watchers of a game."""

from __future__ import annotations

from service.usecases.views.presence import MAX_NAMED
from service.usecases.views.viewers import MAX_WATCHING
from service.web.api import Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import array, integer, nest, seat_number


class Watching(Schema):
    """Watchers of a game: viewers without a seat."""

    count = integer(
        f"Number of watchers, from at most {MAX_WATCHING} connections. A player counts once, as do anonymous "
        "connections with the same `viewer`."
    )
    players = array(Player, f"Up to {MAX_NAMED} players among the watchers, except those with `hidden=true`.")


class Presence(Schema):
    """Connected seats and watchers. Someone who leaves disappears within about 45 seconds."""

    seats = array(seat_number(), "Seats whose player is connected; never `ai` or `http` seats.")
    watching = nest(Watching)
