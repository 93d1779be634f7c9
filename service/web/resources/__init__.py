"""One module a URL family."""

from __future__ import annotations

from flask import current_app

from service.usecases.base.context import Context


def context() -> Context:
    """Return the context of this process; its connections are lazy."""
    opened: Context = current_app.extensions["context"]
    return opened
