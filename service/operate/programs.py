"""What the supervisor runs: a table, one line a program.

The order is the order of starting, and reversed the order of ending: Redis first and last. Programs of one
stage start and end together; a stage starts when everything of the stages before it is ready. `warm` comes last: it
compiles the rules where that has not been done yet, and ends. The others play without and take over what is ready.
The MCP server, if there is one, starts when the web servers answer.

Of whatever loads for seconds there are two, so that the kill of one process makes nobody wait for that: two web
servers, each with its part of the processes, and two crews (see `workers.crew`), of which one waits. The socket that
the web servers accept from is the supervisor's own: who connects while one of them dies waits for the other.
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
LISTENER = "WEB_LISTENER"
"""The variable that tells a web server the descriptor of the socket to accept from. It is no setting: HOST and PORT
say where it listens."""
PYTHON = (sys.executable, "-m")
FORKS = sys.platform.startswith("linux")


@dataclass(frozen=True)
class Program:
    """One program.

    `ready` tells when the next stage may start (None: at once). One with `once` does its work and ends with status 0;
    nobody waits for it, and it is tried three times. `environment` is added to the supervisor's
    own. `descriptors` stay open in the program. `patience_s`: seconds between SIGTERM and SIGKILL. `prepare` is called
    before each start, and returns what the operator should know of it.
    """

    name: str
    argv: tuple[str, ...]
    stage: int
    ready: Callable[[], bool] | None = None
    once: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()
    patience_s: float = 10.0
    prepare: Callable[[], str | None] | None = None


def service_programs(
    settings: Settings, redis: EmbeddedRedis | None, listener: int, *, terminal: bool
) -> tuple[Program, ...]:
    """The table of the service. `redis` is claimed, or None where REDIS_URL names one; `listener`: the descriptor of
    the socket to accept from; `terminal`: a person reads.
    """
    environment = child_environment(settings, redis, terminal=terminal)
    computing = crews(environment) if FORKS else single_programs(settings, environment)
    return (
        *(redis_programs(redis) if redis else ()),
        *computing,
        *web_programs(settings, listener, environment),
        *mcp_programs(settings, environment),
        Program("warm", (*PYTHON, "workers.warm"), stage=5, once=True, environment=environment),
    )


def crews(environment: Mapping[str, str]) -> tuple[Program, ...]:
    """All that computes, twice: one crew works, the other has everything loaded and waits."""
    return tuple(
        Program(f"crew-{number}", (*PYTHON, "workers.crew"), stage=3, environment=environment) for number in (1, 2)
    )


def single_programs(settings: Settings, environment: Mapping[str, str]) -> tuple[Program, ...]:
    """All that computes, each by itself, for machines on which a process must not be forked."""
    programs = [
        ("keeper", 2, ("workers.keeper",), settings.keepers),
        ("worker", 3, ("workers",), settings.workers),
        ("background", 3, ("workers", "--background"), settings.background_workers),
        ("dialers", 3, ("workers", "--dial"), 1 if settings.calls and settings.dialers else 0),
        ("exporter", 3, ("workers.exporter",), 1 if settings.metrics_port else 0),
    ]
    return tuple(
        Program(f"{name}-{number}", (*PYTHON, *argv), stage=stage, environment=environment)
        for name, stage, argv, count in programs
        for number in range(1, count + 1)
    )


def web_programs(settings: Settings, listener: int, environment: Mapping[str, str]) -> tuple[Program, ...]:
    """The web servers: two, unless there is to be one process only."""
    argv = (*PYTHON, "gunicorn", "-c", GUNICORN_CONF, "service.app:create_app()")
    servers = min(2, settings.web_workers)
    return tuple(
        Program(
            f"web-{number + 1}",
            argv,
            stage=4,
            ready=lambda: answers_healthz(settings),
            environment={
                **environment,
                "WEB_WORKERS": str((settings.web_workers + number) // servers),
                LISTENER: str(listener),
            },
            descriptors=(listener,),
        )
        for number in range(servers)
    )


def mcp_programs(settings: Settings, environment: Mapping[str, str]) -> tuple[Program, ...]:
    """The MCP server, where a port is set: a client of the web servers, which asks nothing but the public API."""
    argv = (*PYTHON, "azul_games", "mcp", "--http", "--url", settings.local_url)
    return (Program("mcp", argv, stage=5, environment=environment),) if settings.mcp_port else ()


def redis_programs(redis: EmbeddedRedis) -> tuple[Program, ...]:
    """The embedded Redis, claimed, and what forces its file to disk."""
    descriptors = () if redis.lock_descriptor is None else (redis.lock_descriptor,)
    return (
        Program("redis", tuple(redis.argv), 0, ready=redis.ready, descriptors=descriptors, prepare=redis.mend),
        Program("forcing", (*PYTHON, "service.operate.redis.aof_fsync", str(redis.append_only)), 0),
    )


def child_environment(settings: Settings, redis: EmbeddedRedis | None, *, terminal: bool) -> dict[str, str]:
    """The environment of every child, besides the supervisor's own."""
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
