"""Writes openapi.json, or checks that it says what the code says.

python -m openapi.build           write it anew
python -m openapi.build --check   exit 1 if it differs; CI runs this
"""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from service.app import app_of
from service.settings import Settings
from service.web.docs.document import Json, build

FILE = Path(__file__).parent / "openapi.json"


def document() -> Json:
    """The document, as the code and the recorded examples make it; no Redis is needed."""
    return build(app_of(Settings.from_environment({}), None).extensions["api"])


def written(content: Json) -> bytes:
    """The file's bytes: sorted and indented, so that differences can be read."""
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"


def main(arguments: list[str]) -> int:
    """Write or check; the exit status."""
    wanted = written(document())
    if "--check" in arguments:
        if FILE.exists() and wanted == FILE.read_bytes():
            return 0
        print("openapi.json is not what the code says: run `python -m openapi.build`")
        return 1
    FILE.write_bytes(wanted)
    print(f"{FILE.name}: {len(wanted):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
