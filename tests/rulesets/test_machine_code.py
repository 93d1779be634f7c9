"""Machine code: its file, the loaded object, and its compilation."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

from service.rulesets import machine_code
from service.rulesets.compiler import FIRST_TESTED, FIRST_UNTESTED
from service.rulesets.registry import RULESETS
from workers.warm import PROJECT_ROOT


def run(script: str) -> tuple[int, str]:
    """Run a script in a separate process, which may crash. Return its exit status and its errors."""
    ended = subprocess.run(
        [sys.executable, "-c", dedent(script)], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stderr


def test_functions_keep_working_after_their_code_object_is_discarded() -> None:
    ended = run("""
        import numpy as np
        from service.rulesets import machine_code
        from service.rulesets.registry import RULESETS

        rules = RULESETS["azul"].rules
        first, second = (machine_code.load(rules.library.path) for _ in range(2))
        assert first and second
        del second
        third = machine_code.load(rules.library.path)
        legal_actions = third.rule("legal_actions", "int64(game, int64[::1])")
        del third
        record = np.zeros(1, rules.dtype)
        assert legal_actions(record[0], np.zeros(1000, np.int64)) == 0
    """)
    assert (0, "") == ended


@pytest.mark.parametrize("damage", [lambda code: code[:-1], lambda code: code[:99] + b"?" + code[100:], lambda _: b""])
def test_a_damaged_file_is_not_loaded_and_is_deleted(damage: object, tmp_path: Path) -> None:
    path = tmp_path / "azul.object"
    path.write_bytes(damage(RULESETS["azul"].rules.library.path.read_bytes()))  # type: ignore[operator]
    assert machine_code.load(path) is None
    assert not path.exists()


def test_an_unknown_function_name_raises_a_key_error() -> None:
    code = machine_code.load(RULESETS["azul"].rules.library.path)
    assert code is not None
    with pytest.raises(KeyError, match="aply"):
        code.address("aply")


def test_an_untested_version_of_numba_is_refused() -> None:
    """The tested versions are those that can be installed."""
    status, said = run("""
        import numba
        numba.version_info = numba.version_info._replace(short=(0, 99))
        import service.rulesets.compiler
    """)
    first, last = (f"{major}.{minor}" for major, minor in (FIRST_TESTED, FIRST_UNTESTED))
    assert status == 1
    assert f"is not tested with this project: install 'numba>={first},<{last}'" in said
    dependencies = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert f"numba>={first},<{last}" in dependencies
