"""One service for all end-to-end tests that do not break it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The running service."""
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        yield running
