"""Operations of a document with their shared responses inlined."""

from __future__ import annotations

from typing import Any

from openapi.shapes import resolve
from service.web.docs.components import operations

Json = dict[str, Any]


def with_answers(document: Json) -> Json:
    """Replace references to shared responses in the document, and return it."""
    for operation in operations(document):
        for answer in operation["responses"].values():
            answer.update(resolve(document, answer.pop("$ref")).content if "$ref" in answer else {})
    return document
