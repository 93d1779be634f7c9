"""The wheel of the rules: one package that plays like the checkout, without the packages of the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.packages import rules_program
from tests.packages.environments import ROOT, Environment, build_wheel
from tests.packages.test_server_wheel import source_files
from tests.research.test_perft import published_tables

PROJECT = ROOT / "packages" / "rules"
PRIVATE = "azul_rules/_packages/"
DEPTH = 3
OF_THE_SERVER = ("flask", "redis", "rq", "gunicorn", "gevent", "structlog", "orjson", "service", "workers", "research")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", (PROJECT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
IMPORT_ALL = """
import importlib, pkgutil, azul_rules
for module in pkgutil.walk_packages(azul_rules.__path__, "azul_rules."):
    importlib.import_module(module.name)
"""
MB = 1_000_000
needs_linker = pytest.mark.skipif(shutil.which("cc") is None or sys.platform != "linux", reason="needs cc on Linux")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel for all platforms."""
    return build_wheel(PROJECT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the wheel and what its extras require."""
    created = Environment(tmp_path_factory.mktemp("environment"), libraries=False)
    created.install(wheel)
    created.link_dependencies("azul-rules", "numba", "envs")
    return created


@pytest.fixture(scope="module")
def compiled_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel for this platform. The first time, it compiles for minutes."""
    return build_wheel(PROJECT, tmp_path_factory.mktemp("compiled"), AZUL_RULES_COMPILED="1")


def position_and_nodes() -> tuple[str, int]:
    """Return a published position of Azul and its number of nodes of DEPTH."""
    notation, rows = list(published_tables("azul", "coloured").items())[1]
    return notation, int(rows[DEPTH - 1].split(" | ")[1].replace(",", ""))


def report_in(environment: Environment, folder: Path) -> dict[str, Any]:
    """Return the report of rules_program.py in an environment."""
    program = str(shutil.copy(rules_program.__file__, folder))
    ran = environment.run("python", program, position_and_nodes()[0], str(DEPTH), cwd=folder)
    assert (0, "") == (ran.returncode, ran.stderr)
    report: dict[str, Any] = json.loads(ran.stdout)
    return report


def megabytes(environment: Environment) -> float:
    """Return the size of all files of an environment."""
    return sum(file.lstat().st_blocks * 512 for file in environment.folder.rglob("*")) / MB


def test_the_wheel_adds_only_its_package_and_contains_only_sources(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {"azul_rules"} == {name.split("/")[0] for name in names}
    assert "azul_rules/py.typed" in names
    sources = source_files("azul_rules", "service", "workers", "research")
    assert {name.removeprefix(PRIVATE) for name in names} <= sources


def test_requirements_are_among_those_of_the_server() -> None:
    server, rules = (tomllib.loads((path / "pyproject.toml").read_text())["project"] for path in (ROOT, PROJECT))
    extras = rules["optional-dependencies"].values()
    known = [*server["dependencies"], *server["optional-dependencies"]["envs"]]
    assert {*rules["dependencies"], *(name for extra in extras for name in extra)} <= {*known}


def test_all_modules_are_importable_without_the_packages_of_the_server(
    environment: Environment, tmp_path: Path
) -> None:
    find = f"import importlib.util as u; print([name for name in {OF_THE_SERVER} if u.find_spec(name)])"
    assert "[]\n" == environment.run("python", "-c", find, cwd=tmp_path).stdout
    ran = environment.run("python", "-c", IMPORT_ALL, cwd=tmp_path)
    assert (0, "") == (ran.returncode, ran.stderr)


def test_the_wheel_plays_like_the_checkout_and_shares_its_machine_code(
    environment: Environment, tmp_path: Path
) -> None:
    expected = rules_program.report(position_and_nodes()[0], DEPTH)
    assert position_and_nodes()[1] == expected["nodes"]
    assert [True] * 3 == expected["compiled"]
    assert expected == report_in(environment, tmp_path)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_of_the_page_run(program: str, environment: Environment, tmp_path: Path) -> None:
    ran = environment.run("python", "-c", program, cwd=tmp_path)
    assert (0, "") == (ran.returncode, ran.stderr)
    assert ran.stdout


def test_without_a_compiler_positions_are_played_and_environments_say_what_is_missing(
    wheel: Path, tmp_path: Path
) -> None:
    environment = Environment(tmp_path / "environment", libraries=False)
    environment.install(wheel)
    environment.link_dependencies("azul-rules")
    program = PROGRAMS[0] + "print(position.ruleset.rules.are_compiled())\nazul_rules.VectorEnv('azul', 'grey')\n"
    ran = environment.run("python", "-c", program, cwd=tmp_path)
    assert ran.stdout.endswith("\nFalse\n")
    assert "RuntimeError: the rules are not compiled yet: install Numba" in ran.stderr


@pytest.mark.nightly
@needs_linker
def test_the_wheel_for_this_platform_needs_no_compiler(compiled_wheel: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "environment", libraries=False)
    environment.install(compiled_wheel)
    environment.link_dependencies("azul-rules")
    expected = rules_program.report(position_and_nodes()[0], DEPTH)
    assert expected == report_in(environment, tmp_path)
    assert not [*environment.site.glob("*numba*"), *environment.site.glob("*llvmlite*")]


@pytest.mark.nightly
@needs_linker
def test_installations_are_small(wheel: Path, compiled_wheel: Path, tmp_path: Path) -> None:
    for path, extras, most in ((compiled_wheel, "", 110), (wheel, "[numba]", 300)):
        environment = Environment(tmp_path / path.stem, libraries=False)
        environment.install(Path(f"{path}{extras}"), "--only-binary=:all:")
        assert megabytes(environment) <= most


@pytest.mark.nightly
def test_types_of_the_wheel_are_found(environment: Environment, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import azul_rules\nimport azul_rules.envs\n"
        "reveal_type(azul_rules.position('azul').legal_actions())\n"
        "reveal_type(azul_rules.envs.VectorEnv('azul', 'grey').draw_actions().dtype)\n"
    )
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(environment.programs / "python")]
    command, variables = [*mypy, str(program)], environment.variables
    checked = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    types = re.findall(r'Revealed type is "(?:builtins\.)?(.*)"', checked.stdout)
    assert ["list[int]", "numpy.dtype[numpy.signedinteger["] == [types[0], types[1][:32]]
    assert "Success" in checked.stdout
