"""Names of levels and of the characters that play them: in every language, and the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.levels import LEVELS
from service.rulesets.texts import LANGUAGES
from service.usecases.base import i18n

TABLE_WORDS = Path(__file__).parents[3] / "frontend" / "src" / "shared" / "words"


def table_words(language: str, record: str, value: str) -> dict[str, str]:
    """Return a record of the table's texts by level."""
    source = (
        (TABLE_WORDS / language / "sharing.ts").read_text("utf-8").partition(f"{record}: {{")[2].partition("\n  }")[0]
    )
    return dict(re.findall(rf'^    "?([\w-]+)"?: {value}', source, re.MULTILINE))


def test_english_names_of_levels_are_those_of_the_api() -> None:
    assert {level.id: level.name for level in LEVELS.values()} == table_words("en", "levels", r'\["([^"]+)"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_and_the_table_name_the_same_characters(language: str) -> None:
    assert {level: i18n.character(level, language) for level in LEVELS} == table_words(
        language, "characters", '"([^"]+)"'
    )


def test_the_character_of_a_removed_level_is_named_by_its_id() -> None:
    assert i18n.character("grandmaster", "de") == "grandmaster"
