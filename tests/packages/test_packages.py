"""What `make release` builds works without this checkout: wheels, an npm package, and source packages."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from deploy.lock.licences import runtime_versions
from tests.e2e.stack import free_port
from tests.packages.environments import ROOT, Environment
from tests.patience import HANG_S, wait_until

CLIENTS = ROOT / "openapi" / "clients"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
SERVER, CLIENT, RULES = (f"azul_{name}-{VERSION}-py3-none-any.whl" for name in ("games_server", "games", "rules"))
NPM, KOTLIN, SWIFT = (f"azul-games-{name}-{VERSION}" for name in ("client", "kotlin", "swift"))
NODE = shutil.which("node", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}") or "node"
nightly = pytest.mark.nightly


def test_all_packages_have_the_version_of_the_server() -> None:
    texts = [(CLIENTS / path).read_text() for path in ("kotlin/generate.yaml", "swift/generate.yaml")]
    versions = [re.findall(r"(?:artifactVersion|podVersion): (\S+)", text) for text in texts]
    projects = (CLIENTS / "python", ROOT / "packages" / "rules")
    versions += [[tomllib.loads((path / "pyproject.toml").read_text())["project"]["version"]] for path in projects]
    versions.append([json.loads((CLIENTS / "typescript" / "package.json").read_text())["version"]])
    assert [[VERSION]] * 5 == versions


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a release."""
    folder = tmp_path_factory.mktemp("dist")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "release", f"VENV={sys.prefix}", f"DIST={folder}"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return folder


@nightly
def test_release_has_checksums_notes_and_a_bill_of_materials(packages: Path) -> None:
    lines = (packages / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split() for line in lines)}
    assert sums.keys() == {path.name for path in packages.iterdir()} - {"SHA256SUMS"}
    assert sums == {name: hashlib.sha256((packages / name).read_bytes()).hexdigest() for name in sums}
    assert (shutil.which("buildah") is not None) == (f"azul-games-api-{VERSION}.tar" in sums)
    notes = (packages / "RELEASE_NOTES.md").read_text("utf-8")
    assert notes.startswith("## [")
    assert 1 == len(re.findall(r"^## ", notes, re.MULTILINE))
    bill = json.loads((packages / f"azul-games-server-{VERSION}.cdx.json").read_text("utf-8"))
    assert runtime_versions().keys() == {one["name"] for one in bill["components"]}


def serve(environment: Environment, folder: Path) -> tuple[str, subprocess.Popen[bytes]]:
    """Start the service of an environment. Return its address and first process when games can be played."""
    port = free_port()
    settings = {"PORT": str(port), "WORKERS": "1", "WEB_WORKERS": "1", "BACKGROUND_WORKERS": "0"}
    process = environment.start("azul-games-server", "serve", cwd=folder, **settings)

    def is_ready() -> bool:
        assert process.poll() is None, (folder / "output.log").read_text()
        try:
            return requests.get(f"http://127.0.0.1:{port}/readyz", timeout=HANG_S).ok
        except requests.RequestException:
            return False

    wait_until(is_ready, "the service is ready")
    return f"http://127.0.0.1:{port}", process


@pytest.fixture(params=[(SERVER, CLIENT, RULES), (RULES, CLIENT, SERVER)], ids=["server first", "rules first"])
def combination(packages: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Environment, str]]:
    """Return an environment with all wheels, and the address of its service."""
    environment = Environment(tmp_path / "environment")
    for wheel in request.param:
        environment.install(packages / wheel)
    folder = tmp_path / "work"
    folder.mkdir()
    url, process = serve(environment, folder)
    yield environment, url
    process.terminate()
    assert 0 == process.wait(HANG_S)


@nightly
def test_all_wheels_play_a_game_in_one_environment(combination: tuple[Environment, str], tmp_path: Path) -> None:
    environment, url = combination
    program = shutil.copy(CLIENTS / "python" / "examples" / "play.py", tmp_path)
    played = environment.run("python", str(program), url, "azul", "--level=random", cwd=tmp_path)
    assert (0, "") == (played.returncode, played.stderr)
    assert re.match(r"game \S+\n", played.stdout)
    listed = environment.run("azul-games", "--url", url, "levels", cwd=tmp_path)
    assert "greedy" in listed.stdout
    drawn = environment.run("python", "-c", "import azul_rules; print(azul_rules.position('azul'))", cwd=tmp_path)
    assert drawn.stdout.startswith("Azul, coloured side")


@pytest.fixture(scope="module")
def url(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the service from its wheel alone and return its address."""
    environment = Environment(tmp_path_factory.mktemp("server"))
    environment.install(packages / SERVER)
    address, process = serve(environment, tmp_path_factory.mktemp("work"))
    yield address
    process.terminate()
    process.wait(HANG_S)


@nightly
def test_the_clients_wheel_needs_only_its_own_dependencies(packages: Path, url: str, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "environment", libraries=False)
    environment.install(packages / CLIENT, "--only-binary=:all:")
    program = shutil.copy(CLIENTS / "python" / "examples" / "play.py", tmp_path)
    played = environment.run("python", str(program), url, "azul", "--level=random", cwd=tmp_path)
    assert (0, "") == (played.returncode, played.stderr)


@nightly
def test_types_of_both_python_packages_are_found(packages: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "environment")
    environment.install(packages / CLIENT)
    program = tmp_path / "program.py"
    program.write_text("from azul_games import Service\nreveal_type(Service('').levels()[0].id)\n")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(environment.programs / "python")]
    checked = subprocess.run([*mypy, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'Revealed type is "' in checked.stdout
    assert "Success" in checked.stdout


@pytest.fixture
def npm_project(packages: Path, tmp_path: Path) -> Path:
    """Return a project with the npm package and its dependencies in node_modules."""
    modules = tmp_path / "node_modules"
    with tarfile.open(packages / f"{NPM}.tgz") as archive:
        archive.extractall(modules / "@azul-games", filter="data")
    (modules / "@azul-games" / "package").rename(modules / "@azul-games" / "client")
    for name in ("openapi-fetch", "openapi-typescript-helpers", "@types"):
        (modules / name).symlink_to(ROOT / "node_modules" / name)
    example = (CLIENTS / "typescript" / "examples" / "play.ts").read_text()
    (tmp_path / "play.ts").write_text(example.replace("../src/index.ts", "@azul-games/client"))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


@nightly
def test_the_npm_package_plays_a_game(npm_project: Path, url: str) -> None:
    command = [NODE, "play.ts", url, "azul", "--level=random"]
    played = subprocess.run(command, cwd=npm_project, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert (0, "") == (played.returncode, played.stderr)
    assert re.match(r"game \S+\n", played.stdout)


@nightly
@pytest.mark.parametrize(("module", "resolution"), [("nodenext", "nodenext"), ("esnext", "bundler")])
def test_types_of_the_npm_package_are_found(npm_project: Path, module: str, resolution: str) -> None:
    options = {"module": module, "moduleResolution": resolution, "target": "es2023", "types": ["node"], "noEmit": True}
    configuration = {"compilerOptions": {**options, "strict": True}, "include": ["play.ts"]}
    (npm_project / "tsconfig.json").write_text(json.dumps(configuration))
    compiler = str(ROOT / "node_modules" / "typescript" / "bin" / "tsc")
    checked = subprocess.run([NODE, compiler], cwd=npm_project, capture_output=True, text=True, check=False)
    assert (0, "") == (checked.returncode, checked.stdout)


@nightly
@pytest.mark.parametrize(
    ("package", "needed", "sources"),
    [
        (KOTLIN, {"build.gradle", "settings.gradle", "gradlew"}, r"src/main/kotlin/.*/models/Game\.kt"),
        (SWIFT, {"Package.swift"}, r"Sources/AzulGames/.*/Game\.swift"),
    ],
)
def test_source_packages_have_a_build_file_and_generated_code(
    packages: Path, package: str, needed: set[str], sources: str
) -> None:
    with tarfile.open(packages / f"{package}.tar.gz") as archive:
        names = {name.removeprefix(f"{package}/") for name in archive.getnames()}
    assert {*needed, "LICENSE", "README.md"} <= names
    assert any(re.fullmatch(sources, name) for name in names)
    assert "git_push.sh" not in names
