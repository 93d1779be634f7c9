"""Games as pictures."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Response, request

from service.usecases.requests import animations, pictures
from service.web.api import GAME_CODES, Blueprint
from service.web.auth import caller
from service.web.resources import context
from service.web.responses import PICTURE_POLICY, SVG, compressed, not_modified, spoken, takes_gzip
from service.web.schemas import queries

blueprint = Blueprint("pictures", __name__, url_prefix="/v1/games/<game_id>")
TEXT_PLAIN = "text/plain"
KEPT = "public, max-age=3600"
"""An animation: its game is over, but its players may be deleted yet."""


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


@blueprint.route("/animation.svg")
@blueprint.operation(
    "getAnimation",
    *GAME_CODES,
    "game/not_over",
    "ruleset/no_picture",
    "auth/ticket_unknown",
    access="optional",
)
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(
    200,
    {"type": "string"},
    content_type=SVG,
    description="The game: an SVG document that moves by itself, without script. In gzip for whoever can read that.",
    headers=("AnimationETag", "AnimationCacheControl", "Content-Language", "AnimationVary"),
)
@blueprint.response(304, description="The caller has it already.", headers=("AnimationETag", "AnimationCacheControl"))
@blueprint.arguments(queries.AnimationQuery, location="query")
def get_animation(query: dict[str, Any], game_id: str) -> Response:
    """Get a game as an animation.

    It plays a game that is over from the deal to the result, as an SVG document that moves in an `<img>`: a picture for
    each decision, or in long games for every few, with who made it and how the seats stand. Moves that were taken
    back are left out. Who prefers less motion sees the end.
    """
    asking = caller(query.pop("ticket", None))
    loaded = animations.finished(context(), asking, game_id)
    tag = f"{loaded.game.revision}-{asking.language}"
    if request.if_none_match.contains_weak(tag):
        answer = not_modified()
    else:
        content = animations.animate(context(), loaded, animations.Looks(**{"seconds": None, **query}), asking.language)
        is_small = takes_gzip()
        answer = Response(content if is_small else gzip.decompress(content), content_type=SVG)
        if is_small:
            answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    if loaded.stored.visibility != "private":
        answer.headers["Cache-Control"] = KEPT
    answer.headers["ETag"] = f'W/"{tag}"'
    answer = spoken(answer)
    answer.headers["Vary"] = "Accept-Language, Accept-Encoding"
    return answer
