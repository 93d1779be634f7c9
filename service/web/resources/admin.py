"""Operations for the staff. To read or abort a game, the operator uses the same operations as players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from flask import Response, request

from service.games.state.moments import parse_ms
from service.usecases.keeping import administering, audit_log, player_data, player_search, sanctions, staff
from service.usecases.people import reports
from service.web.api import Blueprint
from service.web.http.auth import caller, context
from service.web.http.paging import game_page
from service.web.http.preconditions import issuer
from service.web.http.problems import abort
from service.web.http.responses import JSON, PICTURE_POLICY, SVG, compress, json_answer, link_next, localize
from service.web.http.streams import NDJSON
from service.web.schemas.games import administering as administering_schemas
from service.web.schemas.games import games as game_schemas
from service.web.schemas.matchmaking import competitions as competition_schemas
from service.web.schemas.people import player_exports as player_export_schemas
from service.web.schemas.people import reports as report_schemas
from service.web.schemas.people import sanctions as sanction_schemas
from service.web.schemas.people import staff as staff_schemas

blueprint = Blueprint("admin", __name__, url_prefix="/v1/admin")
EXPORTED = {"$ref": "#/components/schemas/AuditEntry"}


@blueprint.route("/games")
@blueprint.operation("listAllGames", access="admin")
@blueprint.response(200, game_schemas.GamePage, "A page of games, latest expiry first.", headers=("Link",))
@blueprint.arguments(administering_schemas.AllGamesQuery, location="query")
def list_all_games(query: dict[str, Any]) -> Response:
    """List all games, as an admin.

    Includes private games. Filters apply within each page, so a page may contain fewer games than `limit`.
    """
    return game_page(query, lambda *page: administering.list_games(context(), caller(), *page))


@blueprint.route("/games/<game_id>/end", methods=["POST"])
@blueprint.operation("endGame", "game/not_found", "request/not_found", "game/over", access="admin")
@blueprint.response(204, description="The game has ended without a result.")
@blueprint.arguments(administering_schemas.ReasonRequest, required=False)
def end_game(body: dict[str, Any], game_id: str) -> None:
    """End a game without a result, also a private one, as an admin.

    Ignores `Idempotency-Key`: a repeat gets `game/over`.
    """
    administering.end_game(context(), caller(), game_id, body["reason"])


@blueprint.route("/competitions")
@blueprint.operation("listAllCompetitions", access="admin")
@blueprint.response(200, competition_schemas.AllCompetitions, "The competitions.")
def list_all_competitions() -> Response:
    """List all competitions that are not over, also unlisted ones, as an admin."""
    return json_answer({"competitions": administering.list_competitions(context(), caller())})


@blueprint.route("/competitions/<competition_id>", methods=["DELETE"])
@blueprint.operation("cancelAnyCompetition", "competition/not_found", "competition/closed", access="admin")
@blueprint.response(204, description="The competition is cancelled.")
@blueprint.arguments(administering_schemas.ReasonQuery, location="query")
def cancel_any_competition(query: dict[str, Any], competition_id: str) -> None:
    """Cancel a competition, as an admin.

    Running games continue.
    """
    administering.cancel_competition(context(), caller(), competition_id, query["reason"])


@blueprint.route("/bots")
@blueprint.operation("listAllBots", access="admin")
@blueprint.response(200, administering_schemas.AdministeredBotList, "The bots.")
def list_all_bots() -> Response:
    """List all published bots with their owners and endpoints, as an admin."""
    return json_answer({"bots": administering.list_bots(context(), caller())})


@blueprint.route("/staff")
@blueprint.operation("listStaff", access="admin")
@blueprint.response(200, staff_schemas.StaffList, "The staff.")
def list_staff() -> Response:
    """List the staff, as an admin."""
    return json_answer({"staff": staff.list_staff(context(), caller())})


@blueprint.route("/staff", methods=["POST"])
@blueprint.operation("createStaffMember", access="admin")
@blueprint.response(201, staff_schemas.CreatedStaffMember, "The member and their token.")
@blueprint.arguments(staff_schemas.CreateStaffRequest)
@blueprint.repeatable("UnguessableKey")
def create_staff_member(body: dict[str, Any]) -> Response:
    """Create a moderator or an admin, as an admin."""
    return json_answer(staff.create(context(), caller(), body["name"], body["role"], issuer()), 201)


@blueprint.route("/staff/<staff_id>", methods=["DELETE"])
@blueprint.operation("deleteStaffMember", "staff/not_found", "staff/last_admin", access="admin")
@blueprint.response(204, description="The token of the member no longer works.")
def delete_staff_member(staff_id: str) -> None:
    """Delete a member of staff, as an admin.

    Their entries in the audit log stay. The last admin cannot delete themselves; the operator can.
    """
    staff.delete(context(), caller(), staff_id)


@blueprint.route("/reports")
@blueprint.operation("listReports", access="moderator")
@blueprint.response(200, report_schemas.ReportList, "A part of the queue.")
@blueprint.arguments(report_schemas.ReportsQuery, location="query")
def list_reports(query: dict[str, Any]) -> Response:
    """List the reports of players, as a moderator."""
    first, limit = query.pop("first"), query.pop("limit")
    return json_answer({"reports": reports.list_queue(context(), caller(), query, first, limit)})


@blueprint.route("/reports/<report_id>")
@blueprint.operation("getReport", "report/not_found", access="moderator")
@blueprint.response(200, report_schemas.FullReport, "The report with its context.")
def get_report(report_id: str) -> Response:
    """Get a report with what was kept of its object, as a moderator."""
    return json_answer(reports.get(context(), caller(), report_id))


@blueprint.route("/reports/<report_id>/board.svg")
@blueprint.operation("getReportedBoard", "report/not_found", "ruleset/no_picture", access="moderator")
@blueprint.headers("AcceptLanguage")
@blueprint.text(SVG, "The position as SVG.", headers=())
def get_reported_board(report_id: str) -> Response:
    """Get a picture of the position that was kept with a report, as a moderator."""
    answer = Response(reports.draw(context(), caller(), report_id), content_type=SVG)
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return compress(localize(answer))


@blueprint.route("/reports/<report_id>/status", methods=["PUT"])
@blueprint.operation("resolveReport", "report/not_found", access="moderator")
@blueprint.response(200, report_schemas.Report, "The report.")
@blueprint.arguments(report_schemas.ResolveReportRequest)
def resolve_report(body: dict[str, Any], report_id: str) -> Response:
    """Decide about a report, or open it again, as a moderator.

    The reporter sees the status, but neither the reason nor who decided.
    """
    return json_answer(reports.resolve(context(), caller(), report_id, body["status"], body["reason"]))


@blueprint.route("/players")
@blueprint.operation("searchPlayers", access="moderator")
@blueprint.response(200, sanction_schemas.FoundPlayerPage, "A page of players.", headers=("Link",))
@blueprint.arguments(sanction_schemas.SearchPlayersQuery, location="query")
def search_players(query: dict[str, Any]) -> Response:
    """List players, or search for them, as a moderator.

    With `handle` or `name`, players are in its order; otherwise the newest are first, or those who were banned last.
    With several filters, a page may contain fewer players than `limit`.
    """
    cursor, limit = query.pop("cursor", None), query.pop("limit")
    try:
        players, following = player_search.search(context(), caller(), player_search.Search(**query), cursor, limit)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "must be a cursor returned by this operation"}, where="query")
    return link_next(json_answer({"players": players, "next_cursor": following}), cursor=following)


@blueprint.route("/players/<player>")
@blueprint.operation("getModeratedPlayer", "player/not_found", access="moderator")
@blueprint.response(200, sanction_schemas.PlayerDetails, "The player.")
def get_moderated_player(player: str) -> Response:
    """Get a player by id or handle, with standing, ban, ratings and recent games, as a moderator."""
    return json_answer(player_search.get(context(), caller(), player))


@blueprint.route("/players/<player>/acts", methods=["POST"])
@blueprint.operation("actOnPlayer", "player/not_found", access="moderator")
@blueprint.response(201, sanction_schemas.ModeratedPlayer, "The player after the act.")
@blueprint.arguments(sanction_schemas.ModeratorActRequest)
@blueprint.repeatable()
def act_on_player(body: dict[str, Any], player: str) -> Response:
    """Warn, mute, exclude from rated games or ban a player, take a name away, or reverse that, as a moderator.

    The guide on moderation says what each act does. An act that would change nothing has no entry in the audit log.
    """
    until_ms = None if body["until"] is None else parse_ms(body["until"])
    return json_answer(sanctions.act(context(), caller(), player, body["act"], until_ms, body["reason"]), 201)


@blueprint.route("/players/<player>/export", methods=["POST"])
@blueprint.operation("exportPlayer", "player/not_found", access="admin")
@blueprint.response(200, player_export_schemas.PlayerExport, "The data.")
@blueprint.arguments(administering_schemas.ReasonRequest, required=False)
def export_player(body: dict[str, Any], player: str) -> Response:
    """Export the data of a player on their request, as an admin.

    Contains everything stored about the player except secrets, like `exportMe`. The audit log records the export.
    Ignores `Idempotency-Key`, because it changes nothing else.
    """
    return json_answer(player_data.export(context(), caller(), player, body["reason"]))


@blueprint.route("/players/<player>", methods=["DELETE"])
@blueprint.operation("deletePlayer", "player/not_found", access="admin")
@blueprint.response(204, description="The player is deleted.")
@blueprint.arguments(administering_schemas.ReasonQuery, location="query")
def delete_player(query: dict[str, Any], player: str) -> None:
    """Delete a player on their request, as an admin.

    This is permanent and does the same as `deleteMe`. Entries of the audit log stay.
    """
    player_data.delete(context(), caller(), player, query["reason"])


@blueprint.route("/games/<game_id>/messages/<int:message>", methods=["DELETE"])
@blueprint.operation("deleteMessage", "message/not_found", "request/not_found", access="moderator")
@blueprint.response(204, description="The message is deleted.")
@blueprint.arguments(administering_schemas.ReasonQuery, location="query")
def delete_message(query: dict[str, Any], game_id: str, message: int) -> None:
    """Delete a message of a game, as a moderator.

    The game gets a new message whose `deletes` is the number of the deleted one.
    """
    sanctions.delete_message(context(), caller(), game_id, message, query["reason"])


@blueprint.route("/log")
@blueprint.operation("listAuditEntries", access="moderator")
@blueprint.response(200, staff_schemas.AuditPage, "A page of entries, newest first.", headers=("Link",))
@blueprint.response(200, EXPORTED, "All entries, one on each line.", content_type=NDJSON)
@blueprint.arguments(staff_schemas.AuditQuery, location="query")
def list_audit_entries(query: dict[str, Any]) -> Response:
    """List the acts of staff, as a moderator.

    No operation changes an entry. With `Accept: application/x-ndjson`, the response contains all entries after the
    cursor, whatever the limit. A page of filtered entries may be short or empty although `next_cursor` is not null.
    """
    cursor, is_export = query.get("cursor"), request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON
    filters = audit_log.Filters(query["act"], query["contains"])
    try:
        if is_export:
            return Response(_lines(audit_log.export(context(), caller(), cursor, filters)), content_type=NDJSON)
        entries, following = audit_log.page(context(), caller(), cursor, query["limit"], filters)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "must be a cursor returned by this operation"}, where="query")
    return link_next(json_answer({"entries": entries, "next_cursor": following}), cursor=following)


def _lines(entries: Iterator[Any]) -> Iterator[bytes]:
    return (orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE) for entry in entries)
