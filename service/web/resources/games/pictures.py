"""Pictures and animations of games."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Response, request

from service.usecases.views import animations, pictures
from service.web.api import GAME_CODES, PAST_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import PICTURE_POLICY, SVG, accepts_gzip, compress, conditional, localize, not_modified
from service.web.schemas.base import queries

blueprint = Blueprint("pictures", __name__, url_prefix="/v1/games/<game_id>")
TEXT_PLAIN = "text/plain"
KEPT = "public, max-age=3600"
"""Cache-Control of animations. Not longer, because a player of a finished game can be deleted later."""


@blueprint.route("/board.svg")
@blueprint.operation("getBoard", *PAST_CODES, "ruleset/no_picture", "auth/ticket_unknown", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.text(
    SVG,
    "The table as SVG. Sources, tiles and spaces have the fields of actions as `data-` attributes.",
    headers=("BoardETag",),
)
@blueprint.response(304, description="You already have this version.", headers=("BoardETag",))
@blueprint.arguments(queries.BoardQuery, location="query")
def get_board(query: dict[str, Any], game_id: str) -> Response:
    """Get the table as SVG.

    Shows the current position, or the one at `revision`.
    """
    requester = caller(query.get("ticket"))
    picture = pictures.draw(context(), requester, game_id, query.get("revision"), query["theme"], query["layout"])
    tag = f"{picture.revision}-{requester.language}"
    answer = not_modified() if request.if_none_match.contains_weak(tag) else Response(picture.svg, content_type=SVG)
    answer.headers["ETag"] = f'"{tag}"'
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return compress(localize(answer))


@blueprint.route("/board.txt")
@blueprint.operation("getBoardText", *PAST_CODES, "ruleset/no_picture", access="optional")
@blueprint.headers("IfNoneMatch")
@blueprint.text(TEXT_PLAIN, "The table in English, at most 100 columns wide, with a legend.", headers=("ETag",))
@blueprint.response(304, description="You already have this version.", headers=("ETag",))
@blueprint.arguments(queries.BoardTextQuery, location="query")
def get_board_text(query: dict[str, Any], game_id: str) -> Response:
    """Get the table as plain text.

    Made for terminals and language models. Shows the current position, or the one at `revision`. Empty lines separate
    blocks. The last two are the legend and the position in notation. Seats, factories and lines count from 1, as in
    sentences. Actions and the notation count from 0.
    """
    revision, table = pictures.write(context(), caller(), game_id, query.get("revision"))
    return conditional(revision, table, lambda content: Response(content, mimetype=TEXT_PLAIN))


@blueprint.route("/animation.svg")
@blueprint.operation(
    "getAnimation", *GAME_CODES, "game/not_over", "ruleset/no_picture", "auth/ticket_unknown", access="optional"
)
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.text(
    SVG,
    "The animation as SVG, compressed with gzip if the client accepts it.",
    headers=("AnimationETag", "AnimationCacheControl"),
)
@blueprint.response(
    304, description="You already have this version.", headers=("AnimationETag", "AnimationCacheControl")
)
@blueprint.arguments(queries.AnimationQuery, location="query")
def get_animation(query: dict[str, Any], game_id: str) -> Response:
    """Get a finished game as an animated SVG.

    Plays the game from the first deal to the result, in an `<img>` and without scripts. Each frame shows a decision,
    the player who made it, and the scores; in long games a frame covers several decisions. Takebacks are left out.
    Viewers who prefer reduced motion see the final position. The root has the number of frames as `data-stills`, their
    duration in seconds as `data-seconds`, and that of the last frame as `data-held`.
    """
    requester = caller(query.pop("ticket", None))
    loaded = animations.load_finished(context(), requester, game_id)
    tag = f"{loaded.game.revision}-{requester.language}"
    if request.if_none_match.contains_weak(tag):
        answer = not_modified()
    else:
        content = animations.animate(
            context(), loaded, animations.RenderingOptions(**{"seconds": None, **query}), requester.language
        )
        is_small = accepts_gzip()
        answer = Response(content if is_small else gzip.decompress(content), content_type=SVG)
        if is_small:
            answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    if loaded.stored.visibility != "private":
        answer.headers["Cache-Control"] = KEPT
    answer.headers["ETag"] = f'W/"{tag}"'
    answer = localize(answer)
    answer.headers["Vary"] = "Accept-Language, Accept-Encoding"
    return answer
