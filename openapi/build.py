"""Write openapi.json and admin.json from the code, and asyncapi.json and postman.json from openapi.json, or check them.

python -m openapi.build           write the files
python -m openapi.build --check   exit with 1 if one differs; CI runs this
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import orjson

from openapi.collection import collection
from service.app import app_of
from service.rulesets.wire import Json
from service.settings import Settings
from service.web.api import Api
from service.web.docs.document import build_admin, build_public
from service.web.docs.streams_document import build_asyncapi

FILE = Path(__file__).parent / "openapi.json"
ADMIN_FILE = FILE.with_name("admin.json")


def document(build: Callable[[Api], Json] = build_public) -> Json:
    """Build a document from the code and the recorded examples, without Redis."""
    return build(app_of(Settings.from_environment({}), None).extensions["api"])


def serialize(content: Json) -> bytes:
    """Return the content of a file, sorted and indented for readable diffs."""
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"


def main(arguments: list[str], folder: Path = FILE.parent) -> int:
    """Write or check the files. Return the exit status."""
    described = document()
    documents = {
        FILE.name: described,
        ADMIN_FILE.name: document(build_admin),
        "asyncapi.json": build_asyncapi(described),
        "postman.json": collection(described),
    }
    contents = {name: serialize(content) for name, content in documents.items()}
    outdated = [name for name, content in contents.items() if _read(folder / name) != content]
    if "--check" in arguments:
        if outdated:
            print(f"{' and '.join(outdated)} outdated: run `python -m openapi.build`")
        return bool(outdated)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")
    return 0


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
