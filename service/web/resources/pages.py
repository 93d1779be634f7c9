"""Web pages: the documentation, the rules and the table. They load nothing from other hosts.

All links are relative, so the pages work under any prefix. The OpenAPI document does not contain them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, send_from_directory
from werkzeug.wrappers import Response as BaseResponse

from service.rulesets.pictures.drawing import AUTO, CONTRAST, DARK, LAYOUTS, LIGHT, THEMES
from service.rulesets.texts import LANGUAGES
from service.usecases.puzzles import daily
from service.usecases.views import player_pages
from service.web import codes
from service.web.docs import document_bytes, documentation, static_files
from service.web.docs.reference import Reference
from service.web.http import auth
from service.web.http.middleware import page_policy
from service.web.http.problems import HTML, abort, problem
from service.web.http.responses import PICTURE_POLICY, SVG, localize, url

blueprint = Blueprint("pages", __name__)
FRAMED = ("pages.get_embedded", "pages.get_embedded_puzzle")
"""Endpoints of pages for frames."""


@lru_cache(maxsize=1)
def reference() -> Reference:
    """Return the content of the API reference."""
    return Reference(document_bytes.whole_document())


def render(template: str, root: str, **content: Any) -> bytes:
    """Return the HTML of a page. `root`: the relative URL from the page to the root of the service."""
    texts = {"inline": documentation.inline, "markdown": documentation.html_of, "anchor": documentation.anchor}
    return render_template(template, root=root, codes=codes, **texts, **content).encode()


def sent_as(content_type: str) -> Callable[[Callable[..., bytes]], Callable[..., Response]]:
    """Turn a function that returns the content of a page into a view. It may raise KeyError for 404.

    The content is cached, because it depends only on the URL.
    """

    def decorate(make: Callable[..., bytes]) -> Callable[..., Response]:
        @lru_cache(maxsize=128)
        def content(_public_url: str, **names: Any) -> bytes:
            return make(**names)

        @wraps(make)
        def view(**names: Any) -> Response:
            try:
                answer = document_bytes.compressible(content(current_app.config["PUBLIC_URL"], **names), content_type)
            except KeyError:
                return problem("request/not_found")
            if content_type == SVG:
                answer.headers["Content-Security-Policy"] = PICTURE_POLICY
            return answer

        return view

    return decorate


page = sent_as(HTML)


@lru_cache(maxsize=1)
def guide() -> documentation.Documentation:
    """Return the pages of the documentation."""
    places = {name: f"docs/api/{name}" for name in reference().operations}
    places |= {code: f"docs#{code}" for code in codes.CODES}
    places |= {f"/docs/conduct/{name}": f"docs/conduct/{name}" for name in player_pages.CONDUCT_PAGES}
    return documentation.documentation(reference().description, places)


@blueprint.route("/docs")
@page
def get_documentation() -> bytes:
    """Return the start page of the documentation: a searchable list of pages, operations, errors and schemas."""
    api = reference()
    guides = {section: player_pages.titles(section, LANGUAGES[0]) for section in player_pages.SECTIONS}
    lists = {"tags": api.tags, "operations": api.operations.values(), "schemas": api.schemas}
    return render("docs.html", "", guides=guides, sections=guide().sections, **lists)


@blueprint.route("/docs/<path:path>")
@page
def get_documentation_page(path: str) -> bytes:
    """Return a page of the documentation."""
    docs = guide()
    shown = docs.pages[path]
    return render("page.html", shown.root, shown=shown, sections=docs.sections, following=docs.next_page(path))


@blueprint.route("/docs/pictures/<name>")
def get_documentation_picture(name: str) -> Response:
    """Return a picture of the documentation."""
    return send_from_directory(documentation.PICTURES, name)


@blueprint.route("/docs/api/<name>")
@page
def get_operation(name: str) -> bytes:
    """Return the page of an operation, with a form to call it."""
    operation = reference().operation(name)
    types = {content.media_type: None for answer in operation["answers"] for content in answer.contents}
    return render("operation.html", "../../", operation=operation, types=list(types))


@blueprint.route("/docs/schemas/<name>")
@page
def get_schema(name: str) -> bytes:
    """Return the page of a schema."""
    return render("schema.html", "../../", name=name, shape=reference().schema(name))


@blueprint.route("/docs/<any(rules, conduct):section>")
def get_section(section: str) -> BaseResponse:
    """Redirect to the first page of a section for players: the rules of the first game, or how to behave."""
    return redirect(url(f"/docs/{section}/{next(iter(player_pages.titles(section, LANGUAGES[0])))}"))


@blueprint.route("/docs/<any(rules, conduct):section>/<name>")
def get_player_page(section: str, name: str) -> Response:
    """Return a page for players in the language that the browser prefers."""
    answer = _player_page(section, name, auth.language(), is_explicit=False)
    return localize(answer) if answer.status_code < HTTPStatus.BAD_REQUEST else answer


@blueprint.route("/docs/<any(rules, conduct):section>/<name>/<language>")
def get_player_page_in_language(section: str, name: str, language: str) -> Response:
    """Return a page for players in a language."""
    return _player_page(section, name, language, is_explicit=True)


def _player_page(section: str, name: str, language: str, *, is_explicit: bool) -> Response:
    contact = auth.context().settings.contact
    return _cached_player_page(section=section, name=name, language=language, is_explicit=is_explicit, contact=contact)


@page
def _cached_player_page(section: str, name: str, language: str, *, is_explicit: bool, contact: str) -> bytes:
    """Return a page for players. `is_explicit`: the URL and the links to other pages contain the language."""
    return render(
        "player_page.html",
        "../../../" if is_explicit else "../../",
        section=section,
        shown=player_pages.page(section, name, language),
        pages=player_pages.titles(section, language),
        words=player_pages.words(section, language),
        contact=player_pages.contact_text(contact, language),
        others={other: player_pages.words(section, other)["here"] for other in LANGUAGES if other != language},
        is_explicit=is_explicit,
    )


@blueprint.route("/docs/rules/<ruleset_id>/<language>/<int:number>.svg")
@sent_as(SVG)
def get_rules_picture(ruleset_id: str, language: str, number: int) -> bytes:
    """Return a picture of the rules."""
    return player_pages.page(player_pages.RULES, ruleset_id, language).figures[number].svg


@blueprint.route("/play")
def get_table() -> Response:
    """Return the browser table, a client of the public API. Its source is in frontend/."""
    return static_files.send_page("table/index.html")


@blueprint.route("/play-worker.js")
def get_table_worker() -> Response:
    """Return the service worker that opens the table offline. A worker only controls URLs below its own folder."""
    return static_files.send("app/worker.js")


@blueprint.route("/admin")
def get_admin() -> Response:
    """Return the admin page, a client of the API for the staff. It contains no data and requires no token."""
    if not auth.context().settings.admin_token:
        abort("request/not_found")
    answer = static_files.send_page("table/admin.html")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@blueprint.route("/embed/<game_id>")
def get_embedded(game_id: str) -> Response:  # noqa: ARG001 - the page reads it in its address
    """Return a table that follows a game, for frames in pages of FRAME_ANCESTORS."""
    return static_files.send_page("embed/index.html")


@blueprint.route("/embed/puzzles/daily")
def get_embedded_puzzle() -> Response:
    """Return the puzzle of the day with a link to it, for frames in pages of FRAME_ANCESTORS."""
    language, (theme, layout) = auth.language(), map(request.args.get, ("theme", "layout"))
    content = render(
        "daily_puzzle.html",
        "../../",
        text=daily.invitation(daily.today(auth.context()), language),
        language=language,
        page=daily.PAGE,
        board="../../v1/puzzles/daily/board.svg",
        theme=theme if theme in THEMES else AUTO,
        layout=layout if layout in LAYOUTS else None,
        scheme={LIGHT: "light", CONTRAST: "light", DARK: "dark"}.get(theme or AUTO, "light dark"),
    )
    answer = localize(document_bytes.compressible(content, HTML))
    answer.headers["Vary"] = "Accept-Language, Accept-Encoding"
    return answer


@blueprint.after_request
def allow_frames(answer: Response) -> Response:
    """Let pages of FRAME_ANCESTORS frame an embedded table, also if its game is unknown."""
    if request.endpoint in FRAMED:
        ancestors = " ".join(auth.context().settings.frame_ancestors) or "'none'"
        answer.headers["Content-Security-Policy"] = page_policy("frame-ancestors", ancestors)
    return answer
