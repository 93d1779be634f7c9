"""One module a URL family."""

from __future__ import annotations

from flask import current_app

from service.cases import Cases


def cases() -> Cases:
    """The doors of this process; they connect when they are first used."""
    opened: Cases = current_app.extensions["cases"]
    return opened
