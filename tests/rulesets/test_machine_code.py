"""Machine code in memory: what is no longer wanted goes without harm to the rest."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

from workers.warm import PROJECT_ROOT


def goes_well(script: str) -> None:
    """Run it by itself: what goes wrong here is a crash."""
    ended = subprocess.run(
        [sys.executable, "-c", dedent(script)], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_code_that_is_dropped_takes_nothing_with_it() -> None:
    goes_well("""
        import numpy as np
        from service.rulesets import machine_code
        from service.rulesets.registry import RULESETS

        rules = RULESETS["azul"].rules
        first, second = (machine_code.load(rules.object_path) for _ in range(2))
        assert first and second
        del second
        third = machine_code.load(rules.object_path)
        legal_actions = third.callable("legal_actions", "int64(game, int64[::1])")
        record = np.zeros(1, rules.dtype)
        assert legal_actions(record[0], np.zeros(1000, np.int64)) == 0
    """)


def test_threads_that_want_the_same_at_once() -> None:
    """Each makes one, and one is kept: the others are dropped."""
    goes_well("""
        from concurrent.futures import ThreadPoolExecutor
        from service.rulesets import machine_code

        with ThreadPoolExecutor(8) as pool:
            for count in range(1, 12):
                made = list(pool.map(machine_code.unpacker, ["q" * count] * 8))
                del made
    """)
