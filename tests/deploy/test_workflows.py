"""The workflows of the hosted CI are valid, and call commands that exist."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import pytest
import yaml
from jsonschema_rs import validator_for

from tests.deploy.samples import ROOT
from tests.tools import program

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*"))
KEYS = {True: "on"}
"""In YAML 1.1, `on` is a truth value."""
by_file = pytest.mark.parametrize("file", WORKFLOWS, ids=[file.stem for file in WORKFLOWS])


def commands(workflow: Any) -> list[str]:
    """Return the commands of all steps."""
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


@by_file
def test_workflow_matches_its_schema(file: Any) -> None:
    program("check-jsonschema")
    builtin = files("check_jsonschema") / "builtin_schemas" / "vendor" / "github-workflows.json"
    schema = json.loads(builtin.read_text("utf-8"))
    workflow = {KEYS.get(key, key): value for key, value in yaml.safe_load(file.read_text("utf-8")).items()}
    assert [] == [error.message for error in validator_for(schema).iter_errors(workflow)]
    assert commands(workflow)
    assert list(validator_for(schema).iter_errors({**workflow, "jobs": {"a": {"stepz": []}}}))


@by_file
def test_workflow_calls_commands_that_exist(file: Any) -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for command in commands(yaml.safe_load(file.read_text("utf-8"))):
        if command.startswith("make "):
            assert set(command.split()[1:]) <= targets
        elif not command.startswith(("git ", "gh ")):
            assert (ROOT / command.split()[0]).exists()
