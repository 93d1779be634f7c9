"""`azul-games-server COMMAND`: run the service from its wheel or from a checkout.

The wheel has `service`, `workers`, `openapi` and `docs` in the folder `packages`, which only processes of this command
search. Other programs of the environment do not see them, and jobs have the same names as in a checkout.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
INSTALLED = FOLDER / "packages"


def main() -> int:
    """Run a command of `service.operate`. Return the exit status."""
    root = str(INSTALLED if INSTALLED.is_dir() else FOLDER.parent)
    sys.path.insert(0, root)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    os.environ["PYTHONSAFEPATH"] = "1"  # not from the current folder, which may be a checkout of another version
    from service.operate.__main__ import main as operate

    return operate()


if __name__ == "__main__":
    sys.exit(main())
