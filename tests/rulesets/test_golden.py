"""The golden playthroughs, compiled and uncompiled."""

from __future__ import annotations

import os
import subprocess
import sys

from service.rulesets.registry import RULESETS
from tests.rulesets.golden import FOLDER, games


def test_every_golden_playthrough_plays_as_it_did() -> None:
    assert checked(plain="0") == f"{len(list(games()))} playthroughs, 0 differ\n"


def test_uncompiled_rules_play_them_alike_and_do_not_even_warn() -> None:
    """Where NumPy wraps and compiled code does not, they would differ.

    A game of two of every variant: uncompiled rules are slow, and all playthroughs are played compiled.
    """
    sides = [(ruleset, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
    names = [f"{ruleset.id}.{variant}.2" for ruleset, variant in sides]
    assert checked(*names, plain="1") == f"{len(sides)} playthroughs, 0 differ\n"


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
