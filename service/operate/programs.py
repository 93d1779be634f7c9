"""What the supervisor runs: a table, one line a program.

The order is the order of starting, and reversed the order of ending: Redis first and last. Programs of one
stage start and end together; a stage starts when everything of the stages before it is ready. `warm` compiles
the rules once and ends, before web and workers load them: without it every process would compile for itself,
at the same time.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from service.hosts import reachable_host
from service.operate.launcher import EmbeddedRedis
from service.settings import Settings

GUNICORN_CONF = str(Path(__file__).with_name("gunicorn_conf.py"))


@dataclass(frozen=True)
class Program:
    """One program.

    `ready` tells when the next stage may start (None: at once). One with `once` is ready when it has
    ended with status 0, and any other status ends everything. `environment` is added to the supervisor's
    own. `descriptors` stay open in the program. `patience_s`: seconds between SIGTERM and SIGKILL.
    """

    name: str
    argv: tuple[str, ...]
    stage: int
    ready: Callable[[], bool] | None = None
    once: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()
    patience_s: float = 10.0


def service_programs(settings: Settings, redis: EmbeddedRedis | None, *, terminal: bool) -> tuple[Program, ...]:
    """The table of the service. `redis` is claimed, or None where REDIS_URL names one; `terminal`: a
    person reads.
    """
    python = (sys.executable, "-m")
    environment = child_environment(settings, redis, terminal=terminal)
    web = (*python, "gunicorn", "-c", GUNICORN_CONF, "service.app:create_app()")
    workers = tuple(
        Program(f"worker-{number}", (*python, "workers"), stage=3, environment=environment)
        for number in range(1, settings.workers + 1)
    )
    keepers = tuple(
        Program(f"keeper-{number}", (*python, "workers.keeper"), stage=2, environment=environment)
        for number in range(1, settings.keepers + 1)
    )
    background = tuple(
        Program(f"background-{number}", (*python, "workers", "--background"), stage=3, environment=environment)
        for number in range(1, settings.background_workers + 1)
    )
    dialers = ("dialers",) if settings.calls and settings.dialers else ()
    calling = tuple(Program(name, (*python, "workers", "--dial"), stage=3, environment=environment) for name in dialers)
    return (
        *((redis_program(redis),) if redis else ()),
        Program("warm", (*python, "workers.warm"), stage=1, once=True, environment=environment),
        *keepers,
        *workers,
        *background,
        *calling,
        Program("web", web, stage=4, ready=lambda: answers_healthz(settings), environment=environment),
    )


def redis_program(redis: EmbeddedRedis) -> Program:
    """The embedded Redis, claimed."""
    descriptors = () if redis.lock_descriptor is None else (redis.lock_descriptor,)
    return Program("redis", tuple(redis.argv), stage=0, ready=redis.ready, descriptors=descriptors)


def child_environment(settings: Settings, redis: EmbeddedRedis | None, *, terminal: bool) -> dict[str, str]:
    """What every child is told beside the supervisor's own environment."""
    environment = {"PYTHONUNBUFFERED": "1", "DATA_DIR": str(settings.data_dir)}
    if redis is not None:
        environment["REDIS_URL"] = redis.socket_url
        # RQ's SpawnWorker, which macOS needs, loses the path of a unix socket.
        on_linux = sys.platform.startswith("linux")
        environment["QUEUE_URL"] = os.environ.get("QUEUE_URL") or (redis.socket_url if on_linux else redis.url)
    if terminal and settings.log_format == "auto":
        # The children write into our pipe; the person at its end still wants lines.
        environment["LOG_FORMAT"] = "text"
    return environment


def answers_healthz(settings: Settings) -> bool:
    """Whether the web server answers GET /healthz with 200 now."""
    connection = http.client.HTTPConnection(reachable_host(settings.host), settings.port, timeout=1.0)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
