"""Pages for people: home, the reference, the guide, the table. They load nothing from elsewhere.

All links are relative, so that the pages stand under any prefix. None of these is part of the API's document, except
that `/` answers programs, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from itertools import pairwise
from typing import Any

import orjson
from flask import Blueprint, Response, current_app, redirect, render_template
from werkzeug.wrappers import Response as BaseResponse

from service.web import guide, published
from service.web.codes import CODES
from service.web.middleware import PAGE_POLICY
from service.web.problems import problem
from service.web.reference import Reference
from service.web.responses import url

blueprint = Blueprint("pages", __name__)
HTML = "text/html; charset=utf-8"


@lru_cache(maxsize=1)
def _reference(public_url: str) -> Reference:
    return Reference(orjson.loads(published.document(public_url, None)))


def reference() -> Reference:
    """What the document of this service says."""
    return _reference(current_app.config["PUBLIC_URL"])


def render(template: str, root: str, **content: Any) -> bytes:
    """The HTML of a page. `root`: the way from its address to the service's own root."""
    html = render_template(template, root=root, inline=guide.inline, markdown=guide.html_of, codes=CODES, **content)
    return html.encode()


def page(make: Callable[..., bytes]) -> Callable[..., Response]:
    """A view that sends what `make` renders, and keeps it: it hangs on its address alone. KeyError: not found."""

    @lru_cache(maxsize=128)
    def kept(_public_url: str, **names: str) -> bytes:
        return make(**names)

    @wraps(make)
    def view(**names: str) -> Response:
        try:
            return published.compressible(kept(current_app.config["PUBLIC_URL"], **names), HTML)
        except KeyError:
            return problem("request/not_found")

    return view


@page
def get_home() -> bytes:
    """Where to begin, for a person."""
    return render("home.html", "")


@blueprint.route("/docs")
@page
def get_reference() -> bytes:
    """All operations, errors and schemas by name."""
    shown = reference()
    return render("reference.html", "", tags=shown.tags, operations=shown.operations, schemas=shown.schemas)


@blueprint.route("/docs/operations/<name>")
@page
def get_operation(name: str) -> bytes:
    """One operation, with a form to try it."""
    operation = reference().operation(name)
    types = {content.media_type: None for answer in operation.answers for content in answer.contents}
    return render("operation.html", "../../", operation=operation, types=list(types))


@blueprint.route("/docs/schemas/<name>")
@page
def get_schema(name: str) -> bytes:
    """One schema."""
    return render("schema.html", "../../", name=name, shape=reference().schema(name))


@blueprint.route("/docs/guide")
def get_guide() -> BaseResponse:
    """To the guide's first page."""
    return redirect(url(f"/docs/guide/{guide.ORDER[0]}"))


@blueprint.route("/docs/guide/<name>")
@page
def get_guide_page(name: str) -> bytes:
    """A page of the guide."""
    pages = guide.pages(reference().description)
    following = dict(pairwise(pages)).get(name, "")
    return render("guide.html", "../../", shown=pages[name], pages=pages.values(), following=pages.get(following))


@blueprint.route("/play")
def get_table() -> Response:
    """A table to play at: a front end that knows the public API alone. Its source is openapi/table."""
    return current_app.send_static_file("table/index.html")


@blueprint.route("/play-worker.js")
def get_table_worker() -> Response:
    """What opens the table without a connection; it stands beside the page, since it serves only what lies below."""
    return current_app.send_static_file("app/worker.js")


@blueprint.route("/embed/<game_id>")
def get_embedded(game_id: str) -> Response:  # noqa: ARG001 - the page reads it in its address
    """A table that follows its game, for frames in pages that FRAME_ANCESTORS allows."""
    answer = current_app.send_static_file("embed/index.html")
    ancestors = " ".join(current_app.extensions["context"].settings.frame_ancestors) or "'none'"
    answer.headers["Content-Security-Policy"] = PAGE_POLICY.replace(
        "frame-ancestors 'none'", f"frame-ancestors {ancestors}"
    )
    return answer
