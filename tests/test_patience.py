"""No test sleeps: waits are for conditions."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAY_SLEEP = ("tests/patience.py", "tests/bench/", "tests/faults/")


def sleeps(module: Path) -> list[int]:
    """Return the lines of the module that call `time.sleep` or `gevent.sleep`, however they are imported."""
    source = module.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(source))) if "sleep" in source else []
    names = {"time.sleep", "gevent.sleep"}
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {f"{one.asname}.sleep" for one in node.names if one.asname and one.name in ("time", "gevent")}
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "gevent"):
            names |= {one.asname or one.name for one in node.names if one.name == "sleep"}
    return [node.lineno for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in names]


def test_no_test_sleeps() -> None:
    modules = {str(module.relative_to(ROOT)): module for module in sorted((ROOT / "tests").rglob("*.py"))}
    found = [
        f"{name}:{line}"
        for name, module in modules.items()
        if not name.startswith(MAY_SLEEP)
        for line in sleeps(module)
    ]
    assert [] == found, "wait by tests.patience.wait_until"


def test_a_sleep_is_found_however_it_is_imported(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    lines = ("import time, gevent as g", "from time import sleep as nap", "time.sleep(1)", "g.sleep()", "nap(2)")
    module.write_text("\n".join((*lines, "TEXT = 'time.sleep(3)'")))
    assert [3, 4, 5] == sleeps(module)
