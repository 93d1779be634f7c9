"""A keeper's second thread, which archives games and checks the archive. A slow archive does not delay clocks."""

from __future__ import annotations

import os
import socket
import threading
import time

import structlog

from service.storage.base.connect import outage
from service.usecases.base.context import Context
from service.usecases.keeping import archiving
from service.usecases.keeping.duties import BackOff

PROBE_EVERY_S = 30.0
ARCHIVE_EVERY_S, MAX_ARCHIVE_PAUSE_S = 1.0, 10.0

log = structlog.get_logger("archiver")


def start(context: Context) -> None:
    """Start the thread if there is an archive."""
    if context.archive is not None:
        threading.Thread(target=_archive, args=(context,), name="archiver", daemon=True).start()


def _archive(context: Context) -> None:
    pause, back_off, probed = ARCHIVE_EVERY_S, BackOff(), float("-inf")
    name = f"{socket.gethostname()}-{os.getpid()}"
    while True:
        more = False
        try:
            if time.monotonic() - probed >= PROBE_EVERY_S:
                archiving.probe(context, name)
                probed = time.monotonic()
            more = archiving.run_due(context, back_off).more
            pause = ARCHIVE_EVERY_S
        except Exception as error:
            pause = min(2 * pause, MAX_ARCHIVE_PAUSE_S)
            if outage(error) is None:
                log.exception("run_failed", again_in_s=pause)
            else:
                log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        if not more:
            time.sleep(pause)
