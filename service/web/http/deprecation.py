"""How an operation that is to go says so: in the document, and with every answer.

RFC 9745 gives the header `Deprecation`, since when, and the link that explains it; RFC 8594 gives `Sunset`, from when
the operation may be gone. Refusals carry them, too: they may be all that a client that has fallen behind ever gets.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from flask import Blueprint, Response, current_app, request
from werkzeug.http import http_date


@dataclass(frozen=True)
class Deprecation:
    """Since when an operation is deprecated, from when it may be gone, and what to use instead."""

    since: date
    sunset: date | None
    use: str  # as in "Use ….": `GET /v1/games/{game_id}`

    def headers(self) -> dict[str, str]:
        """What answers carry, the link apart; days begin at midnight UTC."""
        sent = {"Deprecation": f"@{int(_midnight(self.since).timestamp())}"}
        return sent if self.sunset is None else {**sent, "Sunset": http_date(_midnight(self.sunset))}

    def sentences(self) -> str:
        """What the document says of it."""
        going = "" if self.sunset is None else f" It may be removed from {self.sunset} on."
        return f"Deprecated since {self.since}. Use {self.use}.{going}"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def announce_on(blueprint: Blueprint) -> None:
    """Have the answers of a blueprint's deprecated operations say so; the others have no hook to pass."""
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
    """For flask-smorest: mark the operation in the document, where it is deprecated."""
    deprecated: Deprecation | None = doc_info.get("deprecated")
    if deprecated is not None:
        doc["deprecated"] = True
        if deprecated.sunset is not None:
            doc["x-sunset"] = str(deprecated.sunset)
        words = doc_info["docstring"]
        words["description"] = "\n\n".join(filter(None, (words.get("description"), deprecated.sentences())))
    return doc
