"""The target of `/`, and the documentation. `test_player_pages` covers the pages for players."""

from __future__ import annotations

import gzip
import re
from html import unescape
from itertools import zip_longest
from typing import Any
from urllib.parse import urljoin

import pytest
from werkzeug.test import TestResponse

from service.web import codes
from service.web.docs import documentation
from service.web.docs.components import operations
from service.web.docs.reference import Reference, Shape
from tests.rulesets.offers import WITH_RULES
from tests.sampling import one_in
from tests.web.client import Client, Json, document, spec

ATTRIBUTES = re.compile(r'\b(href|id|src)="([^"]*)"')


def text_of(answer: TestResponse) -> str:
    return answer.get_data(as_text=True)


def page(anyone: Client, path: str) -> str:
    answer = anyone.flask.get(path, headers={"Accept": "text/html"})
    assert (200, "text/html") == (answer.status_code, answer.mimetype)
    return text_of(answer)


def calls(openapi: Json) -> list[Json]:
    return [call["post"] for call in openapi["webhooks"].values()]


# ------------------------------------------------------------------------------------------------ home


def test_the_root_returns_working_links_as_json(anyone: Client) -> None:
    actual = anyone.get("/").json or {}
    assert ("Azul games", document()["info"]["version"]) == (actual["name"], actual["version"])
    for path in actual["links"].values():
        assert anyone.flask.get(path, follow_redirects=True).status_code == 200


@pytest.mark.parametrize("accepted", ["*/*", "application/json", "image/png"])
def test_the_root_answers_clients_that_do_not_request_html_with_json(anyone: Client, accepted: str) -> None:
    answer = anyone.flask.get("/", headers={"Accept": accepted})
    assert (200, "application/json") == (answer.status_code, answer.mimetype)
    assert {"Accept", "Accept-Encoding"} <= set(answer.headers["Vary"].split(", "))


@pytest.mark.parametrize(
    "accepted",
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json;q=0.5, text/html"],
)
def test_the_root_redirects_a_person_to_the_table_without_caching(anyone: Client, accepted: str) -> None:
    answer = anyone.flask.get("/", headers={"Accept": accepted})
    assert (302, "play") == (answer.status_code, answer.headers["Location"])
    assert ("Accept", "private, no-cache") == (answer.headers["Vary"], answer.headers["Cache-Control"])
    table = anyone.flask.get("/", headers={"Accept": accepted}, follow_redirects=True)
    assert ("/play", 200, "text/html") == (table.request.path, table.status_code, table.mimetype)


def test_the_documentation_starts_with_the_first_game_the_rules_and_the_table(anyone: Client) -> None:
    introduction = page(anyone, "/docs").partition("<h1>")[2].partition("</p>")[0]
    rules = [f"docs/rules/{ruleset_id}" for ruleset_id in WITH_RULES]
    pages = ["docs/tutorials/first-game", "docs/reference/concepts"]
    documents = ["v1/openapi.json", "v1/openapi.yaml", "v1/admin/openapi.json", "v1/asyncapi.json", "v1/postman.json"]
    conduct = ["docs/conduct/players", "docs/conduct/moderators"]
    assert [*pages, "play", *documents, *rules, *conduct] == re.findall(r'href="([^"]+)"', introduction)


# ------------------------------------------------------------------------------------------- reference


@pytest.mark.parametrize("step", one_in(2, [6, 1]))
def test_every_operation_has_a_listed_page_and_every_link_has_a_target(anyone: Client, step: int) -> None:
    """Every n-th page of operations and schemas is opened."""
    listed = page(anyone, "/docs")
    titles = {f"/docs/api/{one['operationId']}": one["summary"] for one in operations(spec())}
    titles |= {f"/docs/api/{one['operationId']}": one["summary"] for one in calls(document())}
    schemas = [f"/docs/schemas/{name}" for name in spec()["components"]["schemas"]]
    skipped = {path for number, path in enumerate([*titles, *schemas]) if number % step}
    unopened, seen, link_targets = ["/", "/docs", *titles], dict[str, set[str]](), set[tuple[str, str]]()
    while unopened:
        if (path := unopened.pop()) in seen or path in skipped:
            continue
        answer = anyone.flask.get(path, headers={"Accept": "text/html"}, follow_redirects=True)
        assert (path, 200) == (path, answer.status_code)
        if path in titles:
            assert f"<h1>{titles[path]}" in unescape(text_of(answer))
        actual = ATTRIBUTES.findall(text_of(answer)) if answer.mimetype == "text/html" else []
        seen[path] = seen[answer.request.path] = {unescape(value) for name, value in actual if name == "id"}
        for name, value in actual:
            target, _, fragment = urljoin(answer.request.path, unescape(value)).partition("#")
            if name != "id" and not value.startswith(("data:", "https://www.standardwebhooks.com")):
                link_targets.add((target, fragment))
                unopened.append(target)
    anchors = {(target, fragment) for target, fragment in link_targets if fragment and target in seen}
    assert set() == {(target, fragment) for target, fragment in anchors if fragment not in seen[target]}
    assert [] == [path for path in titles if f'href="{path[1:]}"' not in listed]
    described = {target for target, _ in link_targets if target.startswith(("/docs/api/", "/docs/schemas/"))}
    assert {*titles, *schemas} == described


def test_a_page_is_compressed_and_not_sent_twice(anyone: Client) -> None:
    path = "/docs/api/submitAction"
    small = anyone.flask.get(path, headers={"Accept-Encoding": "gzip"})
    assert page(anyone, path).encode() == gzip.decompress(small.data)
    again = anyone.flask.get(path, headers={"If-None-Match": small.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)


MISSING: list[Any] = ["api/x", "api/<b>", "schemas/x", "guides/x", "guides/../../x", "x", "pictures/x"]


def test_a_missing_page_is_a_problem(anyone: Client) -> None:
    for path in MISSING:
        answer = anyone.get(f"/docs/{path}")
        assert (404, "request/not_found") == (answer.status_code, (answer.json or {})["code"]), path


def test_an_operation_shows_parameters_members_of_unions_refusals_and_examples(anyone: Client) -> None:
    html = unescape(page(anyone, "/docs/api/submitAction"))
    for part in (
        '<code class="name">If-Match</code>',
        "One of 11, by <code>type</code>",
        "<summary><code>azul.draft</code></summary>",
        "integer 0 to 4 or string matches ^floor$",
        'href="../../docs#game/stale_revision"',
        "Example: queens-garden",
        '<input name="token"',
        "<code>Idempotency-Replayed</code>",
    ):
        assert part in html


def test_the_page_of_a_call_shows_its_headers_and_no_form(anyone: Client) -> None:
    html = page(anyone, "/docs/api/receiveDecision")
    assert ('<code class="name">webhook-signature</code>' in html, "<form" in html) == (True, False)


# ----------------------------------------------------------------------------------------------- shapes


SHAPES: list[tuple[Json, Shape]] = [
    ({"type": "integer", "minimum": 1, "maximum": 4}, Shape("integer", limits=("1 to 4",))),
    ({"type": "integer", "minimum": 1}, Shape("integer", limits=("at least 1",))),
    ({"type": "string", "minLength": 1}, Shape("string", limits=("not empty",))),
    ({"type": "string", "maxLength": 9}, Shape("string", limits=("at most 9 characters",))),
    ({"type": "string", "minLength": 2, "maxLength": 2}, Shape("string", limits=("2 characters",))),
    ({"type": "string", "pattern": "^a$"}, Shape("string", limits=("matches ^a$",))),
    ({"type": ["string", "null"], "format": "date-time"}, Shape("date-time", nullable=True)),
    ({"type": ["string", "null"], "enum": ["a", None]}, Shape("string", nullable=True, values=('"a"',))),
    ({"type": "boolean"}, Shape("boolean", values=("true", "false"))),
    ({"type": "array", "items": {"type": "integer"}}, Shape("integer", before="array of ")),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, Shape("integer", before="object of ")),
    ({"oneOf": [{"type": "integer"}, {"enum": ["floor"], "type": "string"}]}, Shape('integer or "floor"')),
    ({"oneOf": [{"type": "integer"}, {"type": "null"}]}, Shape("integer", nullable=True)),
    ({}, Shape("any")),
]


def test_schemas_are_described_in_words() -> None:
    reference = Reference(document())
    for schema, shown in SHAPES:
        assert shown == reference.shape(schema), schema


def test_a_schema_is_expanded_once_per_page() -> None:
    schema = {"type": "object", "properties": {name: {"$ref": "#/components/schemas/AzulDraft"} for name in "ab"}}
    first, second = (member.shape for member in Reference(document()).shape(schema).members)
    assert ("AzulDraft", "AzulDraft") == (first.name, second.name)
    assert ({"type", "colour", "line", "source"}, ()) == ({member.name for member in first.members}, second.members)


# ---------------------------------------------------------------------------------------- documentation


def test_every_page_is_in_the_navigation_and_leads_to_the_next(anyone: Client) -> None:
    shown = documentation.documentation("", {})
    listed = [each.path for pages in shown.sections.values() for each in pages]
    decisions = [path for path in shown.pages if path.startswith("decisions/")]
    assert sorted(shown.pages) == sorted([*listed, *decisions])
    for pages in shown.sections.values():
        for each, following in zip_longest(pages, pages[1:]):
            html = page(anyone, f"/docs/{each.path}")
            assert 'aria-current="page"' in html
            links = [f"{each.root}docs/{following.path}"] if following else []
            assert links == re.findall(r'Next: <a href="([^"]+)">', html)


def test_the_search_finds_a_page_by_its_headings(anyone: Client) -> None:
    (search_text,) = re.findall(r'data-search="([^"]+)"><a href="docs/guides/seats">', page(anyone, "/docs"))
    headings = documentation.documentation("", {}).pages["guides/seats"].headings
    assert len(headings) > 2
    assert [] == [heading for heading in headings if heading.lower() not in unescape(search_text)]


def test_links_between_files_lead_to_pages_and_other_files_have_no_link(anyone: Client) -> None:
    html = page(anyone, "/docs/decisions")
    assert re.search(r'<a href="../docs/decisions/0001-[a-z-]+">', html)
    for path in documentation.documentation("", {}).pages:
        links = re.findall(r'href="([^":]+\.(?:md|py|ts|json)[^"]*)"', page(anyone, f"/docs/{path}"))
        assert [] == [link for link in links if not link.endswith("v1/openapi.json")]


def test_code_that_names_an_operation_or_an_error_is_a_link(anyone: Client) -> None:
    html = page(anyone, "/docs/guides/errors")
    assert '<a href="../../docs#game/stale_revision"><code>game/stale_revision</code></a>' in html
    assert '<a href="../../docs/api/createPlayer"><code>createPlayer</code></a>' in page(anyone, "/docs/guides/seats")


def test_the_first_game_is_shown_in_three_languages(anyone: Client) -> None:
    html = page(anyone, "/docs/tutorials/first-game")
    for language in ("curl", "python", "typescript"):
        assert 3 == html.count(f'<pre class="{language}"')


def test_code_blocks_in_several_languages_become_tabs() -> None:
    same, alone, other = (
        documentation.html_of(text)
        for text in (
            "```sh\na\n```\n```python\nb\n```\n",
            "```python\nb\n```\n",
            "```python\na\n```\n```python\nb\n```\n",
        )
    )
    assert [True, False, False] == ['class="tabs"' in html for html in (same, alone, other)]
    assert (1, 2) == (alone.count("<pre>"), other.count("<pre>"))


def test_html_in_markdown_is_escaped() -> None:
    actual = "<script>x</script> `<b>` [a](javascript:x)\n\n```sh\n<i>\n```\n```python\n<i>\n```\n"
    for html in (documentation.html_of(actual), documentation.inline(actual)):
        assert [] == [tag for tag in ("<script", "<b>", "<i>", 'href="javascript') if tag in html]


# ------------------------------------------------------------------------------------------------ errors

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/nothing", "request/not_found"),
        ("/docs/nothing/at/all", "request/not_found"),
        ("/docs/api/nothing", "request/not_found"),
        ("/docs/pictures/nothing", "request/not_found"),
        ("/static/nothing", "request/not_found"),
        ("/embed/short", "game/not_found"),
    ],
)
def test_a_browser_receives_errors_as_pages(anyone: Client, path: str, code: str) -> None:
    answer = anyone.flask.get(path, headers={"Accept": BROWSER, "Accept-Language": "de"})
    status = codes.CODES[code]
    assert (status, "text/html", "de") == (answer.status_code, answer.mimetype, answer.headers["Content-Language"])
    assert f"<h1>{codes.title(code, 'de')}</h1>" in text_of(answer)
    stylesheets = re.findall(r'rel="stylesheet" href="([^"]+)"', text_of(answer))
    for stylesheet in stylesheets:
        assert 200 == anyone.flask.get(urljoin(path, stylesheet)).status_code
    assert "/static/pages/pages.css" == urljoin(path, stylesheets[-1])
    plain = anyone.get(path)
    assert ("application/problem+json", code) == (plain.mimetype, (plain.json or {})["code"])
    assert "Accept" in plain.vary
    assert "Accept" in answer.vary


def test_a_program_receives_errors_of_the_api_as_json_whatever_it_prefers(anyone: Client) -> None:
    for path in ("/v1/nothing", "/v1/games/AAAAAAAAAAAAAAAA", "/v1/games/short"):
        assert "application/problem+json" == anyone.flask.get(path, headers={"Accept": BROWSER}).mimetype


def test_an_error_in_a_frame_is_shown_there(anyone: Client) -> None:
    framed, other = (anyone.flask.get(path, headers={"Accept": BROWSER}) for path in ("/embed/short", "/nothing"))
    assert framed.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    assert other.headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")
