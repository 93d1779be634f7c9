"""A game as a record."""

from __future__ import annotations

from marshmallow import fields

from service.games.game_export import FORMAT
from service.web.api import Schema
from service.web.schemas.events import Event
from service.web.schemas.fields import choice, counter, flag, seat_number, text, when, whole
from service.web.schemas.games import Outcome
from service.web.schemas.names import GAME_STATUS, SEAT_KIND, STAND_IN
from service.web.schemas.unions import Position


class RecordedSeat(Schema):
    """A seat as it was when the game was created."""

    kind = choice(SEAT_KIND, "The kind of who played here.")
    name = text("The person's name.", allow_none=True)
    level = text("The AI's level.", allow_none=True)


class RecordedClock(Schema):
    """The clock that was agreed."""

    turn_s = whole("Seconds every turn has of its own.")
    bank_s = whole("Seconds a seat has in its bank.")
    on_timeout = choice(STAND_IN, "What happens when time is up.")
    level = text("The level of the AI that plays on.")


class GameRecord(Schema):
    """A game to be kept: `POST /v1/games/import` reads it, and with the recipe of the draws anybody can check it."""

    format = choice([FORMAT], "The form of the record.")
    id = text("The id of the game.")
    ruleset = text("What is played.")
    ruleset_version = whole("The version of the rules.", 1)
    variant = text("The side of the board.")
    seats = fields.List(
        fields.Nested(RecordedSeat), required=True, metadata={"description": "The seats in the order of play."}
    )
    first_seat = seat_number("The seat that started; null: it was drawn, or the position says it.", allow_none=True)
    position = fields.Nested(
        Position, required=True, allow_none=True, metadata={"description": "Where it began; null: at the set-up."}
    )
    clock = fields.Nested(
        RecordedClock, required=True, allow_none=True, metadata={"description": "The clock; null: none."}
    )
    created_at = when("When it was created.")
    status = choice(GAME_STATUS, "How far it is.")
    fair = flag("Whether nobody could know a draw before it was made.")
    outcome = fields.Nested(
        Outcome, required=True, allow_none=True, metadata={"description": "The outcome; null before the end."}
    )
    seed_commitment = text("SHA-256 of the seed, in hex.")
    seed = text("32 bytes in hex; null until the game is over.", allow_none=True)
    seed_from = counter("The draws of later revisions come from the seed; 0 unless the game was imported.")
    events = fields.List(fields.Nested(Event), required=True, metadata={"description": "The whole log."})
