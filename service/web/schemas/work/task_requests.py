"""Schemas of requests for analyses and tournaments."""

from __future__ import annotations

from marshmallow import validate

from service.levels import FALLBACK
from service.rulesets.seats import MAX_SEATS
from service.usecases.work.analyses import MAX_DECISION_S
from service.usecases.work.tournaments import MAX_GAMES, MAX_PARTICIPANTS
from service.web.api import Request
from service.web.schemas.base.endpoint_requests import NewEndpointRequest
from service.web.schemas.base.fields import MAX_REVISION, VARIANT, array, choice, flag, integer, number, text
from service.web.schemas.base.names import ANALYSIS_KIND, LEVEL, RULESET, THINKING_LEVEL
from service.web.schemas.base.request_fields import name_field, seed_field
from service.web.schemas.base.requests import PositionedRequest, RulesetRequest


class ThinkRequest(Request):
    """Search time and number of results."""

    level = choice(THINKING_LEVEL, "Level whose thinking time is used, instead of `seconds`.", load_default=None)
    seconds = number(
        "Search time per decision. If null without `level`: 1, in reviews 0.2.",
        validate=validate.Range(0.05, MAX_DECISION_S),
        load_default=None,
    )
    best = integer("Maximum number of actions to return, best first.", 1, 20, load_default=3)


class AnalyseGameRequest(ThinkRequest):
    """The analysis to request for a game."""

    kind = choice(ANALYSIS_KIND)
    revision = integer(
        "Revision of the decision; the current one if null. Not for reviews.", 1, MAX_REVISION, load_default=None
    )
    again = flag("Whether to repeat an existing review.", load_default=False)


class AnalysePositionRequest(ThinkRequest, PositionedRequest):
    """The position to analyse."""


class ChallengerRequest(NewEndpointRequest):
    """A bot in a tournament. A failed attempt is repeated after one second."""

    name = name_field("Unique, and not the id of a level.", required=True)
    level = choice(LEVEL, "Level of the AI that takes over.", load_default=FALLBACK)


class TournamentRequest(RulesetRequest):
    """The tournament to create. Each pair of levels and bots plays a match."""

    ruleset = choice(RULESET)
    variant = text(VARIANT, 40)
    seats = integer(
        "Seats per game. One participant plays one seat, the other all others.", 2, MAX_SEATS, load_default=2
    )
    levels = array(
        choice(LEVEL),
        "Participating levels. A tournament needs at least two participants.",
        validate=validate.Length(max=MAX_PARTICIPANTS),
        load_default=list,
    )
    endpoints = array(
        ChallengerRequest, "Participating bots.", validate=validate.Length(max=MAX_PARTICIPANTS), load_default=list
    )
    deals = integer("Deals per match. Each is played once from every seat with the same draws.", 1, MAX_GAMES)
    seed = seed_field("Determines all deals; drawn if null.")
