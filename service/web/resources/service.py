"""Entry points, health checks, and the document."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response, redirect
from werkzeug.wrappers import Response as BaseResponse

from service.operate.setting_warnings import setting_warnings
from service.rulesets.registry import RULESETS
from service.storage.base.connect import RedisError, outage
from service.store_version import STORE_VERSION
from service.usecases.keeping import service_status
from service.usecases.keeping.service_warnings import service_warnings
from service.web.api import STORE_CODES, VERSION, Blueprint
from service.web.docs import document_bytes
from service.web.docs.streams_document import with_server
from service.web.docs.yaml_text import write_yaml
from service.web.http.auth import context, prefers_html
from service.web.http.problems import problem
from service.web.http.responses import JSON, json_answer, service_url, url
from service.web.schemas.base import catalogue, queries
from service.web.schemas.base import service_status as status_schemas

blueprint = Blueprint("service", __name__)
YAML = "application/yaml"
NAME = "Azul games"
ENTRY_POINTS = {
    "document": "/v1/openapi.json",
    "streams": "/v1/asyncapi.json",
    "reference": "/docs",
    "guide": "/docs/tutorials/first-game",
    "table": "/play",
    "rulesets": "/v1/rulesets",
    "levels": "/v1/levels",
    "games": "/v1/games",
}
KINDS = ("worker", "keeper", "dialer")
LONGEST_WAIT_S = 30.0  # a longer wait means that the workers cannot keep up


@blueprint.route("/")
@blueprint.operation("getIndex", any_query=True)
@blueprint.response(200, catalogue.Index, "Links to the entry points.", headers=("DocumentETag",))
@blueprint.response(302, description="Redirect to the table, for browsers.")
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def get_index() -> BaseResponse:
    """Get links to the entry points.

    Clients that prefer `text/html`, such as browsers, are redirected to the table at `/play`.
    """
    if prefers_html():
        answer = redirect("play")
        answer.headers["Vary"] = "Accept"
        return answer
    links = {name: url(path) for name, path in ENTRY_POINTS.items()}
    answer = document_bytes.compressible(orjson.dumps({"name": NAME, "version": VERSION, "links": links}), JSON)
    answer.headers["Vary"] += ", Accept"
    return answer


@blueprint.route("/v1")
@blueprint.operation("getService", *STORE_CODES)
@blueprint.response(200, status_schemas.Service, "The service.")
def get_service() -> Response:
    """Get the announcement and the maintenance of the service.

    During maintenance, nothing new begins: creating games, seeks, challenges, competitions, tournaments and imports
    returns `service/maintenance`. Running games go on.
    """
    return json_answer({"name": NAME, "version": VERSION, **service_status.read(context())})


@blueprint.route("/healthz")
@blueprint.operation("getHealth", any_query=True)
@blueprint.response(200, catalogue.Health, "The process is alive.")
def get_health() -> Response:
    """Check that the process responds.

    Does not check the store or the workers; see `getReadiness`.
    """
    return json_answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.operation("getReadiness", "service/not_ready", any_query=True)
@blueprint.response(200, catalogue.Readiness, "The service is ready.")
def get_readiness() -> Response:
    """Check that the service can run games.

    The service is ready if the store responds, a worker and a keeper are alive, and jobs do not queue up. If outgoing
    calls are enabled, a dialer must be alive, too. With `warnings`, it is `degraded`, and games can be played.
    """
    checks = _checks()
    can_play = checks["redis"] and checks["workers"] and checks["keepers"]
    can_call = checks["dialers"] or not context().settings.allows_calls
    if not (can_play and can_call and checks["queue_age_s"] < LONGEST_WAIT_S):
        return problem("service/not_ready", members={"checks": checks})
    return json_answer({"status": "degraded" if checks["warnings"] else "ready", **checks})


def _checks() -> dict[str, Any]:
    return {
        **_dependency_checks(),
        "store_version": STORE_VERSION,
        "compiled": sum(ruleset.rules.are_compiled() for ruleset in RULESETS.values()),
    }


def _dependency_checks() -> dict[str, Any]:
    store, queue = context().store, context().queue
    found: dict[str, Any] = {"redis": True, "outage": None}
    try:
        context().now_ms()  # raises for a store of a newer version
        store.probe()
        found |= {f"{kind}s": queue.count_living(kind) for kind in KINDS}
        found |= {"queue_age_s": queue.age_s(), "warnings": service_warnings(context())}
    except RedisError as error:
        found = {"redis": False, "outage": outage(error), **{f"{kind}s": 0 for kind in KINDS}, "queue_age_s": 0.0}
        found["warnings"] = setting_warnings(context().settings)
    return found


@blueprint.route("/v1/openapi.json")
@blueprint.operation("getOpenapi")
@blueprint.response(200, {"type": "object"}, "The OpenAPI 3.1 document.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
@blueprint.arguments(queries.DocumentQuery, location="query")
def get_openapi(query: dict[str, Any]) -> Response:
    """Get the OpenAPI document of all operations but those for the staff.

    With `ruleset`, the schemas of other rulesets are left out. `servers` contains the address of the service.
    """
    return document_bytes.prepare_document(query.get("ruleset"), orjson.dumps).response(service_url() or "/", JSON)


@blueprint.route("/v1/postman.json")
@blueprint.operation("getPostmanCollection")
@blueprint.response(200, {"type": "object"}, "The collection, in format 2.1.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def get_postman_collection() -> Response:
    """Get a collection of all requests for Postman or Bruno.

    Folders are the tags of the OpenAPI document, and bodies its examples. The address of the service, your token and
    ids are variables.
    """
    return document_bytes.prepare_collection().response(service_url(), JSON)


@blueprint.route("/v1/openapi.yaml")
@blueprint.operation("getOpenapiYaml")
@blueprint.response(200, {"type": "object"}, "The OpenAPI 3.1 document.", headers=("DocumentETag",), content_type=YAML)
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
@blueprint.arguments(queries.DocumentQuery, location="query")
def get_openapi_yaml(query: dict[str, Any]) -> Response:
    """Get the OpenAPI document as YAML.

    Has the same content and parameters as `getOpenapi`.
    """
    return document_bytes.prepare_document(query.get("ruleset"), write_yaml).response(service_url() or "/", YAML)


@blueprint.route("/v1/admin/openapi.json")
@blueprint.operation("getAdminOpenapi")
@blueprint.response(200, {"type": "object"}, "The OpenAPI 3.1 document.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def get_admin_openapi() -> Response:
    """Get the OpenAPI document of the operations for the staff.

    It needs no token.
    """
    return document_bytes.prepare_admin_document(orjson.dumps).response(service_url() or "/", JSON)


@blueprint.route("/v1/admin/openapi.yaml")
@blueprint.operation("getAdminOpenapiYaml")
@blueprint.response(200, {"type": "object"}, "The OpenAPI 3.1 document.", headers=("DocumentETag",), content_type=YAML)
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def get_admin_openapi_yaml() -> Response:
    """Get the OpenAPI document of the operations for the staff, as YAML."""
    return document_bytes.prepare_admin_document(write_yaml).response(service_url() or "/", YAML)


@blueprint.route("/v1/asyncapi.json")
@blueprint.operation("getAsyncapi")
@blueprint.response(200, {"type": "object"}, "The AsyncAPI 3.0 document.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def get_asyncapi() -> Response:
    """Get the AsyncAPI document of the event streams and webhooks.

    Its messages refer to the schemas of `getOpenapi`. `servers` contains the address of the service.
    """
    content = with_server(document_bytes.streams_document(), service_url())
    return document_bytes.compressible(orjson.dumps(content), JSON)
