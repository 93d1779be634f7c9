"""Helpers for the batches of due work that a keeper processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import structlog

from service.storage.base.connect import outage

LOG = structlog.get_logger()


class BatchResult(NamedTuple):
    """Result of processing one batch of due work."""

    done: int
    """Number of items processed."""
    more: bool
    """Whether more items may be due."""


@contextmanager
def log_errors(event: str, **facts: Any) -> Iterator[None]:
    """Log an error of the block and continue after the block. An outage of Redis is raised."""
    try:
        yield
    except Exception as error:
        if outage(error) is not None:
            raise
        LOG.exception(event, **facts)
