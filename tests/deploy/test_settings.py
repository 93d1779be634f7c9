"""Every variable in the samples is read by a program and has a valid value."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from service.settings import SETTINGS, Settings
from tests.deploy.samples import DEPLOY, ROOT, compose, dockerfile_environment, manifests, unit, variables
from tests.tools import has_program

KNOWN = {one.name for one in SETTINGS}
BESIDE = {  # not settings of the service, but variables that its sources read
    "AZUL_CACHE_DIR": "service/files.py",
    "NUMBA_CPU_NAME": "service/rulesets/machine_code.py",
    "NUMBA_CPU_FEATURES": "service/rulesets/machine_code.py",
    "AZUL_GAMES_URL": "openapi/clients/python/azul_games/mcp/command.py",
}
OF_PYTHON = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PATH"}
PASSWORDS = {"OPERATOR_PASSWORD", "WEB_PASSWORD", "WORKERS_PASSWORD"}  # deploy/redis/start.sh
SAMPLE = "x" * 40


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the environment that each sample defines, with the name of the sample."""
    for name in ("azul-games.service", "azul-games-backup.service"):
        yield name, dict(line.split("=", 1) for line in unit(name)["Environment"])
    yield "azul-games.env.example", variables(DEPLOY / "systemd" / "azul-games.env.example")
    yield "Dockerfile", dockerfile_environment()
    for name, service in compose()["services"].items():
        if name not in ("valkey", "caddy"):
            yield f"compose.yaml {name}", service["environment"]
    for manifest in manifests() if has_program("kubectl") else ():
        if manifest["kind"] == "ConfigMap" and manifest["metadata"]["name"] == "azul-games":
            yield "settings.yaml", manifest["data"]
        if manifest["kind"] == "Deployment":
            pod = manifest["spec"]["template"]["spec"]
            for container in (*pod["containers"], *pod.get("initContainers", ())):
                name = f"{manifest['metadata']['name']}: {container['name']}"
                yield name, {one["name"]: one.get("value", SAMPLE) for one in container["env"]}


EVERY = list(environments())
each = pytest.mark.parametrize(
    "variables_of_sample", [variables_of_sample for _, variables_of_sample in EVERY], ids=[where for where, _ in EVERY]
)


@each
def test_every_variable_of_a_sample_is_read(variables_of_sample: dict[str, str]) -> None:
    assert set() == set(variables_of_sample) - KNOWN - set(BESIDE) - OF_PYTHON - PASSWORDS


@each
def test_values_of_a_sample_are_valid(variables_of_sample: dict[str, str]) -> None:
    written = {
        name: re.sub(r"\$\{[A-Z_]+:(?:-(\w*)|\?)\}", default_of, value) for name, value in variables_of_sample.items()
    }
    assert Settings.from_environment(written)


def default_of(variable: re.Match[str]) -> str:
    """Return the value that compose inserts: the default, or a sample for a required variable."""
    return SAMPLE if variable[1] is None else variable[1]


def test_other_variables_are_read_by_the_sources() -> None:
    for name, path in BESIDE.items():
        assert f'"{name}"' in (ROOT / path).read_text("utf-8")
