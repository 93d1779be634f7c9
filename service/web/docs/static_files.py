"""Static files, compressed once. Browsers cache versioned URLs for a year.

`/static/v-<digest>/table/table.js` belongs to the version with this digest of all files. Modules load each other by
relative URLs, so they stay in one version. URLs of other versions return 404, and the page reloads. Browsers revalidate
URLs without a version (`/static/table/table.js`) on every use.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from base64 import b64encode
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app
from markupsafe import escape
from werkzeug.security import safe_join

from service.web.docs import document_bytes
from service.web.http.middleware import page_policy
from service.web.http.problems import problem
from service.web.http.responses import service_url

CACHE_FOREVER = "public, max-age=31536000, immutable"
PREFIX = "v-"
VERSIONED = b"static/table/"
"""Path that becomes versioned in pages."""
PREVIEW = b'"og:image" content="static/'
"""Link previews need an absolute URL."""
FONT = ".woff2"
"""Suffix of typefaces, whose names contain their version."""
INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
Stamp = tuple[str, int, int]

mimetypes.add_type("application/manifest+json", ".webmanifest")


def register(app: Flask) -> None:
    """Register the route of static files, which replaces Flask's own."""
    app.add_url_rule("/static/<path:name>", endpoint="static", view_func=get_file)


def get_file(name: str) -> Response:
    """Return a file. If the URL contains a version, it must be the current one."""
    first, _, rest = name.partition("/")
    is_versioned = first.startswith(PREFIX)
    if is_versioned and first != version():
        return problem("request/not_found")
    answer = send(rest if is_versioned else name)
    if answer.status_code in (200, 304) and (is_versioned or name.endswith(FONT)):
        answer.headers["Cache-Control"] = CACHE_FOREVER
    return answer


def send(name: str) -> Response:
    """Return a file by its name."""
    path = safe_join(_folder(), name)
    if path is None or not Path(path).is_file():
        return problem("request/not_found")
    return _answer(_content(path, Path(path).stat().st_mtime_ns), name)


def send_page(name: str) -> Response:
    """Return a page that loads the current version. Its policy allows its inline scripts."""
    path = Path(_folder()) / name
    content, policy = _page(str(path), path.stat().st_mtime_ns, version(), service_url())
    answer = _answer(content, name)
    answer.headers["Content-Security-Policy"] = policy
    return answer


@lru_cache(maxsize=8)
def _page(path: str, changed_ns: int, current: str, address: str) -> tuple[bytes, str]:
    """Return the content of a page with versioned URLs, and its content policy. `address`: the service's."""
    content = _content(path, changed_ns).replace(VERSIONED, f"static/{current}/table/".encode())
    content = content.replace(PREVIEW, PREVIEW.replace(b"static/", f"{escape(address)}/static/".encode()))
    hashes = (b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE.findall(content))
    return content, page_policy("script-src", " ".join(["'self'", *(f"'sha256-{each}'" for each in hashes)]))


def version() -> str:
    """Return the version in URLs: a digest of all files, equal on all servers with the same files."""
    folder = Path(_folder())
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stamps = ((str(path), (stat := path.stat()).st_mtime_ns, stat.st_size) for path in files)
    return _version(tuple(stamps), str(folder))


def _folder() -> str:
    return str(Path(current_app.root_path) / "static")


def _answer(content: bytes, name: str) -> Response:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return document_bytes.compressible(content, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)


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
