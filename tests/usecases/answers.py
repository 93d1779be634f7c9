"""Results of use cases as JSON. Parts of them are JSON already (`orjson.Fragment`)."""

from __future__ import annotations

from typing import Any

import orjson


def to_json(content: Any) -> Any:
    """Write a value as JSON and read it back."""
    return orjson.loads(orjson.dumps(content))
