"""Schemas of exported games."""

from __future__ import annotations

from service.games.game_export import FORMAT
from service.web.api import Schema
from service.web.schemas.base.fields import (
    UNTIMED,
    VARIANT,
    array,
    choice,
    counter,
    flag,
    instant,
    integer,
    nest,
    seat_number,
    text,
)
from service.web.schemas.base.names import GAME_STATUS, SEAT_KIND
from service.web.schemas.base.unions import Position
from service.web.schemas.games.events import Event
from service.web.schemas.games.games import ClockSettings, Outcome


class RecordedSeat(Schema):
    """A seat as created."""

    kind = choice(SEAT_KIND)
    name = text("Name of the person, or null.", allow_none=True)
    level = text("Level of the AI, or null.", allow_none=True)


class RecordedClock(ClockSettings):
    """The agreed clock."""


class GameRecord(Schema):
    """A portable record of a game, accepted by `POST /v1/games/import`. Its draws can be verified with the seed."""

    format = choice([FORMAT])
    id = text()
    ruleset = text()
    ruleset_version = integer("Version of the rules.", 1)
    variant = text(VARIANT)
    seats = array(RecordedSeat, "Seats in turn order.")
    first_seat = seat_number("Starting seat, or null if drawn or set by `position`.", allow_none=True)
    position = nest(Position, "Starting position, or null for the standard setup.", allow_none=True)
    clock = nest(RecordedClock, UNTIMED, allow_none=True)
    created_at = instant()
    status = choice(GAME_STATUS)
    fair = flag("Whether no one could know a draw in advance.")
    outcome = nest(Outcome, "The outcome, or null before the end.", allow_none=True)
    seed_commitment = text("SHA-256 of the seed, in hex.")
    seed = text("32 bytes in hex; null until the game is over.", allow_none=True)
    seed_from = counter("Draws of later revisions come from the seed; 0 unless the game was imported.")
    events = array(Event, "The complete log.")
