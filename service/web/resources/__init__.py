"""One module a URL family."""

from __future__ import annotations

from flask import current_app

from service.usecases.core.context import Context


def context() -> Context:
    """The doors of this process; they connect when they are first used."""
    opened: Context = current_app.extensions["context"]
    return opened
