"""Virtual environments in which wheels are installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
WITHOUT_DEPENDENCIES = ("--no-deps", "--no-index")
LIBRARIES = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]


class Environment:
    """A virtual environment without this checkout. `libraries`: with the other packages of the tests' environment."""

    def __init__(self, folder: Path, *, libraries: bool = True) -> None:
        venv.create(folder, symlinks=True)
        self.folder, self.programs = folder, folder / "bin"
        self.site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
        (self.site / "libraries.pth").write_text("\n".join(LIBRARIES if libraries else []))
        outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "QUEUE_URL")}
        self.variables = {**outside, "PATH": f"{self.programs}:{outside['PATH']}", "NO_COLOR": "1"}

    def install(self, wheel: Path, *options: str) -> None:
        """Install a wheel, by default without its dependencies."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.programs / "python"), "--quiet"]
        subprocess.run([*pip, "install", *(options or WITHOUT_DEPENDENCIES), str(wheel)], check=True)

    def link_dependencies(self, name: str, *extras: str) -> None:
        """Link what an installed package requires, and nothing else, from the packages of the tests' environment."""
        self._link(next(iter(Distribution.discover(name=name, path=[str(self.site)]))), set(extras), set())

    def _link(self, package: Distribution, extras: set[str], linked: set[str]) -> None:
        for requirement in map(Requirement, package.requires or []):
            markers = [{"extra": extra} for extra in ("", *extras)]
            if requirement.marker and not any(map(requirement.marker.evaluate, markers)):
                continue
            needed = distribution(requirement.name)
            assert requirement.specifier.contains(needed.version), requirement
            for top in {file.parts[0] for file in needed.files or []} - {"..", "__pycache__"}:
                if not (self.site / top).exists():
                    (self.site / top).symlink_to(str(needed.locate_file(top)))
            if needed.name not in linked:
                linked.add(needed.name)
                self._link(needed, requirement.extras, linked)

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment to its end."""
        program = [str(self.programs / command[0]), *command[1:]]
        return subprocess.run(program, cwd=cwd, env=self.variables, capture_output=True, text=True, check=False)

    def start(self, *command: str, cwd: Path, **variables: str) -> subprocess.Popen[bytes]:
        """Start a program of the environment with its output in a file of `cwd`."""
        program = [str(self.programs / command[0]), *command[1:]]
        with (cwd / "output.log").open("wb") as output:
            return subprocess.Popen(
                program, cwd=cwd, env={**self.variables, **variables}, stdout=output, stderr=subprocess.STDOUT
            )


def build_wheel(project: Path, folder: Path, **variables: str) -> Path:
    """Build the wheel of a project of this repository into an empty folder, and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=project, env={**os.environ, **variables}, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel
