"""`python -m deploy.lock.licences`: write docs/reference/licences.md from the installed packages of the lock."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from typing import Any

from deploy.lock.__main__ import ROOT, pins

PAGE = ROOT / "docs" / "reference" / "licences.md"
RUNTIME = ("serve", "options")
"""Files of the lock with what the service and its optional parts need."""
NOT_INSTALLED = {"async-timeout": "Apache-2.0"}
"""Licences of packages that only some versions of Python need."""
MAX_LENGTH = 80
"""A longer value of the member `License` is the text of the licence."""
HEADER = """# Licences

The packages that the service and its optional parts install, with their licences. `make lock` writes this page.

| package | version | licence |
|---|---|---|
"""


def runtime_versions() -> dict[str, str]:
    """Return the versions of the runtime packages by name. Some depend on the version of Python."""
    found = dict[str, str]()
    for pin in sorted(one for name in RUNTIME for one in pins(name)):
        name, version = re.match(r"(\S+)==(\S+)", pin).groups()  # type: ignore[union-attr]  # pins have this form
        found[name] = f"{found[name]}, {version}" if name in found else version
    return found


def licence(package: str) -> str:
    """Return the licence that an installed package states. Raises `PackageNotFoundError`."""
    if package in NOT_INSTALLED:
        return NOT_INSTALLED[package]
    stated: Any = metadata.metadata(package)
    classifiers = [text.rpartition(" :: ")[2] for text in stated.get_all("Classifier", []) if "License ::" in text]
    text = stated.get("License", "")
    own = text if text and len(text) <= MAX_LENGTH and "\n" not in text else ""
    return stated.get("License-Expression") or " OR ".join(classifiers) or own or "unknown"


def main() -> int:
    """Write the page."""
    rows = [f"| {package} | {versions} | {licence(package)} |\n" for package, versions in runtime_versions().items()]
    PAGE.write_text(HEADER + "".join(rows), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
