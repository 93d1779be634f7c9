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
from service.setting_parsers import ApiKey, Quota, RefusedError

DAY_S = 86_400
MAX_SECONDS = 3_650 * DAY_S

STATE_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster", "redis+sentinel")
QUEUE_SCHEMES = ("redis", "rediss", "unix", "redis+sentinel")  # RQ does not run on Redis Cluster
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOG_FORMATS = ("auto", "text", "json")
OUTGOING = ("off", "on", "loopback")
SWITCHES = ("auto", "on", "off")


class SettingsError(ValueError):
    """A variable has an invalid value. The message contains its name, the value and what is expected."""

    def __init__(self, name: str, value: str, accepted: str) -> None:
        super().__init__(f"{name}={value!r} is invalid: expected {accepted}.")
        self.name = name


def cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Setting:
    """One row of the table. `default` is the text of the variable; `read` parses it."""

    name: str
    default: str
    accepted: str
    meaning: str
    read: Callable[[str], Any]
    secret: bool  # never printed

    def to_text(self, value: object) -> str:
        """Return the value as text, without secrets."""
        if self.secret and value:
            return "***"
        return without_passwords(",".join(map(str, value)) if isinstance(value, tuple) else str(value))


def setting(default: str, accepted: str, meaning: str, read: Callable[[str], Any], *, secret: bool = False) -> Any:
    """Return a field of `Settings`, read from the variable with the same name in capitals."""
    return field(
        metadata={"default": default, "accepted": accepted, "meaning": meaning, "read": read, "secret": secret}
    )


def number_setting(default: int, low: int, high: int, meaning: str) -> Any:
    """Return the field of a setting that is a whole number from `low` to `high`."""
    return setting(str(default), f"a number from {low} to {high}", meaning, setting_parsers.whole_number(low, high))


def limit_setting(default: int, meaning: str) -> Any:
    """Return the field of a setting that limits a number, where 0 means no limit."""
    accepted = "a number up to 100000, or 0 for no limit"
    return setting(str(default), accepted, meaning, setting_parsers.whole_number(0, 100_000))


def seconds_setting(default: int, least: int, meaning: str) -> Any:
    """Return the field of a setting that is a time in seconds."""
    accepted = f"a number of seconds, from {least} to 10 years"
    return setting(str(default), accepted, meaning, setting_parsers.whole_number(least, MAX_SECONDS))


def port_setting(default: int, meaning: str) -> Any:
    """Return the field of a setting that is a port. With the default 0, the port may be 0."""
    accepted, least = ("a port from 1 to 65535", 1) if default else ("a port from 1 to 65535, or 0", 0)
    return setting(str(default), accepted, meaning, setting_parsers.whole_number(least, 65_535))


def host_setting(meaning: str) -> Any:
    """Return the field of a setting that is an address to listen on."""
    return setting("127.0.0.1", "a host name or IP address", meaning, setting_parsers.host)


def word_setting(default: str, words: tuple[str, ...], meaning: str) -> Any:
    """Return the field of a setting that is one of these words, in any case."""
    return setting(default, f"one of {', '.join(words)}", meaning, setting_parsers.one_of(*words))


def quota_setting(default: str, meaning: str) -> Any:
    """Return the field of a setting that allows a number of requests in a number of seconds."""
    accepted = "requests/seconds such as 600/60, or 0 for no limit"
    return setting(default, accepted, meaning, setting_parsers.quota)


@dataclass(frozen=True)
class Settings:
    """The values of all settings. Each field declares default, accepted values, description and parser."""

    host: str = host_setting("Address the web server listens on.")
    port: int = port_setting(8000, "TCP port of the web server.")
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
    redis_port: int = port_setting(0, "TCP port of the embedded Redis on 127.0.0.1. 0: choose a free port and keep it.")
    redis_max_mb: int = setting(
        "0",
        "a number of megabytes from 64 to 1000000, or 0 for no limit",
        "Memory limit of the embedded Redis. At the limit, requests that write get 503.",
        setting_parsers.zero_or(64, 1_000_000),
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
    trusted_proxies: int = number_setting(
        0, 0, 10, "Number of proxies in front of the service whose X-Forwarded-* headers are trusted."
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
    workers: int = number_setting(cores(), 1, 1_024, "Processes that compute AI moves.")
    search_threads: int = number_setting(
        0, 0, 256, "Threads that search one decision of the level master. 0: CPU cores divided by WORKERS, at least 1."
    )
    background_workers: int = number_setting(
        1, 0, 1_024, "Low-priority processes for analyses, tournaments and long imports. 0: none on this machine."
    )
    background_nice: int = setting(
        "19",
        "a niceness from 0 to 19",
        "Niceness of background workers, and of tournament games against bots that are called. Use 0 on a "
        "dedicated machine.",
        setting_parsers.whole_number(0, 19),
    )
    outgoing: str = word_setting(
        "off",
        OUTGOING,
        "Whether bots and webhooks are called at the URLs that users register. loopback: also on this "
        "machine, for development.",
    )
    outgoing_ports: tuple[int, ...] = setting(
        "443",
        "ports from 1 to 65535, separated by commas",
        "Ports that outgoing HTTPS calls may use.",
        setting_parsers.ports,
    )
    vapid_private_key: str = setting(
        "",
        "an empty value, or a private key of P-256 in base64url; `azul-games-server vapid` creates a key",
        "Private key for Web Push (VAPID). Empty: a key is created and stored in Redis.",
        setting_parsers.vapid_private_key,
        secret=True,
    )
    push_contact: str = setting(
        "",
        "an empty value, or a mailto: or https:// URL",
        "Contact address for push services. Some services require one.",
        setting_parsers.contact,
    )
    contact: str = setting(
        "",
        "an empty value, or a mailto: or https:// URL",
        "Contact address for players, such as for appeals against bans. Pages and `auth/banned` show it.",
        setting_parsers.contact,
    )
    dialers: int = number_setting(
        4,
        0,
        64,
        "Processes that call bots and webhooks, unless OUTGOING is off; each adds 16 concurrent decisions and 16 "
        "deliveries. 0: none on this machine.",
    )
    keepers: int = number_setting(
        2, 1, 64, "Processes that run clocks and scheduled work. With two, clocks stay exact if either one fails."
    )
    web_workers: int = number_setting(2, 1, 256, "Web server processes.")
    buckets: tuple[int, ...] = setting(
        "1",
        "a number from 1 to 100, optionally followed by larger numbers, separated by commas",
        "Number of partitions of the games; more than 1 for a Redis Cluster. To grow while games are "
        "stored, append the new number: 8,16.",
        setting_parsers.rising(1, 100, 10),
    )
    game_ttl_s: int = seconds_setting(
        14 * DAY_S, 60, "Seconds after its last change until an unfinished game is deleted."
    )
    finished_ttl_s: int = seconds_setting(
        30 * DAY_S,
        60,
        "Seconds after its end until a finished game is deleted from Redis. Archived games stay readable.",
    )
    player_ttl_s: int = seconds_setting(365 * DAY_S, 60, "Seconds after their last activity until a player is deleted.")
    task_ttl_s: int = seconds_setting(
        7 * DAY_S,
        60,
        "Seconds after the request until an analysis, tournament or import is deleted. A review lives at "
        "least as long as its game.",
    )
    gone_s: int = seconds_setting(
        3 * DAY_S, 1, "In a game without a clock, seconds of waiting for a player until others may claim the seat."
    )
    bot_arena_games: int = number_setting(
        48,
        0,
        10_000,
        "Games a day that the bots' arena starts for each participating bot, while no AI decision is "
        "waiting. 0: no arena.",
    )
    admin_token: str = setting(
        "",
        "an empty value, or 32 to 200 printable ASCII characters without spaces",
        "Bearer token of the operator, who may list, read and end all games. Empty: no operator access.",
        setting_parsers.secret,
        secret=True,
    )
    rate_limits: str = word_setting(
        "auto",
        SWITCHES,
        "Whether the LIMIT_* settings apply. auto: on, unless HOST is a loopback address and no proxy is trusted.",
    )
    limit_actions: Quota = quota_setting(
        "600/60", "Requests of a caller that change a game: act, claim, start, resign."
    )
    limit_analyses: Quota = quota_setting(
        "30/60",
        "Requests of a caller for analyses and tournaments. Animations have a separate budget of the same size.",
    )
    limit_background: int = setting(
        "14400",
        "a number of seconds up to 10 years, or 0 for no limit",
        "Estimated seconds of background work that a caller or a player may have waiting: analyses, tournaments, "
        "imports. All players of a caller together may have four times as much.",
        setting_parsers.whole_number(0, MAX_SECONDS),
    )
    limit_games: Quota = quota_setting(
        "60/60", "Requests of a caller that create something, such as a game, a player or a seek."
    )
    limit_handles: Quota = quota_setting("20/86400", "Requests of a caller that choose a handle.")
    limit_guesses: Quota = quota_setting(
        "20/60",
        "Wrong secrets from an address: operator's tokens, tickets, API keys, invitations, sign-ins.",
    )
    limit_reads: Quota = quota_setting(
        "1200/60", "Read requests of a caller. Opening event streams has a separate budget of the same size."
    )
    limit_streams: int = limit_setting(50, "Event streams that a caller may have open at a time.")
    limit_open_games: int = limit_setting(
        200, "Unfinished games that a caller or a player may have, however they were created."
    )
    limit_share: int = limit_setting(
        20,
        "Entries that a caller may have in each list that all callers fill: waiting seeks, competitions that are not "
        "over, published bots, open challenges to one player, places in a competition without an invitation.",
    )
    api_keys: tuple[ApiKey, ...] = setting(
        "",
        "an empty value, or name:sha256hex pairs separated by commas; `azul-games-server key NAME` creates one",
        "Applications whose requests are counted by API key (X-Api-Key) instead of by address.",
        setting_parsers.api_keys,
    )
    api_key_required: str = word_setting("off", ("on", "off"), "Whether every request needs an API key.")
    oidc_providers: tuple[Provider, ...] = setting(
        "",
        "an empty value, or a JSON array of objects with id (1 to 40 of a-z, 0-9 and -, unique), issuer (an https "
        "URL), client_ids (at least one) and optionally client_secret (at least 8 characters)",
        "OpenID Connect providers whose ID tokens are accepted, as JSON.",
        setting_parsers.oidc_providers,
        secret=True,
    )
    link_players: str = word_setting(
        "on",
        ("on", "off"),
        "Whether moderators see which players share an address. Only digests are stored, for at most 14 days.",
    )
    log_level: str = word_setting("INFO", LOG_LEVELS, "Lowest level that is logged.")
    log_format: str = word_setting(
        "auto", LOG_FORMATS, "Format of log records. auto: text on a terminal, JSON otherwise."
    )
    access_log: str = word_setting(
        "auto",
        SWITCHES,
        "Whether each request and each AI decision is logged at level INFO. auto: on, unless the format is text.",
    )
    heartbeat_file: str = setting(
        "",
        "an empty value, or the path of a writable file in an existing folder",
        "File that a worker, keeper or dialer touches twice a second, for a probe of its container.",
        setting_parsers.writable_file,
    )
    metrics_host: str = host_setting("Address METRICS_PORT listens on.")
    metrics_port: int = port_setting(0, "TCP port of the Prometheus metrics. 0: no metrics.")
    mcp_host: str = host_setting("Address MCP_PORT listens on.")
    mcp_port: int = port_setting(
        0,
        "TCP port of the MCP server for language models. It needs the MCP SDK: `make options` in a checkout, otherwise "
        "`pip install 'azul-games[mcp]'`. 0: no MCP server.",
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
        for setting in SETTINGS:
            text = env.get(setting.name, "").strip() or setting.default
            try:
                values[setting.name.lower()] = setting.read(text)
            except ValueError as error:
                accepted = str(error) if isinstance(error, RefusedError) else ""
                raise SettingsError(setting.name, setting.to_text(text), accepted or setting.accepted) from error
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
        return self.public_url or self.local_url

    @property
    def has_access_log(self) -> bool:
        """Whether requests and AI decisions are logged."""
        is_on = self.access_log == "on" or (self.access_log == "auto" and self.log_format != "text")
        return is_on and self.log_level in ("DEBUG", "INFO")

    @property
    def metrics_url(self) -> str:
        """URL of this machine's metrics, valid if METRICS_PORT is set."""
        return f"http://{_authority(self.metrics_host, self.metrics_port)}/metrics"

    @property
    def other_ports(self) -> list[tuple[str, str, int]]:
        """Prefix of the settings, host and port of each port on this machine besides that of the web server."""
        rows = [("METRICS_", self.metrics_host, self.metrics_port), ("MCP_", self.mcp_host, self.mcp_port)]
        return [row for row in rows if row[2]]

    @property
    def local_url(self) -> str:
        """Base URL for programs on this machine."""
        return f"http://{_authority(self.host, self.port)}"

    @property
    def threads(self) -> int:
        """Threads that search one decision."""
        return self.search_threads or max(1, cores() // self.workers)

    @cached_property
    def allows_calls(self) -> bool:
        """Whether bots and webhooks are called."""
        return self.outgoing != "off"

    @property
    def links_players(self) -> bool:
        """Whether digests of players' addresses are stored."""
        return self.link_players == "on"

    @property
    def has_rate_limits(self) -> bool:
        """Whether rate limits apply. `auto` turns them off if only this machine can reach the service."""
        if self.rate_limits != "auto":
            return self.rate_limits == "on"
        return self.trusted_proxies > 0 or not is_loopback(self.host)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secrets that must never be printed or logged, including passwords in Redis URLs."""
        in_urls = {
            form(password)
            for url in (self.redis_url, *self.queue_url.split())
            for password in passwords(url)
            for form in (str, unquote)
        }
        of_clients = [provider.client_secret for provider in self.oidc_providers]
        return tuple(filter(None, (self.admin_token, self.vapid_private_key, *of_clients, *sorted(in_urls))))

    def rows(self) -> list[tuple[str, str, str]]:
        """Return (name, value, description) of every setting, without secrets."""
        return [(each.name, each.to_text(getattr(self, each.name.lower())), each.meaning) for each in SETTINGS]


SETTINGS = tuple(Setting(each.name.upper(), **each.metadata) for each in fields(Settings))


def settings_or_exit(*, needs_redis: bool = True) -> Settings:
    """Return the settings of a process. If they are invalid, print why and exit with status 2."""
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        _exit(str(error))
    if needs_redis and not settings.redis_url:
        _exit("REDIS_URL is not set. Set it, or run `make serve`, which starts an embedded Redis.")
    return settings


def _exit(reason: str) -> NoReturn:
    sys.stderr.write(f"{reason}\n")
    raise SystemExit(2)


def _authority(host: str, port: int) -> str:
    reachable = reachable_host(host)
    return f"[{reachable}]:{port}" if ":" in reachable else f"{reachable}:{port}"
