"""Games as pictures."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from service.usecases.requests import pictures
from service.web.api import GAME_CODES, Blueprint
from service.web.auth import caller
from service.web.resources import context
from service.web.responses import PICTURE_POLICY, SVG, compressed, not_modified, spoken
from service.web.schemas import queries

blueprint = Blueprint("pictures", __name__, url_prefix="/v1/games/<game_id>")
TEXT_PLAIN = "text/plain"


@blueprint.route("/board.svg")
@blueprint.operation(
    "getBoard",
    *GAME_CODES,
    "game/revision_not_found",
    "game/rebased",
    "ruleset/no_picture",
    "auth/ticket_unknown",
    access="optional",
)
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(
    200,
    {"type": "string"},
    content_type=SVG,
    description="The table: an SVG document whose sources, tiles and spaces bear the fields of actions as `data-…`.",
    headers=("BoardETag", "Content-Language", "Vary"),
)
@blueprint.response(304, description="The caller has it already.", headers=("BoardETag",))
@blueprint.arguments(queries.BoardQuery, location="query")
def get_board(query: dict[str, Any], game_id: str) -> Response:
    """Get the board as SVG.

    It shows the whole table, as it is or as it was at a revision.
    """
    asking = caller(query.get("ticket"))
    picture = pictures.draw(context(), asking, game_id, query.get("revision"), query["theme"], query["layout"])
    tag = f"{picture.revision}-{asking.language}"
    answer = not_modified() if request.if_none_match.contains_weak(tag) else Response(picture.svg, content_type=SVG)
    answer.headers["ETag"] = f'"{tag}"'
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return compressed(spoken(answer))


@blueprint.route("/board.txt")
@blueprint.operation(
    "getBoardText",
    *GAME_CODES,
    "game/revision_not_found",
    "game/rebased",
    "ruleset/no_picture",
    access="optional",
)
@blueprint.headers("IfNoneMatch")
@blueprint.response(
    200,
    {"type": "string"},
    content_type=TEXT_PLAIN,
    description="The table in English, at most 100 characters wide, with a legend of its letters.",
    headers=("ETag",),
)
@blueprint.response(304, description="The caller has it already.", headers=("ETag",))
@blueprint.arguments(queries.BoardTextQuery, location="query")
def get_board_text(query: dict[str, Any], game_id: str) -> Response:
    """Get the board as text.

    It shows the whole table, as it is or as it was at a revision, for terminals and for programs that read.
    Seats, factories and lines bear the numbers of actions, from 0.
    """
    revision, table = pictures.write(context(), caller(), game_id, query.get("revision"))
    known = request.if_none_match.contains_weak(str(revision))
    answer = not_modified() if known else Response(table, mimetype=TEXT_PLAIN)
    answer.headers["ETag"] = f'"{revision}"'
    return answer
