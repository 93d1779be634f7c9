"""Secrets are removed from everything that is logged, by any module.

Nothing secret is passed to a logger in the first place. But the text of an exception is made elsewhere, by Redis, a
library or a rule, and may quote what it was given. So every record passes here last: members that are named like a
secret are blanked, and so is whatever looks like one of ours anywhere in a text:

- a token: 43 characters of base64url (32 random bytes), alone or behind a player's id;
- a seed: 64 hexadecimal digits;
- a signing secret: `whsec_…`; what follows `Bearer`;
- a password in a URL; bytes, of which no log has any need;
- the secrets of the settings, and those that the present request shows (`SHOWN`), literally.

A digest in hex is blanked as well: that is a small loss.
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
      (?P<before> whsec_ | bearer\s+ | ://[^\s:/@]*:(?=[^\s/@]*@) )  [^\s'"@,;&]+   # told by what stands before it
    | (?<![\w-]) [\w-]{43} (?![\w-])                                   # a token
    | (?<![0-9a-f]) [0-9a-f]{64} (?![0-9a-f])                          # a seed
    | \bb(?P<quote>['"]) (?: \\. | (?!(?P=quote)) [^\\] ){8,} (?P=quote)  # bytes as Python writes them
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
SHOWN: list[Callable[[], Iterable[str]]] = []
"""Who knows of secrets that are in use at the moment a record is logged: the web layer, of its request."""


class Redaction:
    """A processor of structlog that blanks secrets; `known` are those of the settings."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = tuple(secret for secret in known if secret)

    def __call__(self, _logger: Any, _method: str, record: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """The record without secrets."""
        literally = [*self._known, *(secret for source in SHOWN for secret in source() if secret)]
        for name, value in record.items():
            record[name] = BLANK if _names_a_secret(name) else _cleared(value, literally)
        return record


@lru_cache(1_000)
def _names_a_secret(name: str) -> bool:
    return NAMES.search(name) is not None


def _cleared(value: Any, literally: Sequence[str]) -> Any:
    if isinstance(value, str):
        for secret in literally:
            value = value.replace(secret, BLANK)
        return SECRETS.sub(lambda match: f"{match['before'] or ''}{BLANK}", value)
    if isinstance(value, Mapping):
        return {
            name: BLANK if _names_a_secret(str(name)) else _cleared(inner, literally) for name, inner in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_cleared(inner, literally) for inner in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _cleared(str(value), literally)
