"""How a process beside the web server begins: settings or a clear refusal, then logs."""

from __future__ import annotations

import sys
from typing import NoReturn

from service.operate import logs
from service.settings import Settings, SettingsError


def started() -> Settings:
    """The settings, with logs configured by them; where they cannot be used, says why and exits with status 2."""
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        _refuse(str(error))
    if not settings.redis_url:
        _refuse("REDIS_URL is not set: `make serve` starts a Redis of its own.")
    logs.configure(settings.log_level, settings.log_format)
    return settings


def _refuse(why: str) -> NoReturn:
    print(why, file=sys.stderr)
    raise SystemExit(2)
