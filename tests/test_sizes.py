"""Rule 5 of CONTRIBUTING: modules have at most 400 lines, functions 40, folders 15 modules (25 in tests)."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_MODULE, MAX_FUNCTION, MAX_FOLDER, MAX_TEST_FOLDER = 400, 40, 15, 25
TABLES = {
    "service/settings.py": "a field for each setting",
    "tests/openapi/recording.py": "an example for each operation",
    "tests/web/refusals.py": "a request for each refusal",
    "tests/web/test_callers.py": "a row for each operation",
    "service/rulesets/queens_garden/wire/catalogue.py:components": "the components",
    "tests/bench": "programs of their own",
}


def sources() -> list[str]:
    """Return all modules that git knows, without generated clients."""
    listed = subprocess.check_output(["git", "ls-files", "*.py"], cwd=ROOT, text=True).split()
    return [name for name in listed if (ROOT / name).is_file() and not name.startswith("openapi/clients/")]


def too_long() -> Iterator[str]:
    """Yield modules, functions (module:function) and folders that are larger than the rule allows.

    Tests may be longer than 40 lines if they play a whole game.
    """
    folders = Counter[str]()
    for name in sources():
        source = (ROOT / name).read_text("utf-8")
        folders[str(Path(name).parent)] += Path(name).name != "__init__.py"
        if len(source.splitlines()) > MAX_MODULE:
            yield name
        functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
        for function in functions:
            lines = (function.end_lineno or 0) - function.lineno + 1
            if lines > MAX_FUNCTION and not function.name.startswith("test_"):
                yield f"{name}:{function.name}"
    for folder, count in folders.items():
        if count > (MAX_TEST_FOLDER if folder.startswith("tests") else MAX_FOLDER):
            yield folder


def test_modules_functions_and_folders_are_small() -> None:
    assert sorted(TABLES) == sorted({name for name in too_long() if "bench/" not in name})
