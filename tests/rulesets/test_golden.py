"""The golden playthroughs, compiled and uncompiled."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.rulesets.golden import FOLDER, games


@pytest.mark.parametrize("disable_jit", ["0", "1"], ids=["compiled", "uncompiled"])
def test_every_golden_playthrough_plays_as_it_did(disable_jit: str) -> None:
    """The uncompiled rules must not even warn: where NumPy wraps and compiled code does not, they would differ."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.rulesets.golden", "--check"],
        env={**os.environ, "NUMBA_DISABLE_JIT": disable_jit},
        cwd=FOLDER.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{len(list(games()))} playthroughs, 0 differ\n", done.stderr
