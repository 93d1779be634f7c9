"""The operations of a document, as tests look at them: each with the answers that it shares with others in place."""

from __future__ import annotations

from typing import Any

from openapi.shapes import referred
from service.web.docs.shared import operations

Json = dict[str, Any]


def with_answers(document: Json) -> Json:
    """The document, changed: what an operation refers to as an answer stands in the operation."""
    for operation in operations(document):
        for answer in operation["responses"].values():
            answer.update(referred(document, answer.pop("$ref")).content if "$ref" in answer else {})
    return document
