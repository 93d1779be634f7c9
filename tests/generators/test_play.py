"""Generated clients are compiled and play every ruleset to the end.

Run by `make test-clients-all`. A missing compiler is reported in one line.
"""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from tests.clients.conftest import limited_stack, trouble  # noqa: F401 - fixtures
from tests.clients.playing import PLAY, play_from_the_beginning, play_through_trouble
from tests.clients.proxy import Trouble
from tests.e2e.stack import Stack
from tests.generators.programs import java, kotlin
from tests.generators.toolchains import MissingToolError

LANGUAGES = {"hey-api": lambda: PLAY["hey-api"], "java": lambda: java("Play"), "kotlin": lambda: kotlin("PlayKt")}


def command_of(language: str) -> list[str]:
    """Return the command of a language's example, or skip the test with the reason."""
    try:
        return LANGUAGES[language]()
    except MissingToolError as error:
        pytest.skip(f"{language}: {error}")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_played_to_the_end_through_cuts_refusals_and_limits(
    limited_stack: Stack,  # noqa: F811
    trouble: Trouble,  # noqa: F811
    ruleset: str,
    language: str,
) -> None:
    play_through_trouble(command_of(language), limited_stack, trouble, ruleset)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_created_with_names_from_the_service(limited_stack: Stack, language: str) -> None:  # noqa: F811
    play_from_the_beginning(command_of(language), limited_stack)
