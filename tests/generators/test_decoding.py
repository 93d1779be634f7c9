"""Generated clients decode every example of the document, also with what a later version may add."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from service.web.docs.components import REFERENCE
from tests.generators import programs
from tests.generators.toolchains import MissingToolError
from tests.openapi.growing import UNKNOWN, answers, grown_answers
from tests.web.client import document

DECODERS: dict[str, Callable[[Path], str]] = {
    "java": programs.decode_with_java,
    "kotlin": programs.decode_with_kotlin,
    "go": programs.decode_with_go,
    "python-pydantic": programs.decode_with_pydantic,
    "typescript-fetch": programs.decode_with_typescript_fetch,
}
RENAMED = {
    "java": {"Import": "ModelImport"},
    "python-pydantic": {"Import": "ModelImport"},
    "typescript-fetch": {"Index": "ModelIndex"},
}
"""Names of models whose schema has the name of a keyword or of a generated module."""


def write_answers(file: Path, renamed: dict[str, str]) -> int:
    """Write schema and value of each example as a line of JSON. Return the number of lines."""
    lines = []
    for _, schema, value in [*answers(document()), *grown_answers(document())]:
        name = schema["$ref"].removeprefix(REFERENCE)
        lines.append(json.dumps({"schema": renamed.get(name, name), "value": value}))
    assert any(UNKNOWN in line for line in lines)
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return len(lines)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", DECODERS)
def test_every_example_is_decoded_also_with_unknown_values(tmp_path: Path, language: str) -> None:
    count = write_answers(file := tmp_path / "answers", RENAMED.get(language, {}))
    try:
        output = DECODERS[language](file)
    except MissingToolError as error:
        pytest.skip(f"{language}: {error}")
    assert count > 180
    assert re.search(rf"(?m)^{count}$", output), output
