"""The template for rulesets, copied into `service/rulesets` of a copy of the tree, can be played everywhere.

The steps are those of docs/development/adding-a-ruleset.md.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.e2e.stack import ROOT, Stack
from tests.e2e.test_games import play_to_the_end
from tests.rulesets.tiny import TINY
from tests.rulesets.tiny.rules.game import ROUNDS

pytestmark = pytest.mark.nightly
NOT_COPIED = shutil.ignore_patterns(".*", "node_modules", "var", "build", "dist", "__pycache__", "*.egg-info")
# Committed pages and earlier versions of the service do not know the template.
PYTEST = ("-m", "pytest", "-n", "0", "-m", "", "-k", "tiny and not committed and not earlier")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the tree and add the template as a ruleset."""
    copy = tmp_path_factory.mktemp("copy") / "tree"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    rulesets = copy / "service" / "rulesets"
    shutil.copytree(copy / "tests" / "rulesets" / "tiny", rulesets / "tiny")
    registry = rulesets / "registry.py"
    text = registry.read_text("utf-8").replace("QUEENS_GARDEN)}", "QUEENS_GARDEN, TINY)}")
    registry.write_text(text.replace("\n\nRULESETS:", "\nfrom service.rulesets.tiny import TINY\n\nRULESETS:"), "utf-8")
    return copy


def environment(tree: Path, **more: str) -> dict[str, str]:
    """Return the variables for programs of the copy."""
    return {"PYTHONPATH": f"{tree}:{tree / 'openapi' / 'clients' / 'python'}", **more}


def output_of(tree: Path, *command: str | Path, **more: str) -> str:
    """Return the output of a Python program of the copy, which must succeed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        env={**os.environ, **environment(tree, **more)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:]
    return done.stdout


def test_the_template_compiles(tree: Path) -> None:
    output_of(tree, "-m", "workers.warm", TINY.id)


def test_the_template_keeps_the_import_contracts(tree: Path) -> None:
    assert " 0 broken" in output_of(tree, Path(sys.executable).with_name("lint-imports"), "--no-cache")


@pytest.mark.timeout(3600)
def test_every_test_of_a_ruleset_passes(tree: Path) -> None:
    output_of(
        tree, "-m", "pytest", "-n", "0", "tests/openapi", "-k", "examples_match_a_new_recording", RECORD_EXAMPLES="1"
    )
    output_of(tree, "-m", "openapi.build")
    assert " passed" in output_of(tree, *PYTEST, "tests")


def test_the_template_is_played_over_http_and_its_draws_verified(tree: Path, tmp_path: Path) -> None:
    with Stack(tmp_path, tree, **environment(tree)) as stack:
        seats = [{"kind": "player", "name": "Ana"}, {"kind": "ai", "level": "planner"}]
        created = stack.create(ruleset=TINY.id, variant=TINY.variants[0], seats=seats)
        play_to_the_end(stack, created, random.Random(1))
        record = tmp_path / "record.json"
        record.write_text(json.dumps(stack.get(f"/games/{created['game']['id']}/export").json()), "utf-8")
    verifier = (tree / "openapi" / "clients" / "verify" / "verify.py", record)
    assert f" {1 + ROUNDS} draws follow" in output_of(tree, *verifier, "service/rulesets/tiny/draws.py")


@pytest.mark.skipif(find_spec("playwright") is None, reason="needs the extra `browser`")
@pytest.mark.timeout(1800)
def test_the_template_is_played_at_the_table(tree: Path) -> None:
    assert " passed" in output_of(tree, *PYTEST, "tests/browser/test_whole_games.py")
