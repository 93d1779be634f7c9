"""`python -m workers.keeper`: wakes workers and dialers for what is due, keeps the clocks, forgets what has expired.

A wake-up can be lost: the queue's Redis restarts, a worker is killed with its job. What is due stands in the store,
so looking there twice a second is enough. Any number of keepers may run: each act is a compare-and-set, and
a wake-up too many finds nothing to do. For the same reason it may be stopped anywhere, and a signal does so.

It keeps the clocks, too: when a seat's time is up, it writes that into the log itself, so that it happens though no
worker lives. For that it needs the rules, which it loads beside its first looks: it is there at once.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import sys
import threading
import time
from types import FrameType

import structlog

from service.cases import Cases, due, open_cases
from service.state.connect import RedisError
from workers.starting import started

EVERY_S = 0.5
SWEEP_EVERY_S = 30.0
BEAT_TTL_S = 5.0
LONGEST_PAUSE_S = 5.0

log = structlog.get_logger("keeper")


def keep(cases: Cases) -> None:
    """Look after what is due, for ever. While Redis is away it tries again, at longer and longer intervals."""
    name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    pause, swept = EVERY_S, float("-inf")
    while True:
        try:
            cases.queue.beat("keeper", name, BEAT_TTL_S)
            woken = due.wake_due(cases) + due.tell_webhooks(cases)
            if time.monotonic() - swept >= SWEEP_EVERY_S:
                due.sweep(cases)
                swept = time.monotonic()
        except RedisError as error:
            pause = min(2 * pause, LONGEST_PAUSE_S)
            log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        else:
            if pause > EVERY_S:
                log.info("redis_reached_again")
            pause = EVERY_S
            if woken:
                log.debug("woken", jobs=woken)
        time.sleep(pause)


def _stop(_signum: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _learn_the_rules() -> None:
    due.learn_the_rules()
    log.info("keeper_knows_the_rules")


def main() -> int:
    """The exit status: 0 after a signal, 2 for bad settings."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    settings = started()
    threading.Thread(target=_learn_the_rules, name="rules", daemon=True).start()
    log.info("keeper_ready")
    keep(open_cases(settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
