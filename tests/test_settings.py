"""Settings: defaults, reading and errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from service.identity_providers import Provider
from service.outgoing import web_push
from service.setting_parsers import ApiKey, Quota
from service.settings import SETTINGS, Settings, SettingsError


def test_an_empty_environment_gives_the_documented_defaults() -> None:
    settings = Settings.from_environment({})
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert (settings.redis_url, settings.queue_url) == ("", "")
    assert settings.cors_origins == ("*",)
    assert (settings.web_workers, settings.buckets, settings.redis_port) == (2, (1,), 0)
    assert settings.workers >= 1
    assert (settings.game_ttl_s, settings.finished_ttl_s) == (14 * 86_400, 30 * 86_400)


def test_every_setting_describes_its_meaning_and_accepted_values() -> None:
    assert [setting.name for setting in SETTINGS if not (setting.meaning and setting.accepted)] == []


def test_an_empty_or_blank_variable_counts_as_not_set() -> None:
    assert Settings.from_environment({}) == Settings.from_environment({"PORT": "", "HOST": "  "})


def test_the_data_directory_becomes_absolute() -> None:
    assert Path.cwd() / "elsewhere" == Settings.from_environment({"DATA_DIR": "elsewhere"}).data_dir


def test_the_queue_uses_the_same_redis_unless_it_is_configured() -> None:
    same = Settings.from_environment({"REDIS_URL": "redis://a:1/0"})
    other = Settings.from_environment({"REDIS_URL": "redis://a:1/0", "QUEUE_URL": "redis://b:2/3"})
    assert (same.queue_url, other.queue_url) == ("redis://a:1/0", "redis://b:2/3")


def test_several_origins_are_separated_by_commas() -> None:
    settings = Settings.from_environment({"CORS_ORIGINS": "https://a.example, http://localhost:5173"})
    assert settings.cors_origins == ("https://a.example", "http://localhost:5173")


BAD = {
    "PORT": ["http", "0", "65536", "٨٠٠٠"],
    "HOST": ["http://localhost", "localhost:8000", "ä..b"],
    "DATA_DIR": ["~nosuchuser/data"],
    "REDIS_URL": ["localhost:6379", "http://localhost", "redis://"],
    "QUEUE_URL": ["redis+cluster://a:1", "redis://a:1 b:2"],
    "ARCHIVE_URL": ["games", "nosuch://games"],
    "REDIS_PORT": ["-1"],
    "REDIS_MAX_MB": ["63", "1gb"],
    "PUBLIC_URL": ["games.example", "https://games.example/?a=1"],
    "TRUSTED_PROXIES": ["yes"],
    "CORS_ORIGINS": ["games.example", "https://games.example/path"],
    "FRAME_ANCESTORS": ["nobody"],
    "WORKERS": ["0"],
    "SEARCH_THREADS": ["257"],
    "BACKGROUND_NICE": ["20"],
    "OUTGOING": ["yes"],
    "OUTGOING_PORTS": ["443,", "0"],
    "DIALERS": ["-1"],
    "WEB_WORKERS": ["two"],
    "BUCKETS": ["0"],
    "GAME_TTL_S": ["1"],
    "FINISHED_TTL_S": ["1.5"],
    "RATE_LIMITS": ["maybe"],
    "LIMIT_ACTIONS": ["600"],
    "LIMIT_GAMES": ["0/60"],
    "LIMIT_READS": ["10/0", "-1/60"],
    "LIMIT_STREAMS": ["many"],
    "LIMIT_OPEN_GAMES": ["-1"],
    "LIMIT_SHARE": ["-1"],
    "API_KEYS": ["bots", "bots:secret", f"bots:{'0' * 64};table:{'1' * 64}"],
    "API_KEY_REQUIRED": ["yes"],
    "LOG_LEVEL": ["CHATTY"],
    "LOG_FORMAT": ["xml"],
    "ACCESS_LOG": ["some"],
    "HEARTBEAT_FILE": ["~nosuchuser/x", "/nonexistent/x", "/dev"],
    "METRICS_HOST": ["http://localhost"],
    "METRICS_PORT": ["-1"],
    "MCP_PORT": ["mcp"],
    "MCP_NAMES": ["games.example.org,https://example.org"],
}


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, values in BAD.items() for given in values])
def test_an_invalid_value_is_refused_with_its_name_and_the_accepted_values(name: str, given: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({name: given})
    accepted = next(setting.accepted for setting in SETTINGS if setting.name == name)
    assert f"{name}={given!r} is invalid: expected {accepted}." == str(refused.value)


URL_OF_ONE = "a URL such as redis://host:6379/0"
URL_OF_SENTINELS = "a URL such as redis+sentinel://host:26379,host:26379/service/0"
URL_OF_CLUSTER = "a URL such as redis+cluster://host:6379,host:6379"
OPTIONS = "options of redis-py after the question mark (%s)"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("redis://127.0.0.1:notaport/0", URL_OF_ONE),
        ("redis://127.0.0.1:65536/0", URL_OF_ONE),
        ("redis://[::1/0", URL_OF_ONE),
        ("redis://127.0.0.1/abc", URL_OF_ONE),
        ("redis://127.0.0.1/1/2", URL_OF_ONE),
        ("rediss://127.0.0.1/abc", "a URL such as rediss://host:6379/0"),
        ("unix://socket", "a URL such as unix:///path/of/socket?db=0"),
        ("redis+sentinel://127.0.0.1:1", URL_OF_SENTINELS),
        ("redis+sentinel://a:x/games", URL_OF_SENTINELS),
        ("redis+sentinel://a/games/first", URL_OF_SENTINELS),
        ("redis+cluster://a:1,", URL_OF_CLUSTER),
        ("redis+cluster://a:1/1", URL_OF_CLUSTER),
        ("redis://a?socket_timeout=abc", OPTIONS % "Invalid value for 'socket_timeout' in connection URL."),
        ("unix:///a?db=first", OPTIONS % "Invalid value for 'db' in connection URL."),
        ("redis://a?protocol=9", OPTIONS % "protocol must be either 2 or 3"),
    ],
)
def test_a_url_that_no_client_accepts_is_refused_with_an_example(given: str, expected: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({"REDIS_URL": given, "QUEUE_URL": "redis://a"})
    assert f"REDIS_URL={given!r} is invalid: expected {expected}." == str(refused.value)


@pytest.mark.parametrize(
    "scheme", ["redis://a", "rediss://a", "unix:///a", "redis+cluster://a", "redis+sentinel://a/b"]
)
def test_an_unknown_option_of_a_client_is_refused(scheme: str) -> None:
    with pytest.raises(SettingsError, match=r"expected options of redis-py .*'nosuchoption'"):
        Settings.from_environment({"REDIS_URL": f"{scheme}?nosuchoption=1", "QUEUE_URL": "redis://a"})


@pytest.mark.parametrize(
    "given",
    [
        "redis://a",
        "redis://me:p%40ss@[::1]:5/3?socket_timeout=2.5",
        "redis:///0",
        "rediss://a/?ssl_ca_certs=/etc/ssl/redis-ca.pem",
        "unix://:hush@/tmp/redis.sock?db=0",
        "redis+cluster://a:1,b",
        "rediss+cluster://a/0?ssl_ca_certs=/etc/ssl/redis-ca.pem",
        "redis+sentinel://me:hush@[::1]:5,b/games/2",
    ],
)
def test_urls_of_each_kind_are_accepted(given: str) -> None:
    assert given == Settings.from_environment({"REDIS_URL": given, "QUEUE_URL": "redis://a"}).redis_url


def test_a_missing_package_of_the_archive_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({"ARCHIVE_URL": "s3://games"})
    assert (
        "ARCHIVE_URL='s3://games' is invalid: expected an installed file system (Install s3fs to access S3; "
        "for S3 in a checkout, run `make options`)." == str(refused.value)
    )


@pytest.mark.parametrize("given", ["A" * 43, "_" * 42 + "8"])
def test_a_key_of_web_push_is_a_scalar_of_its_curve(given: str) -> None:
    """Zero and the largest number of 32 bytes are none."""
    with pytest.raises(SettingsError, match=r"VAPID_PRIVATE_KEY='\*\*\*' is .* a private key of P-256"):
        Settings.from_environment({"VAPID_PRIVATE_KEY": given})
    key = web_push.new_private_key()
    assert key == Settings.from_environment({"VAPID_PRIVATE_KEY": key}).vapid_private_key


def test_a_heartbeat_file_may_exist_already(tmp_path: Path) -> None:
    file = tmp_path / "heartbeat"
    for _ in range(2):
        assert str(file) == Settings.from_environment({"HEARTBEAT_FILE": str(file)}).heartbeat_file
        file.touch()


def test_the_queue_can_have_several_servers_and_their_passwords_are_hidden() -> None:
    settings = Settings.from_environment({"QUEUE_URL": " redis://me:hush@a:1/0  unix:///b?password=still "})
    assert "redis://me:hush@a:1/0 unix:///b?password=still" == settings.queue_url
    assert ("QUEUE_URL", "redis://me:***@a:1/0 unix:///b?password=***") in [row[:2] for row in settings.rows()]
    assert {"hush", "still"} <= set(settings.secrets)


def test_a_cluster_needs_a_separate_redis_for_the_queue() -> None:
    with pytest.raises(SettingsError, match="QUEUE_URL"):
        Settings.from_environment({"REDIS_URL": "redis+cluster://a:1"})


def test_the_metrics_need_a_port_of_their_own() -> None:
    with pytest.raises(SettingsError, match="METRICS_PORT='9000' is invalid"):
        Settings.from_environment({"PORT": "9000", "METRICS_PORT": "9000"})


@pytest.mark.parametrize("taken", ["PORT", "METRICS_PORT"])
def test_mcp_needs_a_port_of_its_own(taken: str) -> None:
    with pytest.raises(SettingsError, match="MCP_PORT='9000' is invalid"):
        Settings.from_environment({taken: "9000", "MCP_PORT": "9000"})


def test_mcp_names_are_separated_by_commas() -> None:
    settings = Settings.from_environment({"MCP_NAMES": "games.example.org, mcp.example.org"})
    assert ("games.example.org", "mcp.example.org") == settings.mcp_names
    assert () == Settings.from_environment({}).mcp_names


def test_the_table_and_errors_contain_no_password() -> None:
    rows = Settings.from_environment({"REDIS_URL": "redis://me:hush@a:1/0"}).rows()
    assert next(value for name, value, _meaning in rows if name == "REDIS_URL") == "redis://me:***@a:1/0"
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({"QUEUE_URL": "amqp://me:hush@a:1/0"})
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"HOST": "0.0.0.0", "PORT": "81"}, "http://127.0.0.1:81"),  # noqa: S104
        ({"HOST": "::"}, "http://[::1]:8000"),
        ({"PUBLIC_URL": "https://games.example/azul/"}, "https://games.example/azul"),
    ],
)
def test_the_base_url_is_reachable_by_a_client(given: dict[str, str], expected: str) -> None:
    assert expected == Settings.from_environment(given).base_url


ALONE: list[dict[str, str]] = [{}, {"HOST": "localhost"}, {"HOST": "127.8.8.8"}, {"HOST": "::1"}]
OFF = {"RATE_LIMITS": "off", "HOST": "::", "TRUSTED_PROXIES": "1"}
REACHED = [{"HOST": "0.0.0.0"}, {"HOST": "games.example"}, {"TRUSTED_PROXIES": "1"}, {"RATE_LIMITS": "on"}]  # noqa: S104


def test_rate_limits_are_on_by_default_if_other_machines_can_connect() -> None:
    assert [] == [given for given in (*ALONE, OFF) if Settings.from_environment(given).has_rate_limits]
    assert [] == [given for given in REACHED if not Settings.from_environment(given).has_rate_limits]


def test_a_quota_is_requests_per_seconds_and_0_is_unlimited() -> None:
    settings = Settings.from_environment({"LIMIT_READS": "10/3", "LIMIT_GAMES": "0"})
    assert (Quota(10, 3), Quota(0, 0)) == (settings.limit_reads, settings.limit_games)
    shown = {name: value for name, value, _meaning in settings.rows()}
    assert ("600/60", "10/3", "0") == tuple(shown[f"LIMIT_{name}"] for name in ("ACTIONS", "READS", "GAMES"))


def test_api_keys_are_shown_only_by_name() -> None:
    settings = Settings.from_environment({"API_KEYS": f"table:{'0' * 64}, bots:{'1' * 64}"})
    assert (ApiKey("table", "0" * 64), ApiKey("bots", "1" * 64)) == settings.api_keys
    assert ("API_KEYS", "table,bots") in [row[:2] for row in settings.rows()]


def test_requiring_a_key_needs_at_least_one_api_key() -> None:
    with pytest.raises(SettingsError, match="API_KEYS is empty"):
        Settings.from_environment({"API_KEY_REQUIRED": "on"})


GOOGLE: dict[str, Any] = {
    "id": "google",
    "issuer": "https://accounts.google.com",
    "client_ids": ["web.example", "app.example"],
}
OUR_OWN = {"id": "our-own", "issuer": "http://localhost:8080/realms/games", "client_ids": ["games"]}
SECRET = {"client_secret": "agreed-upon"}
BAD_MEMBERS: dict[str, list[Any]] = {
    "id": [None, "Google", 7],
    "issuer": [None, "http://accounts.google.com", ["https://accounts.google.com"]],
    "client_ids": [None, [], "web.example", ["web.example", 7], [""]],
    "client_secret": ["hush", 12_345_678],
    "scopes": [["email"]],
}


def test_identity_providers_are_a_json_array() -> None:
    settings = Settings.from_environment({"OIDC_PROVIDERS": json.dumps([GOOGLE | SECRET, OUR_OWN])})
    google = Provider("google", "https://accounts.google.com", ("web.example", "app.example"), "agreed-upon")
    assert (google, Provider("our-own", "http://localhost:8080/realms/games", ("games",))) == settings.oidc_providers
    assert ((), ()) == tuple(Settings.from_environment({"OIDC_PROVIDERS": none}).oidc_providers for none in ("", "[]"))


def test_secrets_of_identity_providers_are_neither_shown_nor_logged() -> None:
    settings = Settings.from_environment({"OIDC_PROVIDERS": json.dumps([GOOGLE | SECRET, OUR_OWN])})
    assert ("agreed-upon",) == settings.secrets
    assert ("OIDC_PROVIDERS", "***") in [row[:2] for row in settings.rows()]
    assert ("OIDC_PROVIDERS", "") in [row[:2] for row in Settings.from_environment({}).rows()]
    assert "agreed-upon" not in repr(settings.oidc_providers)


@pytest.mark.parametrize(
    "given",
    [
        "google",
        "7",
        "{}",
        json.dumps(GOOGLE),
        json.dumps([GOOGLE, OUR_OWN | {"id": "google"}]),
        json.dumps([[]]),
        json.dumps([None]),
        "[" * 5_000,
        *(
            json.dumps([{key: one for key, one in {**GOOGLE, **SECRET, name: value}.items() if one is not None}])
            for name, values in BAD_MEMBERS.items()
            for value in values
        ),
    ],
)
def test_invalid_identity_providers_are_refused_without_showing_the_value(given: str) -> None:
    with pytest.raises(SettingsError, match="expected an empty value, or a JSON array") as refused:
        Settings.from_environment({"OIDC_PROVIDERS": given})
    assert "OIDC_PROVIDERS='***' is invalid" in str(refused.value)
