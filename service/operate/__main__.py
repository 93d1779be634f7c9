"""`azul-games-server COMMAND`, in a checkout also `python -m service.operate COMMAND`: start and manage the service.

`serve` checks settings, ports and directory before it starts anything. A mistake results in one clear message instead
of a service that is half started.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from socket import socket
from typing import NoReturn

from service.operate import data_dir as rooms
from service.operate.data_dir import OperateError
from service.operate.observability.counting import metrics_folder
from service.operate.redis.launcher import EmbeddedRedis
from service.setting_parsers import API_KEY
from service.settings import Settings, SettingsError

REFUSED = 2  # exit status: nothing was started
PROCESSES = {
    "web": "run only a web server",
    "worker": "run only a worker, which plays the turns of AIs",
    "background": "run only a background worker",
    "keeper": "run only a keeper",
    "dialer": "run only the dialers",
    "exporter": "run only the metrics exporter",
    "counts": "serve only the counts of the processes with this DATA_DIR",
    "warm": "compile the rules and the search",
}


def serve(settings: Settings) -> int:
    """Start Redis (unless REDIS_URL is set), keepers, workers and web servers, and supervise them until a signal."""
    from service.operate.programs import service_programs
    from service.operate.setting_warnings import describe_misspelt
    from service.operate.supervisor import Supervisor

    for sentence in describe_misspelt():
        print(f"warning: {sentence}", file=sys.stderr)
    with _listener(settings) as listener:
        _check_data_dir(settings)
        redis = None if settings.redis_url else claim_redis(settings)
        programs = service_programs(settings, redis, listener.fileno(), terminal=sys.stdout.isatty())
        try:
            return Supervisor(programs, greeting=lambda: greeting(settings)).run()
        finally:
            if redis is not None:
                redis.release()


def _listener(settings: Settings) -> socket:
    """Return the listening socket of the web servers, if all other ports are available, too."""
    for prefix, host, port in settings.other_ports:
        if failure := rooms.port_failure(host, port):
            raise _port_error(prefix, host, port, failure)
    try:
        return rooms.open_listener(settings.host, settings.port)
    except OSError as failed:
        raise _port_error("", settings.host, settings.port, rooms.describe_listen_failure(failed)) from failed


def _port_error(prefix: str, host: str, port: int, failure: str) -> OperateError:
    return OperateError(
        f"{prefix}HOST={host} {prefix}PORT={port}: {failure}. Set {prefix}HOST or {prefix}PORT to another value."
    )


def _check_data_dir(settings: Settings) -> None:
    """Raise OperateError if DATA_DIR is not writable. With REDIS_URL, it contains a lock and the metric files."""
    with rooms.describe_failures(settings.data_dir):
        os.close(rooms.open_lock(settings.data_dir, rooms.CREW_LOCK))
        rooms.check_writable(settings.data_dir)
        if settings.metrics_port:
            rooms.check_writable(metrics_folder(settings))


def claim_redis(settings: Settings) -> EmbeddedRedis:
    """Return the embedded Redis, with its directory locked."""
    return EmbeddedRedis(settings.data_dir, settings.redis_port, settings.redis_max_mb).claim()


def greeting(settings: Settings) -> list[str]:
    """Return the lines to print when all programs are ready."""
    return [
        "everything is up (press Ctrl-C to stop)",
        f"  API   {settings.base_url}/v1",
        f"  docs  {settings.base_url}/docs",
        f"  table {settings.base_url}/play",
        *([f"  metrics {settings.metrics_url}"] if settings.metrics_port else []),
    ]


def serve_redis(settings: Settings) -> int:
    """Run only the embedded Redis, for starting the other programs by hand."""
    from service.operate.programs import redis_programs
    from service.operate.supervisor import Supervisor

    redis = claim_redis(settings)
    try:
        addresses = [f"export REDIS_URL='{redis.socket_url}'", f"   or REDIS_URL='{redis.url}'"]
        return Supervisor(redis_programs(redis), greeting=lambda: addresses).run()
    finally:
        redis.release()


def become(command: str) -> NoReturn:
    """Replace this process by one process of the service."""
    from service.operate.programs import COMMANDS, PYTHON

    os.execv(sys.executable, [*PYTHON, *COMMANDS[command]])  # noqa: S606


def new_key(settings: Settings, name: str) -> int:
    """Create an API key for an application, and print it with the setting that accepts it. It is not stored."""
    key = secrets.token_urlsafe(32)
    line = f"{name}:{hashlib.sha256(key.encode()).hexdigest()}"
    if not API_KEY.fullmatch(line):
        raise OperateError(f"{name!r} is not a valid application name. Use 1 to 40 letters, digits, '.', '_' or '-'.")
    existing = [f"{key.name}:{key.digest}" for key in settings.api_keys]
    print(f"API key of {name} for the header X-Api-Key (it is not shown again):\n  {key}")
    print(f"Setting that accepts it:\n  API_KEYS={','.join([*existing, line])}")
    return 0


def new_vapid_key() -> int:
    """Create a key for Web Push (VAPID), and print the setting. The key is not stored."""
    from service.outgoing import web_push

    private = web_push.new_private_key()
    print(f"Public key, as returned by GET /v1/push-key:\n  {web_push.public_key(private)}")
    print(f"Setting (keep it secret):\n  VAPID_PRIVATE_KEY={private}")
    return 0


def write_backup(settings: Settings, keep: int | None) -> int:
    """Write a backup of the embedded Redis and print its path."""
    from service.operate.redis.backups import backup

    _must_be_embedded(settings)
    with rooms.describe_failures(settings.data_dir):
        path = backup(settings.data_dir, keep)
    print(f"{path}  {path.stat().st_size:,} bytes")
    return 0


def restore_backup(settings: Settings, file: str) -> int:
    """Restore a backup into DATA_DIR while the service is stopped."""
    from service.operate.redis.backups import restore

    _must_be_embedded(settings)
    if not file:
        raise OperateError("set FILE to a backup, for example FILE=var/backups/azul-20261125T031500000Z.rdb.")
    with rooms.describe_failures(settings.data_dir):
        keys, previous = restore(settings.data_dir, Path(file))
    print(f"Restored {keys:,} keys from {file}")
    if previous is not None:
        print(f"The previous data is in {previous}. Delete it when you no longer need it.")
    return 0


def _must_be_embedded(settings: Settings) -> None:
    if settings.redis_url:
        raise OperateError("REDIS_URL names an external Redis. Use its own backup tools.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status: 0 success, 1 failure, 2 refused before anything was started."""
    parser = argparse.ArgumentParser(prog="azul-games-server", description="Run the games service.")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("serve", help="start and supervise all processes (default)")
    commands.add_parser("redis", help="start only the embedded Redis")
    commands.add_parser("doctor", help="print settings and versions, and check the connection to Redis")
    backup = commands.add_parser("backup", help="back up the embedded Redis while the service runs")
    backup.add_argument("--keep", type=int, metavar="N", help="keep the newest N backups and delete older ones")
    restore = commands.add_parser("restore", help="restore a backup while the service is stopped")
    restore.add_argument("file", help="backup file")
    key = commands.add_parser("key", help="create and print an API key for an application")
    key.add_argument("name", help="name of the application")
    commands.add_parser("vapid", help="create and print a key for Web Push")
    for name, process in PROCESSES.items():
        commands.add_parser(name, help=process)
    options = parser.parse_args(arguments)
    command = options.command or "serve"
    if command in PROCESSES:
        become(command)
    try:
        settings = Settings.from_environment()
        if command == "doctor":
            from service.operate.doctor import doctor

            return doctor(settings)
        if command in ("key", "vapid"):
            return new_vapid_key() if command == "vapid" else new_key(settings, options.name)
        if command == "backup":
            return write_backup(settings, options.keep)
        if command == "restore":
            return restore_backup(settings, options.file)
        return serve_redis(settings) if command == "redis" else serve(settings)
    except (SettingsError, OperateError) as error:
        print(f"cannot {command if command in ('backup', 'restore') else 'start'}: {error}", file=sys.stderr)
        return REFUSED


if __name__ == "__main__":
    sys.exit(main())
