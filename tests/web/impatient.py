"""The application, with a second for a body to arrive: for tests that serve it by gunicorn."""

from __future__ import annotations

from flask import Flask

from service import app
from service.web import bodies

PATIENCE_S = 1.0


def create_app() -> Flask:
    """The same but for its patience."""
    bodies.LONGEST_S = PATIENCE_S
    return app.create_app()
