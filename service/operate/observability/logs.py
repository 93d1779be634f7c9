"""Logging as lines of text or as JSON.

One configuration for structlog and for libraries that use the standard library. A terminal gets a line of text for each
record, other outputs a JSON object with `timestamp` (UTC, RFC 3339), `level`, `logger`, `event` and the bound fields.
Tracebacks contain no local variables. Uncaught exceptions are logged, too. Secrets are removed last: see `redaction`.
"""

from __future__ import annotations

import functools
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, MutableMapping
from types import TracebackType
from typing import Any, TextIO

import orjson
import structlog
from structlog import stdlib

from service.operate.observability.output import has_colours
from service.operate.observability.redaction import Redaction


def configure(
    level: str = "INFO", log_format: str = "auto", stream: TextIO | None = None, secrets: Iterable[str] = ()
) -> None:
    """Configure logging of this process. A second call replaces the configuration.

    `level`, `log_format`: values of LOG_LEVEL and LOG_FORMAT; `stream`: default stderr; `secrets`: texts to remove.
    """
    global _write  # noqa: PLW0603 - logging is configured for the process
    stream = stream or sys.stderr
    as_text = stream.isatty() if log_format == "auto" else log_format == "text"
    first: list[Any] = [
        structlog.contextvars.merge_contextvars,
        stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if as_text else "iso", utc=not as_text),
    ]
    redact = Redaction(secrets)
    last = [redact, _text(stream) if as_text else structlog.processors.JSONRenderer(serializer=_dumps)]
    with_name = [stdlib.add_logger_name, *first]
    root = logging.getLogger()
    root.handlers = [_standard_handler(stream, with_name, last)]
    root.setLevel(level)
    structlog.configure(
        processors=[
            stdlib.filter_by_level,
            *with_name,
            stdlib.PositionalArgumentsFormatter(),
            stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=stdlib.BoundLogger,
        logger_factory=stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    is_quick = not as_text and root.level <= logging.INFO
    _write = functools.partial(_write_line, stream, redact) if is_quick else _write_with_structlog
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda caught: _log_uncaught(caught.exc_type, caught.exc_value, caught.exc_traceback)


def _standard_handler(stream: TextIO, first: list[Any], last: list[Any]) -> logging.Handler:
    """Return the handler for records of structlog and of the standard library."""
    formatter = stdlib.ProcessorFormatter
    processors = [formatter.remove_processors_meta, structlog.processors.format_exc_info, *last]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(foreign_pre_chain=[stdlib.ExtraAdder(), *first], processors=processors))
    return handler


def write(name: str, event: str, fields: dict[str, Any], *, is_secret_free: bool = False) -> None:
    """Log a frequent record at level INFO, as `structlog.get_logger(name).info(event, **fields)` does.

    JSON is written without structlog and the standard library, which take three quarters of the time. `fields` must
    contain the `request_id`, or null, and belongs to the record afterwards. `is_secret_free`: the service itself has
    chosen all fields, so JSON is written without a search for secrets.
    """
    _write(name, event, fields, is_secret_free=is_secret_free)


def _write_with_structlog(name: str, event: str, fields: dict[str, Any], **_: bool) -> None:
    structlog.get_logger(name).info(event, **fields)


def _write_line(
    stream: TextIO, redact: Redaction, name: str, event: str, record: MutableMapping[str, Any], *, is_secret_free: bool
) -> None:
    record["event"], record["logger"], record["level"] = event, name, "info"
    if not is_secret_free:
        record = redact(None, "info", record)
    second, fraction = divmod(time.time(), 1)
    record["timestamp"] = f"{_rfc3339(second)}.{int(1e6 * fraction):06}Z"
    stream.write(_dumps(record) + "\n")
    stream.flush()


@functools.lru_cache(1)
def _rfc3339(second: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


_write: Callable[..., None] = _write_with_structlog


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """Log an exception that ends a process or a thread."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), trace)
        return
    logging.getLogger("uncaught").critical("uncaught exception", exc_info=(kind, error or kind(), trace))


def _text(stream: TextIO) -> Any:
    return structlog.dev.ConsoleRenderer(
        colors=has_colours(stream),
        pad_event_to=0,
        pad_level=False,
        exception_formatter=structlog.dev.plain_traceback,
    )


def _dumps(record: Any, **options: Any) -> str:
    return orjson.dumps(record, default=options.get("default", str), option=orjson.OPT_NON_STR_KEYS).decode()
