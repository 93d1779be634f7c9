"""What a keeper does at every look at what is due."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import structlog

from service.storage.base.connect import outage

LOG = structlog.get_logger()


class Look(NamedTuple):
    """What came of looking after a part of it."""

    done: int
    """How many things were done."""
    more: bool
    """Whether there may be more of it."""


@contextmanager
def logged(event: str, **facts: Any) -> Iterator[None]:
    """Log an error of the block and continue after the block. An outage of Redis is raised."""
    try:
        yield
    except Exception as error:
        if outage(error) is not None:
            raise
        LOG.exception(event, **facts)
