"""The fixtures of the web tests serve here, too."""

from __future__ import annotations

from tests.web.conftest import anyone, app, context

__all__ = ["anyone", "app", "context"]
