"""About the service itself: where to begin, alive, ready, the document."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response, current_app, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from service.rulesets.registry import RULESETS
from service.storage.connect import RedisError, outage
from service.web import published
from service.web.api import VERSION, Blueprint
from service.web.problems import problem
from service.web.resources import context
from service.web.responses import JSON, json_answer, url
from service.web.schemas import catalogue, queries

blueprint = Blueprint("service", __name__)
HTML_TYPE = "text/html"
DOORS = {
    "document": "/v1/openapi.json",
    "reference": "/docs",
    "guide": "/docs/guide",
    "table": "/play",
    "rulesets": "/v1/rulesets",
    "levels": "/v1/levels",
    "games": "/v1/games",
}
KINDS = ("worker", "keeper", "dialer")
LONGEST_WAIT_S = 30.0  # a job that waits longer says that the workers cannot keep up


@blueprint.route("/")
@blueprint.operation("getIndex")
@blueprint.response(200, catalogue.Index, description="Where programs begin.", headers=("DocumentETag", "DocumentVary"))
@blueprint.response(302, description="People begin at the table.")
@blueprint.response(304, description="The caller has it already.", headers=("DocumentETag", "DocumentVary"))
@blueprint.headers("IfNoneMatchDocument")
def get_index() -> BaseResponse:
    """List where to begin.

    A caller that prefers `text/html`, as browsers do, is led to the table at `/play`.
    """
    if request.accept_mimetypes.best_match([JSON, HTML_TYPE]) == HTML_TYPE:
        answer = redirect("play")
        answer.headers["Vary"] = "Accept"
        return answer
    links = {name: url(path) for name, path in DOORS.items()}
    answer = published.compressible(orjson.dumps({"name": "Azul games", "version": VERSION, "links": links}), JSON)
    answer.headers["Vary"] += ", Accept"
    return answer


@blueprint.route("/healthz")
@blueprint.operation("getHealth")
@blueprint.response(200, catalogue.Health, description="The process is alive.")
def get_health() -> Response:
    """Check that this process answers.

    It says nothing about the store or the workers; see `getReadiness`.
    """
    return json_answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.operation("getReadiness", "service/not_ready")
@blueprint.response(200, catalogue.Readiness, description="The service is ready.")
def get_readiness() -> Response:
    """Check whether games can be served.

    The service is ready when the store answers, a worker and a keeper are alive, a dialer too where bots are called,
    and the queue does not lag.
    """
    checks = _checks()
    served = checks["redis"] and checks["workers"] and checks["keepers"]
    if not (served and (checks["dialers"] or not context().settings.calls) and checks["queue_age_s"] < LONGEST_WAIT_S):
        return problem("service/not_ready", members={"checks": checks})
    return json_answer({"status": "ready", **checks})


def _checks() -> dict[str, Any]:
    return {**_outside(), "compiled": sum(ruleset.rules.are_compiled() for ruleset in RULESETS.values())}


def _outside() -> dict[str, Any]:
    doors = context()
    try:
        doors.store.probe()
        alive = {f"{kind}s": doors.queue.alive(kind) for kind in KINDS}
        return {"redis": True, "outage": None, **alive, "queue_age_s": doors.queue.age_s()}
    except RedisError as error:
        nobody = {f"{kind}s": 0 for kind in KINDS}
        return {"redis": False, "outage": outage(error), **nobody, "queue_age_s": 0.0}


@blueprint.route("/v1/openapi.json")
@blueprint.operation("getOpenapi")
@blueprint.response(
    200, {"type": "object"}, description="The OpenAPI 3.1 document.", headers=("DocumentETag", "DocumentVary")
)
@blueprint.response(304, description="The caller has it already.", headers=("DocumentETag", "DocumentVary"))
@blueprint.headers("IfNoneMatchDocument")
@blueprint.arguments(queries.DocumentQuery, location="query")
def get_openapi(query: dict[str, Any]) -> Response:
    """Get the OpenAPI document.

    With `ruleset`, it holds only what an app for that ruleset needs.
    """
    content = published.document(current_app.config["PUBLIC_URL"], query.get("ruleset"))
    return published.compressible(content, JSON)
