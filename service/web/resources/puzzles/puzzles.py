"""Puzzles: read and solve them."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from service.puzzles.model import Puzzle
from service.usecases.puzzles import daily, next_puzzles, puzzle_progress, puzzle_views, solving
from service.usecases.views import pictures
from service.web.api import READ_ONLY, STORE_CODES, Blueprint
from service.web.docs.document_bytes import compressible
from service.web.http.auth import caller, context, language
from service.web.http.responses import JSON, PICTURE_POLICY, SVG, json_answer, localize, service_url
from service.web.schemas.base import queries
from service.web.schemas.puzzles import puzzles as puzzle_schemas

blueprint = Blueprint("puzzles", __name__, url_prefix="/v1")
COUNTS_KEPT_S, PICTURE_KEPT_S = 60, 86_400
"""How long caches may keep a puzzle with its counts, and its picture, which changes with the service only."""
CACHED = ("DocumentETag", "PuzzleCacheControl")


@blueprint.route("/puzzles/next")
@blueprint.operation("getNextPuzzle", *STORE_CODES, "puzzle/not_found", "auth/token_unknown", access="optional")
@blueprint.response(200, puzzle_schemas.Puzzle, "The puzzle.")
@blueprint.arguments(puzzle_schemas.PuzzleQuery, location="query")
def get_next_puzzle(query: dict[str, Any]) -> Response:
    """Get a puzzle to solve.

    With a player's token: the untried puzzle nearest to your puzzle rating, the same until you have tried it. When you
    have tried all, puzzles that you failed come first. Without a token: the puzzle after `after`.
    """
    return json_answer(next_puzzles.find_next(context(), caller(), query["ruleset"], query["theme"], query["after"]))


@blueprint.route("/puzzles/daily")
@blueprint.operation("getDailyPuzzle", *STORE_CODES)
@blueprint.headers("IfNoneMatchDocument", "AcceptLanguage")
@blueprint.response(200, puzzle_schemas.DailyPuzzle, "The puzzle.", headers=CACHED)
@blueprint.response(304, description="You already have this version.", headers=CACHED)
def get_daily_puzzle() -> Response:
    """Get the puzzle of the day.

    It is the same for everybody, and changes at 00:00 UTC.
    """
    found = daily.read(context(), language(), service_url())
    return _with_language(_cacheable(orjson.dumps(found), JSON, min(COUNTS_KEPT_S, daily.rest_of_day_s(context()))))


@blueprint.route("/puzzles/daily/board.svg")
@blueprint.operation("getDailyBoard", "ruleset/no_picture")
@blueprint.headers("IfNoneMatchDocument", "AcceptLanguage")
@blueprint.text(SVG, "The table as SVG.", headers=CACHED)
@blueprint.response(304, description="You already have this version.", headers=CACHED)
@blueprint.arguments(queries.PictureQuery, location="query")
def get_daily_board(query: dict[str, Any]) -> Response:
    """Get the puzzle of the day as SVG."""
    puzzle = daily.puzzle_of(daily.today(context()))
    return _picture(puzzle, query, daily.rest_of_day_s(context()))


@blueprint.route("/puzzles/<puzzle_id>")
@blueprint.operation("getPuzzle", *STORE_CODES, "puzzle/not_found")
@blueprint.headers("IfNoneMatchDocument")
@blueprint.response(200, puzzle_schemas.Puzzle, "The puzzle.", headers=CACHED)
@blueprint.response(304, description="You already have this version.", headers=CACHED)
def get_puzzle(puzzle_id: str) -> Response:
    """Get a puzzle."""
    return _cacheable(orjson.dumps(puzzle_views.read(context(), puzzle_id)), JSON, COUNTS_KEPT_S)


@blueprint.route("/puzzles/<puzzle_id>/board.svg")
@blueprint.operation("getPuzzleBoard", "puzzle/not_found", "ruleset/no_picture")
@blueprint.headers("IfNoneMatchDocument", "AcceptLanguage")
@blueprint.text(SVG, "The table as SVG.", headers=CACHED)
@blueprint.response(304, description="You already have this version.", headers=CACHED)
@blueprint.arguments(queries.PictureQuery, location="query")
def get_puzzle_board(query: dict[str, Any], puzzle_id: str) -> Response:
    """Get a puzzle as SVG."""
    return _picture(puzzle_views.find(puzzle_id), query, PICTURE_KEPT_S)


@blueprint.route("/puzzles/<puzzle_id>/board.txt")
@blueprint.operation("getPuzzleBoardText", "puzzle/not_found", "ruleset/no_picture")
@blueprint.text("text/plain", "The table in English.", headers=())
def get_puzzle_board_text(puzzle_id: str) -> Response:
    """Get a puzzle as plain text.

    In the form of `getBoardText`.
    """
    return Response(pictures.write_position(puzzle_views.find(puzzle_id).position), mimetype="text/plain")


@blueprint.route("/puzzles/<puzzle_id>/attempts", methods=["POST"])
@blueprint.operation(
    "attemptPuzzle",
    *(*STORE_CODES, "puzzle/not_found", "notation/unreadable", "game/illegal_action"),
    *("auth/token_unknown", READ_ONLY),
    access="optional",
)
@blueprint.headers("AcceptLanguage")
@blueprint.response(200, puzzle_schemas.PuzzleAttempt, "The result.")
@blueprint.arguments(puzzle_schemas.AttemptPuzzleRequest)
def attempt_puzzle(body: dict[str, Any], puzzle_id: str) -> Response:
    """Solve a puzzle.

    Send all decisions so far; the first wrong one ends the attempt. Your first finished attempt is rated: you and the
    puzzle are rated against each other. Later ones are practice. Without a player's token, nothing is stored.

    Ignores `Idempotency-Key`: repeating the answers of the attempt that counts returns its result.
    """
    answers = [(one.get("id"), one.get("action"), one.get("notation")) for one in body["answers"]]
    return localize(json_answer(solving.attempt(context(), caller(), puzzle_id, answers)))


@blueprint.route("/me/puzzles")
@blueprint.operation("getMyPuzzles", access="player")
@blueprint.response(200, puzzle_schemas.OwnPuzzles, "Your progress.")
def get_my_puzzles() -> Response:
    """Get your puzzle ratings and streaks."""
    return json_answer(puzzle_progress.read(context(), caller()))


def _picture(puzzle: Puzzle, query: dict[str, Any], kept_s: int) -> Response:
    svg = puzzle_views.draw(context(), puzzle, query["theme"], query["layout"], language())
    answer = _with_language(_cacheable(svg, SVG, kept_s))
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return answer


def _cacheable(content: bytes, content_type: str, kept_s: int) -> Response:
    """Return a response that shared caches may keep."""
    answer = compressible(content, content_type)
    answer.headers["Cache-Control"] = f"public, max-age={kept_s}"
    return answer


def _with_language(answer: Response) -> Response:
    localize(answer).headers["Vary"] = "Accept-Language, Accept-Encoding"
    return answer
