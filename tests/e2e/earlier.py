"""`python -m tests.e2e.earlier`: install an earlier version of the service into var/earlier, for the test of upgrades.

Needs git with the history, which an installed copy or a shallow clone lacks. `make nightly` calls it.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMIT = "8e1a3e8cb10a"
FOLDER = ROOT / "var" / "earlier" / COMMIT


def install() -> None:
    """Build the wheel of the commit and install it without its dependencies, unless this was done before."""
    if FOLDER.exists():
        return
    archive = subprocess.check_output(["git", "archive", "--format=tar", COMMIT], cwd=ROOT)
    with tempfile.TemporaryDirectory() as sources:
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(sources, filter="data")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", f"{FOLDER}.new", sources]
        subprocess.run(command, check=True)
    Path(f"{FOLDER}.new").rename(FOLDER)


if __name__ == "__main__":
    install()
