"""One word, one meaning: constants within a package, and the form of ids."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGES = {
    **dict.fromkeys(("service/games", "service/usecases", "service/storage", "service/web"), "**/*.py"),
    **dict.fromkeys(("service/operate", "service/outgoing", "workers", "research"), "**/*.py"),
    **{f"service/rulesets/{rules.parent.name}": "**/*.py" for rules in ROOT.glob("service/rulesets/*/rules")},
    "service/rulesets": "*.py",
    "service": "*.py",
    "openapi": "*.py",
}
IN_EVERY_MODULE = {"LOG"}  # the module's logger
WORD = r"[a-z0-9]+(_[a-z0-9]+)*"
KEBAB = r"[a-z]+(-[a-z]+)*"


def constants(module: Path) -> Iterator[str]:
    """Names in capitals that the module assigns, without a leading underscore."""
    for statement in ast.parse(module.read_text("utf-8")).body:
        targets = {ast.Assign: "targets", ast.AnnAssign: "target"}.get(type(statement))
        if targets is None:
            continue
        assigned = getattr(statement, targets)
        for target in assigned if isinstance(assigned, list) else [assigned]:
            names = (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
            yield from (name.lstrip("_") for name in names if name.isupper() and len(name.lstrip("_")) > 1)


def test_no_constant_has_two_meanings_in_one_package() -> None:
    modules: dict[tuple[str, str], list[str]] = defaultdict(list)
    for package, pattern in PACKAGES.items():
        for module in sorted((ROOT / package).glob(pattern)):
            for name in set(constants(module)) - IN_EVERY_MODULE:
                modules[package, name].append(str(module.relative_to(ROOT)))
    assert {} == {name: where for name, where in modules.items() if len(where) > 1}


def test_constants_are_found_where_they_are_assigned(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "A, BOTH = 1, 2\n_HIDDEN: int = 3\nlower = 4\nif True:\n    INSIDE = 5\ndef f():\n    LOCAL = 6\n"
    )
    assert ["BOTH", "HIDDEN"] == list(constants(module))


def test_messages_of_the_texts_are_named_in_kebab_case() -> None:
    files = [*(ROOT / "service").rglob("*.ftl")]
    names = {name for file in files for name in re.findall(r"^([\w-]+) *=", file.read_text("utf-8"), re.MULTILINE)}
    assert len(names) > 100
    assert [] == sorted(name for name in names if not re.fullmatch(KEBAB, name))


def words_of(schema: Any) -> Iterator[str]:
    """The words of all enumerations."""
    if isinstance(schema, dict):
        yield from (word for word in schema.get("enum", ()) if isinstance(word, str))
        for part in schema.values():
            yield from words_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from words_of(part)


def test_words_of_the_document_are_written_as_the_glossary_says() -> None:
    """Rulesets and levels have hyphens, other words underscores; types begin with their ruleset."""
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text("utf-8"))
    words = set(words_of(document["components"]["schemas"])) - {"azul-games/1"}
    assert len(words) > 200
    assert [] == sorted(word for word in words if not re.fullmatch(rf"{KEBAB}|({KEBAB}\.)?{WORD}", word))
