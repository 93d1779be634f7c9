"""The golden playthroughs, compiled and uncompiled."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from service.rulesets.registry import RULESETS
from tests.rulesets.golden import FOLDER, games
from tests.sampling import one_in


def test_every_golden_playthrough_plays_as_it_did() -> None:
    assert checked(plain="0") == f"{len(list(games()))} playthroughs, 0 differ\n"


@pytest.mark.parametrize("side", one_in(2, range(2)))
def test_uncompiled_rules_play_them_alike_and_do_not_even_warn(side: int) -> None:
    """Where NumPy wraps and compiled code does not, they would differ.

    A game of two of each ruleset: uncompiled rules are slow, and all playthroughs are played compiled.
    """
    names = [f"{ruleset.id}.{ruleset.variants[side]}.2" for ruleset in RULESETS.values()]
    assert checked(*names, plain="1") == f"{len(names)} playthroughs, 0 differ\n"


def checked(*names: str, plain: str) -> str:
    """What the command says of the named playthroughs, or all; warnings of NumPy end it."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.rulesets.golden", "--check", *names],
        env={**os.environ, "AZUL_PLAIN": plain},
        cwd=FOLDER.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout
