"""Pictures of the tables, drawn and in plain text: valid, small, complete, and equal to the reviewed ones."""

from __future__ import annotations

import gzip
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from service.rulesets.pictures.drawing import AUTO, COLUMNS, CONTRAST, DARK, LAYOUTS, LIGHT, NARROW, THEMES, WIDE, Words
from service.rulesets.pictures.materials import CLASS, PAPER
from service.rulesets.ruleset import Json, Ruleset
from service.rulesets.texts import LANGUAGES
from tests.rulesets.offers import WITH_TEXT_PICTURE
from tests.rulesets.pictures import FOLDED_ONES, GOLDEN, MOMENTS, NAMES, draw_moment, games, golden_path, moment, scene
from tests.rulesets.playing import Game
from tests.rulesets.tiny import TINY
from tests.sampling import one_in

EVERY = one_in(5, [(name, when, layout) for name, *_ in games() for when in MOMENTS for layout in LAYOUTS])
WITH_TOKEN = [name for name, ruleset, *_ in games() if "factories" in ruleset.wire.components()]
MAX_BYTES = 60_000
SVG = "{http://www.w3.org/2000/svg}"
NOT_ON_THE_TABLE = {"type", "wilds", "rotation", "keep", "payment", "discard", "by", "value"}
"""Fields of actions that name nothing on the table, or several things, which a front end requests step by step."""


def root_of(name: str, when: str, layout: str = WIDE) -> ET.Element:
    return ET.fromstring(draw_moment(name, MOMENTS[when], AUTO, layout))  # noqa: S314 - our own SVG


def data_of(root: ET.Element) -> list[dict[str, str]]:
    """Return the data attributes of each element, including those of the elements around it."""
    results = []

    def walk(element: ET.Element, outer: dict[str, str]) -> None:
        own = {key.removeprefix("data-"): value for key, value in element.attrib.items() if key.startswith("data-")}
        described = {**outer, **own}
        if own:
            results.append(described)
        for child in element:
            walk(child, described)

    walk(root, {})
    return results


def things_of(action: Json, seat: int) -> Iterator[dict[str, str]]:
    """Yield the fields of each thing on the table that an action names."""
    for field, value in action.items():
        if field == "hexagon":
            yield {"seat": str(seat), "colour": value["colour"], "pattern": value["pattern"]}
        elif field == "pieces":
            yield from ({key: str(described) for key, described in flat(piece)} for piece in value)
        elif field not in NOT_ON_THE_TABLE:
            yield {field: ",".join(map(str, value)) if isinstance(value, list) else str(value)}


def flat(fields: Json) -> Iterator[tuple[str, Any]]:
    for key, value in fields.items():
        yield from flat(value) if isinstance(value, dict) else [(key, value)]


@pytest.mark.parametrize(("name", "when", "layout"), EVERY)
def test_every_object_that_an_action_names_has_matching_data_attributes(name: str, when: str, layout: str) -> None:
    position, _ = moment(name, MOMENTS[when])
    seen = data_of(root_of(name, when, layout))
    for number in position.legal_actions()[:: max(1, len(position.legal_actions()) // 150)]:
        action = position.ruleset.wire.decode(number)
        for wanted in things_of(action, position.seat or 0):
            assert any(wanted.items() <= actual.items() for actual in seen), (action, wanted)
        if "source" in action:
            assert any({"source", "colour"} <= actual.keys() for actual in seen)


@pytest.mark.parametrize(("name", "when", "layout"), EVERY)
def test_a_picture_has_unique_ids_defined_classes_and_no_external_references(name: str, when: str, layout: str) -> None:
    root = root_of(name, when, layout)
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert {use.attrib["href"].removeprefix("#") for use in root.iter(f"{SVG}use")} <= set(ids)
    assert [f"{SVG}title", f"{SVG}desc", f"{SVG}style"] == [child.tag for child in list(root)[:3]]
    style = root.findtext(f"{SVG}style") or ""
    used = {element.attrib["class"] for element in root.iter() if "class" in element.attrib}
    assert used - set(re.findall(r"\.([\w-]+)\{", style)) <= {"azul-table"}
    assert not re.search(r"(href|src|url)\W{1,3}http", draw_moment(name, MOMENTS[when], AUTO, layout))


@pytest.mark.parametrize(("name", "when", "layout"), EVERY)
def test_every_piece_is_named_by_the_place_around_it(name: str, when: str, layout: str) -> None:
    unnamed = []

    def walk(element: ET.Element, label: str) -> None:
        label = element.attrib["aria-label"] if element.attrib.get("role") == "img" else label
        piece = re.fullmatch(r"#(?:tile|hexagon)-(.+)|#(start-token|joker)", element.attrib.get("href", ""))
        words = (piece[1] or piece[2]).replace("_", " ").replace("-", " ") if piece else ""
        if words not in label:
            unnamed.append((words, label))
        for child in element:
            walk(child, label)

    for child in root_of(name, when, layout):
        if child.tag == f"{SVG}g":
            walk(child, "")
    assert [] == unnamed


@pytest.mark.parametrize("name", [name for name, *_ in games()])
def test_places_are_named_in_every_language(name: str) -> None:
    position, last = moment(name, MOMENTS[GOLDEN])
    picture, labels = position.ruleset.picture, list[set[str]]()
    assert picture is not None
    for language in LANGUAGES:
        root = picture(replace(scene(position, last), words=Words(position.ruleset.texts, language))).root
        labels.append({each.attrib["aria-label"] for each in root.iter("g") if each.attrib.get("role") == "img"})
    assert 1 == len({len(each) for each in labels})
    assert set.intersection(*labels) <= set(NAMES)


@pytest.mark.parametrize(("name", "when", "layout"), EVERY)
def test_a_compressed_picture_is_small(name: str, when: str, layout: str) -> None:
    assert len(gzip.compress(draw_moment(name, MOMENTS[when], AUTO, layout).encode())) < MAX_BYTES


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [name for name, *_ in games()])
def test_every_group_begins_inside_the_view_box(name: str, layout: str) -> None:
    """Every translated group begins inside the view box."""
    root = root_of(name, GOLDEN, layout)
    width, height = map(float, root.attrib["viewBox"].split()[2:])

    def walk(element: ET.Element, x: float, y: float, scale: float) -> None:
        moved = re.match(r"translate\((-?[\d.]+) (-?[\d.]+)\)", element.attrib.get("transform", ""))
        if "rotate" in element.attrib.get("transform", ""):
            return
        x, y = (x + scale * float(moved[1]), y + scale * float(moved[2])) if moved else (x, y)
        assert (0 <= x <= width, 0 <= y <= height) == (True, True), element.attrib
        larger = re.search(r"scale\(([\d.]+)\)", element.attrib.get("transform", ""))
        for child in element:
            walk(child, x, y, scale * float(larger[1]) if larger else scale)

    for child in root:
        if child.tag == f"{SVG}g":
            walk(child, 0, 0, 1)


@pytest.mark.parametrize(
    ("name", "layout"),
    [*((name, WIDE) for name, *_ in games()), *itertools.product(FOLDED_ONES, (NARROW, COLUMNS))],
)
def test_a_picture_equals_the_reviewed_picture(name: str, layout: str) -> None:
    """`python -m tests.rulesets.pictures` writes the pictures again."""
    assert golden_path(name, layout).read_text("utf-8") == draw_moment(name, MOMENTS[GOLDEN], AUTO, layout) + "\n"


@pytest.mark.parametrize("name", ["azul.grey.2", "summer-pavilion.coloured.3", "queens-garden.reverse.4"])
def test_a_theme_changes_only_the_style_element(name: str) -> None:
    styles, rest = {}, set()
    for theme in THEMES:
        svg = draw_moment(name, MOMENTS[GOLDEN], theme)
        before, style, after = re.split(r"<style>|</style>", svg)
        styles[theme] = style
        rest.add((before, after))
    assert 1 == len(rest)
    ground = {LIGHT: PAPER["ground"][0], DARK: PAPER["ground"][1]}
    assert (True, False) == (ground[LIGHT] in styles[LIGHT], ground[DARK] in styles[LIGHT])
    assert (False, True) == (ground[LIGHT] in styles[DARK], ground[DARK] in styles[DARK])
    assert (True, False) == (PAPER["ground"][2] in styles[CONTRAST], "@media" in styles[CONTRAST])
    assert styles[AUTO].index(ground[LIGHT]) < styles[AUTO].index("prefers-color-scheme:dark")


@pytest.mark.parametrize("name", [name for name, _, variant, seats in games() if seats == 2])
def test_the_last_action_and_the_deciding_seat_are_marked(name: str) -> None:
    root = root_of(name, GOLDEN)
    classes = [element.attrib.get("class", "") for element in root.iter()]
    assert 1 == classes.count(f"{CLASS}deciding")
    assert any(actual.startswith(f"{CLASS}last") for actual in classes) or any(
        "last" in use.attrib["href"] for use in root.iter(f"{SVG}use")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_labels_of_a_picture_exist_in_every_language(language: str) -> None:
    for _, ruleset, *_ in games():
        for word in ("title", "round", "bag"):
            assert ruleset.texts.has_message(language, f"picture-{word}")


@pytest.mark.parametrize("name", WITH_TOKEN)
def test_the_start_token_is_drawn_exactly_once(name: str) -> None:
    """It may be in the centre, on a floor line, or with its holder."""
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        uses = ET.fromstring(draw_moment(name, share, AUTO)).iter(f"{SVG}use")  # noqa: S314 - our own SVG
        assert 1 == [use.attrib["href"] for use in uses].count("#start-token")


MAX_CHARACTERS = 100
GAMES = [
    (ruleset, variant, seats)
    for ruleset in WITH_TEXT_PICTURE.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]


@pytest.mark.parametrize(("ruleset", "variant", "seats"), one_in(4, GAMES))
def test_every_text_picture_fits_a_terminal_and_changes_with_every_action(
    ruleset: Ruleset, variant: str, seats: int
) -> None:
    game = Game(ruleset, {"any": lambda _: 0}, 1, variant, seats, seed=seats, taste="any", steps=10_000)
    before = ""
    for position in game:
        drawn = str(position)
        *lines, empty, notation = drawn.split("\n")
        assert ("", position.notation) == (empty, notation)
        assert [] == [line for line in lines if len(line) > MAX_CHARACTERS or line != line.rstrip()]
        assert all(f"Seat {seat}: " in drawn for seat in range(1, seats + 1))
        assert game.taken is None or before != drawn
        before = drawn
    assert "over" in before.split("\n")[0]


def test_a_position_without_a_text_picture_is_printed_as_repr_and_notation() -> None:
    position = TINY.start(TINY.variants[0], 2, 0)
    assert f"{position!r}\n\n{position.notation}" == str(position)
