"""The table as a picture: the wheel and the display above, a garden with its storage for each seat below.

How things look stands in picture_symbols.py, where they lie in picture_garden.py and picture_display.py. The last
action is marked where it led and where it took from.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.drawing import (
    HEADER,
    MARGIN,
    Scene,
    Sheet,
    Sitting,
    Styles,
    boards,
    height_of,
    panel,
    width_of,
)
from service.rulesets.queens_garden import picture_symbols
from service.rulesets.queens_garden.picture_display import HEIGHT, middle_of_table
from service.rulesets.queens_garden.picture_garden import (
    GARDEN_H,
    GARDEN_W,
    PLACE,
    STORAGE_W,
    garden,
    storage,
    tiles_of,
)
from service.rulesets.wire import Json

BOARD_W = 20 + GARDEN_W + 14 + STORAGE_W + 16
BOARD_H = HEADER + GARDEN_H + 18
STYLES: Styles = {
    **picture_symbols.STYLES,
    "quarter-present": (
        "fill:#fffaf0;stroke:#b4430f;stroke-width:4;stroke-linejoin:round",
        "fill:#2d3444;stroke:#ff9d4d;stroke-width:4;stroke-linejoin:round",
    ),
    "quarter": ("fill:#e8dcc2;stroke:#cbb991;stroke-width:2", "fill:#222732;stroke:#3f4858;stroke-width:2"),
    "wheel": ("opacity:1", "opacity:1"),
    "wheel-past": ("opacity:.35", "opacity:.4"),
    "wheel-hub": ("fill:#fffaf0;stroke:#cbb991;stroke-width:2", "fill:#1b1f28;stroke:#3f4858;stroke-width:2"),
    "on-accent": ("fill:#fff", "fill:#20242b"),
    "count": ("fill:#6d6353", "fill:#a3adbf"),
    "count-ink": ("fill:#fff", "fill:#171a21"),
}


def picture(scene: Scene) -> Sheet:
    """The whole table."""
    seats, top = len(scene.sittings), 2 * MARGIN + HEIGHT
    width = width_of(seats, BOARD_W)
    sheet = Sheet(width, height_of(seats, BOARD_H, top), STYLES)
    picture_symbols.symbols(sheet, sorted(set(_kinds(scene.position))))
    with sheet.group(MARGIN, MARGIN):
        middle_of_table(sheet, scene, width - 2 * MARGIN)
    for seat in boards(sheet, seats, BOARD_W, BOARD_H, top):
        _board(sheet, scene, seat, scene.sittings[seat])
    return sheet


def _kinds(position: Json) -> Iterator[str]:
    """The symbols of the hexagons that are to be seen."""
    display = position["display"]
    shown = [*display["top"]]
    for each in display["beside"]:
        shown += each["tiles"] + ([each["face"]] if each["face"] else [])
    for seat in position["seats"]:
        shown += [each["hexagon"] for each in seat["garden"]] + tiles_of(seat) + seat["expansions"]
    return map(picture_symbols.kind_of, shown)


def _board(sheet: Sheet, scene: Scene, seat: int, sitting: Sitting) -> None:
    """A garden, right of it the storage; in the garden's corners the marker, and whether the seat has passed."""
    panel(sheet, BOARD_W, BOARD_H, sitting)
    with sheet.group(20 + GARDEN_W / 2, HEADER + GARDEN_H / 2):
        garden(sheet, scene, seat)
    with sheet.group(20 + GARDEN_W + 14, HEADER, f"seat_{seat}_storage", seat=seat):
        storage(sheet, scene, seat)
    if scene.position["marker"] == f"seat_{seat}":
        picture_symbols.put(sheet, "first-player", (20 + 1.4 * PLACE, HEADER + 1.2 * PLACE), 26, name="marker")
    _passed(sheet, scene, seat, 20 + GARDEN_W)


def _passed(sheet: Sheet, scene: Scene, seat: int, right: float) -> None:
    """Whether the seat has passed; when its pass ended the round, only that it was the last action."""
    passed = scene.position["seats"][seat]["passed"] and scene.position["phase"] != "over"
    last = scene.was_last(seat=seat, type="pass")
    if not passed and not last:
        return
    with sheet.group(right - 82, HEADER + 2, f"seat_{seat}_passed"):
        if passed:
            sheet.rect(0, 0, 78, 25, "count", 12)
        sheet.text(39, 12, scene.words["passed"], "count-ink" if passed else "faint", 14, "middle")
        if last:
            sheet.rect(-3, -3, 84, 31, "last", 15)
