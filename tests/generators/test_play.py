"""Generated clients, with their own settings, are compiled and play every ruleset to the end.

Run by `make test-clients-all`. A missing compiler is reported in one line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from service.rulesets.registry import RULESETS
from service.web.docs.document import EXAMPLES
from tests.clients.conftest import limited_stack, trouble  # noqa: F401 - fixtures
from tests.clients.playing import PLAY, play_from_the_beginning, play_through_trouble
from tests.clients.proxy import Trouble
from tests.e2e.stack import Stack
from tests.generators.toolchains import MissingToolError, compile_java, compile_kotlin, generate, read_by_go

COMPILE: dict[str, Callable[[], list[str]]] = {
    "hey-api": lambda: PLAY["hey-api"],
    "java": lambda: compile_java("java", "Play"),
    "kotlin": lambda: compile_kotlin("kotlin", "Play"),
}


@cache
def program(language: str) -> list[str] | MissingToolError:
    """Compile a language's example once. Return its command, or the error."""
    try:
        if language != "hey-api":
            generate(language)
        return COMPILE[language]()
    except MissingToolError as error:
        return error


def command_of(language: str) -> list[str]:
    """Return the command of a language's example, or skip the test with the reason."""
    if isinstance(results := program(language), MissingToolError):
        pytest.skip(f"{language}: {results}")
    return results


@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("language", COMPILE)
def test_a_game_is_played_to_the_end_through_cuts_refusals_and_limits(
    limited_stack: Stack,  # noqa: F811
    trouble: Trouble,  # noqa: F811
    ruleset: str,
    language: str,
) -> None:
    play_through_trouble(command_of(language), limited_stack, trouble, ruleset)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", COMPILE)
def test_a_game_is_created_with_names_from_the_service(limited_stack: Stack, language: str) -> None:  # noqa: F811
    play_from_the_beginning(command_of(language), limited_stack)


@pytest.mark.timeout(600)
def test_generated_go_compiles_and_reads_decisions() -> None:
    recorded = sorted(EXAMPLES.glob("submitAction.*.json"))
    assert len(RULESETS) == len(recorded)
    try:
        generate("go")
        read_by_go("go", recorded)
    except MissingToolError as error:
        pytest.skip(f"go: {error}")
