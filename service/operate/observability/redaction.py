"""Removal of secrets from log records.

No module logs a secret on purpose. But the text of an exception of Redis or a library can quote its input. So records
pass through this processor last, unless the service chose all of their fields (`logs.write`). It blanks
fields with the name of a secret, and these parts of texts:

- tokens: 43 characters of base64url (32 random bytes), alone or after the ids of a player and a token
- seeds, and with them all SHA-256 digests: 64 hexadecimal digits
- signing secrets (`whsec_…`), and the word after `Bearer`
- passwords in URLs
- Python literals of bytes
- the secrets of the settings and of the current request (`SECRET_SOURCES`)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import lru_cache
from typing import Any

BLANK = "***"
NAMES = re.compile(
    r"(^|[_-])(tokens?|secrets?|seed|passwords?|authorization|ticket|cookie|api[_-]?key)s?$", re.IGNORECASE
)
SECRETS = re.compile(
    r"""
      (?P<before> whsec_ | bearer\s+ | ://[^\s:/@]*:(?=[^\s/@]*@) )  [^\s'"@,;&]+   # recognized by its prefix
    | (?<![\w-]) [\w-]{43} (?![\w-])                                   # a token
    | (?<![0-9a-f]) [0-9a-f]{64} (?![0-9a-f])                          # a seed
    | \bb(?P<quote>['"]) (?: \\. | (?!(?P=quote)) [^\\] ){8,} (?P=quote)  # a bytes literal
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
SHORTEST = 43
"""Length of the shortest secret that contains none of `SIGNS` and does not begin with `whsec_`."""
SIGNS = re.compile(r"""[\s:'"]""")
SECRET_SOURCES: list[Callable[[], Iterable[str]]] = []
"""Functions that return the current secrets when a record is logged, such as those of the request."""


class Redaction:
    """A processor of structlog that blanks secrets. `known`: secrets of the settings."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = tuple(secret for secret in known if secret)

    def __call__(self, _logger: Any, _method: str, record: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Return the record without secrets."""
        literally = [*self._known]
        for source in SECRET_SOURCES:
            literally += filter(None, source())
        if _is_harmless(record, literally):
            return record
        for name, value in record.items():
            record[name] = BLANK if _names_a_secret(name) else _redact(value, literally)
        return record


def _is_harmless(record: Mapping[str, Any], literally: Sequence[str]) -> bool:
    """Return whether a record surely contains no secret. Most do not, and searching them takes ten times as long."""
    if _any_names_a_secret(tuple(record)):
        return False
    texts = [*map(str, record.values())]
    text = "|".join(texts)
    if SIGNS.search(text) or max(map(len, texts)) >= SHORTEST or "whsec_" in text.lower():
        return False
    return not [secret for secret in literally if secret in text]


@lru_cache(1_000)
def _any_names_a_secret(names: tuple[str, ...]) -> bool:
    return any(map(_names_a_secret, names))


@lru_cache(1_000)
def _names_a_secret(name: str) -> bool:
    return NAMES.search(name) is not None


def _redact(value: Any, literally: Sequence[str]) -> Any:
    if isinstance(value, str):
        for secret in literally:
            value = value.replace(secret, BLANK)
        return SECRETS.sub(lambda match: f"{match['before'] or ''}{BLANK}", value)
    if isinstance(value, Mapping):
        return {
            name: BLANK if _names_a_secret(str(name)) else _redact(inner, literally) for name, inner in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_redact(inner, literally) for inner in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _redact(str(value), literally)
