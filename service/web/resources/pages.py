"""Pages for people: home, the reference, the guide, the table. They load nothing from elsewhere.

All links are relative, so that the pages stand under any prefix. None of these is part of the API's document, except
that `/` answers programs, too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson
from flask import Blueprint, Response, current_app, redirect, render_template
from werkzeug.wrappers import Response as BaseResponse

from service.web import guide, published
from service.web.answers import url
from service.web.codes import CODES
from service.web.problems import problem
from service.web.reference import Operation, Reference

blueprint = Blueprint("pages", __name__)
HTML = "text/html; charset=utf-8"


@lru_cache(maxsize=1)
def _reference(public_url: str) -> Reference:
    return Reference(orjson.loads(published.document(public_url, None)))


def reference() -> Reference:
    """What the document of this service says."""
    return _reference(current_app.config["PUBLIC_URL"])


def page(template: str, root: str, **content: Any) -> Response:
    """An HTML page. `root`: the way from its address to the service's own root."""
    html = render_template(template, root=root, inline=guide.inline, markdown=guide.html_of, codes=CODES, **content)
    return published.compressible(html.encode(), HTML)


@blueprint.route("/docs")
def get_reference() -> Response:
    """All operations, errors and schemas by name."""
    shown = reference()
    return page("reference.html", "", tags=shown.tags, operations=shown.operations, schemas=shown.schemas)


@blueprint.route("/docs/operations/<name>")
def get_operation(name: str) -> Response:
    """One operation, with a form to try it."""
    try:
        operation = reference().operation(name)
    except KeyError:
        return problem("request/not_found")
    return page("operation.html", "../../", operation=operation, types=_answer_types(operation))


def _answer_types(operation: Operation) -> list[str]:
    """Each once."""
    return list({content.media_type: None for answer in operation.answers for content in answer.contents})


@blueprint.route("/docs/schemas/<name>")
def get_schema(name: str) -> Response:
    """One schema."""
    try:
        shape = reference().schema(name)
    except KeyError:
        return problem("request/not_found")
    return page("schema.html", "../../", name=name, shape=shape)


@blueprint.route("/docs/guide")
def get_guide() -> BaseResponse:
    """To the guide's first page."""
    return redirect(url(f"/docs/guide/{guide.ORDER[0]}"))


@blueprint.route("/docs/guide/<name>")
def get_guide_page(name: str) -> Response:
    """A page of the guide."""
    pages = guide.pages(reference().description)
    for shown, following in zip(pages, (*pages[1:], None), strict=True):
        if shown.name == name:
            return page("guide.html", "../../", shown=shown, pages=pages, following=following)
    return problem("request/not_found")


@blueprint.route("/play")
def get_table() -> Response:
    """A table to play at: a front end that knows the public API alone. Its source is openapi/clients/table."""
    return current_app.send_static_file("table/index.html")
