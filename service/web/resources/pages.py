"""Pages for people: the reference, the guide, the rules, the table. They load nothing from elsewhere.

All links are relative, so that the pages stand under any prefix. None of these is part of the API's document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from itertools import pairwise
from typing import Any

import orjson
from flask import Blueprint, Response, current_app, redirect, render_template
from werkzeug.wrappers import Response as BaseResponse

from service.rulesets.texts import LANGUAGES
from service.usecases.requests import rule_pages
from service.web import guide, published, static_files
from service.web.codes import CODES
from service.web.middleware import page_policy
from service.web.problems import problem
from service.web.reference import Reference
from service.web.responses import PICTURE_POLICY, SVG, url

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
    common = {"inline": guide.inline, "markdown": guide.html_of, "anchor": guide.anchor, "codes": CODES}
    return render_template(template, root=root, **common, **content).encode()


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


@blueprint.route("/docs")
@page
def get_reference() -> bytes:
    """Where those begin who build on the API: all operations, errors and schemas by name, and what else there is."""
    shown, games = reference(), rule_pages.titles(LANGUAGES[0])
    lists = {"tags": shown.tags, "operations": shown.operations, "schemas": shown.schemas}
    return render("reference.html", "", games=games, **lists)


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


@blueprint.route("/docs/rules")
def get_rules() -> BaseResponse:
    """To the first game's rules."""
    return redirect(url(f"/docs/rules/{next(iter(rule_pages.titles(LANGUAGES[0])))}"))


@blueprint.route("/docs/rules/<ruleset_id>", defaults={"language": LANGUAGES[0]})
@blueprint.route("/docs/rules/<ruleset_id>/<language>")
@page
def get_rules_page(ruleset_id: str, language: str) -> bytes:
    """How a game is played, for people, in a language. In the first one it stands without naming it."""
    return render(
        "rules.html",
        "../../" if language == LANGUAGES[0] else "../../../",
        shown=rule_pages.page(ruleset_id, language),
        games=rule_pages.titles(language),
        words=rule_pages.words(language),
        others={other: rule_pages.words(other)["here"] for other in LANGUAGES if other != language},
        first=LANGUAGES[0],
    )


@blueprint.route("/docs/rules/<ruleset_id>/<language>/<int:number>.svg")
@sent_as(SVG)
def get_rules_picture(ruleset_id: str, language: str, number: int) -> bytes:
    """A picture of such a page."""
    return rule_pages.page(ruleset_id, language).figures[number].svg


@blueprint.route("/play")
def get_table() -> Response:
    """A table to play at: a front end that knows the public API alone. Its source is openapi/table."""
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
