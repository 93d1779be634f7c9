"""Write openapi.json from the code, or check that it is up to date.

python -m openapi.build           write the file
python -m openapi.build --check   exit with 1 if it differs; CI runs this
"""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from service.app import app_of
from service.rulesets.wire import Json
from service.settings import Settings
from service.web.docs.document import build

FILE = Path(__file__).parent / "openapi.json"


def document() -> Json:
    """Build the document from the code and the recorded examples, without Redis."""
    return build(app_of(Settings.from_environment({}), None).extensions["api"])


def serialize(content: Json) -> bytes:
    """Return the content of the file, sorted and indented for readable diffs."""
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"


def main(arguments: list[str]) -> int:
    """Write or check the file. Return the exit status."""
    content = serialize(document())
    if "--check" in arguments:
        if FILE.exists() and content == FILE.read_bytes():
            return 0
        print("openapi.json is outdated: run `python -m openapi.build`")
        return 1
    FILE.write_bytes(content)
    print(f"{FILE.name}: {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
