"""Compilation in advance on all cores."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.files import code_folder, write_with_digest
from service.rulesets.registry import RULESETS
from tests.patience import HANG_S
from workers import warm


def test_warm_does_nothing_when_everything_is_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    """The test session has compiled everything at its start."""
    assert warm.warm()
    assert "" == capfd.readouterr().err


@pytest.mark.parametrize("failing", ["", "azul", "search"])
def test_a_game_and_the_search_are_compiled_first_and_a_failure_does_not_stop_others(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    known = ["azul", "search", "summer-pavilion", "queens-garden"]
    compiled: list[str] = []

    def note(name: str) -> bool:
        compiled.append(name)
        return name != failing

    monkeypatch.setattr(warm, "paths", lambda: {name: tmp_path / name for name in known})
    monkeypatch.setattr(warm, "cores", lambda: 1)
    monkeypatch.setattr(warm, "_compile_in_process", note)
    assert (not failing) == warm.warm()
    assert known == compiled
    assert (f"{failing} could not be compiled" in capfd.readouterr().err) == bool(failing)


def test_processes_that_start_together_compile_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, together, compiled = tmp_path / "cache" / "azul.o", threading.Barrier(3), list[str]()

    def compile_here(name: str) -> None:
        compiled.append(name)
        write_with_digest(path, b"code")

    def compile_together() -> None:
        together.wait(HANG_S)
        warm.compile_once("azul")

    monkeypatch.setattr(warm, "paths", lambda: {"azul": path})
    monkeypatch.setattr(warm, "compile_here", compile_here)
    with ThreadPoolExecutor(3) as pool:
        for each in [pool.submit(compile_together) for _ in range(3)]:
            each.result(HANG_S)
    assert ["azul"] == compiled


@pytest.mark.parametrize("content", [b"", b"damaged" * 20])
def test_damaged_machine_code_is_reported_and_compiled_again(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path, compiled = tmp_path / "azul.object", list[str]()
    path.write_bytes(content)

    def compile_in_process(name: str) -> bool:
        compiled.append(name)
        return True

    monkeypatch.setattr(warm, "paths", lambda: {"azul": path})
    monkeypatch.setattr(warm, "_compile_in_process", compile_in_process)
    assert warm.warm()
    assert ["azul"] == compiled
    assert str(path) in caplog.text


def test_existing_machine_code_is_not_compiled_again() -> None:
    first, *others = RULESETS
    assert [first, "search", *others] == list(warm.paths())
    assert all(path.exists() for path in warm.paths().values())


def test_play_loads_no_compiler_and_an_empty_cache_falls_back_to_python(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from service.rulesets.registry import RULESETS\n"
        "from workers.search.decisions import search_at_level\n"
        "azul = RULESETS['azul']\n"
        "position = azul.start('grey', 2, 0)\n"
        "position = position.resolve_draw([0, 1, 2, 3] * 5)\n"
        "search_at_level(position, 'greedy', bytes(range(32))).choose()\n"
        "print(azul.rules.are_compiled(), 'numba' in sys.modules)\n"
    )

    def run(**environment: str) -> str:
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command,
            cwd=warm.PROJECT_ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert ("True False", "False False") == (run(), run(AZUL_CACHE_DIR=str(tmp_path)))


def test_machine_code_is_read_from_a_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may have a read-only file system."""
    monkeypatch.setenv("AZUL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert tmp_path == code_folder.__wrapped__()
