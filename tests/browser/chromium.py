"""The browser: Debian's chromium-headless-shell or chromium, or the path in CHROMIUM."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
HEADLESS = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
"""If possible the engine without a user interface, which needs a third less processor time."""
SWITCHES = (  # no requests to other services
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FRUGAL = ("--js-flags=--no-opt --no-maglev --min-semi-space-size=32 --max-semi-space-size=64",)
"""For pages that are open for seconds: compiling their scripts with optimization takes longer than it saves."""
