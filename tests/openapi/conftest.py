"""Fixtures of the web tests."""

from __future__ import annotations

from tests.web.conftest import anyone, app, context

__all__ = ["anyone", "app", "context"]
