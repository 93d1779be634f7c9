"""Pages for players in every language: the rules of each game, and guidance on conduct and moderation.

A page is Markdown, and its first line is the title. The rules of a game are `texts/rules.<language>.md` in the folder
of the ruleset; the pages of `CONDUCT` are in `texts` beside this module. A fence `position` in rules is a figure: one
line of position notation and one line of caption. It shows the middle of the table and the board of the first seat;
`position middle` and `position board` show one of the two.
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
WORDS = ("contents", "play", "here")  # ids of messages
RULES, CONDUCT = "rules", "conduct"
SECTIONS = (RULES, CONDUCT)
CONDUCT_PAGES = ("players", "moderators")
TEXTS_FOLDER = Path(__file__).parent / "texts"


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
class PlayerPage:
    """A page in a language: Markdown texts and the figures between them, in order. `name`: of the game or page."""

    name: str
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
def page(section: str, name: str, language: str) -> PlayerPage:
    """Return a page in a language. The name is a ruleset id in `RULES`, or one of `CONDUCT_PAGES`.

    Raises:
        KeyError: The page or the language does not exist, or the ruleset has no rules in it.

    """
    path = _path(section, name, language)
    if language not in LANGUAGES or not path.exists():
        raise KeyError(path.name)
    text = path.read_text("utf-8")
    parts = tuple(_parts(RULESETS[name], language, text)) if section == RULES else (text,)
    return PlayerPage(name, language, text.partition("\n")[0].removeprefix("# "), parts)


def titles(section: str, language: str) -> dict[str, str]:
    """Return the titles of the pages in this language by name."""
    if section == CONDUCT:
        return {name: page(section, name, language).title for name in CONDUCT_PAGES}
    return {name: title(name, language) for name in RULESETS if _path(section, name, language).exists()}


def words(section: str, language: str) -> dict[str, str]:
    """Return the texts around a page of the section."""
    return {name: TEXTS.message(language, f"pages-{name}") for name in (*WORDS, section)}


def contact_text(contact: str, language: str) -> str:
    """Return how to reach the operator, as Markdown. `contact`: a URL, or empty if there is none."""
    shown = contact.removeprefix("mailto:")
    return TEXTS.message(language, "pages-contact", {"contact": f"[{shown}]({contact})" if contact else "none"})


def _path(section: str, name: str, language: str) -> Path:
    if section == RULES:
        return RULESETS[name].folder / "texts" / f"rules.{language}.md"
    if name not in CONDUCT_PAGES:
        raise KeyError(name)
    return TEXTS_FOLDER / f"{name}.{language}.md"


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
