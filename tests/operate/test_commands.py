"""`python -m service.operate`: invalid calls that it rejects before it starts anything, and its helpers."""

from __future__ import annotations

import errno
import importlib.util
import os
import signal
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from service import store_version
from service.files import write_with_digest
from service.operate import data_dir, programs, setting_warnings
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
    """Return a function that calls `serve` with settings that it rejects, and returns the error message."""
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(Supervisor, "run", lambda _supervisor: 0)

    def serve(**settings: str) -> str:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        assert 2 == main(["serve"])
        return capsys.readouterr().err

    return serve


def test_invalid_setting_is_reported_in_one_line_and_nothing_starts(tmp_path: Path, refuse: Callable[..., str]) -> None:
    message = refuse(PORT="eighty", DATA_DIR=str(tmp_path / "data"))
    assert message == "cannot start: PORT='eighty' is invalid: expected a port from 1 to 65535.\n"
    assert not (tmp_path / "data").exists()


def test_web_port_in_use_is_reported_and_nothing_starts(tmp_path: Path, refuse: Callable[..., str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        message = refuse(PORT=str(port), DATA_DIR=str(tmp_path / "data"))
    assert f"cannot start: HOST=127.0.0.1 PORT={port}: Address already in use." in message
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("prefix", ["METRICS_", "MCP_"])
def test_other_port_in_use_is_reported_and_nothing_starts(
    tmp_path: Path, prefix: str, refuse: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        settings = {f"{prefix}PORT": str(port), "DATA_DIR": str(tmp_path / "data"), "PORT": str(free_port())}
        expected = f"{prefix}HOST=127.0.0.1 {prefix}PORT={port}: Address already in use"
        assert f"cannot start: {expected}. Set {prefix}HOST or {prefix}PORT to another value.\n" == refuse(**settings)
        assert not (tmp_path / "data").exists()
        assert 1 == doctor(Settings.from_environment(settings))
        assert f"BAD  {expected}\n" in capsys.readouterr().out


def test_ports_below_1024_need_a_privilege(refuse: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(data_dir, "open_listener", deny)
    assert "PORT=80: Permission denied (ports below 1024 need a privilege). Set HOST or PORT" in refuse(PORT="80")


def test_host_without_an_address_is_reported(refuse: Callable[..., str]) -> None:
    message = refuse(HOST="nosuch.invalid", PORT="8000")
    assert message.startswith("cannot start: HOST=nosuch.invalid PORT=8000: ")
    assert "in use" not in message


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0"])
@pytest.mark.parametrize(
    ("name", "more"), [("data", {}), ("data/crew.lock/x", {}), ("data/metrics-{port}", {"METRICS_PORT": "{port}"})]
)
def test_unwritable_data_dir_is_reported_with_either_redis_and_nothing_starts(
    tmp_path: Path, url: str, name: str, more: dict[str, str], refuse: Callable[..., str]
) -> None:
    port = str(free_port())
    in_the_way, data = tmp_path / name.format(port=port), tmp_path / "data"
    in_the_way.parent.mkdir(parents=True, exist_ok=True)
    in_the_way.touch()
    more = {key: value.format(port=port) for key, value in more.items()}
    message = refuse(DATA_DIR=str(data), PORT=str(free_port()), REDIS_URL=url, **more)
    assert message.startswith(f"cannot start: DATA_DIR={data}: ")
    assert message.count("\n") == 1


def test_doctor_reports_a_directory_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.from_environment({"DATA_DIR": str(tmp_path), "PORT": str(free_port())})
    (tmp_path / "redis").touch()
    assert 1 == doctor(settings)
    assert f"BAD  DATA_DIR={tmp_path}: Not a directory ({tmp_path / 'redis'})" in capsys.readouterr().out
    (tmp_path / "redis").unlink()
    full = Path("/dev/full")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: full.open("wb", options["buffering"]))
    assert 1 == doctor(settings)
    assert f"BAD  DATA_DIR={tmp_path}: No space left on device ({tmp_path})" in capsys.readouterr().out


def test_doctor_reports_the_certificate_that_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"rediss://127.0.0.1:{free_port()}/0?ssl_ca_certs={tmp_path / 'missing.pem'}"
    assert 1 == doctor(Settings.from_environment({"REDIS_URL": url, "PORT": str(free_port())}))
    assert "BAD  Redis does not answer" in capsys.readouterr().out


def test_process_that_cannot_write_its_metric_files_ends_with_one_line(
    tmp_path: Path, run: Callable[..., Running]
) -> None:
    port = free_port()
    (tmp_path / f"metrics-{port}").touch()
    program = run("-m", "workers.counts", DATA_DIR=str(tmp_path), METRICS_PORT=str(port))
    assert 2 == program.process.wait(HANG_S)
    assert f"cannot start: DATA_DIR={tmp_path}: File exists ({tmp_path}/metrics-{port})\n" == program.output


@pytest.mark.usefixtures("impatient")
def test_a_second_supervisor_on_the_same_directory_is_refused(
    valkey: EmbeddedRedis, refuse: Callable[..., str]
) -> None:
    message = refuse(DATA_DIR=str(valkey.data_dir), PORT=str(free_port()))
    assert f"is in use by another instance (process {os.getpid()})" in message


def test_redis_command_prints_its_url_and_ends_with_status_0(tmp_path: Path, run: Callable[..., Running]) -> None:
    program = run("-m", "service.operate", "redis", DATA_DIR=str(tmp_path))
    assert program.prints("export REDIS_URL=")
    url = program.output.split("export REDIS_URL='")[1].split("'")[0]
    with redis.Redis.from_url(url) as client:
        assert client.ping() is True
    program.process.send_signal(signal.SIGINT)
    assert program.process.wait(HANG_S) == 0


def test_doctor_finds_a_running_redis_and_reports_every_setting(
    valkey: EmbeddedRedis, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings.from_environment({"DATA_DIR": str(valkey.data_dir), "PORT": str(free_port())})
    assert 0 == doctor(settings)
    report = capsys.readouterr().out
    assert f"answers at unix://{valkey.socket}" in report
    assert [name for name, _value, _meaning in settings.rows() if name not in report] == []


def test_doctor_reports_that_redis_does_not_respond(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    url = f"redis://me:hush@127.0.0.1:{port}/0"
    assert 1 == doctor(Settings.from_environment({"REDIS_URL": url, "PORT": str(free_port())}))
    report = capsys.readouterr().out
    assert f"BAD  Redis does not answer at redis://127.0.0.1:{port}/0" in report
    assert "hush" not in report


def test_redis_starts_first_and_the_web_last_and_all_get_the_redis_url(
    valkey: EmbeddedRedis,
) -> None:
    table = service_programs(Settings.from_environment({"WORKERS": "2"}), valkey, 9, terminal=False)
    by_stage = [program.name for program in sorted(table, key=lambda program: program.stage)]
    assert by_stage == ["redis", "forcing", "crew-1", "crew-2", "web-1", "web-2", "warm"]
    assert {valkey.socket_url} == {program.environment["REDIS_URL"] for program in table[2:]}


def test_every_process_starts_separately_without_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "FORKS", False)
    table = service_programs(Settings.from_environment({"WORKERS": "2"}), None, 9, terminal=False)
    names = ["keeper-1", "keeper-2", "worker-1", "worker-2", "background-1", "web-1", "web-2", "warm"]
    assert names == [program.name for program in table]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, []),
        ({"OUTGOING": "on"}, ["dialer-1"]),
        ({"OUTGOING": "loopback", "DIALERS": "0"}, []),
        ({"METRICS_PORT": "9464"}, ["exporter-1"]),
    ],
)
def test_dialers_and_exporter_start_only_with_their_settings(given: dict[str, str], expected: list[str]) -> None:
    table = programs.single_programs(Settings.from_environment(given), {})
    assert expected == [program.name for program in table if {"--dial", "workers.exporter"} & {*program.argv}]


@pytest.mark.parametrize(("port", "expected"), [("0", []), ("8765", ["mcp"])])
def test_mcp_server_starts_only_with_a_port(port: str, expected: list[str]) -> None:
    settings = Settings.from_environment({"MCP_PORT": port, "HOST": "::", "PORT": "8001"})
    found = [
        program for program in programs.service_programs(settings, None, 0, terminal=False) if program.name == "mcp"
    ]
    assert expected == [program.name for program in found]
    assert all(program.argv[-2:] == ("--url", "http://[::1]:8001") for program in found)


@pytest.mark.parametrize(
    ("port", "package", "expected"), [("0", "mcp", []), ("8765", "mcp", ["ok"]), ("8765", None, ["WARN"])]
)
def test_doctor_reports_whether_the_mcp_package_is_installed(
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
def test_web_workers_are_distributed_over_the_web_servers(processes: str, expected: list[str]) -> None:
    table = programs.web_programs(Settings.from_environment({"WEB_WORKERS": processes}), 9, {})
    assert expected == [program.environment["WEB_WORKERS"] for program in table]


def test_redis_is_not_started_with_redis_url() -> None:
    settings = Settings.from_environment({"REDIS_URL": "redis://a:1/0"})
    programs = service_programs(settings, None, 9, terminal=False)
    assert "redis" not in [program.name for program in programs]
    assert [program.name for program in programs if "REDIS_URL" in program.environment] == []


def test_doctor_warns_of_what_the_service_runs_without(
    valkey: EmbeddedRedis,
    redis_client: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A misspelt setting, an archive that is no folder, and a Redis that deletes games. `serve` would start."""
    monkeypatch.setenv("WORKES", "4")
    setting_warnings.misspelt_here.cache_clear()
    file = tmp_path / "archive"
    file.touch()
    settings = {"REDIS_URL": valkey.url, "ARCHIVE_URL": f"file://{file}", "PORT": str(free_port())}
    redis_client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        status = doctor(Settings.from_environment(settings))
    finally:
        redis_client.config_set("maxmemory-policy", "noeviction")
        setting_warnings.misspelt_here.cache_clear()
    warnings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  WARN")]
    assert (0, 3) == (status, len(warnings))
    assert "allkeys-lru deletes games" in warnings[0]
    assert f"the archive {file.as_uri()} cannot be reached: NotADirectoryError" in warnings[1]
    assert "WORKES is not a setting and is ignored. Did you mean WORKERS?" in warnings[2]


def test_doctor_reports_a_store_of_a_newer_version(
    valkey: EmbeddedRedis, redis_client: redis.Redis, capsys: pytest.CaptureFixture[str]
) -> None:
    redis_client.set(store_version.KEY, store_version.STORE_VERSION + 1)
    assert 1 == doctor(Settings.from_environment({"REDIS_URL": valkey.url, "PORT": str(free_port())}))
    report = capsys.readouterr().out
    assert ["store", str(store_version.STORE_VERSION)] in [line.split()[:2] for line in report.splitlines()]
    assert "BAD  Redis" in report
    assert f"its version is {store_version.STORE_VERSION + 1}" in report


def test_doctor_names_damaged_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "azul-1.object").touch()
    write_with_digest(tmp_path / "azul-2.object", b"code")
    monkeypatch.setattr("service.operate.doctor.code_folder", lambda: tmp_path)
    doctor(Settings.from_environment({"DATA_DIR": str(tmp_path)}))
    output = capsys.readouterr().out
    assert f"damaged machine code in {tmp_path}" in output
    assert ("azul-1.object" in output, "azul-2.object" in output) == (True, False)


def test_doctor_shows_no_password(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It shows the password neither from a URL nor of the embedded Redis, which it finds in DATA_DIR."""
    with EmbeddedRedis(tmp_path) as server:
        doctor(Settings.from_environment({"DATA_DIR": str(tmp_path)}))
        doctor(Settings.from_environment({"REDIS_URL": server.url, "QUEUE_URL": f"{server.socket_url}&password=hush"}))
    actual = capsys.readouterr().out
    assert server.password not in actual
    assert "hush" not in actual
    assert 2 <= actual.count(" answers at ")
