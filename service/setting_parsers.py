"""Parsers of settings.

A parser takes the text of a variable and returns the value, or raises `RefusedError`. `settings` assigns a parser to
each setting and describes the accepted values.
"""

from __future__ import annotations

import os
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from service.addresses import SENTINEL_PORT, addresses
from service.identity_providers import Provider

QUOTA = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,4})")
LOCAL = "local"
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the curve P-256. A private key is smaller."""
API_KEY = re.compile(r"([A-Za-z0-9._-]{1,40}):([0-9a-f]{64})")


@dataclass(frozen=True)
class Quota:
    """At most `requests` in `seconds`. 0 requests: no limit."""

    requests: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.requests}/{self.seconds}" if self.requests else "0"


class ApiKey(NamedTuple):
    """Name of an application and the SHA-256 of its key in hex. Keys with the same name belong to one application."""

    name: str
    digest: str

    def __str__(self) -> str:
        return self.name


DATABASE = r"(/([0-9]{1,9}/?)?)?"
REDIS_URLS = {
    "redis": (DATABASE, "redis://host:6379/0"),
    "rediss": (DATABASE, "rediss://host:6379/0"),
    "unix": ("/.+", "unix:///path/of/socket?db=0"),
    "cluster": ("/?0?", "redis+cluster://host:6379,host:6379"),
    "sentinel": (f"/[^/]+{DATABASE}", "redis+sentinel://host:26379,host:26379/service/0"),
}
"""Pattern of the path and an example, by topology, or without one by transport."""


class RefusedError(ValueError):
    """An invalid text. The caller adds the name of the setting. The message replaces the setting's accepted values."""


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 12 and low <= int(text) <= high):
            raise RefusedError
        return int(text)

    return read


def zero_or(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of 0 or a whole number from `low` to `high`."""
    read = whole_number(low, high)
    return lambda text: 0 if text == "0" else read(text)


def rising(low: int, high: int, max_count: int) -> Callable[[str], tuple[int, ...]]:
    """Return a parser of at most `max_count` increasing whole numbers from `low` to `high`."""
    read_one = whole_number(low, high)

    def read(text: str) -> tuple[int, ...]:
        numbers = tuple(read_one(part.strip()) for part in text.split(","))
        if len(numbers) > max_count or any(before >= after for before, after in pairwise(numbers)):
            raise RefusedError
        return numbers

    return read


def one_of(*words: str) -> Callable[[str], str]:
    """Return a parser of the given words that ignores case."""

    def read(text: str) -> str:
        for word in words:
            if text.casefold() == word.casefold():
                return word
        raise RefusedError

    return read


def matching(pattern: str) -> Callable[[str], str]:
    """Return a parser of an empty text or a text that matches the pattern."""

    def read(text: str) -> str:
        if text and not re.fullmatch(pattern, text, re.DOTALL):
            raise RefusedError
        return text

    return read


secret = matching(r"[\x21-\x7e]{32,200}")  # too long to guess
scalar = matching(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")  # 32 bytes in base64url
contact = matching(r"(mailto:[!-~]+@[!-~]+|https://[!-~]+)")


def vapid_private_key(text: str) -> str:
    """Parse an empty text or a private key of the curve P-256 in base64url."""
    if text and not 0 < int.from_bytes(urlsafe_b64decode(f"{scalar(text)}=")) < P256_ORDER:
        raise RefusedError
    return text


def redis_url(schemes: tuple[str, ...]) -> Callable[[str], str]:
    """Return a parser of an empty text or a URL with one of the schemes."""
    read_url = matching(rf"({'|'.join(map(re.escape, schemes))})://.+")

    def read(text: str) -> str:
        if read_url(text):
            _check_redis_url(text)
        return text

    return read


def _check_redis_url(text: str) -> None:
    """Raise RefusedError unless a client can be built from a URL with a valid scheme."""
    transport, _, topology = text.partition("://")[0].partition("+")
    path, example = REDIS_URLS[topology or transport]
    try:
        url = urlsplit(text)
        _ = addresses(url.netloc.rpartition("@")[2], SENTINEL_PORT) if topology else url.port
        is_valid = re.fullmatch(path, url.path) is not None
    except ValueError:
        is_valid = False
    if not is_valid:
        raise RefusedError(f"a URL such as {example}")
    if url.query:
        _check_redis_options(f"{transport}://{'/socket' if transport == 'unix' else 'localhost'}?{url.query}")


def _check_redis_options(url: str) -> None:
    """Raise RefusedError for an option that redis-py does not know, and for an invalid value."""
    from redis import BlockingConnectionPool, RedisError  # slow to import, and processes without Redis have no options

    try:
        pool: Any = BlockingConnectionPool.from_url(url)
        pool.make_connection()  # does not connect
    except (RedisError, TypeError, ValueError) as error:
        raise RefusedError(f"options of redis-py after the question mark ({error})") from error


def redis_urls(schemes: tuple[str, ...]) -> Callable[[str], str]:
    """Return a parser of any number of such URLs, separated by spaces."""
    each = redis_url(schemes)
    return lambda text: " ".join(map(each, text.split()))


def archive_url(text: str) -> str:
    """Parse an empty text, `local`, or a URL of an installed file system."""
    if text in ("", LOCAL):
        return text
    scheme, separator, rest = text.partition("://")
    if not scheme or not separator or not rest:
        raise RefusedError
    import fsspec  # slow to import, and needed only with an archive

    try:
        fsspec.get_filesystem_class(scheme)
    except ValueError as error:
        raise RefusedError from error
    except ImportError as error:
        raise RefusedError(f"an installed file system ({error}; for S3 in a checkout, run `make options`)") from error
    return text.rstrip("/")


def host(text: str) -> str:
    """Parse a host name or address."""
    if not text or any(character in text for character in "/ @[]") or text.count(":") == 1:
        raise RefusedError
    text.encode("idna")  # raises UnicodeError, a ValueError, for a name that cannot be looked up
    return text


def host_names(text: str) -> tuple[str, ...]:
    """Parse host names or addresses separated by commas, or an empty text."""
    return tuple(host(part.strip()) for part in text.split(",")) if text else ()


def public_url(text: str) -> str:
    """Parse an empty text or an http(s) URL without query, and remove a trailing slash."""
    if not text:
        return ""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
        raise RefusedError
    return text.rstrip("/")


def origins(text: str) -> tuple[str, ...]:
    """Parse `*` or http(s) origins separated by commas."""
    origins = tuple(part for part in (piece.strip() for piece in text.split(",")) if part)
    for origin in origins:
        url = urlsplit(origin)
        if origin != "*" and (url.scheme not in ("http", "https") or not url.netloc or url.path):
            raise RefusedError
    return origins


def ancestors(text: str) -> tuple[str, ...]:
    """Parse origins, or `none` for no origin."""
    return () if text == "none" else origins(text)


def ports(text: str) -> tuple[int, ...]:
    """Parse ports separated by commas."""
    return tuple(whole_number(1, 65_535)(part.strip()) for part in text.split(","))


def quota(text: str) -> Quota:
    """Parse a quota: `600/60`, or `0`."""
    if text == "0":
        return Quota(0, 0)
    match = QUOTA.fullmatch(text)
    if match is None:
        raise RefusedError
    return Quota(int(match[1]), int(match[2]))


def api_keys(text: str) -> tuple[ApiKey, ...]:
    """Parse `name:sha256hex` pairs separated by commas."""
    matches = [API_KEY.fullmatch(part.strip()) for part in text.split(",") if part.strip()]
    if None in matches:
        raise RefusedError
    return tuple(ApiKey(match[1], match[2]) for match in matches if match)


def oidc_providers(text: str) -> tuple[Provider, ...]:
    """Parse an empty text or a JSON array of providers with unique ids."""
    members = orjson.loads(text or "[]")
    if not isinstance(members, list):
        raise RefusedError
    providers = tuple(_oidc_provider(member) for member in members)
    if len({provider.id for provider in providers}) < len(providers):
        raise RefusedError
    return providers


def _oidc_provider(member: Any) -> Provider:
    match member:
        case {"id": str(provider_id), "issuer": str(issuer), "client_ids": list(client_ids), **others}:
            secret = others.pop("client_secret", "")
            if not others and isinstance(secret, str) and all(isinstance(word, str) for word in client_ids):
                return Provider(provider_id, issuer, tuple(client_ids), secret)
    raise RefusedError


def writable_file(text: str) -> str:
    """Parse an empty text or the path of a file that can be written, and make it absolute."""
    if not text:
        return ""
    file = directory(text)
    if not os.access(file if os.path.lexists(file) else file.parent, os.W_OK) or file.is_dir():
        raise RefusedError
    return str(file)


def directory(text: str) -> Path:
    """Parse a path and make it absolute."""
    try:
        return Path(text).expanduser().resolve()
    except RuntimeError as error:  # an unknown user, or a loop of links
        raise RefusedError from error
