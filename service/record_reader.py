"""Read stored records. Some may be damaged, or written by a newer version.

Unreadable records are logged and counted. Lists skip them. See `service.stored_json`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import structlog

from service.operate.observability import metrics
from service.stored_json import DAMAGE, UnreadableRecordError

LOG = structlog.get_logger()
MAX_LOGGED = 1_000

Record = TypeVar("Record")


def read(kind: str, name: str, content: bytes | None, load: Callable[[str, bytes], Record]) -> Record | None:
    """Return `load(name, content)`, or None for no content. Raises UnreadableRecordError.

    `kind`, `name`: of the record, for the log.
    """
    if content is None:
        return None
    with reading(kind, name):
        return load(name, content)


@contextlib.contextmanager
def reading(kind: str, name: str) -> Iterator[None]:
    """Turn what reading a damaged record raises into UnreadableRecordError."""
    try:
        yield
    except (UnreadableRecordError, *DAMAGE) as damage:
        raise unreadable(kind, name, damage) from damage


def unreadable(kind: str, name: str, damage: Exception) -> UnreadableRecordError:
    """Log and count an unreadable record. Return the error for it."""
    error = damage
    if not isinstance(error, UnreadableRecordError):  # the text of others may contain what somebody wrote
        error = UnreadableRecordError(f"the {kind} {name} is damaged: {type(damage).__name__}")
    metrics.current.record_unreadable(kind)
    _log(kind, name, str(error))
    return error


@functools.lru_cache(MAX_LOGGED)
def _log(kind: str, name: str, error: str) -> None:
    """Log an unreadable record, once in a process."""
    LOG.warning("record unreadable", kind=kind, record=name, error=error)


def read_all(
    kind: str, contents: Iterable[tuple[str, bytes | None]], load: Callable[[str, bytes], Record]
) -> list[Record]:
    """Return the readable ones of these records, each given by name and content."""
    found = []
    for name, content in contents:
        with contextlib.suppress(UnreadableRecordError):
            record = read(kind, name, content, load)
            if record is not None:
                found.append(record)
    return found
