"""Files by which programs find the API."""

from __future__ import annotations

import re
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import pytest

from tests.web.client import Client, Json
from tests.web.limited_service import Serve

CATALOG = "/.well-known/api-catalog"
LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'


def open_link(client: Client, link: str) -> tuple[int, str | None]:
    """Return status and media type of an absolute link to the service."""
    answer = client.flask.get(urlsplit(link).path)
    return answer.status_code, answer.mimetype


def test_the_text_for_language_models_links_to_pages_that_exist(anyone: Client) -> None:
    answer = anyone.flask.get("/llms.txt", headers={"Host": "games.example"})
    assert (200, "text/plain; charset=utf-8") == (answer.status_code, answer.content_type)
    lines = answer.text.splitlines()
    assert "# Azul games" == lines[0]
    assert lines[2].startswith("> ")
    assert ["API", "Tutorials", "Guides", "Reference"] == [line[3:] for line in lines if line.startswith("## ")]
    links = re.findall(r"\]\((.*?)\)", answer.text)
    assert all(link.startswith("http://games.example/") for link in links)
    assert {
        *("http://games.example/v1/openapi.json", "http://games.example/docs/guides/mcp"),
        *("http://games.example/docs/tutorials/first-game", "http://games.example/v1/postman.json"),
    } <= {*links}
    assert {200} == {open_link(anyone, link)[0] for link in links}
    assert len(answer.data) < 4000


def test_the_catalog_lists_documents_that_exist(anyone: Client) -> None:
    answer = anyone.flask.get(CATALOG)
    assert (200, LINKSET) == (answer.status_code, answer.content_type)
    catalog, api = (answer.json or {})["linkset"]
    root = "http://localhost"
    assert {"anchor": f"{root}{CATALOG}", "item": [{"href": f"{root}/"}]} == catalog
    assert f"{root}/" == api.pop("anchor")
    assert {"service-desc", "service-doc", "status"} == api.keys()
    targets = [target for relation in ("service-desc", "service-doc") for target in api[relation]]
    assert [(200, target["type"]) for target in targets] == [open_link(anyone, target["href"]) for target in targets]
    assert f"{root}/v1/postman.json" in {target["href"] for target in targets}
    assert [f"{root}/readyz"] == [target["href"] for target in api["status"]]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_catalog_links_to_itself(anyone: Client, method: str) -> None:
    answer = anyone.flask.open(CATALOG, method=method)
    assert 200 == answer.status_code
    assert f'<http://localhost{CATALOG}>; rel="api-catalog"' == answer.headers["Link"]
    assert (method == "HEAD") == (answer.data == b"")


def test_crawlers_may_read_pages_and_the_document_but_no_games(anyone: Client) -> None:
    robots = RobotFileParser()
    answer = anyone.flask.get("/robots.txt")
    assert "text/plain" == answer.mimetype
    robots.parse(answer.text.splitlines())
    documents = ("/v1/openapi.json", "/v1/openapi.yaml", "/v1/asyncapi.json", "/v1/postman.json")
    paths = ("/", "/docs/guides/bots", "/play", *documents, "/v1/games", "/embed/x")
    assert [*[True] * 7, *[False] * 2] == [robots.can_fetch("any", path) for path in paths]


@pytest.mark.parametrize("path", ["/llms.txt", CATALOG])
def test_links_begin_with_the_public_url(serve: Serve, path: str) -> None:
    client = serve(PUBLIC_URL="https://games.example/azul", LIMIT_READS="1/3600")
    for _ in range(2):
        text = client.flask.get(path, headers={"Host": "other.example"}).text
        assert "https://games.example/azul/v1/openapi.json" in text
        assert "other.example" not in text
    robots = client.flask.get("/robots.txt").text
    assert "Disallow: /azul/v1/" in robots


def test_discovery_is_not_part_of_the_document(anyone: Client) -> None:
    document: Json = anyone.get("/v1/openapi.json").json or {}
    assert set() == {"/llms.txt", "/robots.txt", CATALOG} & document["paths"].keys()
