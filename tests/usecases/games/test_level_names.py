"""Names of levels: in every language, and the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.levels import LEVELS
from service.rulesets.texts import LANGUAGES
from service.usecases.base import i18n

TABLE_WORDS = Path(__file__).parents[3] / "frontend" / "src" / "shared" / "words"


def test_english_names_of_levels_are_those_of_the_api() -> None:
    assert {level.name for level in LEVELS.values()} == {i18n.level(level, "en") for level in LEVELS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_uses_the_names_of_i18n(language: str) -> None:
    source = (TABLE_WORDS / language / "sharing.ts").read_text("utf-8").partition("levels: {")[2]
    table = dict(re.findall(r'^    "?([\w-]+)"?: \["([^"]+)"', source, re.MULTILINE))
    assert table == {level: i18n.level(level, language) for level in LEVELS}


def test_a_removed_level_is_named_by_its_id() -> None:
    assert i18n.level("grandmaster", "de") == "grandmaster"
