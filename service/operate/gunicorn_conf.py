"""gunicorn's configuration.

gevent replaces the blocking parts of the standard library. Modules imported before that keep the blocking parts, so
this file patches first; gunicorn reads it before it loads the application. With `preload_app`, the forks share the
application and the compiled rules. `create_app` opens no connection, so forks share no socket.

Event streams last for hours, so a process accepts thousands of connections. Streams end first when the process stops.
Clients that are cut off resume with Last-Event-ID.
"""

# ruff: noqa: E402
from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import contextlib
import gc
import logging
import os
from typing import Any

import gevent
from gunicorn.glogging import Logger

from service.operate import parent_death
from service.operate.observability import logs
from service.settings import settings_or_exit

_settings = settings_or_exit()
ALIVE_EVERY_S = 0.25


class RootLogger(Logger):  # type: ignore[misc]
    """Passes gunicorn's records to the root logger, for the common format."""

    def setup(self, cfg: Any) -> None:
        """Configure logging in the master."""
        super().setup(cfg)
        logs.configure(_settings.log_level, _settings.log_format, secrets=_settings.secrets)
        self.error_log.handlers = []
        self.error_log.propagate = True
        self.error_log.setLevel(logging.NOTSET)


_address = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
_listener = os.environ.get("WEB_LISTENER")  # descriptor of the supervisor's socket, which two servers share
_started = os.environ.get("WEB_STARTED")  # descriptor of a pipe to the supervisor
bind = f"fd://{_listener}" if _listener else _address
worker_class = "gevent"
workers = _settings.web_workers
preload_app = True
worker_connections = 10_000
backlog = 1_024
keepalive = 65  # seconds; proxies usually drop an idle connection after 60
timeout = 60  # seconds without a heartbeat until a process is replaced
graceful_timeout = 5  # seconds; the supervisor kills after 10

limit_request_line = 8_190  # bytes: long filters in a query
limit_request_fields = 64
limit_request_field_size = 8_190

# The application handles X-Forwarded-*, as TRUSTED_PROXIES says.
secure_scheme_headers: dict[str, str] = {}

accesslog = None
logger_class = RootLogger
proc_name = "azul-web"
# Otherwise gunicorn 25 and later open a control socket in the home directory.
control_socket_disable = True


def when_ready(server: Any) -> None:
    """Exclude the loaded application from garbage collection, because it lives as long as the process."""
    del server
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Tell the supervisor that the process starts to accept connections.

    When it stops, close waiting requests and streams at once. Clients then reconnect to another process.
    """
    if _started:
        with contextlib.suppress(BlockingIOError):  # nobody reads
            os.write(int(_started), b".")

    def close_when_stopped() -> None:
        while worker.alive:
            gevent.sleep(ALIVE_EVERY_S)
        worker.wsgi.extensions["context"].hub.close()

    gevent.spawn(close_when_stopped)


def post_fork(server: Any, worker: Any) -> None:
    """End the new process with the master. gevent's loop would notice a second later."""
    del server, worker
    parent_death.tie(os.getppid())
