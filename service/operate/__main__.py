"""`python -m service.operate [serve|redis|doctor|key NAME|vapid|backup|restore FILE]`: one command that brings
everything up, and its helpers.

`serve` checks everything that can be checked before it starts anything, so that a mistake costs one clear
line and not a half-started service.
"""

from __future__ import annotations

import argparse
import hashlib
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from service.operate.data_dir import OperateError, listening
from service.operate.redis.launcher import EmbeddedRedis
from service.setting_parsers import API_KEY
from service.settings import Settings, SettingsError

REFUSED = 2  # exit status: nothing was started


def serve(settings: Settings) -> int:
    """Starts Redis (unless REDIS_URL names one), keeper, workers and web, and looks after them until a
    signal.
    """
    from service.operate.programs import service_programs
    from service.operate.supervisor import Supervisor

    try:
        listener = listening(settings.host, settings.port)
    except OSError as failed:
        raise OperateError(
            f"HOST={settings.host} PORT={settings.port}: the port is in use, or the address does not belong to this "
            "machine. Set PORT or HOST to another value."
        ) from failed
    with listener:
        redis = None if settings.redis_url else EmbeddedRedis(settings.data_dir, settings.redis_port).claim()
        programs = service_programs(settings, redis, listener.fileno(), terminal=sys.stdout.isatty())
        try:
            return Supervisor(programs, greeting=lambda: greeting(settings)).run()
        finally:
            if redis is not None:
                redis.release()


def greeting(settings: Settings) -> list[str]:
    """The lines that are printed once, when everything answers."""
    return [
        "everything is up (press Ctrl-C to stop)",
        f"  API   {settings.base_url}/v1",
        f"  docs  {settings.base_url}/docs",
        f"  table {settings.base_url}/play",
        *([f"  metrics {settings.metrics_url}"] if settings.metrics_port else []),
    ]


def redis_only(settings: Settings) -> int:
    """Runs the embedded Redis alone, for work on web or workers by hand."""
    from service.operate.programs import redis_programs
    from service.operate.supervisor import Supervisor

    redis = EmbeddedRedis(settings.data_dir, settings.redis_port).claim()
    try:
        where = [f"export REDIS_URL='{redis.socket_url}'", f"   or REDIS_URL='{redis.url}'"]
        return Supervisor(redis_programs(redis), greeting=lambda: where).run()
    finally:
        redis.release()


def new_key(settings: Settings, name: str) -> int:
    """Makes an application's API key and prints the setting that admits it; the key itself is kept nowhere."""
    key = secrets.token_urlsafe(32)
    line = f"{name}:{hashlib.sha256(key.encode()).hexdigest()}"
    if not API_KEY.fullmatch(line):
        raise OperateError(f"{name!r} is not a valid application name. Use 1 to 40 letters, digits, '.', '_' or '-'.")
    known = [f"{key.name}:{key.digest}" for key in settings.api_keys]
    print(f"API key of {name} for the header X-Api-Key (it is not shown again):\n  {key}")
    print(f"Setting that accepts it:\n  API_KEYS={','.join([*known, line])}")
    return 0


def new_vapid_key() -> int:
    """Makes a key by which push services know the service, and prints the setting; it is kept nowhere."""
    from service.outgoing import web_push

    private = web_push.new_private_key()
    print(f"Public key, as returned by GET /v1/push-key:\n  {web_push.public_key(private)}")
    print(f"Setting (keep it secret):\n  VAPID_PRIVATE_KEY={private}")
    return 0


def back_up(settings: Settings, keep: int | None) -> int:
    """Writes a backup of the embedded Redis and prints where it stands."""
    from service.operate.redis.backups import backup

    _must_be_embedded(settings)
    path = backup(settings.data_dir, keep)
    print(f"{path}  {path.stat().st_size:,} bytes")
    return 0


def put_back(settings: Settings, path: Path) -> int:
    """Restores a backup into DATA_DIR, whose service stands still."""
    from service.operate.redis.backups import restore

    _must_be_embedded(settings)
    keys, before = restore(settings.data_dir, path)
    print(f"Restored {keys:,} keys from {path}")
    if before is not None:
        print(f"The previous data is in {before}. Delete it when you no longer need it.")
    return 0


def _must_be_embedded(settings: Settings) -> None:
    if settings.redis_url:
        raise OperateError("REDIS_URL names an external Redis. Use its own backup tools.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 ended in order, 1 failed, 2 refused before anything was started."""
    parser = argparse.ArgumentParser(prog="python -m service.operate", description="Run the games service.")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("serve", help="start and supervise all processes (default)")
    commands.add_parser("redis", help="start only the embedded Redis")
    commands.add_parser("doctor", help="print settings and versions, and check the connection to Redis")
    saved = commands.add_parser("backup", help="back up the embedded Redis while the service runs")
    saved.add_argument("--keep", type=int, metavar="N", help="keep the newest N backups and delete older ones")
    kept = commands.add_parser("restore", help="restore a backup while the service is stopped")
    kept.add_argument("file", type=Path, help="backup file")
    key = commands.add_parser("key", help="create and print an API key for an application")
    key.add_argument("name", help="name of the application")
    commands.add_parser("vapid", help="create and print a key for Web Push")
    given = parser.parse_args(arguments)
    command = given.command or "serve"
    try:
        settings = Settings.from_environment()
        if command == "doctor":
            from service.operate.doctor import doctor

            return doctor(settings)
        if command in ("key", "vapid"):
            return new_vapid_key() if command == "vapid" else new_key(settings, given.name)
        if command == "backup":
            return back_up(settings, given.keep)
        if command == "restore":
            return put_back(settings, given.file)
        return redis_only(settings) if command == "redis" else serve(settings)
    except (SettingsError, OperateError) as refused:
        print(f"cannot {command if command in ('backup', 'restore') else 'start'}: {refused}", file=sys.stderr)
        return REFUSED


if __name__ == "__main__":
    sys.exit(main())
