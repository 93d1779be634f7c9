"""The server's wheel: one private package with everything a process needs, and the same jobs as a checkout."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest
import redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.usecases.base.context import open_context
from service.usecases.games.creating import NewSeat
from tests.packages.environments import ROOT, Environment, build_wheel
from tests.patience import HANG_S, wait_until
from tests.usecases.games.test_usecases import PLAYER, new_game
from tests.workers.test_jobs import game_state

PACKAGES = "azul_games_server/packages"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the wheel."""
    created = Environment(tmp_path_factory.mktemp("environment"))
    created.install(wheel)
    return created


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Return a folder whose modules have the names of the service's, and cannot be imported."""
    for name in ("service", "workers", "openapi"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a module of the current folder was imported')\n")
    return tmp_path


def source_files(*paths: str) -> set[str]:
    """Return the files in some paths that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *paths]
    return set(subprocess.check_output(command, cwd=ROOT, text=True).splitlines())


def test_the_wheel_adds_only_its_private_package_to_an_environment(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"azul_games_server"} == {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert "azul_games_server/py.typed" in names
    content = {name.removeprefix(f"{PACKAGES}/") for name in names if name.startswith(PACKAGES)}
    documents = ("openapi.json", "admin.json", "asyncapi.json", "postman.json")
    of_openapi = [f"openapi/{name}" for name in ("__init__.py", *documents, "examples")]
    assert source_files("service", "workers", "docs", *of_openapi) == content


def test_other_programs_of_the_environment_do_not_see_the_packages(environment: Environment, tmp_path: Path) -> None:
    find = "import importlib.util as u; print([n for n in ('service', 'workers', 'openapi', 'docs') if u.find_spec(n)])"
    assert "[]\n" == environment.run("python", "-c", find, cwd=tmp_path).stdout


def test_the_command_reports_settings_and_versions(environment: Environment, elsewhere: Path) -> None:
    report = environment.run("azul-games-server", "doctor", cwd=elsewhere)
    assert (0, "") == (report.returncode, report.stderr)
    assert f"  ok   DATA_DIR={elsewhere}/var can be created\n" in report.stdout


def test_a_worker_from_the_wheel_takes_a_job_of_a_checkout(
    environment: Environment, elsewhere: Path, valkey: EmbeddedRedis, redis_client: redis.Redis
) -> None:
    context = open_context(Settings.from_environment({"REDIS_URL": valkey.url, "DATA_DIR": str(elsewhere)}))
    game, _ = new_game(context, NewSeat("ai", level="greedy"), PLAYER)
    worker = environment.start("azul-games-server", "worker", cwd=elsewhere, REDIS_URL=valkey.url)
    try:
        output = elsewhere / "output.log"
        wait_until(lambda: worker.poll() is not None or game_state(context, game)[1] == 1, output.read_text)
        assert worker.poll() is None, output.read_text()
    finally:
        worker.terminate()
    assert 0 == worker.wait(HANG_S)
