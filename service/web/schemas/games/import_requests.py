"""The body of an import: an exported game."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.game_export import FORMAT
from service.rulesets.seats import MAX_SEATS
from service.usecases.games import creating
from service.usecases.work import imports
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import (
    MAX_INT32,
    MAX_REVISION,
    UNTIMED,
    VARIANT,
    array,
    choice,
    flag,
    instant,
    integer,
    nest,
    optional_seat,
    text,
)
from service.web.schemas.base.names import GAME_STATUS, RULESET
from service.web.schemas.base.request_fields import moment, seed_field
from service.web.schemas.base.requests import ClockRequest, RecordedSeatRequest
from service.web.schemas.base.unions import starting_position


class ImportGameRequest(CheckedRequest):
    """A game record, as returned by `GET /v1/games/{game_id}/export`."""

    format = choice([FORMAT])
    id = text("Id of the exported game.", 64)
    ruleset = choice(RULESET)
    ruleset_version = integer("Version of the rules.", 1, MAX_INT32)
    variant = text(VARIANT, 40)
    seats = array(RecordedSeatRequest, "Seats as created.", validate=validate.Length(2, MAX_SEATS))
    first_seat = optional_seat("Starting seat, or null if drawn.")
    position = starting_position()
    clock = nest(ClockRequest, UNTIMED, load_default=None)
    created_at = instant(validate=moment)
    seed = seed_field("Only for games that are over; the draws must match.")
    seed_commitment = text("SHA-256 of the seed, in hex.", validate=validate.Length(max=64), load_default=None)
    seed_from = integer("Draws of later revisions come from the seed.", 0, MAX_REVISION, load_default=0)
    events = array(
        fields.Dict(),
        "The complete log, as `Event` objects. Effects and sentences are ignored.",
        validate=validate.Length(min=1),
    )
    status = choice(GAME_STATUS, "Ignored.", required=False)
    fair = flag("Ignored: imported games are never fair.", required=False)
    outcome = fields.Dict(allow_none=True, metadata={"description": "Ignored."})

    def contradictions(self, members: Members) -> Faults:
        """Return contradictions between the settings, the version and the seed."""
        return {**creating.contradictions(members.valid), **imports.contradictions(members.valid)}
