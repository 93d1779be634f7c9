"""Telemetry of the running service: metrics, access log, traces, request ids."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import requests
import yaml
from jsonschema_rs import Draft202012Validator
from redis import Redis

from tests.e2e.observed_stack import ObservedStack, Span
from tests.e2e.scraping import scraping
from tests.e2e.stack import ROOT, send_signal
from tests.patience import HANG_S, wait_until
from tests.workers.bots import failing, serving

AI = {"kind": "ai", "level": "greedy"}
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"
DEPLOYED: dict[str, Callable[[], Any]] = {
    "dashboard": lambda: json.loads((ROOT / "deploy" / "grafana" / "azul-games.json").read_text()),
    "alerts": lambda: yaml.safe_load(ALERTS.read_text()),
}
SCHEMAS = Path(__file__).parent / "schemas"
BY_PROMETHEUS = {"job", "instance"}
"""Labels that Prometheus adds."""


def test_requests_actions_conflicts_and_decisions_are_counted(service: ObservedStack) -> None:
    acted = service.value("azul_actions_total", ruleset="azul", by="player")
    decided = service.value("azul_ai_decisions_total", level="greedy", outcome="committed")
    service.act(AI)
    requests.get(f"{service.stack.api}/no/such/path", timeout=HANG_S)
    wait_until(
        lambda: service.value("azul_ai_decisions_total", level="greedy", outcome="committed") > decided, "a move"
    )
    assert acted + 1 == service.value("azul_actions_total", ruleset="azul", by="player")
    assert service.value("azul_actions_total", ruleset="azul", by="ai") >= 1
    assert service.value("azul_http_requests_total", route="submitAction", status="201") >= 1
    assert service.value("azul_http_request_duration_seconds_count", route="submitAction") >= 1
    assert service.value("azul_http_requests_total", route="unknown", status="404") >= 1
    assert service.value("azul_http_problems_total", code="request/not_found") >= 1
    assert service.value("azul_ai_thinking_seconds_count", level="greedy") >= 1
    late_s, decisions = (service.value(f"azul_ai_lateness_seconds_{name}", level="greedy") for name in ("sum", "count"))
    assert 0 < late_s < HANG_S * decisions
    assert service.value("azul_keeper_runs_total", result="ok") >= 1
    assert 3 == service.value("azul_ruleset_compiled")
    assert (2, 2, 1) == tuple(service.value("azul_processes", kind=kind) for kind in ("worker", "keeper", "dialer"))
    assert 2 == service.value("azul_redis_up")


def test_long_polls_are_counted_but_not_timed(service: ObservedStack) -> None:
    game = service.stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}] * 2)["game"]
    timed = service.value("azul_http_request_duration_seconds_count", route="getGame")
    counted = service.value("azul_http_requests_total", route="getGame")
    service.stack.get(f"/games/{game['id']}?wait=1", headers={"If-None-Match": f'"{game["revision"]}"'})
    assert counted + 1 == service.value("azul_http_requests_total", route="getGame")
    assert timed == service.value("azul_http_request_duration_seconds_count", route="getGame")


def test_open_streams_are_counted_while_they_are_open(service: ObservedStack) -> None:
    game = service.stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}] * 2)["game"]["id"]
    url = f"{service.stack.api}/games/{game}/events"
    with (
        requests.get(url, stream=True, timeout=HANG_S) as first,
        requests.get(url, stream=True, timeout=HANG_S) as second,
    ):
        lines = [response.iter_lines() for response in (first, second)]  # a discarded iterator closes its connection
        assert all(map(next, lines))
        wait_until(lambda: service.value("azul_streams_open") == 2, "none of other tests is left")
        assert [] == service.records(event="request", route="streamEvents", game=game)
    wait_until(lambda: service.value("azul_streams_open") == 0, "the end of both")


def test_calls_of_endpoints_are_counted_by_their_result(service: ObservedStack) -> None:
    with serving(failing) as (url, metrics_and_groups):
        service.act({"kind": "http", "endpoint": {"url": url, "attempts": 1}})
        wait_until(lambda: metrics_and_groups, "a call")
        wait_until(lambda: service.value("azul_outgoing_calls_total", purpose="endpoint", result="status"), "a result")
    assert service.value("azul_outgoing_call_duration_seconds_count", purpose="endpoint") >= 1


def test_counters_survive_kills_and_files_do_not_grow(service: ObservedStack) -> None:
    """New processes continue the numbers of killed ones."""
    folder = next(service.stack.data_dir.glob("metrics-*"))
    service.act(AI)
    wait_until(lambda: service.value("azul_actions_total", by="ai"), "a move")
    files = set[int]()
    for _ in range(3):
        before = {name: service.value(name) for name in ("azul_http_requests_total", "azul_actions_total")}
        send_signal(signal.SIGKILL, [*service.stack.children("web"), *service.stack.pids("worker")])
        wait_until(service.stack.is_ready, "ready again")
        service.act(AI)
        assert {} == {name: count for name, count in before.items() if service.value(name) < count}
        files.add(len([*folder.iterdir()]))
    assert max(files) <= 4 * 16  # four kinds of files and fewer than 16 processes


def test_the_id_of_a_request_reaches_the_deciding_workers(service: ObservedStack) -> None:
    """Across processes and a chain of decisions."""
    game = service.act(AI, {"kind": "ai", "level": "random"}, request_id="from-the-caller-1")
    found = wait_until(lambda: _at_least(service.records(event="decision", game=game), 2), "two decisions")
    assert {"from-the-caller-1"} == {record["request_id"] for record in found}
    assert {"greedy", "random"} == {record["ai_level"] for record in found}
    (acted,) = service.records(event="request", route="submitAction", game=game)
    assert "from-the-caller-1" == acted["request_id"]


def test_the_id_of_a_request_survives_a_lost_wake_up(service: ObservedStack) -> None:
    """The keeper wakes a worker, which still knows the id."""
    with service.stack.suspend("worker"), Redis.from_url(service.stack.redis_url) as client:
        game = service.act(AI, request_id="from-the-caller-2")
        for key in client.scan_iter("rq:*"):
            client.delete(key)
    (record,) = wait_until(lambda: service.records(event="decision", game=game), "a decision")
    assert "from-the-caller-2" == record["request_id"]


def _at_least(found: list[Any], count: int) -> list[Any]:
    return found if len(found) >= count else []


def test_one_trace_covers_request_worker_and_move_of_the_ai(service: ObservedStack) -> None:
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    service.act(AI, traceparent=f"00-{trace}-{parent}-01")

    def spans() -> list[Span]:
        return [span for span in service.collector.spans if span[0] == trace]

    wait_until(lambda: sum(name == "commit" for *_, name, _pid in spans()) >= 2, f"two commits: {spans()}")
    wait_until(lambda: any(name.startswith("POST") for *_, name, _pid in spans()), "the span of the request")
    by_name: dict[str, list[Span]] = {}
    for span in spans():
        by_name.setdefault(span[3], []).append(span)
    (posted,) = by_name["POST /v1/games/<game_id>/actions"]
    (woken,), (decided, *_) = by_name["wake"], by_name["decide"]
    committed = {span[2]: span for span in by_name["commit"]}  # by parent
    assert parent == posted[2]
    assert posted[1] == woken[2]
    assert committed[posted[1]][1] == decided[2]
    assert decided[1] in committed
    assert posted[4] == woken[4] == committed[posted[1]][4] != decided[4] == committed[decided[1]][4]


def test_logs_and_traces_contain_no_token(service: ObservedStack) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4737"
    game = service.act(AI)
    token = service.tokens[-1]
    headers = {"Authorization": f"Bearer {token}", "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    for path in (f"games/{game}/events?ticket={token}", f"games/{token}", f"{token}?token={token}"):
        requests.get(f"{service.stack.api}/{path}", headers=headers, timeout=HANG_S)
    wait_until(lambda: sum(span[0] == trace for span in service.collector.spans) >= 3, "three requests' spans")
    assert [] == [token for token in service.tokens if token.encode() in service.collector.taken]
    assert [] == [token for token in service.tokens if token in service.stack.output.read_text()]


# ------------------------------------------------------------------------------------ deployed files


def expressions(node: Any) -> Iterator[str]:
    """Yield all PromQL of a dashboard or of alerts, completed like Grafana does."""
    if isinstance(node, dict):
        if isinstance(node.get("expr"), str):
            yield node["expr"].replace("$__rate_interval", "5m").replace("$job", ".+")
        for inner in node.values():
            yield from expressions(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from expressions(inner)


def metrics_and_groups(expression: str) -> tuple[dict[str, set[str]], set[str]]:
    """Return the metrics of an expression with the labels of their selectors, and the grouping labels."""
    metrics, grouped = dict[str, set[str]](), set[str]()

    def visit(node: promql_parser.Expr) -> bool:
        if isinstance(node, promql_parser.VectorSelector):
            metrics.setdefault(str(node.name), set()).update(one.name for one in node.matchers.matchers)
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
            grouped.update(node.modifier.labels)
        return True

    promql_parser.walk(promql_parser.parse(expression), visit)
    return metrics, grouped


@pytest.mark.parametrize("name", DEPLOYED)
def test_deployed_expressions_use_existing_metrics(service: ObservedStack, name: str) -> None:
    with serving(failing) as (url, called):
        service.act(AI)
        service.act({"kind": "http", "endpoint": {"url": url, "attempts": 1}})
        wait_until(lambda: called, "a call")
    wait_until(lambda: service.value("azul_actions_total", by="ai"), "a move")
    requests.get(f"{service.stack.api}/no/such/path", timeout=HANG_S)
    labels_by_metric = {
        metric: {label for labels, _ in found for label in labels} for metric, found in service.samples().items()
    }
    labels_by_metric["up"] = set()
    all_expressions = [*expressions(DEPLOYED[name]())]
    assert len(all_expressions) >= 15
    for expression in all_expressions:
        metrics, grouped = metrics_and_groups(expression)
        assert metrics.keys() <= labels_by_metric.keys(), expression
        for metric, labels in metrics.items():
            assert labels | grouped <= labels_by_metric[metric] | BY_PROMETHEUS, expression


def test_every_query_of_the_dashboard_has_a_result_in_prometheus(service: ObservedStack, tmp_path: Path) -> None:
    """The sample configuration scrapes the running service, more often than usual."""
    queries = [*expressions(DEPLOYED["dashboard"]()), scaling_query()]
    with scraping(service.metrics_url, tmp_path) as results, serving(failing) as (url, called):
        service.act(AI)
        service.act({"kind": "http", "endpoint": {"url": url, "attempts": 1}})
        wait_until(lambda: called, "a call")
        requests.get(f"{service.stack.api}/no/such/path", timeout=HANG_S)
        for query in queries:
            wait_until(lambda query=query: results(query), query)  # type: ignore[misc]
        assert "azul-games" == results("up")[0]["metric"]["job"]


def scaling_query() -> str:
    """Return the query by which KEDA scales the workers."""
    scaling = (ROOT / "deploy" / "kubernetes" / "autoscaling.yaml").read_text("utf-8")
    (scaler,) = (one for one in yaml.safe_load_all(scaling) if one["kind"] == "ScaledObject")
    return str(scaler["spec"]["triggers"][0]["metadata"]["query"])


def test_metrics_of_expressions_are_parsed() -> None:
    expected = ({"azul_x_total": {"job", "route"}, "azul_y": set()}, {"le"})
    assert expected == metrics_and_groups('sum by (le) (rate(azul_x_total{job="a", route!="b"}[5m])) / azul_y > 1')
    with pytest.raises(ValueError, match="parenthesis"):
        metrics_and_groups("sum(azul_x")


@pytest.mark.parametrize("name", DEPLOYED)
def test_deployed_files_match_their_schemas(name: str) -> None:
    validator = Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text()))
    assert [] == [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(DEPLOYED[name]())]


def test_every_metric_is_described_to_operators(service: ObservedStack) -> None:
    page = (ROOT / "docs" / "reference" / "metrics.md").read_text()
    labels_by_metric = {re.sub("_(bucket|count|sum)$", "", name) for name in service.samples()}
    assert [] == sorted(name for name in labels_by_metric if f"`{name}`" not in page)


def test_every_alert_is_explained_to_operators() -> None:
    page = (ROOT / "docs" / "operations" / "observability.md").read_text()
    (group,) = DEPLOYED["alerts"]()["groups"]
    assert [] == [rule["alert"] for rule in group["rules"] if f"`{rule['alert']}`" not in page]
