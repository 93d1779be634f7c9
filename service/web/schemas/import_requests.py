"""The body of an import: a game as it was exported."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.game_export import FORMAT
from service.rulesets.seats import MOST_SEATS
from service.web.api import Request
from service.web.schemas.fields import MOST_REVISION, choice, optional_seat
from service.web.schemas.names import GAME_STATUS, RULESET
from service.web.schemas.request_fields import StrictBoolean, moment, seed_field
from service.web.schemas.requests import ClockRequest, RecordedSeatRequest
from service.web.schemas.unions import PostedPosition


class ImportGameRequest(Request):
    """A record, as `GET /v1/games/{game_id}/export` answers it."""

    format = choice([FORMAT], "The form of the record.")
    id = fields.String(
        required=True, validate=validate.Length(1, 64), metadata={"description": "The id of the exported game."}
    )
    ruleset = choice(RULESET, "What was played.")
    ruleset_version = fields.Integer(
        required=True, strict=True, validate=validate.Range(1), metadata={"description": "The version of the rules."}
    )
    variant = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "A variant of the ruleset."}
    )
    seats = fields.List(
        fields.Nested(RecordedSeatRequest),
        required=True,
        validate=validate.Length(2, MOST_SEATS),
        metadata={"description": "The seats as they were when the game was created."},
    )
    first_seat = optional_seat("The seat that started; null: it was drawn.")
    position = PostedPosition(
        allow_none=True, load_default=None, metadata={"description": "Where it began; null: at the set-up."}
    )
    clock = fields.Nested(
        ClockRequest, allow_none=True, load_default=None, metadata={"description": "The clock; null: none."}
    )
    created_at = fields.String(required=True, validate=moment, metadata={"format": "date-time"})
    seed = seed_field("Given once the game was over; the draws must then come from it.")
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
        metadata={"description": "The draws of later revisions come from the seed."},
    )
    events = fields.List(
        fields.Dict(),
        required=True,
        validate=validate.Length(min=1),
        metadata={"description": "The whole log, each an `Event`; effects and sentences are ignored."},
    )
    status = fields.String(validate=validate.OneOf(GAME_STATUS), metadata={"description": "Ignored."})
    fair = StrictBoolean(metadata={"description": "Ignored: an imported game is not fair."})
    outcome = fields.Dict(allow_none=True, metadata={"description": "Ignored."})
