"""Pages for people: the documentation, the rules, the table. They load nothing from other hosts.

All links are relative, so that the pages stand under any prefix. None of these is part of the API's document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from http import HTTPStatus
from typing import Any

import orjson
from flask import Blueprint, Response, current_app, redirect, render_template, send_from_directory
from werkzeug.wrappers import Response as BaseResponse

from service.rulesets.texts import LANGUAGES
from service.usecases.views import rule_pages
from service.web import codes
from service.web.docs import documentation, published, static_files
from service.web.docs.reference import Reference
from service.web.http import auth
from service.web.http.middleware import page_policy
from service.web.http.problems import problem
from service.web.http.responses import PICTURE_POLICY, SVG, spoken, url

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
    texts = {"inline": documentation.inline, "markdown": documentation.html_of, "anchor": documentation.anchor}
    return render_template(template, root=root, codes=codes, **texts, **content).encode()


def sent_as(content_type: str) -> Callable[[Callable[..., bytes]], Callable[..., Response]]:
    """A view that sends what a function makes, and keeps it: it hangs on its address alone. KeyError: not found."""

    def viewed(make: Callable[..., bytes]) -> Callable[..., Response]:
        @lru_cache(maxsize=128)
        def kept(_public_url: str, **names: Any) -> bytes:
            return make(**names)

        @wraps(make)
        def view(**names: Any) -> Response:
            try:
                answer = published.compressible(kept(current_app.config["PUBLIC_URL"], **names), content_type)
            except KeyError:
                return problem("request/not_found")
            if content_type == SVG:
                answer.headers["Content-Security-Policy"] = PICTURE_POLICY
            return answer

        return view

    return viewed


page = sent_as(HTML)


@lru_cache(maxsize=1)
def _documentation() -> documentation.Documentation:
    shown = reference()
    places = {one["id"]: f"docs/api/{one['id']}" for one in shown.operations}
    return documentation.documentation(shown.description, places | {code: f"docs#{code}" for code in codes.CODES})


@blueprint.route("/docs")
@page
def get_documentation() -> bytes:
    """The start of the documentation: all pages, operations, errors and schemas by name, with one search."""
    shown, games = reference(), rule_pages.titles(LANGUAGES[0])
    lists = {"tags": shown.tags, "operations": shown.operations, "schemas": shown.schemas}
    return render("docs.html", "", games=games, sections=_documentation().sections, **lists)


@blueprint.route("/docs/<path:path>")
@page
def get_documentation_page(path: str) -> bytes:
    """A page of the documentation."""
    shown = _documentation()
    this = shown.pages[path]
    return render("page.html", this.root, shown=this, sections=shown.sections, following=shown.next_page(path))


@blueprint.route("/docs/pictures/<name>")
def get_documentation_picture(name: str) -> Response:
    """A picture in a page of the documentation."""
    return send_from_directory(documentation.PICTURES, name)


@blueprint.route("/docs/api/<name>")
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


@blueprint.route("/docs/rules")
def get_rules() -> BaseResponse:
    """Redirect to the rules of the first game."""
    return redirect(url(f"/docs/rules/{next(iter(rule_pages.titles(LANGUAGES[0])))}"))


@blueprint.route("/docs/rules/<ruleset_id>")
def get_rules_page(ruleset_id: str) -> Response:
    """The rules of a game for players, in the language that the browser prefers."""
    answer = _rules_page(ruleset_id=ruleset_id, language=auth.language(), is_explicit=False)
    return spoken(answer) if answer.status_code < HTTPStatus.BAD_REQUEST else answer


@blueprint.route("/docs/rules/<ruleset_id>/<language>")
def get_rules_page_in_language(ruleset_id: str, language: str) -> Response:
    """The rules of a game for players, in this language."""
    return _rules_page(ruleset_id=ruleset_id, language=language, is_explicit=True)


@page
def _rules_page(ruleset_id: str, language: str, *, is_explicit: bool) -> bytes:
    """`is_explicit`: the URL names the language, and so do the links to the other games."""
    return render(
        "rules.html",
        "../../../" if is_explicit else "../../",
        shown=rule_pages.page(ruleset_id, language),
        games=rule_pages.titles(language),
        words=rule_pages.words(language),
        others={other: rule_pages.words(other)["here"] for other in LANGUAGES if other != language},
        is_explicit=is_explicit,
    )


@blueprint.route("/docs/rules/<ruleset_id>/<language>/<int:number>.svg")
@sent_as(SVG)
def get_rules_picture(ruleset_id: str, language: str, number: int) -> bytes:
    """A picture of such a page."""
    return rule_pages.page(ruleset_id, language).figures[number].svg


@blueprint.route("/play")
def get_table() -> Response:
    """A table to play at: a front end that knows the public API alone. Its source is frontend."""
    return static_files.send_page("table/index.html")


@blueprint.route("/play-worker.js")
def get_table_worker() -> Response:
    """What opens the table without a connection; it stands beside the page, since it serves only what lies below."""
    return static_files.send("app/worker.js")


@blueprint.route("/embed/<game_id>")
def get_embedded(game_id: str) -> Response:  # noqa: ARG001 - the page reads it in its address
    """A table that follows its game, for frames in pages that FRAME_ANCESTORS allows."""
    answer = static_files.send_page("embed/index.html")
    ancestors = " ".join(current_app.extensions["context"].settings.frame_ancestors) or "'none'"
    answer.headers["Content-Security-Policy"] = page_policy("frame-ancestors", ancestors)
    return answer
