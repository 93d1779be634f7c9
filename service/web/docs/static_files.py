"""What pages load: compressed once, and kept by browsers for a year where the address says which version it is.

`/static/v-<digest>/table/table.js` is a file of the version with that digest of all files. Modules that load each other
by relative addresses stay in one version, and an address of another one is not found: the page loads anew. Without a
version (`/static/table/table.js`) a file is asked for again each time, and not sent where it is the same.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from base64 import b64encode
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app
from werkzeug.security import safe_join

from service.web.docs import published
from service.web.http.middleware import page_policy
from service.web.http.problems import problem

FOR_EVER = "public, max-age=31536000, immutable"
PREFIX = "v-"
VERSIONED = b"static/table/"
"""What pages are made to load of one version."""
INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
Stamp = tuple[str, int, int]

mimetypes.add_type("application/manifest+json", ".webmanifest")


def register(app: Flask) -> None:
    """The route of all files, in place of Flask's own."""
    app.add_url_rule("/static/<path:name>", endpoint="static", view_func=get_file)


def get_file(name: str) -> Response:
    """A file, of this version where the address names one."""
    first, _, rest = name.partition("/")
    if not first.startswith(PREFIX):
        return send(name)
    answer = send(rest) if first == version() else problem("request/not_found")
    if answer.status_code in (200, 304):
        answer.headers["Cache-Control"] = FOR_EVER
    return answer


def send(name: str) -> Response:
    """A file without a version."""
    path = safe_join(_folder(), name)
    if path is None or not Path(path).is_file():
        return problem("request/not_found")
    return _answer(_content(path, Path(path).stat().st_mtime_ns), name)


def send_page(name: str) -> Response:
    """A page, which loads this version, and may run the scripts that stand in it."""
    path = Path(_folder()) / name
    content, policy = _page(str(path), path.stat().st_mtime_ns, version())
    answer = _answer(content, name)
    answer.headers["Content-Security-Policy"] = policy
    return answer


@lru_cache(maxsize=8)
def _page(path: str, changed_ns: int, current: str) -> tuple[bytes, str]:
    """Its content, where `static/table/…` has become `static/v-…/table/…`, and its policy."""
    content = _content(path, changed_ns).replace(VERSIONED, f"static/{current}/table/".encode())
    hashes = (b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE.findall(content))
    return content, page_policy("script-src", " ".join(["'self'", *(f"'sha256-{each}'" for each in hashes)]))


def version() -> str:
    """The digest of all files, as addresses name it: the same wherever the same files are served."""
    folder = Path(_folder())
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stamps = ((str(path), (told := path.stat()).st_mtime_ns, told.st_size) for path in files)
    return _version(tuple(stamps), str(folder))


def _folder() -> str:
    return str(Path(current_app.root_path) / "static")


def _answer(content: bytes, name: str) -> Response:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return published.compressible(content, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)


@lru_cache(maxsize=64)
def _content(path: str, _changed_ns: int) -> bytes:
    return Path(path).read_bytes()


@lru_cache(maxsize=1)
def _version(files: tuple[Stamp, ...], folder: str) -> str:
    digest = hashlib.sha256()
    for path, *_ in files:
        content = Path(path).read_bytes()
        digest.update(f"{Path(path).relative_to(folder)} {len(content)}\n".encode() + content)
    return PREFIX + digest.hexdigest()[:16]
