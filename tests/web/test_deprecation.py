"""Deprecated operations are marked in the document and in every answer. Others are not."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.http import parse_date

from service.games.errors import GameError
from service.web.api import Api, Blueprint
from service.web.docs.document import build_all
from service.web.http import middleware
from service.web.http.deprecation import Deprecation
from service.web.http.responses import json_answer
from service.web.schemas.base import catalogue
from tests.web.client import spec

SINCE = 1_798_761_600  # 2027-01-01T00:00:00Z
GOING = Deprecation(date(2027, 1, 1), date(2027, 7, 1), "`GET /new`")
FADING = Deprecation(date(2027, 1, 1), None, "`GET /new`")


@pytest.fixture
def app() -> Flask:
    blueprint = Blueprint("old", __name__)

    def add(name: str, deprecated: Deprecation | None) -> None:
        @blueprint.response(200, catalogue.Health, description="Alive.")
        def view(thing: str) -> Any:
            """Do it.

            At length.
            """
            if thing == "broken":
                raise ZeroDivisionError
            if thing == "linked":
                answer = json_answer({"status": "ok"})
                answer.headers["Link"] = '</next>; rel="next"'
                return answer
            return json_answer({"status": "ok"})

        registered = blueprint.operation(f"{name}Thing", deprecated=deprecated)(view)
        blueprint.route(f"/{name}/<thing>", endpoint=name)(registered)

    for name, deprecated in {"going": GOING, "fading": FADING, "staying": None}.items():
        add(name, deprecated)
    made = Flask(__name__)
    made.config.update(PUBLIC_URL="https://games.example")
    middleware.register(made, ("*",))
    made.before_request(refuse)
    Api(made).register_blueprint(blueprint)
    return made


def refuse() -> None:
    from flask import request

    if (request.view_args or {}).get("thing") == "refused":
        raise GameError("game/not_found")


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize(("thing", "status"), [("fine", 200), ("refused", 404), ("broken", 500)])
def test_every_answer_contains_deprecation_and_sunset(client: FlaskClient, thing: str, status: int) -> None:
    answer = client.get(f"/going/{thing}")
    assert (status, f"@{SINCE}") == (answer.status_code, answer.headers["Deprecation"])
    sunset = parse_date(answer.headers["Sunset"])
    assert sunset is not None
    assert date(2027, 7, 1) == sunset.date()
    assert '<https://games.example/docs#deprecated>; rel="deprecation"; type="text/html"' == answer.headers["Link"]


def test_an_operation_without_a_sunset_has_no_header_for_it(client: FlaskClient) -> None:
    headers = client.get("/fading/fine").headers
    assert (True, False) == ("Deprecation" in headers, "Sunset" in headers)


def test_a_link_to_the_next_page_is_kept(client: FlaskClient) -> None:
    links = client.get("/going/linked").headers.getlist("Link")
    assert ['rel="next"', 'rel="deprecation"'] == [link.split("; ")[1] for link in links]


def test_current_operations_have_no_deprecation_headers(client: FlaskClient) -> None:
    for path in ("/staying/fine", "/staying/refused", "/nowhere"):
        assert {"Deprecation", "Sunset", "Link"}.isdisjoint(client.get(path).headers.keys())


def test_a_preflight_has_no_deprecation_headers(client: FlaskClient) -> None:
    assert "Deprecation" not in client.options("/going/fine").headers


def test_the_document_marks_the_operation_and_names_its_replacement(app: Flask) -> None:
    paths = build_all(app.extensions["flask-smorest"]["apis"][""]["ext_obj"])["paths"]
    going, fading, staying = (paths[f"/{name}/{{thing}}"]["get"] for name in ("going", "fading", "staying"))
    assert (True, "2027-07-01") == (going["deprecated"], going["x-sunset"])
    words = "At length.\n\nDeprecated since 2027-01-01. Use `GET /new`. It may be removed from 2027-07-01 on."
    assert words == going["description"]
    assert (True, False) == (fading["deprecated"], "x-sunset" in fading)
    assert fading["description"].endswith("Use `GET /new`.")
    assert {"deprecated", "x-sunset"}.isdisjoint(staying)


def test_the_document_contains_the_headers_of_every_answer(app: Flask) -> None:
    document = build_all(app.extensions["flask-smorest"]["apis"][""]["ext_obj"])
    for name, expected in {
        "going": {"Deprecation", "Sunset", "Link"},
        "fading": {"Deprecation", "Link"},
        "staying": set(),
    }.items():
        for answer in document["paths"][f"/{name}/{{thing}}"]["get"]["responses"].values():
            assert expected == {"Deprecation", "Sunset", "Link"} & set(answer.get("headers", ()))


@pytest.mark.nightly
def test_the_document_is_valid(app: Flask) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    document = build_all(app.extensions["flask-smorest"]["apis"][""]["ext_obj"])
    assert [] == list(OpenAPIV31SpecValidator(document).iter_errors())


def test_the_headers_are_shared_components() -> None:
    assert {"Deprecation", "Sunset"} <= set(spec()["components"]["headers"])


def test_the_linked_page_has_the_anchor(app: Flask) -> None:
    from service.app import app_of
    from service.settings import Settings

    page = app_of(Settings.from_environment({}), None).test_client().get("/docs").get_data(as_text=True)
    assert 'id="deprecated"' in page
