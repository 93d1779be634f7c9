"""Programs that tests need and that Python's packages may not install."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

REQUIRED = "REQUIRE_TOOLS"
"""Variable that CI sets, so that a missing program fails the test."""
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


def has_program(name: str) -> bool:
    """Return whether a program is installed."""
    return shutil.which(name, path=PATH) is not None


def program(name: str) -> str:
    """Return the path of a program. Without it skip the test, or fail in CI."""
    found = shutil.which(name, path=PATH)
    if found is None:
        reason = f"there is no {name}: install it, or for a wheel run make .venv/.installed-deploy"
        if os.environ.get(REQUIRED):
            pytest.fail(reason)
        pytest.skip(reason, allow_module_level=True)
    return found
