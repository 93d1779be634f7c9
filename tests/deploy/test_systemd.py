"""The units for one machine: systemd accepts them, and their commands work."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.operate.__main__ import main
from service.operate.programs import service_programs
from service.operate.redis.launcher import EmbeddedRedis
from service.operate.supervisor import Supervisor
from service.settings import Settings
from tests.deploy.conftest import Start, is_reachable
from tests.deploy.samples import DEPLOY, ROOT, unit
from tests.deploy.servers import play_a_game
from tests.e2e.stack import free_port
from tests.patience import HANG_S, wait_until

UNITS = ("azul-games.service", "azul-games-backup.service", "azul-games-backup.timer")
SERVICES = UNITS[:2]
INSTALLED = "/opt/azul-games-api"
MAX_EXPOSED = 2.0
"""Out of ten points by systemd-analyze. A unit without restrictions has 9.6."""
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")


def analyze(*arguments: str) -> str:
    """Return the output of systemd-analyze."""
    ended = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def program(name: str) -> list[str]:
    """Return the arguments of Python in the command of a unit."""
    (line,) = unit(name)["ExecStart"]
    python, *arguments = line.split()
    assert f"{INSTALLED}/.venv/bin/python" == python
    return arguments


def environment(name: str, folder: Path) -> dict[str, str]:
    """Return the environment of a unit with a state directory in the folder and a free port for metrics."""
    variables = dict(line.split("=", 1) for line in unit(name)["Environment"])
    states = {f"/var/lib/{one}" for one in unit(name)["StateDirectory"]}
    assert variables["DATA_DIR"] in states
    ports = {"METRICS_PORT": str(free_port())} if "METRICS_PORT" in variables else {}
    return {**variables, **ports, "DATA_DIR": str(folder / "state")}


@needs_systemd
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """The paths of the units are replaced by those of this checkout."""
    for name in UNITS:
        text = (DEPLOY / "systemd" / name).read_text("utf-8")
        here = text.replace(f"{INSTALLED}/.venv/bin/python", sys.executable).replace(INSTALLED, str(ROOT))
        (tmp_path / name).write_text(here)
    output = analyze("verify", "--man=no", *(str(tmp_path / name) for name in UNITS))
    assert [] == [line for line in output.splitlines() if "azul-games" in line]


@needs_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_unit_has_a_low_exposure(name: str) -> None:
    target = str(DEPLOY / "systemd" / name)
    output = analyze("security", "--offline=true", f"--threshold={MAX_EXPOSED * 10:.0f}", target)
    exposed = float(re.findall(r"exposure level for \S+: ([0-9.]+)", output)[0])
    assert exposed <= MAX_EXPOSED


def test_a_unit_that_loads_machine_code_lets_memory_become_executable() -> None:
    assert ["no"] == unit("azul-games.service")["MemoryDenyWriteExecute"]


def test_stop_timeout_of_the_unit_exceeds_those_of_the_programs() -> None:
    programs = service_programs(Settings.from_environment({"REDIS_URL": "redis://a:1/0"}), None, 9, terminal=False)
    patience = {one.stage: one.patience_s for one in sorted(programs, key=lambda one: one.patience_s)}  # the longest
    (seconds,) = unit(SERVICES[0])["TimeoutStopSec"]
    assert sum(patience.values()) < float(seconds)


def test_the_timer_starts_the_backup() -> None:
    timer = unit("azul-games-backup.timer")
    assert "Unit" not in timer  # so it is the service of the same name
    assert (DEPLOY / "systemd" / "azul-games-backup.service").exists()
    assert ["timers.target"] == timer["WantedBy"]


def test_installation_copies_only_files_of_the_repository(tmp_path: Path) -> None:
    """The documented command runs in this checkout, without sudo and with another target."""
    (command,) = re.findall(r"git archive .*", (DEPLOY / "README.md").read_text("utf-8"))
    command = command.replace("sudo ", "").replace(INSTALLED, str(tmp_path))
    subprocess.run(["sh", "-c", command], cwd=ROOT, check=True)
    listed = subprocess.check_output(["git", "ls-tree", "--name-only", "HEAD"], cwd=ROOT, text=True).split()
    assert sorted(listed) == sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize("name", SERVICES)
def test_command_of_a_unit_works(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command runs in this process: the service up to its supervisor, and a whole backup."""
    for variable, value in {**environment(name, tmp_path), "PORT": str(free_port())}.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(Supervisor, "run", lambda _supervisor: 0)
    with EmbeddedRedis(tmp_path / "state"):
        pass  # create the data for the backup
    assert ["-m", "service.operate"] == program(name)[:2]
    assert 0 == main(program(name)[2:])


@pytest.mark.nightly
def test_service_starts_and_ends_and_the_backup_is_created(tmp_path: Path, run: Start) -> None:
    port = free_port()
    settings = {**environment(SERVICES[0], tmp_path), "PORT": str(port), "WORKERS": "1", "WEB_WORKERS": "1"}
    settings["AZUL_CACHE_DIR"] = os.environ.get("AZUL_CACHE_DIR", "")  # compiled already
    service = run(*program(SERVICES[0]), **settings)
    wait_until(lambda: is_reachable(f"http://127.0.0.1:{port}/readyz"), "the service is ready")
    backup = run(*program(SERVICES[1]), **environment(SERVICES[1], tmp_path))
    assert 0 == backup.process.wait(HANG_S), backup.output
    assert 1 == len([*(tmp_path / "state" / "backups").glob("azul-*.rdb")])
    service.process.send_signal(signal.SIGTERM)
    assert 0 == service.process.wait(HANG_S)


def system_calls(group: str) -> set[str]:
    """Return the system calls of a systemd group."""
    lines = [line.strip() for line in analyze("syscall-filter", group).splitlines()[1:]]
    names = [line for line in lines if line and not line.startswith("#")]
    return {name for one in names for name in (system_calls(one) if one.startswith("@") else {one})}


@needs_systemd
@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
def test_the_service_makes_no_system_call_that_its_unit_forbids(tmp_path: Path, run: Start) -> None:
    """Systemd does not run here, so the test compares its filter with the calls of a service during a game."""
    trace, port = tmp_path / "trace", free_port()
    settings = {**environment(SERVICES[0], tmp_path), "PORT": str(port), "WORKERS": "1", "WEB_WORKERS": "1"}
    settings["AZUL_CACHE_DIR"] = os.environ.get("AZUL_CACHE_DIR", "")
    traced = ["strace", "-f", "-qq", "-o", str(trace), sys.executable, *program(SERVICES[0])]
    service = run("-c", f"import os; os.execvp('strace', {traced!r})", **settings)
    wait_until(lambda: is_reachable(f"http://127.0.0.1:{port}/readyz"), "the service is ready")
    assert "finished" == play_a_game(f"http://127.0.0.1:{port}/v1")["status"]
    os.kill(int((tmp_path / "state" / "lock").read_text()), signal.SIGTERM)  # strace would not pass it on
    assert 0 == service.process.wait(HANG_S)
    calls = set(re.findall(r"^[0-9]+ +([a-z_0-9]+)\(", trace.read_text("utf-8", errors="replace"), re.MULTILINE))
    allowed, denied = unit(SERVICES[0])["SystemCallFilter"]
    assert len(calls) > 50
    assert set() == calls - (system_calls(allowed) - system_calls(denied.removeprefix("~")))
