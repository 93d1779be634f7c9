"""The AsyncAPI document fits the official JSON schema, which the linter's packages contain."""

from __future__ import annotations

from pathlib import Path

import orjson
from jsonschema_rs import Draft7Validator

from openapi.build import FILE

SCHEMAS = Path(__file__).parents[2] / "node_modules" / "@asyncapi" / "specs" / "schemas"


def test_the_document_fits_the_official_schema() -> None:
    document = orjson.loads(FILE.with_name("asyncapi.json").read_bytes())
    schema = Draft7Validator(orjson.loads((SCHEMAS / f"{document['asyncapi']}.json").read_bytes()))
    assert [] == [f"{error.instance_path}: {error.message}" for error in schema.iter_errors(document)]
    assert not schema.is_valid({**document, "operations": {"wrong": {"action": "subscribe"}}})
