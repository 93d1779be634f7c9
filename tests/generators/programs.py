"""Programs that use generated clients: generated and compiled once in a test run."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

from tests.clients.playing import NODE
from tests.generators.toolchains import (
    CLIENTS,
    compile_java,
    compile_kotlin,
    compile_typescript_fetch,
    generate,
    package,
    run,
    run_go_test,
)

DECODERS = Path(__file__).parent / "decoders"


def java(program: str) -> list[str]:
    """Return the command of a Java class."""
    return [*_compile_java(), program]


def kotlin(program: str) -> list[str]:
    """Return the command of a Kotlin file's class."""
    return [*_compile_kotlin(), program]


@cache
def _compile_java() -> list[str]:
    generate("java")
    return compile_java(CLIENTS / "java/examples/Play.java", DECODERS / "Decode.java")


@cache
def _compile_kotlin() -> list[str]:
    generate("kotlin")
    return compile_kotlin(CLIENTS / "kotlin/examples/Play.kt", DECODERS / "Decode.kt")


def decode_with_java(answers: Path) -> str:
    """Return the output of the program that decodes answers."""
    return run([*java("Decode"), str(answers)])


def decode_with_kotlin(answers: Path) -> str:
    """Return the output of the program that decodes answers."""
    return run([*kotlin("decoders.DecodeKt"), str(answers)])


def decode_with_go(answers: Path) -> str:
    """Return the output of the test that decodes answers."""
    generate("go")
    models = {json.loads(line)["schema"] for line in answers.read_text("utf-8").splitlines()}
    return run_go_test(DECODERS / "decode.go", sorted(models), ANSWERS=str(answers))


def decode_with_pydantic(answers: Path) -> str:
    """Return the output of the program that decodes answers with openapi-generator's Python client."""
    for needed in ("pydantic", "dateutil"):
        package(needed)
    generate("python-pydantic")
    folder = CLIENTS / "python-pydantic" / "generated"
    return run([sys.executable, str(DECODERS / "decode.py"), str(folder), "azul_games_pydantic", str(answers)])


def decode_with_typescript_fetch(answers: Path) -> str:
    """Return the output of the program that decodes answers."""
    generate("typescript-fetch")
    return run([NODE, str(DECODERS / "decode.mjs"), compile_typescript_fetch(), str(answers)])
