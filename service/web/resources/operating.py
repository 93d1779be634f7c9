"""Operations of admins on the service itself: state, processes, settings, announcement and maintenance."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.keeping import figures, operating, service_status
from service.web.api import Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import json_answer
from service.web.schemas.base import figures as figure_schemas
from service.web.schemas.base import operating as schemas
from service.web.schemas.base import requests
from service.web.schemas.base import service_status as status_schemas

blueprint = Blueprint("operating", __name__, url_prefix="/v1/admin")


@blueprint.route("/state")
@blueprint.operation("getServiceState", access="admin")
@blueprint.response(200, schemas.ServiceState, "The state.")
def get_service_state() -> Response:
    """Get processes, queues, due work and Redis servers, as an admin."""
    return json_answer(operating.state(context(), caller()))


@blueprint.route("/processes/<process>/drain", methods=["PUT"])
@blueprint.operation("drainProcess", "process/not_found", access="admin")
@blueprint.response(204, description="The process takes no further jobs.")
@blueprint.arguments(requests.NothingRequest, required=False)
def drain_process(_body: dict[str, Any], process: str) -> None:
    """Let a process take no further jobs, as an admin.

    It completes its current job. Draining ends after a day, or with `resumeProcess`.
    """
    operating.drain(context(), caller(), process)


@blueprint.route("/processes/<process>/drain", methods=["DELETE"])
@blueprint.operation("resumeProcess", "process/not_found", access="admin")
@blueprint.response(204, description="The process takes jobs again.")
def resume_process(process: str) -> None:
    """Let a drained process take jobs again, as an admin."""
    operating.resume(context(), caller(), process)


@blueprint.route("/announcement", methods=["PUT"])
@blueprint.operation("setAnnouncement", access="admin")
@blueprint.response(200, status_schemas.Announcement, "The announcement.")
@blueprint.arguments(status_schemas.AnnouncementRequest)
def set_announcement(body: dict[str, Any]) -> Response:
    """Announce a text to everyone, as an admin.

    `getService` returns it, and the table shows it. It replaces the announcement before.
    """
    return json_answer(service_status.change(context(), caller(), service_status.ANNOUNCEMENT, body))


@blueprint.route("/announcement", methods=["DELETE"])
@blueprint.operation("deleteAnnouncement", access="admin")
@blueprint.response(204, description="There is no announcement.")
def delete_announcement() -> None:
    """Remove the announcement, as an admin."""
    service_status.change(context(), caller(), service_status.ANNOUNCEMENT, None)


@blueprint.route("/maintenance", methods=["PUT"])
@blueprint.operation("beginMaintenance", access="admin")
@blueprint.response(200, status_schemas.Maintenance, "The maintenance.")
@blueprint.arguments(status_schemas.MaintenanceRequest, required=False)
def begin_maintenance(body: dict[str, Any]) -> Response:
    """Begin maintenance, as an admin.

    Operations that create games, seeks, challenges, competitions, tournaments and imports return `service/maintenance`
    until it ends. Running games go on.
    """
    return json_answer(service_status.change(context(), caller(), service_status.MAINTENANCE, body))


@blueprint.route("/maintenance", methods=["DELETE"])
@blueprint.operation("endMaintenance", access="admin")
@blueprint.response(204, description="There is no maintenance.")
def end_maintenance() -> None:
    """End maintenance, as an admin."""
    service_status.change(context(), caller(), service_status.MAINTENANCE, None)


@blueprint.route("/figures")
@blueprint.operation("listFigures", access="admin")
@blueprint.response(200, figure_schemas.FigureList, "The figures.")
@blueprint.arguments(figure_schemas.FiguresQuery, location="query")
def list_figures(query: dict[str, Any]) -> Response:
    """List players, games and waits of the last days, as an admin."""
    return json_answer({"days": figures.read(context(), caller(), query["days"])})


@blueprint.route("/settings")
@blueprint.operation("listSettings", access="admin")
@blueprint.response(200, schemas.SettingList, "The settings.")
def list_settings() -> Response:
    """List the settings of the service without secrets, as an admin.

    Settings are read when a process starts, so processes that were started at different times may differ.
    """
    return json_answer({"settings": operating.settings(context(), caller())})
