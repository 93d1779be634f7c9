"""The application for tests with gunicorn: a request header sets the timeout of its body in seconds."""

from __future__ import annotations

from flask import Flask, request

from service import app
from service.web.http import bodies
from tests.patience import HANG_S


def create_app() -> Flask:
    """Return the application with an adjustable timeout."""
    made = app.create_app()
    made.before_request_funcs.setdefault(None, []).insert(0, _read_patience)
    return made


def _read_patience() -> None:
    bodies.LONGEST_S = float(request.headers.get("Patience-S", HANG_S))
