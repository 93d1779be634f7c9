"""Reports of players to the moderators."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.people import reports
from service.web.api import Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import json_answer
from service.web.schemas.people import reports as report_schemas

blueprint = Blueprint("reports", __name__, url_prefix="/v1")


@blueprint.route("/reports", methods=["POST"])
@blueprint.operation(
    "createReport",
    *("player/not_found", "player/yourself", "game/not_found", "message/not_found", "auth/not_taking_part"),
    access="player",
)
@blueprint.response(201, report_schemas.OwnReport, "The report.")
@blueprint.arguments(report_schemas.CreateReportRequest)
@blueprint.repeatable()
def create_report(body: dict[str, Any]) -> Response:
    """Report a player, a name, a message or a game.

    Moderators see the current content of what you report, even if it changes or expires. While your report about an
    object is open, the response to another one is the first.
    """
    return json_answer(reports.create(context(), caller(), reports.NewReport(**body)), 201)


@blueprint.route("/me/reports")
@blueprint.operation("listMyReports", access="player")
@blueprint.response(200, report_schemas.OwnReports, "Your reports.")
def list_my_reports() -> Response:
    """List your reports and what became of them."""
    return json_answer({"reports": reports.list_own(context(), caller())})
