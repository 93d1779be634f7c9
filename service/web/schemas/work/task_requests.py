"""Schemas of requests for analyses and tournaments."""

from __future__ import annotations

from marshmallow import fields, validate

from service.levels import FALLBACK
from service.rulesets.seats import MOST_SEATS
from service.usecases.work.analyses import LONGEST_S
from service.usecases.work.tournaments import MOST_GAMES, MOST_PARTICIPANTS
from service.web.api import Request
from service.web.schemas.base.endpoint_requests import NewEndpointRequest
from service.web.schemas.base.fields import MOST_REVISION, VARIANT, choice
from service.web.schemas.base.names import ANALYSIS_KIND, LEVEL, RULESET, THINKING_LEVEL
from service.web.schemas.base.request_fields import StrictBoolean, StrictNumber, printable, seed_field
from service.web.schemas.base.requests import PositionedRequest


class ThinkRequest(Request):
    """Search time and number of results."""

    level = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.OneOf(THINKING_LEVEL),
        metadata={"description": "Level whose thinking time is used, instead of `seconds`."},
    )
    seconds = StrictNumber(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0.05, LONGEST_S),
        metadata={"description": "Search time per decision. If null without `level`: 1, in reviews 0.2."},
    )
    best = fields.Integer(
        strict=True,
        load_default=3,
        validate=validate.Range(1, 20),
        metadata={"description": "Maximum number of actions to return, best first."},
    )


class AnalyseGameRequest(ThinkRequest):
    """The analysis to request for a game."""

    kind = choice(ANALYSIS_KIND)
    revision = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_REVISION),
        metadata={"description": "Revision of the decision; the current one if null. Not for reviews."},
    )
    again = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether to repeat an existing review."},
    )


class AnalysePositionRequest(ThinkRequest, PositionedRequest):
    """The position to analyse."""


class ChallengerRequest(NewEndpointRequest):
    """A bot in a tournament. A failed attempt is repeated after one second."""

    name = fields.String(
        required=True,
        validate=[validate.Length(1, 40), printable],
        metadata={"description": "1 to 40 printable characters; unique and not the id of a level."},
    )
    level = fields.String(
        load_default=FALLBACK,
        validate=validate.OneOf(LEVEL),
        metadata={"description": "Level of the AI that takes over."},
    )


class TournamentRequest(Request):
    """The tournament to create. Each pair of levels and bots plays a match."""

    ruleset = choice(RULESET)
    variant = fields.String(required=True, validate=validate.Length(1, 40), metadata={"description": VARIANT})
    seats = fields.Integer(
        strict=True,
        load_default=2,
        validate=validate.Range(2, MOST_SEATS),
        metadata={"description": "Seats per game. One participant plays one seat, the other all others."},
    )
    levels = fields.List(
        fields.String(validate=validate.OneOf(LEVEL)),
        load_default=list,
        validate=validate.Length(max=MOST_PARTICIPANTS),
        metadata={"description": "Participating levels. A tournament needs at least two participants."},
    )
    endpoints = fields.List(
        fields.Nested(ChallengerRequest),
        load_default=list,
        validate=validate.Length(max=MOST_PARTICIPANTS),
        metadata={"description": "Participating bots."},
    )
    deals = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(1, MOST_GAMES),
        metadata={"description": "Deals per match. Each is played once from every seat with the same draws."},
    )
    seed = seed_field("Determines all deals; drawn if null.")
