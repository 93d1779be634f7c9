"""What generators write, with their own settings, is compiled, and plays every ruleset to the end.

Run by `make test-clients-all`. Where a compiler is not to be had, a line says why.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from service.rulesets.registry import RULESETS
from service.web.docs.document import EXAMPLES
from tests.clients.conftest import limited, trouble  # noqa: F401 - fixtures
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
    """The command that runs a language's example, compiled once; or why there is none."""
    try:
        if language != "hey-api":
            generate(language)
        return COMPILE[language]()
    except MissingToolError as why:
        return why


def compiled(language: str) -> list[str]:
    """The command that runs a language's example; a skip that says why where there is none."""
    if isinstance(results := program(language), MissingToolError):
        pytest.skip(f"{language}: {results}")
    return results


@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("language", COMPILE)
def test_a_game_is_played_to_the_end_through_cuts_refusals_and_limits(
    limited: Stack,  # noqa: F811
    trouble: Trouble,  # noqa: F811
    ruleset: str,
    language: str,
) -> None:
    play_through_trouble(compiled(language), limited, trouble, ruleset)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", COMPILE)
def test_a_game_can_be_begun_with_the_service_s_own_names(limited: Stack, language: str) -> None:  # noqa: F811
    play_from_the_beginning(compiled(language), limited)


@pytest.mark.timeout(600)
def test_what_is_generated_in_go_compiles_and_reads_decisions() -> None:
    recorded = sorted(EXAMPLES.glob("submitAction.*.json"))
    assert len(RULESETS) == len(recorded)
    try:
        generate("go")
        read_by_go("go", recorded)
    except MissingToolError as why:
        pytest.skip(f"go: {why}")
