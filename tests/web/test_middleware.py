"""Headers of every answer, and cross-origin access."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.usecases.base.context import Context
from service.web.codes import CODES
from tests.web.client import OPERATIONS, Client, body_of
from tests.web.conftest import application
from tests.web.table import Table


def client_of(valkey: EmbeddedRedis, **settings: str) -> Client:
    return Client(application(valkey.url, **settings).test_client())


def test_a_valid_request_id_is_returned(anyone: Client) -> None:
    assert "abc-1" == anyone.get("/healthz", X_Request_Id="abc-1").headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{16}", anyone.get("/healthz", X_Request_Id="a b").headers["X-Request-Id"])


def test_every_origin_is_allowed_by_default(table: Table) -> None:
    for answer in (
        table.anyone.get(table.path, Origin="https://a.example"),
        table.anyone.get("/v1/games/x", Origin="https://a.example"),
    ):
        assert "*" == answer.headers["Access-Control-Allow-Origin"]
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Link", "Retry-After", "RateLimit", "RateLimit-Policy"} <= set(exposed)
        assert {"Deprecation", "Sunset"} <= set(exposed)
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_preflight_returns_allowed_methods_and_headers(table: Table) -> None:
    answer = table.anyone.send(
        "OPTIONS",
        f"{table.path}/actions",
        headers={
            "Origin": "https://a.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "if-match, authorization",
        },
    )
    assert 200 == answer.status_code
    used = {method for method, _, _ in OPERATIONS.values()}
    assert used <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    assert {"Authorization", "If-Match", "Idempotency-Key", "traceparent", "tracestate", "baggage"} <= set(
        answer.headers["Access-Control-Allow-Headers"].split(", ")
    )


@pytest.mark.parametrize("path", ["/v1/games/a-wrong-id", "/v1/me/webhooks/x", "/v1/games/AAAAAAAAAAAAAAAA/history/x"])
def test_a_preflight_of_a_missing_resource_is_allowed(anyone: Client, path: str) -> None:
    """Otherwise browsers hide the error from the page."""
    headers = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    answer = anyone.send("OPTIONS", path, headers=headers)
    assert (200, "*") == (answer.status_code, answer.headers["Access-Control-Allow-Origin"])
    assert 404 == anyone.get(path).status_code


def test_an_allow_list_allows_its_origins(valkey: EmbeddedRedis, redis_client: Redis) -> None:
    client = client_of(valkey, CORS_ORIGINS="https://a.example, https://b.example")
    allowed, other = (client.get("/healthz", Origin=origin) for origin in ("https://b.example", "https://c.example"))
    assert "https://b.example" == allowed.headers["Access-Control-Allow-Origin"]
    assert "Access-Control-Allow-Origin" not in other.headers
    assert {"Origin"} == {allowed.headers["Vary"], other.headers["Vary"]}


@pytest.mark.parametrize(
    ("setting", "ancestors_header"), [("", "*"), ("none", "'none'"), ("https://a.example, https://b.example", None)]
)
def test_only_configured_pages_can_embed_a_game(
    valkey: EmbeddedRedis, redis_client: Redis, setting: str, ancestors_header: str | None
) -> None:
    client = client_of(valkey, FRAME_ANCESTORS=setting)
    ancestors = ancestors_header or "https://a.example https://b.example"
    assert (
        client.get("/embed/AAAAAAAAAAAAAAAA")
        .headers["Content-Security-Policy"]
        .endswith(f"frame-ancestors {ancestors}")
    )
    assert client.get("/play").headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("language", ["de", "de-CH, en;q=0.5", "fr, de;q=0.3"])
def test_the_best_available_language_is_used(anyone: Client, language: str) -> None:
    answer = anyone.get("/v1/nothing", Accept_Language=language)
    assert ("de", "Nicht gefunden") == (answer.headers["Content-Language"], (answer.json or {})["title"])


@pytest.mark.parametrize("language", ["", "fr", "*", ";;q=x", "en, de;q=0.9"])
def test_english_is_the_default_language(anyone: Client, language: str) -> None:
    assert "en" == anyone.get("/v1/nothing", Accept_Language=language).headers["Content-Language"]


def test_links_are_absolute_with_a_public_url(valkey: EmbeddedRedis, redis_client: Redis) -> None:
    client = client_of(valkey, PUBLIC_URL="https://games.example/azul", TRUSTED_PROXIES="1")
    made = client.post("/v1/games", {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}] * 2})
    assert made.headers["Location"].startswith("https://games.example/azul/v1/games/")
    assert (client.get("/v1/nothing").json or {})["type"] == "https://games.example/azul/docs#request/not_found"
    assert [{"url": "https://games.example/azul"}] == (client.get("/v1/openapi.json").json or {})["servers"]


def test_the_service_is_ready_with_a_worker_a_keeper_and_a_dialer(anyone: Client, context: Context) -> None:
    waiting = anyone.get("/readyz")
    assert (503, "service/not_ready") == (waiting.status_code, (waiting.json or {})["code"])
    for kind in ("worker", "keeper", "dialer"):
        context.queue.beat(kind, "one", 30)
    ready = body_of(anyone.get("/readyz"), 200)
    assert (1, 1, 1) == tuple(ready[f"{kind}s"] for kind in ("worker", "keeper", "dialer"))


def test_the_documentation_explains_every_code_and_loads_only_from_the_service(anyone: Client) -> None:
    page = anyone.flask.get("/docs")
    html = page.get_data(as_text=True)
    for code in CODES:
        assert f'id="{code}"' in html
    assert [] == re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", html)
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    for path in re.findall(r'(?:src|href)="(static/[^"]+)"', html):
        assert 200 == anyone.flask.get(f"/{path}").status_code


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_module_outside_of_a_ruleset_contains_its_name(ruleset: str) -> None:
    modules = [path for folder in ("service", "workers", "openapi") for path in Path(folder).rglob("*.py")]
    by_name = ("service/rulesets", "openapi/clients")  # clients are independent packages
    outside = [path for path in modules if not any(map(path.is_relative_to, by_name))]
    assert [] == [str(path) for path in outside if f'"{ruleset}"' in path.read_text()]


@pytest.mark.parametrize(
    "path", ["/play", "/embed/AAAAAAAAAAAAAAAA", "/docs", "/static/table/index.html", "/static/pages/pages.js"]
)
def test_pages_load_only_from_the_service(anyone: Client, path: str) -> None:
    answer = anyone.get(path)
    assert 200 == answer.status_code
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_api_answers_have_no_content_security_policy(anyone: Client) -> None:
    assert "Content-Security-Policy" not in anyone.get("/v1/levels").headers
