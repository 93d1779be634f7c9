"""The golden playthroughs, compiled and uncompiled."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.rulesets import golden
from tests.rulesets.golden import FOLDER, games


def test_every_golden_playthrough_is_reproduced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["golden", "--check"])
    assert 0 == golden.main()
    assert f"{len(list(games()))} playthroughs, 0 differ\n" == capsys.readouterr().out


@pytest.mark.nightly
@pytest.mark.parametrize("side", [0, -1])
def test_uncompiled_rules_reproduce_the_playthroughs_without_warnings(side: int) -> None:
    """They would differ where NumPy wraps and compiled code does not.

    One game of two seats per ruleset is enough: uncompiled rules are slow, and all games are played compiled.
    """
    names = [name for name, ruleset, variant, seats in games() if (variant, seats) == (ruleset.variants[side], 2)]
    assert check_uncompiled(*names) == f"{len(names)} playthroughs, 0 differ\n"


def check_uncompiled(*names: str) -> str:
    """Return the output of the golden command for some playthroughs, uncompiled. NumPy warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.rulesets.golden", "--check", *names],
        env={**os.environ, "AZUL_PLAIN": "1"},
        cwd=FOLDER.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout
