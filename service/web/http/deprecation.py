"""Mark deprecated operations in the document and in every response.

RFC 9745 defines the header `Deprecation` with the date and a link to the explanation. RFC 8594 defines `Sunset`, the
date of a possible removal. Error responses contain the headers, too, because an outdated client may get nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from flask import Blueprint, Response, current_app, request
from werkzeug.http import http_date


@dataclass(frozen=True)
class Deprecation:
    """The date of a deprecation, the date of a possible removal, and the replacement."""

    since: date
    sunset: date | None
    use: str  # the replacement, such as `GET /v1/games/{game_id}`

    def headers(self) -> dict[str, str]:
        """Return the response headers without the link. Days begin at midnight UTC."""
        headers = {"Deprecation": f"@{int(_midnight(self.since).timestamp())}"}
        return headers if self.sunset is None else {**headers, "Sunset": http_date(_midnight(self.sunset))}

    def sentences(self) -> str:
        """Return the sentences for the document."""
        removal = "" if self.sunset is None else f" It may be removed from {self.sunset} on."
        return f"Deprecated since {self.since}. Use {self.use}.{removal}"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def announce_on(blueprint: Blueprint) -> None:
    """Add the hook for the response headers to a blueprint. Blueprints without deprecated operations do not need it."""
    if _announce not in blueprint.after_request_funcs.get(None, ()):
        blueprint.after_request(_announce)


def _announce(answer: Response) -> Response:
    view = current_app.view_functions[request.endpoint or ""]
    deprecated: Deprecation | None = getattr(view, "_apidoc", {}).get("deprecated")
    if deprecated is not None and request.method != "OPTIONS":
        answer.headers.update(deprecated.headers())
        page = f"{current_app.config['PUBLIC_URL']}/docs#deprecated"
        answer.headers.add("Link", f'<{page}>; rel="deprecation"; type="text/html"')
    return answer


def prepare(doc: dict[str, Any], doc_info: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Mark a deprecated operation in the document. flask-smorest calls this for each operation."""
    deprecated: Deprecation | None = doc_info.get("deprecated")
    if deprecated is not None:
        doc["deprecated"] = True
        if deprecated.sunset is not None:
            doc["x-sunset"] = str(deprecated.sunset)
        words = doc_info["docstring"]
        words["description"] = "\n\n".join(filter(None, (words.get("description"), deprecated.sentences())))
    return doc
