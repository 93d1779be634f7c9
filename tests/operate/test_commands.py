"""`python -m service.operate`: what it refuses before starting anything, and what its helpers do."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from service.operate import programs
from service.operate.__main__ import main
from service.operate.doctor import doctor
from service.operate.programs import service_programs
from service.operate.redis.launcher import EmbeddedRedis
from service.operate.supervisor import Supervisor
from service.settings import Settings
from tests.e2e.stack import free_port
from tests.operate.conftest import Running
from tests.patience import HANG_S


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Serves with these settings, which is refused; what it says."""
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(Supervisor, "run", lambda _supervisor: 0)

    def serve(**settings: str) -> str:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        assert 2 == main(["serve"])
        return capsys.readouterr().err

    return serve


def test_a_bad_setting_is_told_in_one_line_and_nothing_is_started(tmp_path: Path, refuse: Callable[..., str]) -> None:
    said = refuse(PORT="eighty", DATA_DIR=str(tmp_path / "data"))
    assert said == "cannot start: PORT='eighty' is invalid: expected a port from 1 to 65535.\n"
    assert not (tmp_path / "data").exists()


def test_a_web_port_in_use_is_told_and_nothing_is_started(tmp_path: Path, refuse: Callable[..., str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refuse(PORT=str(port), DATA_DIR=str(tmp_path / "data"))
    assert f"HOST=127.0.0.1 PORT={port}: the port is in use" in said
    assert not (tmp_path / "data").exists()


@pytest.mark.usefixtures("impatient")
def test_a_second_supervisor_on_the_same_directory_is_refused(
    valkey: EmbeddedRedis, refuse: Callable[..., str]
) -> None:
    said = refuse(DATA_DIR=str(valkey.data_dir), PORT=str(free_port()))
    assert f"is in use by another instance (process {os.getpid()})" in said


def test_redis_alone_says_where_it_is_and_ends_with_status_0(tmp_path: Path, run: Callable[..., Running]) -> None:
    alone = run("-m", "service.operate", "redis", DATA_DIR=str(tmp_path))
    assert alone.says("export REDIS_URL=")
    url = alone.output.split("export REDIS_URL='")[1].split("'")[0]
    with redis.Redis.from_url(url) as client:
        assert client.ping() is True
    alone.process.send_signal(signal.SIGINT)
    assert alone.process.wait(HANG_S) == 0


def test_doctor_finds_a_running_redis_and_reports_every_setting(
    valkey: EmbeddedRedis, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings.from_environment({"DATA_DIR": str(valkey.data_dir), "PORT": str(free_port())})
    assert 0 == doctor(settings)
    report = capsys.readouterr().out
    assert f"answers at unix://{valkey.socket}" in report
    assert [name for name, _value, _meaning in settings.rows() if name not in report] == []


def test_doctor_says_when_redis_does_not_answer(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    url = f"redis://me:hush@127.0.0.1:{port}/0"
    assert 1 == doctor(Settings.from_environment({"REDIS_URL": url, "PORT": str(free_port())}))
    report = capsys.readouterr().out
    assert f"BAD  Redis does not answer at redis://127.0.0.1:{port}/0" in report
    assert "hush" not in report


def test_the_table_starts_redis_first_and_the_web_last_and_tells_all_where_redis_is(
    valkey: EmbeddedRedis,
) -> None:
    table = service_programs(Settings.from_environment({"WORKERS": "2"}), valkey, 9, terminal=False)
    by_stage = [program.name for program in sorted(table, key=lambda program: program.stage)]
    assert by_stage == ["redis", "forcing", "crew-1", "crew-2", "web-1", "web-2", "warm"]
    assert {valkey.socket_url} == {program.environment["REDIS_URL"] for program in table[2:]}


def test_where_a_process_must_not_be_forked_each_is_started_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "FORKS", False)
    table = service_programs(Settings.from_environment({"WORKERS": "2"}), None, 9, terminal=False)
    names = ["keeper-1", "keeper-2", "worker-1", "worker-2", "background-1", "web-1", "web-2", "warm"]
    assert names == [program.name for program in table]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, []),
        ({"OUTGOING": "on"}, ["dialers-1"]),
        ({"OUTGOING": "loopback", "DIALERS": "0"}, []),
        ({"METRICS_PORT": "9464"}, ["exporter-1"]),
    ],
)
def test_dialers_and_exporter_are_started_where_they_are_needed(given: dict[str, str], expected: list[str]) -> None:
    table = programs.single_programs(Settings.from_environment(given), {})
    assert expected == [program.name for program in table if {"--dial", "workers.exporter"} & {*program.argv}]


@pytest.mark.parametrize(("port", "expected"), [("0", []), ("8765", ["mcp"])])
def test_language_models_are_served_where_a_port_is_set(port: str, expected: list[str]) -> None:
    settings = Settings.from_environment({"MCP_PORT": port, "HOST": "::", "PORT": "8001"})
    found = programs.mcp_programs(settings, {})
    assert expected == [program.name for program in found]
    assert all(program.argv[-2:] == ("--url", "http://[::1]:8001") for program in found)


@pytest.mark.parametrize(
    ("port", "package", "expected"), [("0", "mcp", []), ("8765", "mcp", ["ok"]), ("8765", None, ["BAD"])]
)
def test_doctor_tells_whether_language_models_can_play(
    port: str,
    package: str | None,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: package)
    doctor(Settings.from_environment({"MCP_PORT": port}))
    checks = capsys.readouterr().out.partition("Checks")[2].splitlines()
    assert expected == [line.split()[0] for line in checks if "MCP" in line]


@pytest.mark.parametrize(("processes", "expected"), [("1", ["1"]), ("2", ["1", "1"]), ("5", ["2", "3"])])
def test_the_web_servers_share_the_processes(processes: str, expected: list[str]) -> None:
    table = programs.web_programs(Settings.from_environment({"WEB_WORKERS": processes}), 9, {})
    assert expected == [program.environment["WEB_WORKERS"] for program in table]


def test_no_redis_is_started_where_redis_url_names_one() -> None:
    settings = Settings.from_environment({"REDIS_URL": "redis://a:1/0"})
    programs = service_programs(settings, None, 9, terminal=False)
    assert "redis" not in [program.name for program in programs]
    assert [program.name for program in programs if "REDIS_URL" in program.environment] == []


def test_doctor_tells_no_password(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither of a URL, nor of the embedded Redis, which it reaches by the file in DATA_DIR."""
    with EmbeddedRedis(tmp_path) as server:
        doctor(Settings.from_environment({"DATA_DIR": str(tmp_path)}))
        doctor(Settings.from_environment({"REDIS_URL": server.url, "QUEUE_URL": f"{server.socket_url}&password=hush"}))
    actual = capsys.readouterr().out
    assert server.password not in actual
    assert "hush" not in actual
    assert 2 <= actual.count(" answers at ")
