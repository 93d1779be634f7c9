"""Settings, read once from the environment and frozen.

A process that reads its environment wherever it happens to need a value can be neither documented nor tested,
and finds a typing error at midnight. So every setting stands in one table (name, type, default, what is
accepted, what it means), `Settings.from_environment` reads the table at start-up and refuses to start on the first bad
value, and `python -m service.operate doctor` prints the same table. A variable that is empty counts as not
set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
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
    """A variable holds what it must not; the message names it, what was given and what is accepted."""

    def __init__(self, name: str, given: str, accepted: str) -> None:
        super().__init__(f"{name}={given!r} is not accepted: {name} takes {accepted}.")
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
    """One line of the table. `default` is what the variable would say; `read` turns it into the value."""

    name: str
    default: str
    accepted: str
    meaning: str
    read: Callable[[str], Any]
    secret: bool  # never shown

    def shown(self, value: object) -> str:
        """The value as it may be shown."""
        return "***" if self.secret and value else _shown(value)


def setting(default: str, accepted: str, meaning: str, read: Callable[[str], Any], *, secret: bool = False) -> Any:
    """A value of `Settings`, read from the variable of its name in capitals."""
    facts = {"default": default, "accepted": accepted, "meaning": meaning, "read": read, "secret": secret}
    return field(metadata=facts)


A_QUOTA = "requests/seconds as in 600/60, or 0 for no limit"


@dataclass(frozen=True)
class Settings:
    """The table and its values: what a variable says by default, accepts, means, and its reader. Times are seconds."""

    host: str = setting(
        "127.0.0.1", "a host name or address to listen on", "where the web server listens", setting_parsers.host
    )
    port: int = setting("8000", "a port, 1 to 65535", "the web server's TCP port", setting_parsers.whole(1, 65_535))
    data_dir: Path = setting(
        "./var",
        "a directory that can be created and written",
        "where the embedded Redis keeps its append-only file, and where lock and caches stand",
        setting_parsers.directory,
    )
    redis_url: str = setting(
        "",
        f"nothing, or a URL that starts with {', '.join(s + '://' for s in STATE_SCHEMES)}",
        "the Redis that holds the games; nothing: the embedded one is started",
        setting_parsers.redis_url(STATE_SCHEMES),
    )
    queue_url: str = setting(
        "",
        f"nothing, or URLs, divided by blanks, that start with {', '.join(s + '://' for s in QUEUE_SCHEMES)}",
        "the Redis of the job queue, which cannot be a cluster, or several; nothing: the same as REDIS_URL",
        setting_parsers.redis_urls(QUEUE_SCHEMES),
    )
    redis_port: int = setting(
        "0",
        "a port, 1 to 65535, or 0 for a free one, remembered in DATA_DIR",
        "the embedded Redis' TCP port on 127.0.0.1",
        setting_parsers.whole(0, 65_535),
    )
    archive_url: str = setting(
        "",
        "nothing, local, or a URL of a folder as fsspec reads it, such as file:///srv/games or s3://bucket/games",
        "where finished games are archived; nothing: nowhere; local: the folder archive in DATA_DIR",
        setting_parsers.archive_url,
    )
    public_url: str = setting(
        "",
        "nothing, or an http:// or https:// URL without query",
        "what clients see in front of the API when a proxy stands there",
        setting_parsers.public_url,
    )
    trusted_proxies: int = setting(
        "0",
        "a number of proxies, 0 to 10",
        "how many proxies in front may tell the client's address and scheme (X-Forwarded-*)",
        setting_parsers.whole(0, 10),
    )
    cors_origins: tuple[str, ...] = setting(
        "*",
        "* or http(s) origins separated by commas",
        "which web pages may call the API from a browser",
        setting_parsers.origins,
    )
    frame_ancestors: tuple[str, ...] = setting(
        "*",
        "*, http(s) origins separated by commas, or none",
        "which web pages may show a game in a frame (/embed/GAME)",
        setting_parsers.ancestors,
    )
    workers: int = setting(
        str(cores()),
        "a number of processes, 1 to 1024",
        "processes that compute AI moves; as many as cores when not set",
        setting_parsers.whole(1, 1_024),
    )
    search_threads: int = setting(
        "0",
        "a number of threads, 0 to 256",
        "threads that think about one decision of master; 0: as many as there are cores for each of WORKERS, but one "
        "at least",
        setting_parsers.whole(0, 256),
    )
    background_workers: int = setting(
        "1",
        "a number of processes, 0 to 1024",
        "processes of low priority that do analyses, tournaments and long imports; 0: none here",
        setting_parsers.whole(0, 1_024),
    )
    background_nice: int = setting(
        "19",
        "a niceness, 0 to 19",
        "how far background workers, and tournaments' games with opponents that are called, stand back for whatever "
        "else the machine computes; 0 where they have it to themselves",
        setting_parsers.whole(0, 19),
    )
    outgoing: str = setting(
        "off",
        " or ".join(OUTGOING),
        "whether opponents and webhooks that others name are called; loopback: for development, this machine too",
        setting_parsers.one_of(*OUTGOING),
    )
    outgoing_ports: tuple[int, ...] = setting(
        "443",
        "ports, 1 to 65535, separated by commas",
        "the ports that may be called, by https alone",
        setting_parsers.ports,
    )
    vapid_private_key: str = setting(
        "",
        "nothing, or 32 bytes in base64url; `python -m service.operate vapid` makes them",
        "the private key by which push services know the service; nothing: one is made and kept in the store",
        setting_parsers.vapid_private_key,
        secret=True,
    )
    push_contact: str = setting(
        "",
        "nothing, or a mailto: or https:// URL",
        "where push services may write to; some call for it",
        setting_parsers.push_contact,
    )
    dialers: int = setting(
        "4",
        "a number of processes, 0 to 64",
        "processes that call opponents and webhooks, where OUTGOING is not off; 0: none here",
        setting_parsers.whole(0, 64),
    )
    keepers: int = setting(
        "2",
        "a number of processes, 1 to 64",
        "processes that wake workers and keep the clocks; of two, one may die and no clock is late",
        setting_parsers.whole(1, 64),
    )
    web_workers: int = setting(
        "2", "a number of processes, 1 to 256", "web server processes", setting_parsers.whole(1, 256)
    )
    buckets: tuple[int, ...] = setting(
        "1",
        "a number of buckets, 1 to 100, and behind commas each larger one that came later",
        "parts the games are divided into; more than 1 on a Redis Cluster. To have more with games stored, add the new "
        "number: 8,16",
        setting_parsers.rising(1, 100, 10),
    )
    game_ttl_s: int = setting(
        str(14 * DAY_S),
        "seconds, 60 to 10 years",
        "an unfinished game nobody touches is deleted after this long",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    finished_ttl_s: int = setting(
        str(30 * DAY_S),
        "seconds, 60 to 10 years",
        "a finished game is deleted after this long, but for the archive",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    player_ttl_s: int = setting(
        str(365 * DAY_S),
        "seconds, 60 to 10 years",
        "a player who is not seen for this long is deleted",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    task_ttl_s: int = setting(
        str(7 * DAY_S),
        "seconds, 60 to 10 years",
        "analyses, tournaments and imports are deleted this long after they were asked for; reviews with their game, "
        "if that is later",
        setting_parsers.whole(60, 3_650 * DAY_S),
    )
    gone_s: int = setting(
        str(3 * DAY_S),
        "seconds, 1 to 10 years",
        "without a clock, the seat of a person who is waited for this long may be claimed",
        setting_parsers.whole(1, 3_650 * DAY_S),
    )
    bot_arena_games: int = setting(
        "48",
        "a number of games, 0 to 10000",
        "games a day that the arena of bots begins for each bot that takes part, while no AI's decision waits; 0: "
        "there is no arena",
        setting_parsers.whole(0, 10_000),
    )
    admin_token: str = setting(
        "",
        "nothing, or 32 to 200 visible ASCII characters",
        "the operator's bearer token, of at least 32 characters, for listing, reading and ending all games",
        setting_parsers.secret,
        secret=True,
    )
    rate_limits: str = setting(
        "auto",
        " or ".join(SWITCHES),
        "whether the LIMIT_… below hold; auto: unless HOST is a loopback address and no proxy is trusted",
        setting_parsers.one_of(*SWITCHES),
    )
    limit_actions: Quota = setting(
        "600/60",
        A_QUOTA,
        "requests/seconds of a caller that change a game: acting, claiming, starting, resigning",
        setting_parsers.quota,
    )
    limit_analyses: Quota = setting(
        "30/60",
        A_QUOTA,
        "requests/seconds of a caller that ask for an analysis or a tournament; as many for animations, counted apart",
        setting_parsers.quota,
    )
    limit_background: int = setting(
        "14400",
        "a number of seconds, 0 to 10 years; 0: no limit",
        "seconds of work, estimated, that a caller has waiting: analyses, games of tournaments, imports",
        setting_parsers.whole(0, 3_650 * DAY_S),
    )
    limit_games: Quota = setting(
        "60/60", A_QUOTA, "requests/seconds of a caller that create something", setting_parsers.quota
    )
    limit_handles: Quota = setting(
        "20/86400", A_QUOTA, "requests/seconds of a caller that choose a handle", setting_parsers.quota
    )
    limit_reads: Quota = setting(
        "1200/60",
        A_QUOTA,
        "requests/seconds of a caller that only read; as many openings of event streams, counted apart",
        setting_parsers.quota,
    )
    limit_streams: int = setting(
        "50",
        "a number of streams, 0 to 100000; 0: no limit",
        "event streams that a caller has open at one time",
        setting_parsers.whole(0, 100_000),
    )
    limit_open_games: int = setting(
        "200",
        "a number of games, 0 to 100000; 0: no limit",
        "unfinished games that a caller has created",
        setting_parsers.whole(0, 100_000),
    )
    api_keys: tuple[ApiKey, ...] = setting(
        "",
        "nothing, or name:sha256hex separated by commas; `python -m service.operate key NAME` makes one",
        "applications that are counted by their key (X-Api-Key) instead of by address",
        setting_parsers.api_keys,
    )
    api_key_required: str = setting(
        "off", "on or off", "whether every caller needs such a key", setting_parsers.one_of("on", "off")
    )
    oidc_providers: tuple[Provider, ...] = setting(
        "",
        "nothing, or a JSON array of objects with id (1 to 40 of a-z, 0-9 and -, each once), issuer (an https URL), "
        "client_ids (an array of one at least) and, if there is one, client_secret (of at least 8 characters)",
        "providers of OpenID Connect whose ID tokens are accepted, as JSON",
        setting_parsers.oidc_providers,
        secret=True,
    )
    log_level: str = setting(
        "INFO", " or ".join(LOG_LEVELS), "the least that is logged", setting_parsers.one_of(*LOG_LEVELS)
    )
    log_format: str = setting(
        "auto",
        " or ".join(LOG_FORMATS),
        "how a record looks; auto: a line of text on a terminal, JSON elsewhere",
        setting_parsers.one_of(*LOG_FORMATS),
    )
    access_log: str = setting(
        "auto",
        "on, off or auto",
        "whether each request, and each decision of an AI, is a record at level INFO; auto: unless LOG_FORMAT is text",
        setting_parsers.one_of("on", "off", "auto"),
    )
    metrics_host: str = setting(
        "127.0.0.1", "a host name or address to listen on", "where METRICS_PORT listens", setting_parsers.host
    )
    metrics_port: int = setting(
        "0",
        "a port, 1 to 65535, or 0 for none",
        "the TCP port of the metrics for Prometheus; 0: nothing is counted",
        setting_parsers.whole(0, 65_535),
    )
    mcp_host: str = setting(
        "127.0.0.1", "a host name or address to listen on", "where MCP_PORT listens", setting_parsers.host
    )
    mcp_port: int = setting(
        "0",
        "a port, 1 to 65535, or 0 for none",
        "the TCP port at which language models play, by MCP (pip install -e '.[mcp]'); 0: none",
        setting_parsers.whole(0, 65_535),
    )
    mcp_names: tuple[str, ...] = setting(
        "",
        "nothing, or host names with commas between them",
        "the host names by which MCP clients of other machines reach it",
        setting_parsers.host_names,
    )

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None) -> Settings:
        """Reads `env` (the process' own when None). Raises SettingsError on the first bad value."""
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
            raise SettingsError("QUEUE_URL", "", "the URL of a single Redis when REDIS_URL is a cluster")
        if values["api_key_required"] == "on" and not values["api_keys"]:
            raise SettingsError("API_KEY_REQUIRED", "on", "off where API_KEYS names no key")
        for name in ("metrics_port", "mcp_port"):
            if values[name] == values["port"]:
                raise SettingsError(name.upper(), str(values["port"]), "another port than PORT")
        if values["mcp_port"] and values["mcp_port"] == values["metrics_port"]:
            raise SettingsError("MCP_PORT", str(values["mcp_port"]), "another port than METRICS_PORT")
        return cls(**values)

    @property
    def archive(self) -> str:
        """The URL of the archive; nothing where none is kept."""
        if self.archive_url == setting_parsers.LOCAL:
            return (self.data_dir / "archive").as_uri()
        return self.archive_url

    @property
    def base_url(self) -> str:
        """Where clients find the service: PUBLIC_URL, else what HOST and PORT say. No trailing slash."""
        if self.public_url:
            return self.public_url
        return self.local_url

    @property
    def logs_access(self) -> bool:
        """Whether requests and decisions are logged: not where their level is not."""
        wanted = self.access_log == "on" or (self.access_log == "auto" and self.log_format != "text")
        return wanted and self.log_level in ("DEBUG", "INFO")

    @property
    def metrics_url(self) -> str:
        """Where the metrics of this machine are found on it, if METRICS_PORT is set."""
        return f"http://{_authority(self.metrics_host, self.metrics_port)}/metrics"

    @property
    def local_url(self) -> str:
        """Where a program on this machine finds the service."""
        return f"http://{_authority(self.host, self.port)}"

    @property
    def threads(self) -> int:
        """How many threads think about one decision."""
        return self.search_threads or max(1, cores() // self.workers)

    @property
    def calls(self) -> bool:
        """Whether opponents and webhooks are called at all."""
        return self.outgoing != "off"

    @property
    def limited(self) -> bool:
        """Whether rate limits hold. By `auto` they do not where only this machine can ask: its owner is no crowd."""
        if self.rate_limits != "auto":
            return self.rate_limits == "on"
        return self.trusted_proxies > 0 or not is_loopback(self.host)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be shown: the operator's token, the key for push services, providers' secrets, passwords."""
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
        """(name, value, meaning) of every setting, passwords hidden."""
        return [(one.name, one.shown(getattr(self, one.name.lower())), one.meaning) for one in SETTINGS]


SETTINGS = tuple(Setting(each.name.upper(), **each.metadata) for each in fields(Settings))


def settings_or_exit() -> Settings:
    """The settings of a process that needs a Redis; where they cannot be used, it says why and exits with status 2."""
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        _refuse(str(error))
    if not settings.redis_url:
        _refuse("REDIS_URL is not set: `make serve` starts a Redis of its own.")
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
