"""Sentences name a space by its place."""

from __future__ import annotations

import pytest

from service.rulesets.queens_garden.rules.components import SPACES
from service.rulesets.registry import RULESETS
from service.rulesets.texts import LANGUAGES

texts = RULESETS["queens-garden"].texts


def space_in_words(space: tuple[int, int], language: str = "en") -> str:
    return texts.message(language, "space", {"space": list(space)})


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_space_has_a_different_description(language: str) -> None:
    assert len({space_in_words(space, language) for space in SPACES}) == len(SPACES)


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ((1, 0), "beside the fountain, to the right"),
        ((0, -1), "beside the fountain, to the upper left"),
        ((3, 0), "in the middle of area 1"),
        ((0, 2), "in area 2, to the upper left"),
        ((-2, 0), "in area 4, to the right"),
    ],
)
def test_space_is_described_by_its_area_and_direction(space: tuple[int, int], words: str) -> None:
    assert words == space_in_words(space)
