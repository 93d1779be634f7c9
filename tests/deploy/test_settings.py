"""Every variable in the samples is one that somebody reads, and what it is set to is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from service.settings import SETTINGS, Settings
from tests.deploy.samples import DEPLOY, ROOT, compose, dockerfile_environment, manifests, unit, variables

KNOWN = {one.name for one in SETTINGS}
BESIDE = {  # no settings of a service's, but read by its sources
    "AZUL_CACHE_DIR": "service/rulesets/code_cache.py",
    "NUMBA_CPU_NAME": "service/rulesets/machine_code.py",
    "NUMBA_CPU_FEATURES": "service/rulesets/machine_code.py",
    "AZUL_GAMES_URL": "openapi/clients/python/azul_games/mcp/command.py",
}
OF_PYTHON = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PATH"}
PASSWORDS = {"OPERATOR_PASSWORD", "WEB_PASSWORD", "WORKERS_PASSWORD"}  # deploy/redis/start.sh
SAMPLE = "x" * 40


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    """What each sample gives our processes, by where it stands."""
    for name in ("azul-games.service", "azul-games-backup.service"):
        yield name, dict(line.split("=", 1) for line in unit(name)["Environment"])
    yield "azul-games.env.example", variables(DEPLOY / "systemd" / "azul-games.env.example")
    yield "Dockerfile", dockerfile_environment()
    for name, service in compose()["services"].items():
        if name not in ("valkey", "caddy"):
            yield f"compose.yaml {name}", service["environment"]
    for manifest in manifests():
        if manifest["kind"] == "ConfigMap":
            yield "settings.yaml", manifest["data"]
        if manifest["kind"] == "Deployment":
            (container,) = manifest["spec"]["template"]["spec"]["containers"]
            yield manifest["metadata"]["name"], {one["name"]: one.get("value", SAMPLE) for one in container["env"]}


EVERY = list(environments())
each = pytest.mark.parametrize("given", [given for _, given in EVERY], ids=[where for where, _ in EVERY])


@each
def test_every_variable_of_a_sample_is_read(given: dict[str, str]) -> None:
    assert set() == set(given) - KNOWN - set(BESIDE) - OF_PYTHON - PASSWORDS


@each
def test_what_a_sample_sets_is_accepted(given: dict[str, str]) -> None:
    written = {name: re.sub(r"\$\{[A-Z_]+:(?:-(\w*)|\?)\}", filled_in, value) for name, value in given.items()}
    assert Settings.from_environment(written)


def filled_in(variable: re.Match[str]) -> str:
    """What compose puts there: the default, or what .env must say."""
    return SAMPLE if variable[1] is None else variable[1]


def test_what_is_no_setting_is_named_in_the_sources() -> None:
    for name, path in BESIDE.items():
        assert f'"{name}"' in (ROOT / path).read_text("utf-8")
