"""The contents of the samples."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.tools import program

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
Yaml = dict[str, Any]


def unit(name: str) -> dict[str, list[str]]:
    """Return the values of a systemd unit by key, in order, without regard to sections."""
    values: dict[str, list[str]] = {}
    for line in (DEPLOY / "systemd" / name).read_text("utf-8").splitlines():
        key, is_value, value = line.partition("=")
        if is_value and not line.startswith("#"):
            values.setdefault(key, []).append(value)
    return values


def variables(path: Path) -> dict[str, str]:
    """Return the variables of an environment file."""
    lines = path.read_text("utf-8").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines if re.match(r"[A-Z_]+=", line))}


def compose() -> Yaml:
    """Return the content of deploy/container/compose.yaml."""
    content: Yaml = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text("utf-8"))
    return content


@cache
def manifests() -> list[Yaml]:
    """Return the resources that kubectl renders from the kustomization, and the sample of a Secret."""
    folder = DEPLOY / "kubernetes"
    command = [program("kubectl"), "kustomize", str(folder)]
    rendered = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rendered.returncode == 0, rendered.stderr
    secret = (folder / "secret.example.yaml").read_text("utf-8")
    return [one for text in (rendered.stdout, secret) for one in yaml.load_all(text, yaml.CSafeLoader)]


def dockerfile_environment() -> dict[str, str]:
    """Return the variables that ENV sets in the Dockerfile."""
    (block,) = re.findall(
        r"^ENV ((?:.*\\\n)*.*)$", (DEPLOY / "container" / "Dockerfile").read_text("utf-8"), re.MULTILINE
    )
    return {
        name: value.strip('"') for name, value in (part.split("=", 1) for part in block.replace("\\\n", "").split())
    }
