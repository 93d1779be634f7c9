"""The image and its composition. Tests cannot build an image, so they run the steps of the build directly."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path

import pytest
import requests
from jsonschema_rs import validator_for

from deploy.lock.licences import runtime_versions
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from tests.deploy.conftest import is_reachable
from tests.deploy.samples import DEPLOY, ROOT, compose, dockerfile_environment, variables
from tests.deploy.servers import play_a_game
from tests.e2e.stack import free_port
from tests.patience import HANG_S, wait_until
from tests.tools import program

CONTAINER = DEPLOY / "container"
DOCKERFILE = (CONTAINER / "Dockerfile").read_text("utf-8")
INSTALL = "deploy/container/install.sh"
OF_PROCFILE = {
    "worker": "azul-games-server worker",
    "background": "azul-games-server background",
    "keeper": "azul-games-server keeper",
    "dialer": "azul-games-server dialer",
    "exporter": "azul-games-server exporter",
    "mcp": "azul-games mcp --http",
}
"""The commands of the containers other than web, which equal those of the Procfile."""


def findings(tool: str, *arguments: str) -> str:
    """Return the output of a tool, or an empty string if it ends with status 0."""
    ended = subprocess.run([program(tool), *arguments], capture_output=True, text=True, check=False)
    return "" if ended.returncode == 0 else ended.stdout + ended.stderr


def test_hadolint_accepts_the_dockerfile() -> None:
    assert "" == findings("hadolint", str(CONTAINER / "Dockerfile"))


def test_composition_matches_its_schema() -> None:
    program("check-jsonschema")
    builtin = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    assert [] == [*validator_for(json.loads(builtin.read_text("utf-8"))).iter_errors(compose())]


def test_memory_of_containers_and_redis_is_limited() -> None:
    services = compose()["services"]
    assert [] == [name for name, service in services.items() if "mem_limit" not in service]
    command, limit = services["valkey"]["command"], services["valkey"]["mem_limit"]
    assert 0 < int(command[command.index("--maxmemory") + 1].removesuffix("mb")) < 0.75 * 1024 * int(limit[:-1])


def test_all_processes_count_in_the_volume_that_the_exporter_reads() -> None:
    services, shared = compose()["services"], ("DATA_DIR", "METRICS_PORT")
    expected = [services["exporter"]["environment"][name] for name in shared]
    for name in OF_PROCFILE.keys() - {"mcp"} | {"web"}:
        assert expected == [services[name]["environment"][variable] for variable in shared], name
        assert [f"metrics:{expected[0]}"] == services[name]["volumes"]
        assert services[name]["healthcheck"] if name not in ("web", "exporter") else True
    assert services["exporter"]["ports"] == [f"127.0.0.1:{expected[1]}:{expected[1]}"]


def test_containers_are_read_only_and_do_not_run_as_root() -> None:
    (user,) = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)
    assert user not in ("0", "root", "0:0")
    assert "--chown" not in DOCKERFILE
    for name, service in compose()["services"].items():
        assert ["ALL"] == service["cap_drop"], name
        assert name == "caddy" or service["read_only"], name


def copied_paths() -> list[str]:
    """Return the paths that the Dockerfile copies from the repository."""
    lines = re.findall(r"^COPY (?!--)(.*)$", DOCKERFILE, re.MULTILINE)
    return [word for line in lines for word in line.split()[:-1]]


def test_paths_copied_by_the_dockerfile_exist_and_are_not_ignored() -> None:
    assert INSTALL in copied_paths()
    lines = (CONTAINER / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    kept = [line.removeprefix("!") for line in lines if line.startswith("!")]
    assert [] == [path for path in copied_paths() if not (ROOT / path).exists()]
    assert [] == [path for path in copied_paths() if not any(one.split("/")[0] == path or one == path for one in kept)]
    assert f"RUN --mount=type=cache,target=/root/.cache/pip sh {INSTALL} /opt/azul\n" in DOCKERFILE


def test_image_is_compiled_for_the_processor_that_it_names() -> None:
    """Machine code is stored under the name of the processor, so building and serving must use the same."""
    variables_of_image = dockerfile_environment()
    (line,) = re.findall(
        r'^AZUL_CACHE_DIR=.*/azul-games-server" warm$', (ROOT / INSTALL).read_text("utf-8"), re.MULTILINE
    )
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        assert f" {name}={variables_of_image[name]} " in line


def test_the_containers_run_the_procfile() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text("utf-8").splitlines())
    assert {name: lines[name] for name in OF_PROCFILE} == OF_PROCFILE
    services = compose()["services"]
    assert {name: " ".join(services[name]["command"]) for name in OF_PROCFILE} == OF_PROCFILE
    assert lines["web"] == " ".join(re.findall(r'"([^"]*)"', DOCKERFILE.splitlines()[-1]))


def test_example_contains_every_variable_of_the_composition() -> None:
    asked = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", (CONTAINER / "compose.yaml").read_text("utf-8")))
    assert set(variables(CONTAINER / ".env.example")) == asked


def test_example_contains_no_secret() -> None:
    given = variables(CONTAINER / ".env.example")
    assert {""} == {given[name] for name in given if "PASSWORD" in name or "TOKEN" in name}


@pytest.mark.nightly
@pytest.mark.timeout(900)  # installs and compiles everything
def test_steps_of_the_image_build_produce_a_compiled_service(tmp_path: Path, valkey: EmbeddedRedis) -> None:
    sources, target = tmp_path / "sources", tmp_path / "azul"
    for path in copied_paths():
        goal = sources / path
        goal.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, goal, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copyfile(ROOT / path, goal)
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "AZUL_CACHE_DIR")}
    python = {"PATH": f"{Path(sys.executable).parent}:{clean['PATH']}"}
    subprocess.run(["sh", INSTALL, str(target)], cwd=sources, env={**clean, **python}, check=True)
    bill = {one["name"]: one["version"] for one in json.loads((target / "sbom.cdx.json").read_text())["components"]}
    assert {} == {name: pin for name, pin in runtime_versions().items() if bill.get(name, pin) not in pin}
    assert {"azul-games-server", "numpy", "mcp"} <= bill.keys()
    subprocess.run([str(target / "bin" / "python"), "-c", "import mcp, opentelemetry.sdk, s3fs"], check=True)
    shutil.rmtree(sources)
    port, url = free_port(), valkey.url
    here = {name: value.replace("/opt/azul", str(target)) for name, value in dockerfile_environment().items()}
    here |= {"PATH": f"{target / 'bin'}:{clean['PATH']}", "PORT": str(port), "REDIS_URL": url, "WORKERS": "1"}
    command = re.findall(r'"([^"]*)"', DOCKERFILE.splitlines()[-1])
    with ExitStack() as running:
        for words in (command, *(line.split() for line in OF_PROCFILE.values())):
            process = subprocess.Popen(
                [str(target / "bin" / words[0]), *words[1:]], env={**clean, **here}, cwd=tmp_path
            )
            running.callback(process.wait)
            running.callback(process.terminate)
        ready = f"http://127.0.0.1:{port}/readyz"
        wait_until(lambda: is_reachable(ready), "the service is ready")
        assert len(RULESETS) == requests.get(ready, timeout=HANG_S).json()["compiled"]
        assert "finished" == play_a_game(f"http://127.0.0.1:{port}/v1")["status"]
        (health,) = re.findall(r'^  CMD \["python", "-c", (".*")\]$', DOCKERFILE, re.MULTILINE)
        checked = subprocess.run([str(target / "bin" / "python"), "-c", json.loads(health)], env=here, check=False)
        assert 0 == checked.returncode
