"""Fixtures of the worker processes."""

from tests.workers.conftest import processes

__all__ = ["processes"]
