"""Schemas of reports."""

from __future__ import annotations

from service.usecases.people.reports import MEMBERS_OF_TYPE
from service.usecases.work.engine_agreement import COMPARED_GAMES
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import MAX_INT32, array, choice, counter, instant, integer, nest, number, text
from service.web.schemas.base.names import GAME_STATUS, REPORT_CATEGORY, REPORT_STATUS, REPORTED_TYPE, REVIEW_STATUS
from service.web.schemas.base.queries import first_field, limit_field
from service.web.schemas.base.request_fields import optional_line
from service.web.schemas.games.games import Message


class ReportedObject(Schema):
    """What a report is about."""

    type = choice(REPORTED_TYPE)
    player = text("Id of the reported player, or of the sender of the message; null without one.", allow_none=True)
    game_id = text("Id of the game, or null.", allow_none=True)
    message = integer("Number of the message, or null.", 1, allow_none=True)


class OwnReport(Schema):
    """A report as its reporter sees it."""

    id = text()
    object = nest(ReportedObject)
    category = choice(REPORT_CATEGORY)
    text = text("What the reporter wrote, or null.", allow_none=True)
    status = choice(REPORT_STATUS)
    created_at = instant()
    resolved_at = instant("Time of the decision; null while the status is `received`.", allow_none=True)


class OwnReports(Schema):
    """The caller's reports."""

    reports = array(OwnReport, "Newest first, at most 100.")


class Report(OwnReport):
    """A report as moderators see it."""

    reporter = text("Id of the reporter; null after they deleted their account.", allow_none=True)


class ReportList(Schema):
    """A part of the queue of reports."""

    reports = array(Report, "Open ones first, oldest first; then the last resolved ones.")


class KeptMessage(Message):
    """A message that is kept with a report."""

    player = text("Id of the player who sent it, or null.", allow_none=True)


class KeptSeat(Schema):
    """A seat of a game that is kept with a report."""

    player = text("Id of the player, or null.", allow_none=True)
    name = text("Name at the seat, or null.", allow_none=True)


class KeptGame(Schema):
    """A copy of a game, which does not change and outlives it."""

    revision = counter("Revision at the time of the report.")
    status = choice(GAME_STATUS)
    position_notation = text("The position in notation; null before the start.", allow_none=True)
    seats = array(KeptSeat, "In the order of the seats.")
    messages = array(KeptMessage, "Messages around the reported one, or the last ones. Empty if it had none.")


class ReportContext(Schema):
    """A copy of the reported object."""

    player = nest(Player, "Profile at the time of the report; null for games and messages.", allow_none=True)
    game = nest(KeptGame, "The game; null for players and names.", allow_none=True)


class Agreement(Schema):
    """How often people chose what the engine would choose.

    A decision of a person counts if there are several actions, and the best one wins clearly more often than the
    second best.
    """

    player = text("Id of the player; null for several.", allow_none=True)
    decisions = integer("Number of decisions that count.")
    first_choices = integer("How many of them were the engine's first choice.")
    share = number("Share of first choices, 0 to 1; null without decisions.", allow_none=True)


class ComparedGame(Schema):
    """A game that is compared with the engine."""

    game_id = text()
    status = choice(REVIEW_STATUS)
    players = array(Agreement, "The people of the game. Empty unless the game is reviewed.")


class FairPlay(Schema):
    """Agreement with the engine, as a hint. Strong players agree often, and cheats may agree seldom."""

    games = array(
        ComparedGame, f"The reported game, or the player's last {COMPARED_GAMES} rated ones, the newest first."
    )
    player = nest(Agreement, "The reported player in all of these games; null for a game.", allow_none=True)
    opponents = nest(Agreement, "All other people in these games together; null for a game.", allow_none=True)


class FullReport(Report):
    """A report with its context, and for players and games a hint whether somebody plays like the engine."""

    context = nest(ReportContext)
    fair_play = nest(FairPlay, "The hint; null for names and messages.", allow_none=True)


class CreateReportRequest(CheckedRequest):
    """The report to create. Its type says which members name the object."""

    type = choice(REPORTED_TYPE, required=True)
    category = choice(REPORT_CATEGORY, required=True)
    player = text("Id or handle, for the types `player` and `player_name`.", 40, load_default=None, allow_none=True)
    game_id = text("Id of the game, for the types `game` and `message`.", 40, load_default=None, allow_none=True)
    message = integer("Number of the message, for the type `message`.", 1, MAX_INT32, load_default=None)
    text = optional_line("What happened.")

    def contradictions(self, members: Members) -> Faults:
        """Return members that the type lacks, or that belong to another type."""
        if (kind := members.valid.get("type")) is None:
            return {}
        given = {name for name in ("player", "game_id", "message") if members.given.get(name) is not None}
        missing = {f"/{name}": f"is required for the type {kind}" for name in MEMBERS_OF_TYPE[kind] - given}
        return missing | {f"/{name}": f"does not belong to the type {kind}" for name in given - MEMBERS_OF_TYPE[kind]}


class ResolveReportRequest(Request):
    """The decision about a report."""

    status = choice(REPORT_STATUS, "`received` opens the report again.", required=True)
    reason = optional_line("Reason for the audit log.")


class ReportsQuery(Request):
    """Filters of the queue."""

    status = choice(REPORT_STATUS, "Filter by status.", load_default=None)
    type = choice(REPORTED_TYPE, "Filter by the kind of the object.", load_default=None)
    category = choice(REPORT_CATEGORY, "Filter by category.", load_default=None)
    player = text("Filter by the id of the reported player.", 40, load_default=None)
    first = first_field(20_000)
    limit = limit_field()
