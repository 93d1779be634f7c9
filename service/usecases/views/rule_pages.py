"""The rules of a game for new players: a text with pictures of positions, drawn by the ruleset.

The text is Markdown, `texts/rules.<language>.md` in the folder of the ruleset. Its first line is the title. A fence
`position` is a figure: one line of position notation and one line of caption. It shows the middle of the table and the
board of the first seat; `position middle` and `position board` show one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from service.rulesets.pictures.drawing import (
    AUTO,
    NARROW,
    Scene,
    Sheet,
    Sitting,
    Words,
)
from service.rulesets.pictures.table_parts import MARGIN
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.rulesets.texts import LANGUAGES
from service.usecases.base.i18n import TEXTS, title

MAX_PAGES = 16  # cached by a process; about 150 KB each, most of it pictures
FRAME = 2.0  # the width of the frame around a board
TABLE, MIDDLE, BOARD = "table", "middle", "board"
FENCE = re.compile(r"^```position(?: (middle|board))?\n(.+)\n(.+)\n```\n", re.MULTILINE)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
WORDS = ("rules", "games", "contents", "play", "here")  # ids of messages


@dataclass(frozen=True)
class Figure:
    """A picture of a position, with its caption. `width` and `height` are pixels and give the aspect ratio."""

    number: int  # from 1
    notation: str
    caption: str
    svg: bytes
    width: int
    height: int


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game in a language: Markdown texts and the figures between them, in order."""

    ruleset_id: str
    language: str
    title: str
    parts: tuple[str | Figure, ...]

    @cached_property
    def figures(self) -> dict[int, Figure]:
        """The figures by number."""
        return {part.number: part for part in self.parts if isinstance(part, Figure)}

    @cached_property
    def headings(self) -> list[str]:
        """The headings of the sections, in order."""
        return [heading for part in self.parts if isinstance(part, str) for heading in HEADING.findall(part)]


@lru_cache(MAX_PAGES)
def page(ruleset_id: str, language: str) -> RulesPage:
    """Return the page of a ruleset in a language.

    Raises:
        KeyError: The ruleset or the language does not exist, or the ruleset has no rules in it.

    """
    ruleset = RULESETS[ruleset_id]
    path = _path(ruleset, language)
    if language not in LANGUAGES or not path.exists():
        raise KeyError(path.name)
    text = path.read_text("utf-8")
    parts = tuple(_parts(ruleset, language, text))
    return RulesPage(ruleset_id, language, text.partition("\n")[0].removeprefix("# "), parts)


def titles(language: str) -> dict[str, str]:
    """Return the titles of the games that have a page in this language, by ruleset id."""
    return {name: title(name, language) for name, ruleset in RULESETS.items() if _path(ruleset, language).exists()}


def words(language: str) -> dict[str, str]:
    """Return the texts around a page."""
    return {name: TEXTS.message(language, f"rules-{name}") for name in WORDS}


def _path(ruleset: Ruleset, language: str) -> Path:
    return ruleset.folder / "texts" / f"rules.{language}.md"


def _parts(ruleset: Ruleset, language: str, text: str) -> Iterator[str | Figure]:
    at = 0
    for number, fence in enumerate(FENCE.finditer(text), 1):
        yield text[at : fence.start()]
        at = fence.end()
        shown, notation, caption = fence.groups()
        sheet = _sheet(ruleset, language, notation, shown or TABLE)
        width, height = round(sheet.width), round(sheet.height)
        svg = sheet.to_svg(title(ruleset.id, language), caption, AUTO).encode()
        yield Figure(number, notation, caption, svg, width, height)
    yield text[at:]


def _sheet(ruleset: Ruleset, language: str, notation: str, shown: str) -> Sheet:
    """Return the picture, with the reader at the first seat."""
    position = ruleset.read_notation(notation)
    others = (TEXTS.message(language, "who", {"seat": seat}) for seat in range(1, position.seats))
    names = [TEXTS.message(language, "rules-you"), *others]
    sittings = [
        Sitting(name, score, decides=position.seat == seat)
        for seat, (name, score) in enumerate(zip(names, position.scores, strict=True))
    ]
    scene = Scene(
        ruleset.view(position), ruleset.wire.components(), sittings, Words(ruleset.texts, language), layout=NARROW
    )
    if ruleset.picture is None:
        raise KeyError(ruleset.id)
    sheet = ruleset.picture(scene)
    first, second = sheet.boards_at[:2]
    sheet.crop(
        first - MARGIN + FRAME if shown == BOARD else 0,
        (first if shown == MIDDLE else second) - FRAME,
    )
    return sheet
