"""How gunicorn serves the service: patched first, loaded once, forked then.

Order matters. gevent replaces the blocking parts of the standard library, and whatever was imported before
holds the blocking ones; so this file patches before anything of ours is imported (gunicorn reads it before it
loads the application). Then `preload_app`: the application, and the rules' machine code where it is there, are loaded
once and shared by the forks. `create_app` opens no connection, so no socket is shared by two processes.

Streams keep a connection for hours, hence thousands of connections a process. When the process is to end, they end
first; a client that has not noticed within the graceful time is cut off, and resumes with Last-Event-ID all the same.
"""

# ruff: noqa: E402
from __future__ import annotations

from gevent import monkey

monkey.patch_all()

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
    """Hands gunicorn's records to the root logger, so that they look like all others."""

    def setup(self, cfg: Any) -> None:
        """Called by gunicorn in the master."""
        super().setup(cfg)
        logs.configure(_settings.log_level, _settings.log_format, secrets=_settings.secrets)
        self.error_log.handlers = []
        self.error_log.propagate = True
        self.error_log.setLevel(logging.NOTSET)


_address = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
_listener = os.environ.get("WEB_LISTENER")  # the supervisor's, which two servers share
bind = f"fd://{_listener}" if _listener else _address
worker_class = "gevent"
workers = _settings.web_workers
preload_app = True
worker_connections = 10_000
backlog = 1_024
keepalive = 65  # seconds; longer than the 60 after which usual proxies drop an idle connection
timeout = 60  # a process that has not looped for this long is replaced
graceful_timeout = 5  # seconds; the supervisor kills after 10

limit_request_line = 8_190  # bytes: long filters in a query
limit_request_fields = 64
limit_request_field_size = 8_190

# Whom to believe about X-Forwarded-* is decided once, by TRUSTED_PROXIES, in the application.
secure_scheme_headers: dict[str, str] = {}

accesslog = None
logger_class = RootLogger
proc_name = "azul-web"
# gunicorn 25+ opens a control socket under the home directory, by a thread; nobody asked for it.
control_socket_disable = True


def when_ready(server: Any) -> None:
    """Everything is loaded, and lives as long as the process: the collector need not look at it again and again."""
    del server
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """When the process is to end, whoever waits or follows is sent home at once, to come back to another."""

    def send_home() -> None:
        while worker.alive:
            gevent.sleep(ALIVE_EVERY_S)
        worker.wsgi.extensions["context"].hub.close()

    gevent.spawn(send_home)


def post_fork(server: Any, worker: Any) -> None:
    """In the new process: it must not outlive the master (gevent's loop would notice a second later)."""
    del server, worker
    parent_death.tie(os.getppid())
