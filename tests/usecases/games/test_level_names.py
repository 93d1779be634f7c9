"""What levels are called, for people: in every language, and everywhere the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.levels import LEVELS
from service.rulesets.texts import LANGUAGES
from service.usecases.base import i18n

TABLE_WORDS = Path(__file__).parents[3] / "frontend" / "src" / "shared" / "words"


def test_in_english_a_level_is_called_as_the_api_calls_it() -> None:
    assert {level.name for level in LEVELS.values()} == {i18n.level(level, "en") for level in LEVELS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_and_table_call_levels_the_same(language: str) -> None:
    source = (TABLE_WORDS / language / "sharing.ts").read_text("utf-8").partition("levels: {")[2]
    table = dict(re.findall(r'^    "?([\w-]+)"?: \["([^"]+)"', source, re.MULTILINE))
    assert table == {level: i18n.level(level, language) for level in LEVELS}


def test_a_level_that_is_no_more_is_called_by_its_id() -> None:
    assert i18n.level("grandmaster", "de") == "grandmaster"
