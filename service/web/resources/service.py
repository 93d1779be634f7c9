"""About the service itself: alive, ready, the document, and the page that shows it."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any

import orjson
from flask import Response, current_app, render_template
from markupsafe import Markup, escape

from service.state.connect import RedisError, outage
from service.web import catalogue_schemas
from service.web.answers import json_answer
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
    """Tell that this process answers."""
    return json_answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.operation("getReadiness", "service/not_ready")
@blueprint.response(200, catalogue_schemas.Readiness, description="Ready.")
def get_readiness() -> Response:
    """Tell whether games can be served: the store, a worker, a keeper, a dialer where one is needed, the queue."""
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
@blueprint.response(200, {"type": "object"}, description="OpenAPI 3.1.")
def get_openapi() -> Response:
    """Read this document."""
    return json_answer(_document(current_app.config["PUBLIC_URL"]))


@cache
def _document(public_url: str) -> bytes:
    """The committed document, with the server that clients see where a setting names it."""
    committed = resources.files("openapi").joinpath("openapi.json").read_bytes()
    if not public_url:
        return committed
    return orjson.dumps({**orjson.loads(committed), "servers": [{"url": public_url}]})


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
