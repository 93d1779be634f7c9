"""Adds the modules of the rules to the wheel, and with AZUL_RULES_COMPILED=1 shared libraries for this kind of machine.

The modules become parts of the private package `azul_rules._packages`, so imports of one another get its name.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PUBLIC, PRIVATE = "azul_rules", "azul_rules/_packages"
PARTS = (
    *("service/__init__.py", "service/files.py", "service/rulesets"),
    *("workers/__init__.py", "workers/search/__init__.py", "workers/search/rows.py"),
    *("research/__init__.py", "research/perft.py", "research/envs"),
)
LEFT_OUT = {"learn.py", "policy.py", "measured.json"}  # they belong to the training and the levels of the service
KINDS = {".py", ".typed", ".npz", ".json", ".ftl", ".md"}
IMPORT = re.compile(rb"^( *(?:from|import) )(?=(?:service|workers|research)[. ])", re.MULTILINE)
PORTABLE = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "AZUL_RELOCATION": "pic"}


def contents() -> Iterator[tuple[str, Path]]:
    """Yield the files of the wheel, each with its path in the wheel."""
    for part in (PUBLIC, *PARTS):
        place = ROOT / part
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in KINDS and file.name not in LEFT_OUT:
                name = file.relative_to(ROOT).as_posix()
                yield name if part == PUBLIC else f"{PRIVATE}/{name}", file


class RulesHook(BuildHookInterface[Any]):
    """Adds the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Write the files to a temporary folder and add it."""
        self._temporary = TemporaryDirectory()
        folder = Path(self._temporary.name)
        for name, file in contents():
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            content = file.read_bytes()
            if file.suffix == ".py":
                content = IMPORT.sub(rb"\1" + PRIVATE.replace("/", ".").encode() + b".", content)
            copy.write_bytes(content)
        if os.environ.get("AZUL_RULES_COMPILED") == "1":
            libraries = folder / PRIVATE / "service" / "rulesets" / "compiled"
            libraries.mkdir()
            variables = {**os.environ, **PORTABLE, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, str(HERE / "shared_libraries.py"), str(libraries)]
            subprocess.run(command, env=variables, check=True)
            platform = re.sub("[-.]", "_", sysconfig.get_platform())
            build_data |= {"tag": f"py3-none-{platform}", "pure_python": False}
        build_data["force_include"][str(folder)] = "/"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Delete the temporary folder."""
        self._temporary.cleanup()
