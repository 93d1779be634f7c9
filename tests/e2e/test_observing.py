"""What an operator sees of the whole service, as it runs: metrics, access log, traces, a request's id everywhere."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import redis
import requests
import yaml
from jsonschema_rs import Draft202012Validator

from tests.e2e.observed import Observed, Span
from tests.e2e.stack import ROOT, send_signal
from tests.patience import HANG_S, until
from tests.workers.bots import broken, serving

AI = {"kind": "ai", "level": "greedy"}
ALERTS, SCRAPE = (ROOT / "deploy" / "prometheus" / name for name in ("alerts.yaml", "prometheus.yaml"))
DEPLOYED: dict[str, Callable[[], Any]] = {
    "dashboard": lambda: json.loads((ROOT / "deploy" / "grafana" / "azul-games.json").read_text()),
    "alerts": lambda: yaml.safe_load(ALERTS.read_text()),
}
SCHEMAS = Path(__file__).parent / "schemas"
BY_PROMETHEUS = {"job", "instance"}
"""Labels that Prometheus adds."""


def test_requests_actions_conflicts_and_decisions_are_counted(observed: Observed) -> None:
    acted = observed.value("azul_actions_total", ruleset="azul", by="player")
    decided = observed.value("azul_ai_decisions_total", level="greedy", outcome="committed")
    observed.act(AI)
    requests.get(f"{observed.stack.api}/no/such/path", timeout=HANG_S)
    until(lambda: observed.value("azul_ai_decisions_total", level="greedy", outcome="committed") > decided, "a move")
    assert acted + 1 == observed.value("azul_actions_total", ruleset="azul", by="player")
    assert observed.value("azul_actions_total", ruleset="azul", by="ai") >= 1
    assert observed.value("azul_http_requests_total", route="submitAction", status="201") >= 1
    assert observed.value("azul_http_request_duration_seconds_count", route="submitAction") >= 1
    assert observed.value("azul_http_requests_total", route="unknown", status="404") >= 1
    assert observed.value("azul_http_problems_total", code="request/not_found") >= 1
    assert observed.value("azul_ai_thinking_seconds_count", level="greedy") >= 1
    late_s, decisions = (
        observed.value(f"azul_ai_lateness_seconds_{name}", level="greedy") for name in ("sum", "count")
    )
    assert 0 < late_s < HANG_S * decisions
    assert observed.value("azul_keeper_looks_total", result="ok") >= 1
    assert 3 == observed.value("azul_ruleset_compiled")
    assert (2, 2, 1) == tuple(observed.value("azul_processes", kind=kind) for kind in ("worker", "keeper", "dialer"))
    assert 2 == observed.value("azul_redis_up")


def test_requests_that_wait_are_counted_and_not_timed(observed: Observed) -> None:
    game = observed.stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}] * 2)["game"]
    timed = observed.value("azul_http_request_duration_seconds_count", route="getGame")
    counted = observed.value("azul_http_requests_total", route="getGame")
    observed.stack.get(f"/games/{game['id']}?wait=1", headers={"If-None-Match": f'"{game["revision"]}"'})
    assert counted + 1 == observed.value("azul_http_requests_total", route="getGame")
    assert timed == observed.value("azul_http_request_duration_seconds_count", route="getGame")


def test_open_streams_are_counted_while_they_are_open(observed: Observed) -> None:
    game = observed.stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}] * 2)["game"]["id"]
    url = f"{observed.stack.api}/games/{game}/events"
    with (
        requests.get(url, stream=True, timeout=HANG_S) as first,
        requests.get(url, stream=True, timeout=HANG_S) as second,
    ):
        assert next(first.iter_lines())
        assert next(second.iter_lines())
        until(lambda: observed.value("azul_streams_open") == 2, "none of other tests is left")
        assert [] == observed.records(event="request", route="streamEvents", game=game)
    observed.act(AI)  # wakes nobody there: a closed connection is noticed at the next keep-alive


def test_calls_of_endpoints_are_counted_by_their_result(observed: Observed) -> None:
    with serving(broken) as (url, asked):
        observed.act({"kind": "http", "endpoint": {"url": url, "attempts": 1}})
        until(lambda: asked, "a call")
        until(lambda: observed.value("azul_outgoing_calls_total", purpose="endpoint", result="status"), "its result")
    assert observed.value("azul_outgoing_call_duration_seconds_count", purpose="endpoint") >= 1


def test_counts_outlive_the_kill_of_any_process_and_files_do_not_grow(observed: Observed) -> None:
    """Processes come back with the numbers of those that were killed."""
    folder = next(observed.stack.data_dir.glob("metrics-*"))
    observed.act(AI)
    until(lambda: observed.value("azul_actions_total", by="ai"), "a move")
    files = set[int]()
    for _ in range(3):
        before = {name: observed.value(name) for name in ("azul_http_requests_total", "azul_actions_total")}
        send_signal(signal.SIGKILL, [*observed.stack.children("web"), *observed.stack.pids("worker")])
        until(observed.stack.is_ready, "ready again")
        observed.act(AI)
        assert {} == {name: count for name, count in before.items() if observed.value(name) < count}
        files.add(len([*folder.iterdir()]))
    assert max(files) <= 4 * 16  # four kinds of files, and fewer than so many processes at one time


def test_the_id_of_a_request_goes_on_to_who_decides(observed: Observed) -> None:
    """Over real processes, also along a chain of decisions."""
    game = observed.act(AI, {"kind": "ai", "level": "random"}, request_id="from-the-caller-1")
    found = until(lambda: _all(observed.records(event="decision", game=game), 2), "two decisions")
    assert {"from-the-caller-1"} == {record["request_id"] for record in found}
    assert {"greedy", "random"} == {record["ai_level"] for record in found}
    (acted,) = observed.records(event="request", route="submitAction", game=game)
    assert "from-the-caller-1" == acted["request_id"]


def test_the_id_of_a_request_outlives_a_wake_up_that_was_lost(observed: Observed) -> None:
    """The keeper wakes a worker anew, which knows all the same."""
    with observed.stack.held("worker"), redis.Redis.from_url(observed.stack.redis_url) as client:
        game = observed.act(AI, request_id="from-the-caller-2")
        for key in client.scan_iter("rq:*"):
            client.delete(key)
    (record,) = until(lambda: observed.records(event="decision", game=game), "a decision")
    assert "from-the-caller-2" == record["request_id"]


def _all(found: list[Any], count: int) -> list[Any]:
    return found if len(found) >= count else []


def test_one_trace_goes_from_a_request_through_the_worker_to_the_move_of_the_ai(observed: Observed) -> None:
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    observed.act(AI, traceparent=f"00-{trace}-{parent}-01")

    def spans() -> list[Span]:
        return [span for span in observed.collector.spans if span[0] == trace]

    until(lambda: sum(name == "commit" for *_, name, _pid in spans()) >= 2, f"two commits: {spans()}")
    until(lambda: any(name.startswith("POST") for *_, name, _pid in spans()), "the span of the request")
    by_name: dict[str, list[Span]] = {}
    for span in spans():
        by_name.setdefault(span[3], []).append(span)
    (posted,) = by_name["POST /v1/games/<game_id>/actions"]
    (woken,), (decided, *_) = by_name["wake"], by_name["decide"]
    committed = {span[2]: span for span in by_name["commit"]}  # by what they are part of
    assert parent == posted[2]
    assert posted[1] == woken[2]
    assert committed[posted[1]][1] == decided[2]
    assert decided[1] in committed
    assert posted[4] == woken[4] == committed[posted[1]][4] != decided[4] == committed[decided[1]][4]


def test_neither_log_nor_traces_hold_a_token(observed: Observed) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4737"
    game = observed.act(AI)
    token = observed.tokens[-1]
    headers = {"Authorization": f"Bearer {token}", "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    for path in (f"games/{game}/events?ticket={token}", f"games/{token}", f"{token}?token={token}"):
        requests.get(f"{observed.stack.api}/{path}", headers=headers, timeout=HANG_S)
    until(lambda: sum(span[0] == trace for span in observed.collector.spans) >= 3, "three requests' spans")
    assert [] == [token for token in observed.tokens if token.encode() in observed.collector.taken]
    assert [] == [token for token in observed.tokens if token in observed.stack.output.read_text()]


# ---------------------------------------------------------------------------------- what is deployed


def expressions(node: Any) -> Iterator[str]:
    """All PromQL of a dashboard or of alerts, as Grafana fills it in."""
    if isinstance(node, dict):
        if isinstance(node.get("expr"), str):
            yield node["expr"].replace("$__rate_interval", "5m").replace("$job", ".+")
        for inner in node.values():
            yield from expressions(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from expressions(inner)


def asked(expression: str) -> tuple[dict[str, set[str]], set[str]]:
    """The metrics that an expression asks for, each with the labels that choose it; and the labels it is grouped by."""
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
def test_what_is_deployed_asks_for_what_the_service_tells(observed: Observed, name: str) -> None:
    with serving(broken) as (url, called):
        observed.act(AI)
        observed.act({"kind": "http", "endpoint": {"url": url, "attempts": 1}})
        until(lambda: called, "a call")
    until(lambda: observed.value("azul_actions_total", by="ai"), "a move")
    requests.get(f"{observed.stack.api}/no/such/path", timeout=HANG_S)
    told = {metric: {label for labels, _ in found for label in labels} for metric, found in observed.samples().items()}
    told["up"] = set()
    every = [*expressions(DEPLOYED[name]())]
    assert len(every) >= 15
    for expression in every:
        metrics, grouped = asked(expression)
        assert metrics.keys() <= told.keys(), expression
        for metric, labels in metrics.items():
            assert labels | grouped <= told[metric] | BY_PROMETHEUS, expression


def test_an_expression_that_asks_for_nothing_would_be_found() -> None:
    expected = ({"azul_x_total": {"job", "route"}, "azul_y": set()}, {"le"})
    assert expected == asked('sum by (le) (rate(azul_x_total{job="a", route!="b"}[5m])) / azul_y > 1')
    with pytest.raises(ValueError, match="parenthesis"):
        asked("sum(azul_x")


@pytest.mark.parametrize("name", DEPLOYED)
def test_what_is_deployed_fits_its_schema(name: str) -> None:
    validator = Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text()))
    assert [] == [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(DEPLOYED[name]())]


def test_every_metric_is_described_to_operators(observed: Observed) -> None:
    page = (ROOT / "docs" / "reference" / "metrics.md").read_text()
    told = {re.sub("_(bucket|count|sum)$", "", name) for name in observed.samples()}
    assert [] == sorted(name for name in told if f"`{name}`" not in page)


def test_every_alert_is_explained_to_operators() -> None:
    page = (ROOT / "docs" / "operations" / "observability.md").read_text()
    (group,) = DEPLOYED["alerts"]()["groups"]
    assert [] == [rule["alert"] for rule in group["rules"] if f"`{rule['alert']}`" not in page]


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="no wheel holds promtool; Debian's package prometheus does"
)
@pytest.mark.parametrize("arguments", [("rules", ALERTS), ("config", SCRAPE)])
def test_promtool_finds_no_fault(arguments: tuple[str, Path]) -> None:
    checked = subprocess.run(["promtool", "check", *arguments], capture_output=True, text=True, check=False)
    assert 0 == checked.returncode, checked.stdout + checked.stderr
