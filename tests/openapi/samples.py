"""Small documents with one operation, whose request and answer have the schemas under test."""

from __future__ import annotations

from typing import Any

from openapi.shapes import Json

OPEN: Json = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}


def variants(*names: str, key: str = "oneOf", tag: str | None = "kind") -> Json:
    union: Json = {key: [{"$ref": f"#/components/schemas/{name}"} for name in names]}
    if tag:
        union["discriminator"] = {
            "propertyName": tag,
            "mapping": {name.lower(): f"#/components/schemas/{name}" for name in names},
        }
    return union


def document(request: Any = None, response: Any = None, **schemas: Any) -> Json:
    """Return a document of one operation whose request and answer have these schemas."""
    kinds = {
        name: {"type": "object", "properties": {"kind": {"enum": [name.lower()], "type": "string"}}} for name in "ABC"
    }
    return {
        "openapi": "3.1.0",
        "paths": {
            "/things/{id}": {
                "parameters": [{"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}],
                "post": {
                    "operationId": "makeThing",
                    "parameters": [{"in": "query", "name": "q", "schema": {"type": "string"}}],
                    "requestBody": {
                        "content": {
                            "application/json": {"schema": {} if request is None else request},
                            "text/csv": {"schema": {"type": "string"}},
                        }
                    },
                    "responses": {
                        "200": {
                            "headers": {"ETag": {"required": True, "schema": {"type": "string"}}},
                            "content": {
                                "application/json": {"schema": {} if response is None else response},
                                "text/csv": {"schema": {"type": "string"}},
                            },
                        },
                        "204": {"description": "Nothing."},
                        "404": {"x-codes": ["a", "b"], "description": "No."},
                    },
                },
            }
        },
        "components": {"schemas": {**kinds, **schemas}, "securitySchemes": {"bearer": {"type": "http"}}},
    }
