"""`python -m workers.keeper`: wakes workers and dialers for what is due, keeps the clocks, forgets what has expired.

A wake-up can be lost: the queue's Redis restarts, a worker is killed with its job. What is due stands in the store,
so looking there twice a second is enough. Any number of keepers may run: each act is a compare-and-set, and
a wake-up too many finds nothing to do. For the same reason it may be stopped anywhere, and a signal does so.
Nothing else ends it: a look that fails is logged, and the next follows.

It keeps the clocks, too: when a seat's time is up, it writes that into the log itself, so that it happens though no
worker lives. For that it needs the rules, which it loads beside its first looks: it is there at once.
"""

from __future__ import annotations

import sys
import threading
import time

import structlog

from service.operate.observability import metrics
from service.settings import Settings
from service.storage.base.connect import outage
from service.usecases.base.context import Context, open_context
from service.usecases.keeping import duties
from workers import archiver
from workers.processes.heartbeat import Heart
from workers.processes.starting import exit_on_signals, started

KEEPER = "keeper"
LOOK_S = 0.5
SWEEP_EVERY_S = 30.0
LONGEST_LOOK_PAUSE_S = 1.0

log = structlog.get_logger("keeper")


def keep(context: Context) -> None:
    """Look after what is due, for ever. While Redis is away it tries again, at longer and longer intervals."""
    pause, swept, back_off, more, agreed = LOOK_S, float("-inf"), duties.BackOff(), False, False
    while True:
        began, result = time.monotonic(), metrics.OK
        try:
            if not agreed:
                _agree(context)
                agreed = True
            more = duties.look(context, back_off)
            if time.monotonic() - swept >= SWEEP_EVERY_S:
                duties.sweep(context, lambda: duties.keep_times(context, back_off))
                swept = time.monotonic()
        except Exception as error:
            pause, more = min(2 * pause, LONGEST_LOOK_PAUSE_S), False
            if outage(error) is None:
                result = "failed"
                log.exception("look_failed", again_in_s=pause)
            else:
                result = "away"
                log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        else:
            if pause > LOOK_S:
                log.info("redis_reached_again")
            pause = LOOK_S
        metrics.current.looked(result, time.monotonic() - began)
        if not more:
            time.sleep(pause)


def _agree(context: Context) -> None:
    """Others would not find the games that this one looks after, nor it theirs: then it ends."""
    try:
        context.store.agree_on_buckets()
    except ValueError as refused:
        log.error("wrong_buckets", why=str(refused))  # noqa: TRY400 - no fault of ours
        raise SystemExit(2) from refused


def _watch_who_serves(context: Context) -> None:
    """Apart from the looks, which no server of the queue that is away may delay."""
    while True:
        context.queue.look_who_serves()
        time.sleep(LOOK_S)


def learn_the_rules() -> None:
    """Load what keeping the time needs."""
    duties.learn_the_rules()
    log.info("keeper_knows_the_rules")


def work(settings: Settings) -> None:
    """Keep until a signal."""
    exit_on_signals()
    Heart(settings, KEEPER)
    context = open_context(settings)
    archiver.start(context)
    if len(context.queue.servers) > 1:
        threading.Thread(target=_watch_who_serves, args=(context,), name="who_serves", daemon=True).start()
    keep(context)


def main() -> int:
    """The exit status: 0 after a signal, 2 for bad settings."""
    settings = started()
    threading.Thread(target=learn_the_rules, name="rules", daemon=True).start()
    log.info("keeper_ready")
    work(settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
