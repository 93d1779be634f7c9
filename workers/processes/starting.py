"""Start of a process: settings, logs, metrics and traces."""

from __future__ import annotations

import signal
from types import FrameType

from service.operate.observability import counting, logs, tracing
from service.settings import Settings, settings_or_exit


def set_up_process(*, needs_redis: bool = True) -> Settings:
    """Set up logs, metrics and traces. Return the settings; print invalid ones and exit with status 2."""
    settings = settings_or_exit(needs_redis=needs_redis)
    logs.configure(settings.log_level, settings.log_format, secrets=settings.secrets)
    counting.start(settings)
    tracing.start()
    return settings


def exit_on_signals() -> None:
    """Exit with status 0 at SIGTERM and SIGINT."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _exit)


def _exit(_signum: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
