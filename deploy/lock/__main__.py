"""`python -m deploy.lock`: write versions and hashes of all dependencies into this folder.

uv chooses one version of each package for all extras, Python 3.11 to 3.14, Linux and macOS. It keeps the versions
of the lock; `--upgrade` chooses the newest. Each file contains what its extra needs beyond the files before it.

pip installs the files with `--no-deps --require-hashes`. They contain no addresses, and only hashes of sources and of
wheels that the service can use.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from packaging.markers import Marker

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PROJECT = ROOT / "pyproject.toml"
CLIENT = "./openapi/clients/python[mcp]"
PYTHONS = ("3.11.0", "3.11.9", "3.12.0", "3.13.0", "3.14.0")
SYSTEMS = (("linux", "Linux", "x86_64"), ("linux", "Linux", "aarch64"), ("darwin", "Darwin", "arm64"))
PLATFORM = r"(any|.*manylinux.*(x86_64|aarch64)|macosx.*)"
WHEEL = re.compile(rf".*-(py3|py2\.py3|cp31[1-4]|cp3\d+(?=-abi3))-[^-]*(?<!\dt)-{PLATFORM}\.whl")
"""Names of wheels for these versions of CPython, with a lock, and glibc or macOS."""
HEADER = "# Written by `make lock`. Install it with --no-deps --require-hashes"
Pin = tuple[str, str, str]
"""Name, version and marker of a package."""


class Layer(NamedTuple):
    """Requirements of a file, and the files that are installed before it."""

    requirements: tuple[str, ...]
    before: tuple[str, ...] = ()


def layers() -> dict[str, Layer]:
    """Return the files without `.txt`, in order. Extras that are not named here have a file each, after the others."""
    options = ("mcp", "archive-s3", "tracing")
    found = {
        "serve": Layer((".", "./openapi/clients/python")),
        "build": Layer(("hatchling", "editables", "uv"), ("serve",)),  # installs the checkout
        "image": Layer(("hatchling", "cyclonedx-bom>=7,<8")),  # builds the image and its bill of materials
        "options": Layer((CLIENT, f".[{','.join(options)}]"), ("serve",)),
        "dev": Layer((CLIENT, ".[dev]"), ("serve", "build", "options")),
    }
    before = (*found["dev"].before, "dev")
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    return found | {extra: Layer((CLIENT, f".[{extra}]"), before) for extra in extras if extra not in (*options, "dev")}


def resolve(requirements: Iterable[str], constraints: Iterable[str]) -> dict[Pin, list[str]]:
    """Return what these requirements need: pins with the hashes of their files."""
    with tempfile.TemporaryDirectory() as folder:
        lock, pinned = Path(folder) / "pylock.toml", Path(folder) / "constraints.txt"
        pinned.write_text("\n".join(constraints), "utf-8")
        options = ["--universal", "--python-version", "3.11", "--format", "pylock.toml", "--quiet", "--system-certs"]
        options += ["--constraint", str(pinned), "--output-file", str(lock)]
        options += ["--no-emit-package", "azul-games", "--no-emit-package", "azul-games-server"]
        command = [sys.executable, "-m", "uv", "pip", "compile", *options, "-"]
        subprocess.run(command, cwd=ROOT, input="\n".join(requirements), text=True, check=True)
        packages = tomllib.loads(lock.read_text("utf-8"))["packages"]
    return {pin: _hashes(package) for package in packages if (pin := _pin(package)) is not None}


def _pin(package: dict[str, Any]) -> Pin | None:
    """Return the pin, without a marker that holds everywhere. None: no environment needs the package."""
    marker = package.get("marker", "")
    holds = {not marker or Marker(marker).evaluate(environment) for environment in environments()}
    return (package["name"], package["version"], marker if False in holds else "") if True in holds else None


def environments() -> Iterator[dict[str, str]]:
    """Yield the supported environments, as variables of markers."""
    for python, (platform, system, machine) in product(PYTHONS, SYSTEMS):
        yield {
            "python_full_version": python,
            "python_version": python.rpartition(".")[0],
            "sys_platform": platform,
            "platform_system": system,
            "platform_machine": machine,
            "os_name": "posix",
            "extra": "",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }


def _hashes(package: dict[str, Any]) -> list[str]:
    wheels = [one for one in package.get("wheels", []) if WHEEL.fullmatch(one["url"].rpartition("/")[2])]
    return sorted(one["hashes"]["sha256"] for one in (*wheels, package.get("sdist")) if one)


def requirement(pin: Pin) -> str:
    """Return the requirement of a pin."""
    name, version, marker = pin
    return f"{name}=={version}" + (f" ; {marker}" if marker else "")


def pins(name: str) -> list[str]:
    """Return the requirements in the file of this name, without hashes."""
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return [line.removesuffix(" \\") for line in lines if re.match(r"\w", line)]


def main() -> None:
    """Write the files."""
    plan = layers()
    kept = () if "--upgrade" in sys.argv else {pin for file in FOLDER.glob("*.txt") for pin in pins(file.stem)}
    chosen = [*map(requirement, resolve((one for layer in plan.values() for one in layer.requirements), kept))]
    found = dict[str, dict[Pin, list[str]]]()
    for name, (requirements, before) in plan.items():
        known = {pin for other in before for pin in found[other]}
        found[name] = {pin: hashes for pin, hashes in resolve(requirements, chosen).items() if pin not in known}
        text = [f"{HEADER}, after: {', '.join(before)}" if before else HEADER]
        for pin, hashes in found[name].items():
            text.append(" \\\n".join([requirement(pin), *(f"    --hash=sha256:{one}" for one in hashes)]))
        (FOLDER / f"{name}.txt").write_text("\n".join([*text, ""]), "utf-8")
        print(f"{name}.txt: {len(found[name])} packages")


if __name__ == "__main__":
    main()
