"""The body of an import: an exported game."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.game_export import FORMAT
from service.rulesets.seats import MOST_SEATS
from service.web.api import Request
from service.web.schemas.base.fields import MOST_INT32, MOST_REVISION, UNTIMED, VARIANT, choice, optional_seat
from service.web.schemas.base.names import GAME_STATUS, RULESET
from service.web.schemas.base.request_fields import StrictBoolean, moment, seed_field
from service.web.schemas.base.requests import ClockRequest, RecordedSeatRequest
from service.web.schemas.base.unions import PostedPosition


class ImportGameRequest(Request):
    """A game record, as returned by `GET /v1/games/{game_id}/export`."""

    format = choice([FORMAT])
    id = fields.String(
        required=True, validate=validate.Length(1, 64), metadata={"description": "Id of the exported game."}
    )
    ruleset = choice(RULESET)
    ruleset_version = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(1, MOST_INT32),
        metadata={"description": "Version of the rules."},
    )
    variant = fields.String(required=True, validate=validate.Length(1, 40), metadata={"description": VARIANT})
    seats = fields.List(
        fields.Nested(RecordedSeatRequest),
        required=True,
        validate=validate.Length(2, MOST_SEATS),
        metadata={"description": "Seats as created."},
    )
    first_seat = optional_seat("Starting seat, or null if drawn.")
    position = PostedPosition(
        allow_none=True,
        load_default=None,
        metadata={"description": "Starting position, or null for the standard setup."},
    )
    clock = fields.Nested(ClockRequest, allow_none=True, load_default=None, metadata={"description": UNTIMED})
    created_at = fields.String(required=True, validate=moment, metadata={"format": "date-time"})
    seed = seed_field("Only for games that are over; the draws must match.")
    seed_commitment = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(max=64),
        metadata={"description": "SHA-256 of the seed, in hex."},
    )
    seed_from = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Draws of later revisions come from the seed."},
    )
    events = fields.List(
        fields.Dict(),
        required=True,
        validate=validate.Length(min=1),
        metadata={"description": "The complete log, as `Event` objects. Effects and sentences are ignored."},
    )
    status = fields.String(validate=validate.OneOf(GAME_STATUS), metadata={"description": "Ignored."})
    fair = StrictBoolean(metadata={"description": "Ignored: imported games are never fair."})
    outcome = fields.Dict(allow_none=True, metadata={"description": "Ignored."})
