"""`python -m workers.keeper`: wake workers and dialers for due work, apply timeouts and delete expired data.

A wake-up can be lost if the queue's Redis restarts or a worker is killed. The store contains all due work, so a keeper
checks it twice a second. Any number of keepers can run: every change is a compare-and-set, and an unnecessary wake-up
has no effect. So a signal can stop a keeper at any point. A failed run is logged and repeated.

A keeper commits timeouts itself, so clocks work without workers. It needs the rules for that, and loads them in a
thread so that it starts at once.
"""

from __future__ import annotations

import sys
import threading
import time

import structlog

from service.operate.observability import metrics
from service.settings import Settings
from service.storage.base.connect import NewerStoreError, outage
from service.storage.games.store_agreement import agree_on_buckets, agree_on_version
from service.usecases.base.context import Context, open_context
from service.usecases.keeping import duties
from workers import archiver
from workers.processes.heartbeat import Heartbeat
from workers.processes.starting import exit_on_signals, set_up_process

KEEPER = "keeper"
POLL_S = 0.5
SWEEP_EVERY_S = 30.0
MAX_KEEPER_PAUSE_S = 1.0

log = structlog.get_logger("keeper")


def keep(context: Context) -> None:
    """Run due work for ever. While Redis is unavailable, retry with increasing pauses."""
    pause, swept, back_off, more, is_checked = POLL_S, float("-inf"), duties.BackOff(), False, False
    while True:
        began, result = time.monotonic(), metrics.OK
        try:
            if not is_checked:
                _check_store(context)
                is_checked = True
            context.now_ms()  # raises for a store that has become newer
            more = duties.run_due(context, back_off)
            if time.monotonic() - swept >= SWEEP_EVERY_S:
                duties.sweep(context, lambda: duties.apply_timeouts(context, back_off))
                swept = time.monotonic()
        except Exception as error:
            pause, more = min(2 * pause, MAX_KEEPER_PAUSE_S), False
            if outage(error) is None:
                result = "failed"
                log.exception("run_failed", again_in_s=pause)
            else:
                result = "away"
                log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        else:
            if pause > POLL_S:
                log.info("redis_reached_again")
            pause = POLL_S
        metrics.current.record_keeper_run(result, time.monotonic() - began)
        if not more:
            time.sleep(pause)


def _check_store(context: Context) -> None:
    """Exit with status 2 if the store has a newer version, or other BUCKETS, so that games would not be found."""
    try:
        agree_on_version(context.store.redis)
        agree_on_buckets(context.store.redis, context.store.keys)
    except NewerStoreError as error:
        log.error("newer_store", reason=str(error))  # noqa: TRY400 - a traceback would not help
        raise SystemExit(2) from error
    except ValueError as error:
        log.error("wrong_buckets", reason=str(error))  # noqa: TRY400 - a traceback would not help
        raise SystemExit(2) from error


def _watch_queue_servers(context: Context) -> None:
    """Watch the queue's servers in a separate thread, so that an unavailable one does not delay keeping."""
    while True:
        context.queue.update_served()
        time.sleep(POLL_S)


def learn_the_rules() -> None:
    """Load the rules, which timeouts need."""
    duties.load_rules()
    log.info("keeper_knows_the_rules")


def work(settings: Settings) -> None:
    """Run a keeper until a signal."""
    exit_on_signals()
    Heartbeat(settings, KEEPER)
    context = open_context(settings)
    archiver.start(context)
    if len(context.queue.servers) > 1:
        threading.Thread(target=_watch_queue_servers, args=(context,), name="queue_servers", daemon=True).start()
    keep(context)


def main() -> int:
    """Run until a signal. Return 0; invalid settings exit with status 2."""
    settings = set_up_process()
    threading.Thread(target=learn_the_rules, name="rules", daemon=True).start()
    log.info("keeper_ready")
    work(settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
