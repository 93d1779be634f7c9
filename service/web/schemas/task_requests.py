"""What is asked of long work: analyses and tournaments."""

from __future__ import annotations

from marshmallow import fields, validate

from service.levels import FALLBACK
from service.rulesets.seats import MOST_SEATS
from service.usecases.tasks.analyses import LONGEST_S
from service.usecases.tasks.tournaments import MOST_GAMES, MOST_PARTICIPANTS
from service.web.api import Request
from service.web.schemas.endpoint_requests import NewEndpointRequest
from service.web.schemas.fields import MOST_REVISION, choice
from service.web.schemas.names import ANALYSIS_KIND, LEVEL, RULESET, THINKING_LEVEL
from service.web.schemas.request_fields import StrictBoolean, StrictNumber, printable, seed_field
from service.web.schemas.requests import PositionedRequest


class ThinkRequest(Request):
    """How long to think, and how many actions to return."""

    level = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(THINKING_LEVEL),
        metadata={"description": "The level whose thinking time is given; instead of `seconds`."},
    )
    seconds = StrictNumber(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0.05, LONGEST_S),
        metadata={"description": "The seconds for each decision; null without a level: 1 second, in a review 0.2."},
    )

    best = fields.Integer(
        strict=True,
        load_default=3,
        validate=validate.Range(1, 20),
        metadata={"description": "How many actions are told, best first."},
    )


class AnalyseGameRequest(ThinkRequest):
    """What is to be analysed of a game."""

    kind = choice(ANALYSIS_KIND, "One decision, or, when the game is over, all of them.")
    revision = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_REVISION),
        metadata={"description": "The decision made on this revision; null: on the present one. Not of a review."},
    )
    again = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether to review a game once more that has been reviewed."},
    )


class AnalysePositionRequest(ThinkRequest, PositionedRequest):
    """A position whose decision is to be analysed."""


class ChallengerRequest(NewEndpointRequest):
    """A bot that takes part in a tournament; of an attempt that has failed the next follows a second later."""

    name = fields.String(
        required=True,
        validate=[validate.Length(1, 40), printable],
        metadata={"description": "1 to 40 printable characters; no level's, and no other's."},
    )
    level = fields.String(
        load_default=FALLBACK,
        validate=validate.OneOf(LEVEL),
        metadata={"description": "The level of the AI that plays on in its place."},
    )


class TournamentRequest(Request):
    """Levels and bots against each other, each pair of them."""

    ruleset = choice(RULESET, "What is played.")
    variant = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "A variant of the ruleset."}
    )
    seats = fields.Integer(
        strict=True,
        load_default=2,
        validate=validate.Range(2, MOST_SEATS),
        metadata={"description": "The seats of each game: one participant has one of them, the other all others."},
    )
    levels = fields.List(
        fields.String(validate=validate.OneOf(LEVEL)),
        load_default=list,
        validate=validate.Length(max=MOST_PARTICIPANTS),
        metadata={"description": "The levels that take part; two participants at least. Each pair is a match."},
    )
    endpoints = fields.List(
        fields.Nested(ChallengerRequest),
        load_default=list,
        validate=validate.Length(max=MOST_PARTICIPANTS),
        metadata={"description": "Bots that take part and are called."},
    )
    deals = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(1, MOST_GAMES),
        metadata={
            "description": "How many deals each match has. Each is played once for every seat, with the same draws."
        },
    )
    seed = seed_field("Of all deals, so that others can play the same; null: drawn.")
