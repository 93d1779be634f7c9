"""Sentences: arguments of messages from the fields of named objects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from service.rulesets.texts import LANGUAGES, Texts
from tests.rulesets.offers import WITH_TEXTS

HEXAGON = {"colour": "blue", "pattern": "bird"}
OF_STORIES = "^((?:bonus|instead|story)-[a-z-]+|tie-break) = "


def format_message(tmp_path: Path, pattern: str, **arguments: Any) -> str:
    """Return the message `pattern` with these arguments."""
    for language in LANGUAGES:
        (tmp_path / f"{language}.ftl").write_text(f"action-try = {pattern}\n", "utf-8")
    return Texts(tmp_path).sentence("en", "action", {"type": "try", **arguments}, "coloured")


@pytest.mark.parametrize(("value", "expected"), [(3, "3"), (-3, "-3"), ("red", "red"), (True, "true"), (None, "none")])
def test_a_number_or_a_word_is_formatted_unchanged(tmp_path: Path, value: Any, expected: str) -> None:
    assert expected == format_message(tmp_path, "{ $field }", field=value)


@pytest.mark.parametrize(
    ("value", "expected"), [({"red": 2, "blue": 1}, "3"), ({}, "0"), ([], "0"), (["red", "red"], "2")]
)
def test_counts_and_lists_are_formatted_as_their_total(tmp_path: Path, value: Any, expected: str) -> None:
    assert expected == format_message(tmp_path, "{ $field }", field=value)


def test_the_fields_of_an_object_are_arguments(tmp_path: Path) -> None:
    assert "blue bird" == format_message(tmp_path, "{ $hexagon_colour } { $hexagon_pattern }", hexagon=HEXAGON)


def test_the_fields_of_an_object_may_be_lists_and_nested_objects(tmp_path: Path) -> None:
    paid = {"tiles": [HEXAGON, HEXAGON], "first": HEXAGON, "jokers": 1}
    pattern = "{ $paid_tiles } { $paid_first_pattern } { $paid_jokers }"
    assert "2 bird 1" == format_message(tmp_path, pattern, paid=paid)


def test_each_number_of_a_list_is_an_argument(tmp_path: Path) -> None:
    assert "2: (-1, 0)" == format_message(tmp_path, "{ $space }: ({ $space_0 }, { $space_1 })", space=[-1, 0])


def test_an_object_itself_is_not_an_argument(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="hexagon"):
        format_message(tmp_path, "{ $hexagon }", hexagon=HEXAGON)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"keep": {"red": 2, "blue": 1, "green": 1}}, "2 red, 1 blue and 1 green"),
        ({"keep": {"red": 2}}, "2 red"),
        ({"paid": {"tiles": [HEXAGON, {"colour": "red", "pattern": "tree"}]}}, "blue bird and red tree"),
    ],
)
def test_parts_are_listed_in_words_if_a_part_has_a_message(
    tmp_path: Path, parts: dict[str, Any], expected: str
) -> None:
    name = "keep" if "keep" in parts else "paid_tiles"
    more = (
        "listed = { $first } and { $last }\n"
        "part-keep = { $count } { $kind }\n"
        "part-paid-tiles = { $colour } { $pattern }\n"
    )
    assert expected == format_message(tmp_path, f"{{ ${name}_listed }}\n{more}", **parts)


def test_an_action_type_without_a_message_raises_a_lookup_error(tmp_path: Path) -> None:
    format_message(tmp_path, "there is this one")
    with pytest.raises(LookupError):
        Texts(tmp_path).sentence("en", "action", {"type": "another"}, "coloured")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", WITH_TEXTS)
def test_every_message_of_a_ruleset_is_used(ruleset: str, language: str) -> None:
    """The code reads the family of the message, or another message refers to it."""
    source = (RULESETS[ruleset].folder / "texts" / f"{language}.ftl").read_text("utf-8")
    messages = {*re.findall(r"^([a-z-]+) = ", source, re.MULTILINE)} - {*re.findall(OF_STORIES, source, re.MULTILINE)}
    referred = re.findall(r"\{ ([a-z-]+) \}", source)
    families = ("action-", "draw-", "log-", "part-", "picture-", "reason-", "why-")
    assert [] == [name for name in messages if name not in {*referred, "listed"} and not name.startswith(families)]


@pytest.mark.parametrize(
    ("variant", "language", "star"),
    [
        ("coloured", "en", "the orange star"),
        ("grey", "en", "the upper left star"),
        ("coloured", "de", "des orangefarbenen Sterns"),
        ("grey", "de", "des Sterns oben links"),
    ],
)
def test_stars_are_named_by_colour_on_the_coloured_side_and_by_place_on_the_grey_side(
    variant: str, language: str, star: str
) -> None:
    placed = {"type": "place", "colour": "red", "star": "orange", "slot": 2, "wilds": 0}
    assert star in RULESETS["summer-pavilion"].texts.sentence(language, "log", placed, variant)
