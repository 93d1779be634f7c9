"""Streams: the AsyncAPI document fits the official JSON schema, and the types of the Python client are checked."""

from __future__ import annotations

import tomllib
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


def test_the_errors_in_generated_functions_of_streams_are_expected() -> None:
    """The Python generator takes a stream for an object. `make test-clients-all` checks the types of the client."""
    client = FILE.parent / "clients" / "python"
    settings = tomllib.loads((client / "pyproject.toml").read_text("utf-8"))
    listed = [each["module"] for each in settings["tool"]["mypy"]["overrides"] if "stream_seek" in str(each)]
    generated = (client / "azul_games_client" / "api").rglob("stream_*.py")
    assert listed == [sorted(".".join(module.relative_to(client).with_suffix("").parts) for module in generated)]
