"""`python shared_libraries.py FOLDER`: link the compiled rules and environments as shared libraries, with `cc`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from research.envs.machine import ENVS_LIBRARY, features_library
from research.envs.vector import VectorEnv
from service.rulesets import machine_code
from service.rulesets.code_cache import Library
from service.rulesets.registry import RULESETS

LINK = ["cc", "-shared", "-s", "-Wl,-Bsymbolic,-z,defs"]  # binds functions to one another, and leaves none undefined


def compiled_libraries() -> Iterator[Library]:
    """Compile what is missing, and yield the library of each ruleset and of the environments."""
    for ruleset in RULESETS.values():
        environment = VectorEnv(ruleset.id, ruleset.variants[0], games=1)
        yield ruleset.rules.library
        yield features_library(environment.spaces)
    yield ENVS_LIBRARY


def link(code: bytes, output: Path) -> None:
    """Make an object a shared library. Raises CalledProcessError."""
    with NamedTemporaryFile(suffix=".o") as file:
        file.write(code)
        file.flush()
        subprocess.run([*LINK, "-o", str(output), file.name, "-lm"], check=True)


def main() -> None:
    """Write the libraries."""
    for library in compiled_libraries():
        link(machine_code.read(library.path) or b"", Path(sys.argv[1], library.shared_path.name))


if __name__ == "__main__":
    main()
