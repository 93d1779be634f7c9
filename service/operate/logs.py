"""Logs a person can read and a program too.

One set-up for structlog and for the libraries that log by the standard library: on a terminal a line of text
a record, elsewhere one JSON object a line with `timestamp` (UTC, RFC 3339), `level`, `logger`, `event` and
whatever was bound. Nothing secret may be logged in the first place: tokens and seeds are never passed to a
logger.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any, TextIO

import orjson
import structlog


def configure(level: str = "INFO", log_format: str = "auto", stream: TextIO | None = None) -> None:
    """Sets up logging for this process; calling it again replaces the set-up.

    `level` and `log_format` as the settings LOG_LEVEL and LOG_FORMAT say; `stream` is stderr unless given.
    """
    stream = stream or sys.stderr
    as_text = stream.isatty() if log_format == "auto" else log_format == "text"
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if as_text else "iso", utc=not as_text),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *(_text(stream) if as_text else _json()),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)


def _text(stream: TextIO) -> list[Any]:
    colours = stream.isatty() and not os.environ.get("NO_COLOR")
    return [structlog.dev.ConsoleRenderer(colors=colours, pad_event_to=0, pad_level=False)]


def _json() -> list[Any]:
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer=_dumps)]


def _dumps(record: Any, **options: Any) -> str:
    return orjson.dumps(record, default=options.get("default", str), option=orjson.OPT_NON_STR_KEYS).decode()
