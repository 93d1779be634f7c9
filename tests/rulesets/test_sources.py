"""The sources of a ruleset: the tags of stored positions, the cache of compiled code, the layers."""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from service.rulesets.code_cache import RULESETS_FOLDER, SHARED, SHARED_BY_RULES, sources_hash
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.rulesets.tiny import TINY

CONFIGS = RULESETS_FOLDER / "ai_levels.py"  # strengths of levels, not compiled


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), TINY], ids=lambda ruleset: ruleset.id)
def test_the_rules_hash_covers_only_the_rules_and_the_code_hash_also_the_ai(ruleset: Ruleset, tmp_path: Path) -> None:
    """Schemas, pictures and AIs must not make logs be replayed."""

    def changed_hashes(room: str) -> list[bool]:
        copy = tmp_path / room / ruleset.folder.name
        shutil.copytree(ruleset.folder, copy)
        for own in ("ai", room):
            (copy / own).mkdir(exist_ok=True)
        other = replace(ruleset, folder=copy)
        before = (sources_hash(copy / "rules", *SHARED_BY_RULES), sources_hash(copy / "rules", copy / "ai"))
        (copy / room / "__init__.py").write_text("changed = True\n")
        return [other.rules_hash != before[0], sources_hash(copy / "rules", copy / "ai") != before[1]]

    actual = {room: changed_hashes(room) for room in ("rules", "ai", "wire", "picture")}
    assert actual == {"rules": [True, True], "ai": [False, True], "wire": [False, False], "picture": [False, False]}


@pytest.mark.parametrize(("room", "known"), [("rules", SHARED_BY_RULES), ("ai", (*SHARED, CONFIGS))])
def test_all_shared_modules_that_compiled_code_imports_are_hashed(room: str, known: tuple[Path, ...]) -> None:
    """Every module of service.rulesets that a compiled module imports is part of its hash."""
    imported = {
        name
        for path in RULESETS_FOLDER.glob(f"*/{room}/*.py")
        for line in re.findall(r"^from service\.rulesets(?:\.| import )(.*)", path.read_text(), re.MULTILINE)
        for name in re.findall(r"^\w+|(?<=, )\w+", line.partition(" import ")[0])
    }
    own = {ruleset.folder.name for ruleset in RULESETS.values()}
    assert {"kernel", "parts"} <= imported - own <= {path.stem for path in known}


def test_every_module_has_a_layer_in_the_import_contracts() -> None:
    """The import linter cannot check this, because its lists of layers take no wildcards for rulesets."""
    text = (RULESETS_FOLDER.parents[1] / "pyproject.toml").read_text("utf-8")
    shared, own = (
        {name.strip("()") for layer in contract["layers"] for name in layer.split(" | ")}
        for contract in tomllib.loads(text)["tool"]["importlinter"]["contracts"]
        if contract.get("containers") in (["service.rulesets"], ["service.rulesets.*"])
    )
    rulesets = {ruleset.folder.name for ruleset in RULESETS.values()}
    assert shared == {path.stem for path in RULESETS_FOLDER.glob("[a-z]*") if path.stem not in rulesets}
    for ruleset in RULESETS.values():
        assert {path.parent.name for path in ruleset.folder.glob("*/__init__.py")} <= own
