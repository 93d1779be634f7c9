"""Export and import games as records."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.games import game_text
from service.rulesets.wire import Json
from service.usecases.positions import notations
from service.usecases.views import exports
from service.usecases.work import imports
from service.web.api import GAME_CODES, READ_ONLY, STORE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import idempotency
from service.web.http.problems import title
from service.web.http.request_parsing import RECORD_CAPS, TEXT
from service.web.http.responses import WRITTEN, conditional, json_answer, localize, with_game, with_location
from service.web.schemas.base import queries
from service.web.schemas.games import exports as record_schemas
from service.web.schemas.games import games as game_schemas
from service.web.schemas.games import import_requests
from service.web.schemas.work import tasks as task_schemas

blueprint = Blueprint("records", __name__, url_prefix="/v1")


@blueprint.route("/games/<game_id>/export")
@blueprint.operation("exportGame", *GAME_CODES, "game/rebased", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(200, record_schemas.GameRecord, "The record.", headers=("ETag",))
@blueprint.text(TEXT, "The record, as JSON or as text with one line per event.", headers=("ETag",))
@blueprint.response(304, description="You already have this revision.", headers=("ETag",))
@blueprint.arguments(queries.ExportQuery, location="query")
def export_game(query: dict[str, Any], game_id: str) -> Response:
    """Export a game as a record.

    The record contains the settings, the whole log, and the seed once the game is over. Choose JSON or readable text;
    `importGame` accepts both.
    """
    build = _text if query["format"] == "text" else json_answer
    return localize(conditional(*exports.export(context(), caller(), game_id), build))


def _text(record: Json) -> Response:
    return Response(game_text.write_record(record), mimetype=TEXT)


@blueprint.route("/games/import", methods=["POST"])
@blueprint.operation(
    "importGame",
    *STORE_CODES,
    *("auth/token_unknown", READ_ONLY, "record/illegal_event", "notation/unreadable"),
    access="optional",
    requestBody={"content": {TEXT: {"schema": {"type": "string"}}}},
)
@blueprint.creating()
@blueprint.headers("UnguessableKey")
@blueprint.response(201, game_schemas.CreatedGame, "The game and its tokens.", headers=WRITTEN)
@blueprint.response(
    202,
    task_schemas.AcceptedImport,
    f"The record has more than {imports.SHORT} events. The response has the tokens of the future game.",
    headers=("Location", "Idempotency-Replayed"),
)
@blueprint.arguments(import_requests.ImportGameRequest, caps=RECORD_CAPS, from_text=notations.read_game)
def import_game(body: dict[str, Any]) -> Response:
    """Import a game from a record.

    Send JSON, or the text format as `text/plain`. The service replays every event and rejects the record at the first
    illegal one. Long records are imported in the background: the response is then 202 with a task.
    """
    key = idempotency(scoped=False)
    if imports.is_short(body):
        return with_game(imports.import_game(context(), caller(), body, key))
    accepted = imports.create(context(), caller(), body, key)
    return with_location(_with_title(accepted), 202, f"/v1/imports/{accepted['id']}")


@blueprint.route("/imports/<task_id>")
@blueprint.operation("getImport", *STORE_CODES, "task/not_found")
@blueprint.headers("AcceptLanguage")
@blueprint.response(200, task_schemas.Import, "The import and its progress.")
@blueprint.response(204, description="No change within `wait`.")
@blueprint.arguments(queries.TaskQuery, location="query")
def get_import(query: dict[str, Any], task_id: str) -> Response | None:
    """Get an import.

    With `after` and `wait`, the response is delayed until the import is done.
    """
    task = imports.get(context(), task_id, query["after"], query["wait"])
    return None if task is None else localize(json_answer(_with_title(task)))


def _with_title(task: Json) -> Json:
    """Add a title to the error of the import, and return it."""
    if task["refusal"] is not None:
        task["refusal"]["title"] = title(task["refusal"]["code"])
    return task
