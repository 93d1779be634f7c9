"""The programs that the supervisor runs.

Stages start in order and end in reverse order, so Redis is first and last. A stage starts when all earlier stages are
ready. The last stage has `warm`, which compiles rules if needed and ends, and the MCP server. The other programs work
without compiled rules and load them when they are ready.

Programs that take seconds to load exist twice, so killing one process interrupts nothing: two web servers that share
the web processes, and two crews (see `workers.crew`), one of which is on standby. The supervisor owns the listening
socket. New connections wait for the other server if one dies.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from service.addresses import reachable_host
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings

GUNICORN_CONF = str(Path(__file__).with_name("gunicorn_conf.py"))
LISTENER, STARTED = "WEB_LISTENER", "WEB_STARTED"
"""Environment variables of web servers with descriptors: of the listening socket, and of a pipe into which each process
writes when it starts to accept connections. They are not settings."""
PYTHON = (sys.executable, "-m")
CANNOT_START = 2
"""Exit status of a program with wrong arguments or without a package it needs. A restart does not help."""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "web": ("gunicorn", "-c", GUNICORN_CONF, "service.app:create_app()"),
    "worker": ("workers",),
    "background": ("workers", "--background"),
    "keeper": ("workers.keeper",),
    "dialer": ("workers", "--dial"),
    "exporter": ("workers.exporter",),
    "counts": ("workers.counts",),
    "warm": ("workers.warm",),
}
"""Module and arguments of each process that can run alone, by its command."""
FORKS = sys.platform.startswith("linux")


@dataclass(frozen=True)
class Program:
    """One program.

    `ready`: returns whether the next stage may start (None: at once); `once`: the program does its work and ends with
    status 0, is tried up to three times, and the next stage does not wait for it; `optional`: the service continues
    without it if it exits with `CANNOT_START`; `reloads`: SIGHUP restarts it; `environment`: additional variables;
    `descriptors`: stay open in the program; `patience_s`: seconds between SIGTERM and SIGKILL; `prepare`: called before
    each start, returns a message for the operator or None.
    """

    name: str
    argv: tuple[str, ...]
    stage: int
    ready: Callable[[], bool] | None = None
    once: bool = False
    optional: bool = False
    reloads: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()
    patience_s: float = 10.0
    prepare: Callable[[], str | None] | None = None


def service_programs(
    settings: Settings, redis: EmbeddedRedis | None, listener: int, *, terminal: bool
) -> tuple[Program, ...]:
    """Return the programs of the service.

    `redis`: claimed, or None if REDIS_URL is set; `listener`: descriptor of the listening socket; `terminal`: whether
    the output goes to a terminal.
    """
    environment = child_environment(settings, redis, terminal=terminal)
    # Of the two crews, one works, and the other is loaded and on standby.
    crews = [Program(f"crew-{n}", (*PYTHON, "workers.crew"), stage=3, environment=environment) for n in (1, 2)]
    mcp = (*PYTHON, "azul_games", "mcp", "--http", "--url", settings.local_url)  # a client of the public API
    return (
        *(redis_programs(redis) if redis else ()),
        *(crews if FORKS else single_programs(settings, environment)),
        *web_programs(settings, listener, environment),
        *([Program("mcp", mcp, stage=5, optional=True, environment=environment)] if settings.mcp_port else []),
        Program("warm", (*PYTHON, *COMMANDS["warm"]), stage=5, once=True, environment=environment),
    )


def single_programs(settings: Settings, environment: Mapping[str, str]) -> tuple[Program, ...]:
    """Return keepers, workers and dialers as separate programs, for systems on which forking is unsafe."""
    programs = [
        ("keeper", 2, settings.keepers),
        ("worker", 3, settings.workers),
        ("background", 3, settings.background_workers),
        ("dialer", 3, 1 if settings.allows_calls and settings.dialers else 0),
        ("exporter", 3, 1 if settings.metrics_port else 0),
    ]
    return tuple(
        Program(f"{name}-{number}", (*PYTHON, *COMMANDS[name]), stage=stage, environment=environment)
        for name, stage, count in programs
        for number in range(1, count + 1)
    )


def web_programs(settings: Settings, listener: int, environment: Mapping[str, str]) -> tuple[Program, ...]:
    """Return two web servers, or one if WEB_WORKERS is 1."""
    servers = min(2, settings.web_workers)
    return tuple(
        _web_program(
            f"web-{number + 1}",
            listener,
            {**environment, "WEB_WORKERS": str((settings.web_workers + number) // servers), LISTENER: str(listener)},
        )
        for number in range(servers)
    )


def _web_program(name: str, listener: int, environment: Mapping[str, str]) -> Program:
    """Return a web server. It is ready when one of its processes accepts connections."""
    reading, writing = os.pipe()
    for end in (reading, writing):
        os.set_blocking(end, False)

    def has_started() -> bool:
        try:
            return bool(os.read(reading, 4_096))
        except BlockingIOError:
            return False

    def forget_earlier_starts() -> None:
        has_started()

    return Program(
        name,
        (*PYTHON, *COMMANDS["web"]),
        stage=4,
        ready=has_started,
        reloads=True,
        environment={**environment, STARTED: str(writing)},
        descriptors=(listener, writing),
        prepare=forget_earlier_starts,
    )


def redis_programs(redis: EmbeddedRedis) -> tuple[Program, ...]:
    """Return the embedded Redis and the program that syncs its file to disk."""
    descriptors = () if redis.lock_descriptor is None else (redis.lock_descriptor,)
    return (
        Program("redis", tuple(redis.argv), 0, ready=redis.is_ready, descriptors=descriptors, prepare=redis.repair),
        Program("forcing", (*PYTHON, "service.operate.redis.aof_fsync", str(redis.append_only)), 0),
    )


def child_environment(settings: Settings, redis: EmbeddedRedis | None, *, terminal: bool) -> dict[str, str]:
    """Return the additional environment variables of every program."""
    environment = {"PYTHONUNBUFFERED": "1", "DATA_DIR": str(settings.data_dir)}
    if redis is not None:
        environment["REDIS_URL"] = redis.socket_url
        # RQ's SpawnWorker, needed on macOS, loses the path of a unix socket.
        on_linux = sys.platform.startswith("linux")
        environment["QUEUE_URL"] = os.environ.get("QUEUE_URL") or (redis.socket_url if on_linux else redis.url)
    if terminal and settings.log_format == "auto":
        # Programs write into a pipe, but a person reads the output.
        environment["LOG_FORMAT"] = "text"
    return environment


def is_healthy(settings: Settings) -> bool:
    """Return whether the web server answers GET /healthz with 200."""
    connection = http.client.HTTPConnection(reachable_host(settings.host), settings.port, timeout=1.0)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
