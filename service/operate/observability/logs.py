"""Logs a person can read and a program too.

One set-up for structlog and for the libraries that log by the standard library: on a terminal a line of text
a record, elsewhere one JSON object a line with `timestamp` (UTC, RFC 3339), `level`, `logger`, `event` and
whatever was bound. Exceptions are told by their traceback, never with local variables; what would be printed of an
exception that nobody has caught is a record, too. Secrets are taken out last: see `redaction`.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, TextIO

import orjson
import structlog
from structlog import stdlib

from service.operate.observability.redaction import Redaction


def configure(
    level: str = "INFO", log_format: str = "auto", stream: TextIO | None = None, secrets: Iterable[str] = ()
) -> None:
    """Sets up logging for this process; calling it again replaces the set-up.

    `level` and `log_format` as the settings LOG_LEVEL and LOG_FORMAT say; `stream` is stderr unless given. `secrets`
    are those of the settings, which no record may tell.
    """
    global _direct  # noqa: PLW0603 - as all that is set up here
    stream = stream or sys.stderr
    as_text = stream.isatty() if log_format == "auto" else log_format == "text"
    known: list[Any] = [
        structlog.contextvars.merge_contextvars,
        stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if as_text else "iso", utc=not as_text),
    ]
    last = [Redaction(secrets), _text(stream) if as_text else structlog.processors.JSONRenderer(serializer=_dumps)]
    root = logging.getLogger()
    root.handlers = [_standard_handler(stream, [stdlib.add_logger_name, *known], last)]
    root.setLevel(level)
    _direct = structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[*known, *last],
        wrapper_class=structlog.make_filtering_bound_logger(root.level),
        cache_logger_on_first_use=True,
    ).bind()
    sys.excepthook = _uncaught
    threading.excepthook = lambda met: _uncaught(met.exc_type, met.exc_value, met.exc_traceback)


def _standard_handler(stream: TextIO, shared: list[Any], last: list[Any]) -> logging.Handler:
    """Have structlog log by the standard library. Return the handler of both."""
    formatter = stdlib.ProcessorFormatter
    structlog.configure(
        processors=[
            stdlib.filter_by_level,
            *shared,
            stdlib.PositionalArgumentsFormatter(),
            formatter.wrap_for_formatter,
        ],
        wrapper_class=stdlib.BoundLogger,
        logger_factory=stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    processors = [formatter.remove_processors_meta, structlog.processors.format_exc_info, *last]
    handler.setFormatter(formatter(foreign_pre_chain=[stdlib.ExtraAdder(), *shared], processors=processors))
    return handler


_direct: Any = structlog.get_logger()


def direct(name: str) -> Any:
    """A logger for what is logged all the time: its records look the same, and take a third of the time, since they go
    past the standard library. Ask for it when something is logged: `configure` replaces it.
    """
    return _direct.bind(logger=name)


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """Log what has ended a process or a thread."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), trace)
        return
    logging.getLogger("uncaught").critical("uncaught exception", exc_info=(kind, error or kind(), trace))


def _text(stream: TextIO) -> Any:
    colours = stream.isatty() and not os.environ.get("NO_COLOR")
    plain = structlog.dev.plain_traceback
    return structlog.dev.ConsoleRenderer(colors=colours, pad_event_to=0, pad_level=False, exception_formatter=plain)


def _dumps(record: Any, **options: Any) -> str:
    return orjson.dumps(record, default=options.get("default", str), option=orjson.OPT_NON_STR_KEYS).decode()
