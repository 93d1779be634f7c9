"""Files by which programs find the API: `llms.txt`, `robots.txt` and the API catalog (RFC 9727).

The OpenAPI document does not contain them. Their links are absolute.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import orjson
from flask import Blueprint, Response

from service.web.docs import document_bytes
from service.web.http.responses import JSON, service_url
from service.web.resources.pages import guide
from service.web.resources.service import YAML

blueprint = Blueprint("discovery", __name__)
PLAIN_TEXT = "text/plain; charset=utf-8"
CATALOG = "/.well-known/api-catalog"
LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
SECTIONS = ("Tutorials", "Guides", "Reference")
"""Sections of the documentation for people who write clients."""
INTRODUCTION = """\
# Azul games

> Azul, Summer Pavilion and Queen's Garden behind one HTTP API, with AI opponents, bots and event streams.

Language models can also play through the MCP server; see the guide "Language models by MCP".

## API

- [OpenAPI document]({url}/v1/openapi.json): all operations, schemas and error codes
- [OpenAPI document as YAML]({url}/v1/openapi.yaml)
- [AsyncAPI document]({url}/v1/asyncapi.json): event streams and webhooks
- [Collection for Postman or Bruno]({url}/v1/postman.json)
- [API reference]({url}/docs): a page for each operation
"""
ROBOTS = """\
User-agent: *
Allow: {path}/v1/openapi.
Allow: {path}/v1/asyncapi.
Allow: {path}/v1/postman.
Disallow: {path}/v1/
Disallow: {path}/embed/
"""


@blueprint.route("/llms.txt")
def get_llms_text() -> Response:
    """Return what the service is, with links to the documentation, for language models."""
    root, lines = service_url(), [INTRODUCTION]
    for title in SECTIONS:
        pages = [f"- [{page.title}]({root}/docs/{page.path})" for page in guide().sections[title]]
        lines += [f"## {title}", "", *pages, ""]
    return document_bytes.compressible("\n".join(lines).replace("{url}", root).encode(), PLAIN_TEXT)


@blueprint.route("/robots.txt")
def get_robots() -> Response:
    """Return the paths that crawlers may read: pages, and no games."""
    return Response(ROBOTS.replace("{path}", urlsplit(service_url()).path), content_type=PLAIN_TEXT)


@blueprint.route(CATALOG)
def get_api_catalog() -> Response:
    """Return the catalog with this API. The `Link` header is also sent for HEAD."""
    root = service_url()
    documents = {"openapi.json": JSON, "openapi.yaml": YAML, "asyncapi.json": JSON, "postman.json": JSON}
    api = {
        "anchor": f"{root}/",
        "service-desc": [{"href": f"{root}/v1/{name}", "type": kind} for name, kind in documents.items()],
        "service-doc": [{"href": f"{root}/docs", "type": "text/html"}],
        "status": [{"href": f"{root}/readyz", "type": JSON}],
    }
    catalog = {"anchor": f"{root}{CATALOG}", "item": [{"href": f"{root}/"}]}
    answer = Response(orjson.dumps({"linkset": [catalog, api]}), content_type=LINKSET)
    answer.headers["Link"] = f'<{root}{CATALOG}>; rel="api-catalog"'
    return answer
