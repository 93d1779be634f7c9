"""Analyses of games and positions. Workers compute them in the background."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.levels import LEVELS
from service.rulesets.wire import Json
from service.usecases.positions.actions import ActionForms
from service.usecases.work import analyses
from service.usecases.work.analyses import DECISION, REVIEW, AnalysisRequest
from service.web.api import PAST_CODES, STORE_CODES, TASK_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import issuer
from service.web.http.responses import json_answer, localize, with_location
from service.web.schemas.base import queries
from service.web.schemas.work import task_requests
from service.web.schemas.work import tasks as task_schemas

blueprint = Blueprint("analyses", __name__, url_prefix="/v1")
SECONDS = {DECISION: 1.0, REVIEW: 0.2}  # defaults for each decision
ACCEPTED = ("Location",)
CANDIDATE_CODES = ("notation/unreadable", "game/illegal_action")


@blueprint.route("/games/<game_id>/analyses", methods=["POST"])
@blueprint.operation(
    "analyseGame",
    *(*PAST_CODES, *CANDIDATE_CODES, "game/help_forbidden", "game/nobody_decides", "game/not_over"),
    access="optional",
)
@blueprint.headers("AcceptLanguage")
@blueprint.response(202, task_schemas.Analysis, "The task.", headers=ACCEPTED)
@blueprint.arguments(task_requests.AnalyseGameRequest)
@blueprint.repeatable("UnguessableKey")
def analyse_game(body: dict[str, Any], game_id: str) -> Response:
    """Start an analysis of a game.

    A `decision` analysis covers one revision. A `review` covers every decision of a finished game. Poll the returned
    task with `getAnalysis`.

    If the game already has a review, the response is that review, unless you set `again` or ask for more `seconds`.
    """
    analysis_request = AnalysisRequest(
        body["kind"],
        _seconds(body, body["kind"]),
        body["best"],
        body["revision"],
        body["again"],
        _candidate(body),
    )
    return _accepted_response(analyses.create(context(), caller(changes=False), game_id, analysis_request, issuer()))


@blueprint.route("/games/<game_id>/review")
@blueprint.operation(
    "getReview", *STORE_CODES, "game/not_found", "request/not_found", "game/not_reviewed", access="optional"
)
@blueprint.headers("AcceptLanguage")
@blueprint.response(200, task_schemas.Analysis, "The review and its progress.")
def get_review(game_id: str) -> Response:
    """Get the newest review of a game.

    Available to everyone who can read the game, until `expires_at`. Start a review with `analyseGame`, and wait for its
    progress with `getAnalysis`.
    """
    return localize(json_answer(analyses.review_of(context(), caller(), game_id)))


@blueprint.route("/analyses", methods=["POST"])
@blueprint.operation("analysePosition", *STORE_CODES, *CANDIDATE_CODES, "game/nobody_decides", access="optional")
@blueprint.headers("AcceptLanguage")
@blueprint.response(202, task_schemas.Analysis, "The task.", headers=ACCEPTED)
@blueprint.arguments(task_requests.AnalysePositionRequest)
@blueprint.repeatable("UnguessableKey")
def analyse_position(body: dict[str, Any]) -> Response:
    """Start an analysis of a position.

    The position does not need a game. Poll the returned task with `getAnalysis`.
    """
    analysis_request = AnalysisRequest(DECISION, _seconds(body, DECISION), body["best"], candidate=_candidate(body))
    return _accepted_response(
        analyses.create_for_position(context(), caller(changes=False), body["position"], analysis_request, issuer())
    )


@blueprint.route("/analyses/<task_id>")
@blueprint.operation("getAnalysis", *STORE_CODES, "task/not_found")
@blueprint.headers("AcceptLanguage")
@blueprint.response(200, task_schemas.Analysis, "The analysis and its progress.")
@blueprint.response(204, description="No change within `wait`.")
@blueprint.arguments(queries.TaskQuery, location="query")
def get_analysis(query: dict[str, Any], task_id: str) -> Response | None:
    """Get an analysis.

    With `after` and `wait`, the response is delayed until the version is greater than `after`.
    """
    analysis = analyses.get(context(), caller(), task_id, query["after"], query["wait"])
    return None if analysis is None else localize(json_answer(analysis))


@blueprint.route("/analyses/<task_id>", methods=["DELETE"])
@blueprint.operation("endAnalysis", *TASK_CODES, access="optional")
@blueprint.response(204, description="The analysis is cancelled.")
def end_analysis(task_id: str) -> None:
    """Cancel an analysis.

    Stops the task and deletes it. If it was started with a token, send the same token. Only the operator can cancel a
    review that was started without one.
    """
    analyses.cancel(context(), caller(), task_id)


def _seconds(body: dict[str, Any], kind: str) -> float:
    if body["level"] is None:
        return float(SECONDS[kind] if body["seconds"] is None else body["seconds"])
    return LEVELS[body["level"]].budget_s


def _candidate(body: dict[str, Any]) -> ActionForms | None:
    named = body["candidate"]
    return None if named is None else (named.get("id"), named.get("action"), named.get("notation"))


def _accepted_response(analysis: Json) -> Response:
    return localize(with_location(analysis, 202, f"/v1/analyses/{analysis['id']}"))
