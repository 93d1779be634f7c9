"""Azul as text: `3b4` takes blue from factory 3 for line 4.

Grammar: `docs/reference/notation.md`.
"""

from __future__ import annotations

from service.rulesets.azul.letters import FLOOR_LETTERS, LETTERS
from service.rulesets.azul.rules.components import LINES, VARIANTS
from service.rulesets.azul.rules.state import REASONS_OF_END
from service.rulesets.azul.wire.schemas import PHASES
from service.rulesets.notation import (
    FIRST_SEAT,
    SEAT_OR_NOBODY,
    Heap,
    ListOf,
    Mapped,
    Members,
    Notation,
    Number,
    Row,
    Tagged,
    Tiles,
    Word,
    numbers,
    or_nothing,
    words,
)
from service.rulesets.offer import SOURCE_WORD, TOKEN_WORD
from service.rulesets.parts.factories import TILES_A_FACTORY
from service.rulesets.wire import Json

HEAP = Heap(LETTERS)


def _tiles_of_line(line: Json) -> Json:
    return {line["colour"]: line["count"]} if line["count"] else {}


def _pattern_lines(heaps: list[Json]) -> list[Json]:
    """Convert heaps of at most one colour. Raises ValueError."""
    if any(len(tiles) > 1 for tiles in heaps):
        raise ValueError("lines of one colour each")
    held = [next(iter(tiles.items()), (None, 0)) for tiles in heaps]
    return [{"capacity": line + 1, "colour": colour, "count": count} for line, (colour, count) in enumerate(held)]


BOARD_LINE = Members(
    {
        "score": Number(),
        "pattern_lines": Mapped(
            ListOf(HEAP, ","), lambda lines: [_tiles_of_line(line) for line in lines], _pattern_lines
        ),
        "wall": ListOf(Row(LETTERS), "/"),
        "floor_line": Tiles(FLOOR_LETTERS),
    },
    ";",
)

NOTATION = Notation(
    action=Tagged(
        {
            "azul.draft": Members(
                {"source": SOURCE_WORD, "colour": Word(LETTERS), "line": Word({**numbers(LINES).words, "floor": "f"})}
            ),
            "azul.tile": Members({"line": numbers(LINES), "column": numbers(LINES)}, "@"),
        }
    ),
    draw=Tagged(
        {
            "azul.first_seat": FIRST_SEAT,
            "azul.deal": Members({"tiles": Tiles(LETTERS, groups_of=TILES_A_FACTORY)}, before="deal:"),
        }
    ),
    position=Members(
        {
            "ruleset": words(["azul"]),
            "variant": words(VARIANTS),
            "round": Number(),
            "phase": words(PHASES),
            "to_decide": SEAT_OR_NOBODY,
            "start_seat": SEAT_OR_NOBODY,
            "start_token": TOKEN_WORD,
            "rounds_without_tile": Number(),
            "wall_gained_tile": Word({True: "tiled", False: "-"}),
            "reason_of_end": or_nothing(words(REASONS_OF_END[1:])),
            "factories": ListOf(HEAP, "/"),
            "centre": HEAP,
            "bag": HEAP,
            "box_lid": HEAP,
            "seats": ListOf(BOARD_LINE, " "),
        },
        " ",
    ),
)
