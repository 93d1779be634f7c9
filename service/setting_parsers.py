"""How the text of a setting is read, and the values that are more than a number or a word.

A reader takes what a variable says and answers the value, or raises `RefusedError`; `settings` says which setting
takes which reader, and what is accepted in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from service.identity_providers import Provider

QUOTA = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,4})")
LOCAL = "local"
API_KEY = re.compile(r"([A-Za-z0-9._-]{1,40}):([0-9a-f]{64})")


@dataclass(frozen=True)
class Quota:
    """So many requests in so many seconds; 0 requests: as many as one likes."""

    requests: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.requests}/{self.seconds}" if self.requests else "0"


class ApiKey(NamedTuple):
    """An application's: its name, and the SHA-256 of its key in hex. Two keys of one name are one application."""

    name: str
    digest: str

    def __str__(self) -> str:
        return self.name


class RefusedError(ValueError):
    """The text is not accepted; who asked knows which setting it is of."""


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 12 and low <= int(text) <= high):
            raise RefusedError
        return int(text)

    return read


def rising(low: int, high: int, most: int) -> Callable[[str], tuple[int, ...]]:
    """At most so many whole numbers from `low` to `high`, each larger than the one before it."""
    read_one = whole(low, high)

    def read(text: str) -> tuple[int, ...]:
        numbers = tuple(read_one(part.strip()) for part in text.split(","))
        if len(numbers) > most or any(before >= after for before, after in pairwise(numbers)):
            raise RefusedError
        return numbers

    return read


def one_of(*words: str) -> Callable[[str], str]:
    """One of some words, in any case."""

    def read(text: str) -> str:
        for word in words:
            if text.casefold() == word.casefold():
                return word
        raise RefusedError

    return read


def redis_url(schemes: tuple[str, ...]) -> Callable[[str], str]:
    """Nothing, or a URL of one of some schemes."""

    def read(text: str) -> str:
        if not text:
            return ""
        scheme, separator, rest = text.partition("://")
        if scheme not in schemes or not separator or not rest:
            raise RefusedError
        return text

    return read


def redis_urls(schemes: tuple[str, ...]) -> Callable[[str], str]:
    """Several of them, divided by blanks."""
    each = redis_url(schemes)
    return lambda text: " ".join(map(each, text.split()))


def archive_url(text: str) -> str:
    """Nothing, `local`, or a URL of a file system that is installed."""
    if text in ("", LOCAL):
        return text
    scheme, separator, rest = text.partition("://")
    if not scheme or not separator or not rest:
        raise RefusedError
    import fsspec  # loaded where an archive is kept

    try:
        fsspec.get_filesystem_class(scheme)
    except (ImportError, ValueError) as error:
        raise RefusedError from error
    return text.rstrip("/")


def host(text: str) -> str:
    """A host's name or address."""
    if not text or any(character in text for character in "/ @[]") or text.count(":") == 1:
        raise RefusedError
    return text


def host_names(text: str) -> tuple[str, ...]:
    """Hosts' names or addresses, with commas between them; nothing: none."""
    return tuple(host(part.strip()) for part in text.split(",")) if text else ()


def public_url(text: str) -> str:
    """Nothing, or an http(s) URL without query; no trailing slash."""
    if not text:
        return ""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
        raise RefusedError
    return text.rstrip("/")


def origins(text: str) -> tuple[str, ...]:
    """`*` or http(s) origins, separated by commas."""
    origins = tuple(part for part in (piece.strip() for piece in text.split(",")) if part)
    for origin in origins:
        url = urlsplit(origin)
        if origin != "*" and (url.scheme not in ("http", "https") or not url.netloc or url.path):
            raise RefusedError
    return origins


def ancestors(text: str) -> tuple[str, ...]:
    """As `origins`; `none`: no origin."""
    return () if text == "none" else origins(text)


def ports(text: str) -> tuple[int, ...]:
    """Ports, separated by commas."""
    return tuple(whole(1, 65_535)(part.strip()) for part in text.split(","))


def secret(text: str) -> str:
    """Nothing, or a text too long to be guessed."""
    if text and not re.fullmatch(r"[\x21-\x7e]{32,200}", text):
        raise RefusedError
    return text


def quota(text: str) -> Quota:
    """`600/60`, or `0`."""
    if text == "0":
        return Quota(0, 0)
    match = QUOTA.fullmatch(text)
    if match is None:
        raise RefusedError
    return Quota(int(match[1]), int(match[2]))


def api_keys(text: str) -> tuple[ApiKey, ...]:
    """`name:sha256hex`, separated by commas."""
    match = [API_KEY.fullmatch(part.strip()) for part in text.split(",") if part.strip()]
    if None in match:
        raise RefusedError
    return tuple(ApiKey(key[1], key[2]) for key in match if key)


def oidc_providers(text: str) -> tuple[Provider, ...]:
    """Nothing, or a JSON array of providers, each with an id of its own."""
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


def vapid_private_key(text: str) -> str:
    """Nothing, or the 32 bytes of a key in base64url."""
    if text and not re.fullmatch(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", text):
        raise RefusedError
    return text


def push_contact(text: str) -> str:
    """Nothing, or somebody's address."""
    if text and not re.fullmatch(r"(mailto:[!-~]+@[!-~]+|https://[!-~]+)", text):
        raise RefusedError
    return text


def directory(text: str) -> Path:
    """An absolute path."""
    return Path(text).expanduser().resolve()
