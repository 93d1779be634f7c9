"""Settings, read once from the environment and frozen.

`Settings` is the single table of all settings: name, type, default, accepted values and description.
`Settings.from_environment` reads it at start-up and rejects the first invalid value. `make doctor` prints the table,
and `make docs` writes it to docs/reference/settings.md. An empty variable counts as not set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from service import setting_parsers
from service.addresses import is_loopback, passwords, reachable_host, without_passwords
from service.identity_providers import Provider
from service.setting_parsers import ApiKey, Quota

DAY_S = 86_400

STATE_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster", "redis+sentinel")
QUEUE_SCHEMES = ("redis", "rediss", "unix", "redis+sentinel")  # RQ does not run on Redis Cluster
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOG_FORMATS = ("auto", "text", "json")
OUTGOING = ("off", "on", "loopback")
SWITCHES = ("auto", "on", "off")


class SettingsError(ValueError):
    """A variable has an invalid value. The message contains its name, the value and what is expected."""

    def __init__(self, name: str, given: str, accepted: str) -> None:
        super().__init__(f"{name}={given!r} is invalid: expected {accepted}.")
        self.name = name
        self.given = given
        self.accepted = accepted


def cores() -> int:
    """Cores this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Setting:
    """One row of the table. `default` is the text of the variable; `read` parses it."""

    name: str
    default: str
    accepted: str
    meaning: str
    read: Callable[[str], Any]
    secret: bool  # never printed

    def shown(self, value: object) -> str:
        """Return the value as text, without secrets."""
        return "***" if self.secret and value else _shown(value)


def setting(default: str, accepted: str, meaning: str, read: Callable[[str], Any], *, secret: bool = False) -> Any:
    """Return a field of `Settings`, read from the variable with the same name in capitals."""
    facts = {"default": default, "accepted": accepted, "meaning": meaning, "read": read, "secret": secret}
    return field(metadata=facts)


A_QUOTA = "requests/seconds such as 600/60, or 0 for no limit"


def _one_of(words: tuple[str, ...]) -> str:
    return f"one of {', '.join(words)}"


@dataclass(frozen=True)
class Settings:
    """The values of all settings. Each field declares default, accepted values, description and parser."""

    host: str = setting(
        "127.0.0.1", "a host name or IP address", "Address the web server listens on.", setting_parsers.host
    )
    port: int = setting(
        "8000", "a port from 1 to 65535", "TCP port of the web server.", setting_parsers.whole(1, 65_535)
    )
    data_dir: Path = setting(
        "./var",
        "a writable directory",
        "Directory for the data of the embedded Redis, backups, metric files and locks.",
        setting_parsers.directory,
    )
    redis_url: str = setting(
        "",
        f"an empty value or a URL starting with {', '.join(s + '://' for s in STATE_SCHEMES)}",
        "Redis that stores the games. Empty: start an embedded Redis.",
        setting_parsers.redis_url(STATE_SCHEMES),
    )
    queue_url: str = setting(
        "",
        "an empty value, or URLs separated by spaces, each starting with "
        f"{', '.join(s + '://' for s in QUEUE_SCHEMES)}",
        "Redis of the job queue, not a cluster. Several URLs share the load. Empty: same as REDIS_URL.",
        setting_parsers.redis_urls(QUEUE_SCHEMES),
    )
    redis_port: int = setting(
        "0",
        "a port from 1 to 65535, or 0",
        "TCP port of the embedded Redis on 127.0.0.1. 0: choose a free port and keep it.",
        setting_parsers.whole(0, 65_535),
    )
    archive_url: str = setting(
        "",
        "an empty value, local, or an fsspec URL of a folder, such as file:///srv/games or s3://bucket/games",
        "Where finished games are archived. local: the folder archive in DATA_DIR. Empty: no archive.",
        setting_parsers.archive_url,
    )
    public_url: str = setting(
        "",
        "an empty value, or an http(s) URL without query and fragment",
        "Base URL that clients use, if a proxy is in front of the service.",
        setting_parsers.public_url,
    )
    trusted_proxies: int = setting(
        "0",
        "a number from 0 to 10",
        "Number of proxies in front of the service whose X-Forwarded-* headers are trusted.",
        setting_parsers.whole(0, 10),
    )
    cors_origins: tuple[str, ...] = setting(
        "*",
        "* or http(s) origins separated by commas",
        "Web origins that may call the API from a browser.",
        setting_parsers.origins,
    )
    frame_ancestors: tuple[str, ...] = setting(
        "*",
        "*, none, or http(s) origins separated by commas",
        "Web origins that may embed a game in a frame (/embed/GAME).",
        setting_parsers.ancestors,
    )
    workers: int = setting(
        str(cores()),
        "a number from 1 to 1024",
        "Processes that compute AI moves.",
        setting_parsers.whole(1, 1_024),
    )
    search_threads: int = setting(
        "0",
        "a number from 0 to 256",
        "Threads that search one decision of the level master. 0: CPU cores divided by WORKERS, at least 1.",
        setting_parsers.whole(0, 256),
    )
    background_workers: int = setting(
        "1",
        "a number from 0 to 1024",
        "Low-priority processes for analyses, tournaments and long imports. 0: none on this machine.",
        setting_parsers.whole(0, 1_024),
    )
    background_nice: int = setting(
        "19",
        "a niceness from 0 to 19",
        "Niceness of background workers, and of tournament games against bots that are called. Use 0 on a "
        "dedicated machine.",
        setting_parsers.whole(0, 19),
    )
    outgoing: str = setting(
        "off",
        _one_of(OUTGOING),
        "Whether bots and webhooks are called at the URLs that users register. loopback: also on this "
        "machine, for development.",
        setting_parsers.one_of(*OUTGOING),
    )
    outgoing_ports: tuple[int, ...] = setting(
        "443",
        "ports from 1 to 65535, separated by commas",
        "Ports that outgoing HTTPS calls may use.",
        setting_parsers.ports,
    )
    vapid_private_key: str = setting(
        "",
        "an empty value, or 32 bytes in base64url; `python -m service.operate vapid` creates a key",
        "Private key for Web Push (VAPID). Empty: a key is created and stored in Redis.",
        setting_parsers.vapid_private_key,
        secret=True,
    )
    push_contact: str = setting(
        "",
        "an empty value, or a mailto: or https:// URL",
        "Contact address for push services. Some services require one.",
        setting_parsers.push_contact,
    )
    dialers: int = setting(
        "4",
        "a number from 0 to 64",
        "Processes that call bots and webhooks, unless OUTGOING is off. 0: none on this machine.",
        setting_parsers.whole(0, 64),
    )
    keepers: int = setting(
        "2",
        "a number from 1 to 64",
        "Processes that run clocks and scheduled work. With two, clocks stay exact if either one fails.",
        setting_parsers.whole(1, 64),
    )
    web_workers: int = setting("2", "a number from 1 to 256", "Web server processes.", setting_parsers.whole(1, 256))
    buckets: tuple[int, ...] = setting(
        "1",
        "a number from 1 to 100, optionally followed by larger numbers, separated by commas",
        "Number of partitions of the games; more than 1 for a Redis Cluster. To grow while games are "
        "stored, append the new number: 8,16.",
        setting_parsers.rising(1, 100, 10),
    )
    game_ttl_s: int = setting(
        str(14 * DAY_S),
        "a number of seconds, from 60 to 10 years",
        "Seconds after its last change until an unfinished game is deleted.",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    finished_ttl_s: int = setting(
        str(30 * DAY_S),
        "a number of seconds, from 60 to 10 years",
        "Seconds after its end until a finished game is deleted from Redis. Archived games stay readable.",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    player_ttl_s: int = setting(
        str(365 * DAY_S),
        "a number of seconds, from 60 to 10 years",
        "Seconds after their last activity until a player is deleted.",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    task_ttl_s: int = setting(
        str(7 * DAY_S),
        "a number of seconds, from 60 to 10 years",
        "Seconds after the request until an analysis, tournament or import is deleted. A review lives at "
        "least as long as its game.",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    gone_s: int = setting(
        str(3 * DAY_S),
        "a number of seconds, from 1 to 10 years",
        "In a game without a clock, seconds of waiting for a player until others may claim the seat.",
        setting_parsers.whole(1, 3_650 * DAY_S),
    )
    bot_arena_games: int = setting(
        "48",
        "a number from 0 to 10000",
        "Games a day that the bots' arena starts for each participating bot, while no AI decision is "
        "waiting. 0: no arena.",
        setting_parsers.whole(0, 10_000),
    )
    admin_token: str = setting(
        "",
        "an empty value, or 32 to 200 printable ASCII characters without spaces",
        "Bearer token of the operator, who may list, read and end all games. Empty: no operator access.",
        setting_parsers.secret,
        secret=True,
    )
    rate_limits: str = setting(
        "auto",
        _one_of(SWITCHES),
        "Whether the LIMIT_* settings apply. auto: on, unless HOST is a loopback address and no proxy is trusted.",
        setting_parsers.one_of(*SWITCHES),
    )
    limit_actions: Quota = setting(
        "600/60",
        A_QUOTA,
        "Requests of a caller that change a game: act, claim, start, resign.",
        setting_parsers.quota,
    )
    limit_analyses: Quota = setting(
        "30/60",
        A_QUOTA,
        "Requests of a caller for analyses and tournaments. Animations have a separate budget of the same size.",
        setting_parsers.quota,
    )
    limit_background: int = setting(
        "14400",
        "a number of seconds up to 10 years, or 0 for no limit",
        "Estimated seconds of background work that a caller may have waiting: analyses, tournaments, imports.",
        setting_parsers.whole(0, 3_650 * DAY_S),
    )
    limit_games: Quota = setting(
        "60/60",
        A_QUOTA,
        "Requests of a caller that create something, such as a game, a player or a seek.",
        setting_parsers.quota,
    )
    limit_handles: Quota = setting(
        "20/86400", A_QUOTA, "Requests of a caller that choose a handle.", setting_parsers.quota
    )
    limit_reads: Quota = setting(
        "1200/60",
        A_QUOTA,
        "Read requests of a caller. Opening event streams has a separate budget of the same size.",
        setting_parsers.quota,
    )
    limit_streams: int = setting(
        "50",
        "a number up to 100000, or 0 for no limit",
        "Event streams that a caller may have open at a time.",
        setting_parsers.whole(0, 100_000),
    )
    limit_open_games: int = setting(
        "200",
        "a number up to 100000, or 0 for no limit",
        "Unfinished games that a caller may have created.",
        setting_parsers.whole(0, 100_000),
    )
    api_keys: tuple[ApiKey, ...] = setting(
        "",
        "an empty value, or name:sha256hex pairs separated by commas; `python -m service.operate key NAME` creates one",
        "Applications whose requests are counted by API key (X-Api-Key) instead of by address.",
        setting_parsers.api_keys,
    )
    api_key_required: str = setting(
        "off", "on or off", "Whether every request needs an API key.", setting_parsers.one_of("on", "off")
    )
    oidc_providers: tuple[Provider, ...] = setting(
        "",
        "an empty value, or a JSON array of objects with id (1 to 40 of a-z, 0-9 and -, unique), issuer (an https "
        "URL), client_ids (at least one) and optionally client_secret (at least 8 characters)",
        "OpenID Connect providers whose ID tokens are accepted, as JSON.",
        setting_parsers.oidc_providers,
        secret=True,
    )
    log_level: str = setting(
        "INFO", _one_of(LOG_LEVELS), "Lowest level that is logged.", setting_parsers.one_of(*LOG_LEVELS)
    )
    log_format: str = setting(
        "auto",
        _one_of(LOG_FORMATS),
        "Format of log records. auto: text on a terminal, JSON otherwise.",
        setting_parsers.one_of(*LOG_FORMATS),
    )
    access_log: str = setting(
        "auto",
        "one of on, off, auto",
        "Whether each request and each AI decision is logged at level INFO. auto: on, unless the format is text.",
        setting_parsers.one_of("on", "off", "auto"),
    )
    metrics_host: str = setting(
        "127.0.0.1", "a host name or IP address", "Address METRICS_PORT listens on.", setting_parsers.host
    )
    metrics_port: int = setting(
        "0",
        "a port from 1 to 65535, or 0",
        "TCP port of the Prometheus metrics. 0: no metrics.",
        setting_parsers.whole(0, 65_535),
    )
    mcp_host: str = setting(
        "127.0.0.1", "a host name or IP address", "Address MCP_PORT listens on.", setting_parsers.host
    )
    mcp_port: int = setting(
        "0",
        "a port from 1 to 65535, or 0",
        "TCP port of the MCP server for language models (pip install -e '.[mcp]'). 0: no MCP server.",
        setting_parsers.whole(0, 65_535),
    )
    mcp_names: tuple[str, ...] = setting(
        "",
        "an empty value, or host names separated by commas",
        "Host names by which MCP clients on other machines reach the server.",
        setting_parsers.host_names,
    )

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None) -> Settings:
        """Read `env`, by default the environment of the process. Raises SettingsError for the first invalid value."""
        env = os.environ if env is None else env
        values: dict[str, Any] = {}
        for one in SETTINGS:
            given = env.get(one.name, "").strip() or one.default
            try:
                values[one.name.lower()] = one.read(given)
            except ValueError as bad:
                raise SettingsError(one.name, one.shown(given), one.accepted) from bad
        values["queue_url"] = values["queue_url"] or values["redis_url"]
        if "+cluster" in values["queue_url"]:
            raise SettingsError("QUEUE_URL", "", "the URL of a single Redis, because REDIS_URL is a cluster")
        if values["api_key_required"] == "on" and not values["api_keys"]:
            raise SettingsError("API_KEY_REQUIRED", "on", "off, because API_KEYS is empty")
        for name in ("metrics_port", "mcp_port"):
            if values[name] == values["port"]:
                raise SettingsError(name.upper(), str(values["port"]), "a different port than PORT")
        if values["mcp_port"] and values["mcp_port"] == values["metrics_port"]:
            raise SettingsError("MCP_PORT", str(values["mcp_port"]), "a different port than METRICS_PORT")
        return cls(**values)

    @property
    def archive(self) -> str:
        """URL of the archive, empty if there is none."""
        if self.archive_url == setting_parsers.LOCAL:
            return (self.data_dir / "archive").as_uri()
        return self.archive_url

    @property
    def base_url(self) -> str:
        """Base URL for clients, without trailing slash: PUBLIC_URL, or HOST and PORT."""
        if self.public_url:
            return self.public_url
        return self.local_url

    @property
    def logs_access(self) -> bool:
        """Whether requests and AI decisions are logged."""
        wanted = self.access_log == "on" or (self.access_log == "auto" and self.log_format != "text")
        return wanted and self.log_level in ("DEBUG", "INFO")

    @property
    def metrics_url(self) -> str:
        """URL of this machine's metrics, valid if METRICS_PORT is set."""
        return f"http://{_authority(self.metrics_host, self.metrics_port)}/metrics"

    @property
    def local_url(self) -> str:
        """Base URL for programs on this machine."""
        return f"http://{_authority(self.host, self.port)}"

    @property
    def threads(self) -> int:
        """Threads that search one decision."""
        return self.search_threads or max(1, cores() // self.workers)

    @cached_property
    def calls(self) -> bool:
        """Whether bots and webhooks are called."""
        return self.outgoing != "off"

    @property
    def limited(self) -> bool:
        """Whether rate limits apply. `auto` turns them off if only this machine can reach the service."""
        if self.rate_limits != "auto":
            return self.rate_limits == "on"
        return self.trusted_proxies > 0 or not is_loopback(self.host)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secrets that must never be printed or logged, including passwords in Redis URLs."""
        of_stores = {
            form(hidden)
            for url in (self.redis_url, *self.queue_url.split())
            for hidden in passwords(url)
            for form in (str, unquote)
        }
        clients = [provider.client_secret for provider in self.oidc_providers]
        return tuple(
            secret for secret in (self.admin_token, self.vapid_private_key, *clients, *sorted(of_stores)) if secret
        )

    def rows(self) -> list[tuple[str, str, str]]:
        """Return (name, value, description) of every setting, without secrets."""
        return [(one.name, one.shown(getattr(self, one.name.lower())), one.meaning) for one in SETTINGS]


SETTINGS = tuple(Setting(each.name.upper(), **each.metadata) for each in fields(Settings))


def settings_or_exit() -> Settings:
    """Return the settings of a process that needs Redis. If they are invalid, print why and exit with status 2."""
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        _refuse(str(error))
    if not settings.redis_url:
        _refuse("REDIS_URL is not set. Set it, or run `make serve`, which starts an embedded Redis.")
    return settings


def _refuse(why: str) -> NoReturn:
    sys.stderr.write(f"{why}\n")
    raise SystemExit(2)


def _authority(host: str, port: int) -> str:
    reachable = reachable_host(host)
    return f"[{reachable}]:{port}" if ":" in reachable else f"{reachable}:{port}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value)
    return without_passwords(str(value))
