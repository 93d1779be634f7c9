"""Compiling ahead, on all cores."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.rulesets.registry import RULESETS
from workers import warm


def is_warm_in(environment: dict[str, str]) -> str:
    """What a new process says."""
    program = "from workers.warm import is_warm; print(is_warm())"
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, cwd=warm.PROJECT_ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_what_has_been_compiled_is_remembered_for_its_cache_alone(tmp_path: Path) -> None:
    """These tests began with it."""
    assert ("True", "False") == (is_warm_in({}), is_warm_in({"AZUL_CACHE_DIR": str(tmp_path)}))


def test_a_source_that_was_written_again_is_not_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same text at another time is compiled anew by Numba."""
    folder = Path(shutil.copytree(warm.SEARCH, tmp_path / "search"))
    monkeypatch.setattr(warm, "SEARCH", folder)
    before = warm.mark()
    os.utime(folder / "tree.py", ns=(1, 1))
    assert before != warm.mark()


@pytest.mark.parametrize("failing", ["", "service.rulesets.azul", "workers.search.search"])
def test_every_ruleset_is_compiled_before_the_search_and_a_failure_is_not_remembered(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported: list[str] = []

    def note(module: str) -> bool:
        imported.append(module)
        return module != failing

    monkeypatch.setattr(warm, "mark", lambda: tmp_path / "mark")
    monkeypatch.setattr(warm, "_imported", note)
    assert warm.warm() == (not failing)
    rulesets = {f"service.rulesets.{ruleset.folder.name}" for ruleset in RULESETS.values()}
    assert rulesets == set(imported[:3])
    assert ([] if failing in rulesets else ["workers.search.search"]) == imported[3:]
    assert (tmp_path / "mark").exists() == (not failing)
    if not failing:
        assert warm.warm()
        assert 4 == len(imported)
