"""Schemas of requests for analyses and tournaments."""

from __future__ import annotations

import math

from marshmallow import validate

from service.levels import FALLBACK
from service.rulesets.seats import MAX_SEATS
from service.usecases.work.analyses import DECISION, MAX_DECISION_S, REVIEW
from service.usecases.work.tournaments import MAX_GAMES, MAX_PARTICIPANTS
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.endpoint_requests import NewEndpointRequest, attempts_field
from service.web.schemas.base.fields import MAX_REVISION, VARIANT, array, choice, flag, integer, nest, number, text
from service.web.schemas.base.names import ANALYSIS_KIND, LEVEL, RULESET, THINKING_LEVEL
from service.web.schemas.base.request_fields import name_field, seed_field
from service.web.schemas.base.requests import ActionRequest, PositionedRequest, RulesetRequest


class ThinkRequest(CheckedRequest):
    """Search time and number of results."""

    level = choice(THINKING_LEVEL, "Level whose thinking time is used, instead of `seconds`.", load_default=None)
    seconds = number(
        "Search time per decision, in seconds of processor time. If null without `level`: 1, in reviews of games 0.2.",
        validate=validate.Range(0.05, MAX_DECISION_S),
        load_default=None,
    )
    best = integer("Maximum number of actions to return, best first.", 1, 20, load_default=3)
    candidate = nest(
        ActionRequest,
        "An action that the result must contain, to compare it with the best one. If the search does not list it, it "
        "gets half of the time. Not for reviews of games.",
        load_default=None,
    )

    def contradictions(self, members: Members) -> Faults:
        """Return an error if there are two search times."""
        is_twice = members.valid.get("level") is not None and members.valid.get("seconds") is not None
        return {"/seconds": "cannot be combined with `level`"} if is_twice else {}


class AnalyseGameRequest(ThinkRequest):
    """The analysis to request for a game."""

    kind = choice(ANALYSIS_KIND)
    revision = integer(
        "Revision of the decision; the current one if null. Not for reviews.", 1, MAX_REVISION, load_default=None
    )
    again = flag("Whether to repeat an existing review.", load_default=False)

    def contradictions(self, members: Members) -> Faults:
        """Return errors in members that do not fit the kind."""
        faults, kind = super().contradictions(members), members.valid.get("kind")
        if kind == REVIEW and members.valid.get("revision") is not None:
            faults["/revision"] = "must be null for a review"
        if kind == REVIEW and members.valid.get("candidate") is not None:
            faults["/candidate"] = "must be null for a review"
        if kind == DECISION and members.valid.get("again"):
            faults["/again"] = "is only for reviews"
        return faults


class AnalysePositionRequest(ThinkRequest, PositionedRequest):
    """The position to analyse."""

    def contradictions(self, members: Members) -> Faults:
        """Return errors in the search time and in the position."""
        return {**super().contradictions(members), **PositionedRequest.contradictions(self, members)}


class ChallengerRequest(NewEndpointRequest):
    """A bot in a tournament."""

    attempts = attempts_field("Attempts per decision, with pauses of one second.")
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

    def contradictions(self, members: Members) -> Faults:
        """Return what the ruleset lacks, and errors in the participants and in the number of games."""
        faults = super().contradictions(members)
        levels, endpoints, deals, seats = map(members.valid.get, ("levels", "endpoints", "deals", "seats"))
        if levels is None or endpoints is None:
            return faults
        named = [level for level in levels if level is not None]
        names = [*named, *(one["name"] for one in endpoints if one is not None and "name" in one)]
        count = len(levels) + len(endpoints)
        if len({*named}) != len(named):
            faults["/levels"] = "must not contain duplicates"
        elif len({*names}) != len(names):
            faults["/endpoints"] = "must have unique names"
        if not 2 <= count <= MAX_PARTICIPANTS:
            faults["/levels"] = f"must have 2 to {MAX_PARTICIPANTS} participants, together with `endpoints`"
        elif (games := math.comb(count, 2) * (deals or 0) * (seats or 0)) > MAX_GAMES:
            faults["/deals"] = f"must result in at most {MAX_GAMES} games, not {games}"
        return faults
