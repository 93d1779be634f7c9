"""Machine code: its file, the loaded object, and its compilation."""

from __future__ import annotations

import ctypes
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent
from types import FunctionType
from typing import cast

import pytest

from packages.rules.shared_libraries import link
from service.rulesets import machine_code
from service.rulesets.compiler import FIRST_TESTED, FIRST_UNTESTED, compile_all, signature
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


def divide(number: int, by: int) -> int:
    return number // by


@pytest.mark.skipif(shutil.which("cc") is None or sys.platform != "linux", reason="needs cc on Linux")
def test_an_object_becomes_a_shared_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel for one platform contains such libraries."""
    monkeypatch.setenv("AZUL_RELOCATION", "pic")
    code_of_divide = compile_all({cast("FunctionType", divide): signature("int64(int64, int64)")})
    link(code_of_divide, tmp_path / "divide.so")
    code = machine_code.load_shared(tmp_path / "divide.so")
    words = [ctypes.c_int64] * 3
    assert 14 == ctypes.CFUNCTYPE(*words)(code.address("divide"))(42, 3)
    with pytest.raises(KeyError, match="multiply"):
        code.address("multiply")


def test_an_error_in_compiled_code_aborts_the_process() -> None:
    status, said = run("""
        import ctypes
        from service.rulesets import machine_code
        from service.rulesets.compiler import compile_all, signature
        from tests.rulesets.test_machine_code import divide

        code = machine_code.load_object(compile_all({divide: signature("int64(int64, int64)")}))
        function = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 3)(code.address("divide"))
        assert function(42, 3) == 14
        function(42, 0)
    """)
    assert (-signal.SIGABRT, "") == (status, said)


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
