"""JSON values as YAML.

Scalars of JSON are scalars of YAML, so only the lines around them are needed. PyYAML takes a second for the OpenAPI
document. A web process would answer nothing else in that time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

PLAIN_KEY = re.compile(r"(?!(?:true|false|null)$)[a-z]\w{3,}", re.ASCII | re.IGNORECASE)
"""Keys that need no quotes. Shorter ones may: `no`, `on` and `yes` are truth values in YAML 1.1."""


def write_yaml(value: Any) -> bytes:
    """Return a JSON value as YAML, in block style."""
    return "\n".join([*_lines(value, ""), ""]).encode()


def _lines(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            name = key if PLAIN_KEY.fullmatch(key) else orjson.dumps(key).decode()
            if isinstance(inner, dict | list) and inner:
                yield f"{indent}{name}:"
                yield from _lines(inner, f"{indent}  ")
            else:
                yield f"{indent}{name}: {orjson.dumps(inner).decode()}"
    elif isinstance(value, list) and value:
        for inner in value:
            first, *others = _lines(inner, f"{indent}  ")
            yield f"{indent}- {first.lstrip()}"
            yield from others
    else:
        yield indent + orjson.dumps(value).decode()
