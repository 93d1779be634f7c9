"""What every answer carries; and who may call from a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import redis

from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.usecases.base.context import Context
from service.web.codes import CODES
from tests.web.client import OPERATIONS, Client, answered
from tests.web.conftest import application
from tests.web.table import Table


def client_of(valkey: EmbeddedRedis, **settings: str) -> Client:
    return Client(application(valkey.url, **settings).test_client())


def test_a_request_id_is_passed_on_when_it_is_fit(anyone: Client) -> None:
    assert "abc-1" == anyone.get("/healthz", X_Request_Id="abc-1").headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{16}", anyone.get("/healthz", X_Request_Id="a b").headers["X-Request-Id"])


def test_every_page_may_call_by_default(table: Table) -> None:
    for answer in (
        table.anyone.get(table.path, Origin="https://a.example"),
        table.anyone.get("/v1/games/x", Origin="https://a.example"),
    ):
        assert "*" == answer.headers["Access-Control-Allow-Origin"]
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Link", "Retry-After", "RateLimit", "RateLimit-Policy"} <= set(exposed)
        assert {"Deprecation", "Sunset"} <= set(exposed)
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_preflight_is_told_what_may_be_sent(table: Table) -> None:
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
    assert {"Authorization", "If-Match", "Idempotency-Key"} <= set(
        answer.headers["Access-Control-Allow-Headers"].split(", ")
    )


def test_an_allow_list_allows_who_is_on_it(valkey: EmbeddedRedis, redis_client: redis.Redis) -> None:
    client = client_of(valkey, CORS_ORIGINS="https://a.example, https://b.example")
    allowed, other = (client.get("/healthz", Origin=origin) for origin in ("https://b.example", "https://c.example"))
    assert "https://b.example" == allowed.headers["Access-Control-Allow-Origin"]
    assert "Access-Control-Allow-Origin" not in other.headers
    assert {"Origin"} == {allowed.headers["Vary"], other.headers["Vary"]}


@pytest.mark.parametrize(
    ("given", "told"), [("", "*"), ("none", "'none'"), ("https://a.example, https://b.example", None)]
)
def test_a_frame_may_show_a_game_where_the_operator_says_so_and_nothing_else(
    valkey: EmbeddedRedis, redis_client: redis.Redis, given: str, told: str | None
) -> None:
    client = client_of(valkey, FRAME_ANCESTORS=given)
    ancestors = told or "https://a.example https://b.example"
    assert (
        client.get("/embed/AAAAAAAAAAAAAAAA")
        .headers["Content-Security-Policy"]
        .endswith(f"frame-ancestors {ancestors}")
    )
    assert client.get("/play").headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("language", ["de", "de-CH, en;q=0.5", "fr, de;q=0.3"])
def test_the_best_language_we_have_is_spoken(anyone: Client, language: str) -> None:
    answer = anyone.get("/v1/nothing", Accept_Language=language)
    assert ("de", "Nicht gefunden") == (answer.headers["Content-Language"], (answer.json or {})["title"])


@pytest.mark.parametrize("language", ["", "fr", "*", ";;q=x", "en, de;q=0.9"])
def test_english_is_spoken_otherwise(anyone: Client, language: str) -> None:
    assert "en" == anyone.get("/v1/nothing", Accept_Language=language).headers["Content-Language"]


def test_links_are_absolute_where_the_public_url_is_known(valkey: EmbeddedRedis, redis_client: redis.Redis) -> None:
    client = client_of(valkey, PUBLIC_URL="https://games.example/azul", TRUSTED_PROXIES="1")
    made = client.post("/v1/games", {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}] * 2})
    assert made.headers["Location"].startswith("https://games.example/azul/v1/games/")
    assert (client.get("/v1/nothing").json or {})["type"] == "https://games.example/azul/docs#request/not_found"
    assert [{"url": "https://games.example/azul"}] == (client.get("/v1/openapi.json").json or {})["servers"]


def test_the_service_is_ready_when_a_worker_a_keeper_and_a_dialer_beat(anyone: Client, context: Context) -> None:
    waiting = anyone.get("/readyz")
    assert (503, "service/not_ready") == (waiting.status_code, (waiting.json or {})["code"])
    for kind in ("worker", "keeper", "dialer"):
        context.queue.beat(kind, "one", 30)
    ready = answered(anyone.get("/readyz"), 200)
    assert (1, 1, 1) == tuple(ready[f"{kind}s"] for kind in ("worker", "keeper", "dialer"))


def test_the_page_of_the_document_explains_every_code_and_loads_nothing_from_elsewhere(anyone: Client) -> None:
    page = anyone.flask.get("/docs")
    html = page.get_data(as_text=True)
    for code in CODES:
        assert f'id="{code}"' in html
    assert [] == re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", html)
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    for path in re.findall(r'(?:src|href)="(static/[^"]+)"', html):
        assert 200 == anyone.flask.get(f"/{path}").status_code


@pytest.mark.parametrize("ruleset", RULESETS)
def test_only_the_rules_know_a_ruleset_by_name(ruleset: str) -> None:
    modules = [path for folder in ("service", "workers", "openapi") for path in Path(folder).rglob("*.py")]
    by_name = ("service/rulesets", "openapi/clients")  # clients stand on their own, so they have to know
    outside = [path for path in modules if not any(map(path.is_relative_to, by_name))]
    assert [] == [str(path) for path in outside if f'"{ruleset}"' in path.read_text()]


@pytest.mark.parametrize(
    "path", ["/play", "/embed/AAAAAAAAAAAAAAAA", "/docs", "/static/table/index.html", "/static/pages/pages.js"]
)
def test_what_a_browser_opens_may_load_nothing_from_elsewhere(anyone: Client, path: str) -> None:
    answer = anyone.get(path)
    assert 200 == answer.status_code
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_an_answer_of_the_api_is_no_page(anyone: Client) -> None:
    assert "Content-Security-Policy" not in anyone.get("/v1/levels").headers
