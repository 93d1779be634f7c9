"""About the service itself: alive, ready, the document, and the page that shows it."""

from __future__ import annotations

import re
from typing import Any

from flask import Response, current_app, render_template
from markupsafe import Markup, escape

from service.state.connect import RedisError, outage
from service.web import catalogue_schemas, published, queries
from service.web.answers import JSON, json_answer
from service.web.api import Blueprint
from service.web.codes import CODES
from service.web.problems import problem
from service.web.resources import cases

blueprint = Blueprint("service", __name__)
KINDS = ("worker", "keeper", "dialer")
LONGEST_WAIT_S = 30.0  # a job that waits longer says that the workers cannot keep up


@blueprint.route("/healthz")
@blueprint.operation("getHealth")
@blueprint.response(200, catalogue_schemas.Health, description="Alive.")
def get_health() -> Response:
    """Check that this process answers.

    It says nothing about the store or the workers; see `getReadiness`.
    """
    return json_answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.operation("getReadiness", "service/not_ready")
@blueprint.response(200, catalogue_schemas.Readiness, description="Ready.")
def get_readiness() -> Response:
    """Check whether games can be served.

    The service is ready when the store answers, a worker and a keeper are alive, a dialer too where bots are called,
    and the queue does not lag.
    """
    checks = _checks()
    served = checks["redis"] and checks["workers"] and checks["keepers"]
    if not (served and (checks["dialers"] or not cases().settings.calls) and checks["queue_age_s"] < LONGEST_WAIT_S):
        return problem("service/not_ready", members={"checks": checks})
    return json_answer({"status": "ready", **checks})


def _checks() -> dict[str, Any]:
    doors = cases()
    try:
        doors.store.probe()
        alive = {f"{kind}s": doors.queue.alive(kind) for kind in KINDS}
        return {"redis": True, "outage": None, **alive, "queue_age_s": doors.queue.age_s()}
    except RedisError as error:
        nobody = {f"{kind}s": 0 for kind in KINDS}
        return {"redis": False, "outage": outage(error), **nobody, "queue_age_s": 0.0}


@blueprint.route("/v1/openapi.json")
@blueprint.operation("getOpenapi")
@blueprint.response(200, {"type": "object"}, description="OpenAPI 3.1.", headers=("DocumentETag", "DocumentVary"))
@blueprint.response(304, description="The caller has it already.", headers=("DocumentETag", "DocumentVary"))
@blueprint.headers("IfNoneMatchDocument")
@blueprint.arguments(queries.DocumentQuery, location="query")
def get_openapi(query: dict[str, Any]) -> Response:
    """Get the OpenAPI document.

    With `ruleset`, it holds what an app of that ruleset needs: unions have its members alone.
    """
    content = published.document(current_app.config["PUBLIC_URL"], query.get("ruleset"))
    return published.compressible(content, JSON)


def _marked_up(text: str) -> Markup:
    """The text as HTML, what stands between backticks as code."""
    return Markup(re.sub(r"`(.*?)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - it was escaped


def get_docs() -> Response:
    """The document for people, and what every problem means. Loads nothing from elsewhere."""
    meanings = {name: _marked_up(code.meaning) for name, code in CODES.items()}
    html = render_template("docs.html", codes=CODES, meanings=meanings)
    return Response(html, content_type="text/html; charset=utf-8")


def get_table() -> Response:
    """A table to play at: a front end that knows the public API alone. Its source is openapi/clients/table."""
    return current_app.send_static_file("table/index.html")
