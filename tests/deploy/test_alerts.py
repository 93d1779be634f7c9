"""Every alert fires in its situation, alone, and none fires in a healthy service. promtool evaluates the rules."""

from __future__ import annotations

import subprocess
from pathlib import Path

import yaml

from tests.deploy.samples import DEPLOY, Yaml
from tests.tools import program

ALERTS, SCRAPE = (DEPLOY / "prometheus" / name for name in ("alerts.yaml", "prometheus.yaml"))
INTERVAL, LENGTH, EVALUATED_AT = "30s", 70, "34m"
GAMES = 'store="games"'
ACTIONS = 'azul_http_request_duration_seconds_bucket{route="submitAction",le="%s"}'
LATENESS = 'azul_ai_lateness_seconds_bucket{level="greedy",le="%s"}'
DECISIONS = 'azul_ai_decisions_total{ruleset="azul",level="greedy",outcome="%s"}'
CALLS = 'azul_outgoing_calls_total{purpose="webhook",result="%s"}'
REQUESTS = 'azul_http_requests_total{route="getGame",status="%s"}'
Series = dict[str, str]
"""Values of each series, as start and step."""

HEALTHY: Series = {
    "up": "1+0",
    f"azul_redis_up{{{GAMES}}}": "1+0",
    f"azul_redis_ping_seconds{{{GAMES}}}": "0.001+0",
    f"azul_redis_memory_bytes{{{GAMES}}}": "500+0",
    f"azul_redis_memory_limit_bytes{{{GAMES}}}": "1000+0",
    **{f'azul_processes{{kind="{kind}"}}': "2+0" for kind in ("worker", "keeper")},
    **{f'azul_keeper_runs_total{{result="{result}"}}': f"0+{step}" for result, step in (("ok", 60), ("failed", 0))},
    REQUESTS % "200": "0+1000",
    REQUESTS % "503": "0+1",
    **{ACTIONS % le: "0+100" for le in ("0.1", "1.0", "+Inf")},
    **{LATENESS % le: "0+100" for le in ("0.1", "10.0", "+Inf")},
    DECISIONS % "committed": "0+50",
    DECISIONS % "failed": "0+0",
    CALLS % "ok": "0+10",
    CALLS % "status": "0+1",
    'azul_due_oldest_seconds{kind="time"}': "0+0",
    'azul_queue_oldest_seconds{queue="turns"}': "0+0",
    'azul_queue_oldest_seconds{queue="background"}': "3600+0",
    'azul_ruleset_compiled{ruleset="azul"}': "1+0",
    'azul_warnings{warning="eviction_policy"}': "0+0",
}
SITUATIONS: dict[str, Series] = {
    "AzulExporterDown": {"up": "0+0"},
    "AzulRedisDown": {f"azul_redis_up{{{GAMES}}}": "0+0"},
    "AzulNoWorkers": {'azul_processes{kind="worker"}': "0+0"},
    "AzulNoKeepers": {'azul_processes{kind="keeper"}': "0+0"},
    "AzulKeepersFail": {'azul_keeper_runs_total{result="failed"}': "0+6"},
    "AzulServerErrors": {REQUESTS % "503": "0+20"},
    "AzulActionsSlow": {ACTIONS % "0.1": "0+50"},
    "AzulDecisionsLate": {LATENESS % "0.1": "0+50"},
    "AzulKeepersLate": {'azul_due_oldest_seconds{kind="time"}': "11+0"},
    "AzulQueueLags": {'azul_queue_oldest_seconds{queue="turns"}': "31+0"},
    "AzulDecisionsFail": {DECISIONS % "failed": "0+1"},
    "AzulNotCompiled": {'azul_ruleset_compiled{ruleset="azul"}': "0+0"},
    "AzulRedisSlow": {f"azul_redis_ping_seconds{{{GAMES}}}": "0.06+0"},
    "AzulRedisMemory": {f"azul_redis_memory_bytes{{{GAMES}}}": "901+0"},
    "AzulDegraded": {'azul_warnings{warning="eviction_policy"}': "1+0"},
    "AzulWebhooksFail": {CALLS % "status": "0+20"},
}


def unit_test(name: str, series: Series, firing: list[str]) -> Yaml:
    """Return a unit test of promtool: exactly these alerts fire for these series."""
    common = 'job="azul-games",instance="a:9464"'
    return {
        "name": name,
        "interval": INTERVAL,
        "input_series": [
            {
                "series": f"{one.partition('{')[0]}{{{common},{one.partition('{')[2].rstrip('}')}}}".replace(",}", "}"),
                "values": f"{values}x{LENGTH}",
            }
            for one, values in series.items()
        ],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": EVALUATED_AT,
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in firing],
            }
        ],
    }


def run_promtool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program("promtool"), *arguments], capture_output=True, text=True, check=False)


def outcome_of(folder: Path, tests: list[Yaml]) -> subprocess.CompletedProcess[str]:
    """Run unit tests."""
    file = folder / "tests.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "evaluation_interval": INTERVAL, "tests": tests}))
    return run_promtool("test", "rules", file)


def test_each_alert_fires_alone_in_its_situation(tmp_path: Path) -> None:
    (group,) = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    assert [rule["alert"] for rule in group["rules"]] == [*SITUATIONS]
    tests = [unit_test("healthy", HEALTHY, [])]
    tests += [unit_test(alert, HEALTHY | series, [alert]) for alert, series in SITUATIONS.items()]
    tested = outcome_of(tmp_path, tests)
    assert 0 == tested.returncode, tested.stdout + tested.stderr


def test_a_unit_test_with_another_result_fails(tmp_path: Path) -> None:
    tested = outcome_of(tmp_path, [unit_test("healthy", HEALTHY, ["AzulRedisDown"])])
    assert 0 != tested.returncode
    assert "AzulRedisDown" in tested.stdout + tested.stderr


def test_promtool_accepts_the_deployed_files() -> None:
    for arguments in (("rules", ALERTS), ("config", SCRAPE)):
        checked = run_promtool("check", *arguments)
        assert 0 == checked.returncode, checked.stdout + checked.stderr
