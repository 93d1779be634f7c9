"""Picture of the table: the wheel and the display in the middle, and a garden with its storage for each seat below.

symbols.py contains the symbols, garden.py and display.py their positions. Destination and source of the last action are
marked.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.pictures.drawing import NARROW, Scene, Sheet, Sitting
from service.rulesets.pictures.materials import OUTLINED_THINLY, Styles, both_themes
from service.rulesets.pictures.table_parts import (
    HEADER_HEIGHT,
    MARGIN,
    boards,
    boards_top,
    height_of,
    panel,
    plan_of,
)
from service.rulesets.queens_garden.letters import list_tiles
from service.rulesets.queens_garden.picture import symbols
from service.rulesets.queens_garden.picture.display import arrangement, middle_of_table
from service.rulesets.queens_garden.picture.garden import (
    GARDEN_H,
    GARDEN_W,
    SPACE_RADIUS,
    STORAGES,
    garden,
    storage,
)
from service.rulesets.queens_garden.picture.labels import storage_label
from service.rulesets.wire import Json

MIDDLE_WIDTH = 446.0  # width of the middle beside the boards
STYLES: Styles = {
    **symbols.SYMBOL_STYLES,
    "quarter-present": (
        *both_themes("fill:{};stroke:{};stroke-width:4;stroke-linejoin:round", ("#fffaf0", "#2d3444"), symbols.MARKED),
        "fill:#fff;stroke:#b4430f;stroke-width:7;stroke-linejoin:round",
    ),
    "quarter": (
        "fill:#e8dcc2;stroke:#cbb991;stroke-width:2",
        "fill:#222732;stroke:#3f4858;stroke-width:2",
        OUTLINED_THINLY,
    ),
    "wheel": both_themes("opacity:1"),
    "wheel-past": ("opacity:.35", "opacity:.4"),
    "wheel-hub": (
        "fill:#fffaf0;stroke:#cbb991;stroke-width:2",
        "fill:#1b1f28;stroke:#3f4858;stroke-width:2",
        OUTLINED_THINLY,
    ),
    "on-accent": ("fill:#fff", "fill:#20242b"),
    "count": ("fill:#6d6353", "fill:#a3adbf", "fill:#000"),
    "count-ink": ("fill:#fff", "fill:#171a21"),
}


def picture(scene: Scene) -> Sheet:
    """Return the picture of the whole table."""
    across, down = _size(scene)
    plan = plan_of(scene, across, MIDDLE_WIDTH)
    form = arrangement(scene, plan.middle_width)
    sheet = Sheet(plan.width, height_of(scene, down, form.height), STYLES)
    symbols.symbols(sheet, sorted(set(_kinds(scene.position))))
    with sheet.group(MARGIN, MARGIN):
        middle_of_table(sheet, scene, form)
    for seat in boards(sheet, scene, across, down, (plan.left, boards_top(scene, form.height))):
        _board(sheet, scene, seat, scene.sittings[seat])
    return sheet


def _size(scene: Scene) -> tuple[float, float]:
    """Return the size of a board."""
    x, y = _storage_at(scene)
    storage = STORAGES[scene.layout]
    return x + storage.width + 16, y + storage.height + 18


def _storage_at(scene: Scene) -> tuple[float, float]:
    """Return the position of the storage on a board."""
    return (20, HEADER_HEIGHT + GARDEN_H + 14) if scene.layout == NARROW else (20 + GARDEN_W + 14, HEADER_HEIGHT)


def _kinds(position: Json) -> Iterator[str]:
    """Return the symbols of the visible hexagons."""
    display = position["display"]
    shown = [*display["top"]]
    for each in display["beside"]:
        shown += each["tiles"] + ([each["face"]] if each["face"] else [])
    for seat in position["seats"]:
        shown += [each["hexagon"] for each in seat["garden"]] + list_tiles(seat["tiles"]) + seat["expansions"]
    return map(symbols.kind_of, shown)


def _board(sheet: Sheet, scene: Scene, seat: int, sitting: Sitting) -> None:
    """Draw a garden and the storage. The corners of the garden show the marker, and whether the seat has passed."""
    panel(sheet, *_size(scene), sitting)
    with sheet.group(20 + GARDEN_W / 2, HEADER_HEIGHT + GARDEN_H / 2):
        garden(sheet, scene, seat)
    with sheet.group(*_storage_at(scene), f"seat_{seat}_storage", seat=seat):
        sheet.label(storage_label(scene.words, scene.position["seats"][seat]))
        storage(sheet, scene, seat)
    if scene.position["marker"] == f"seat_{seat}":
        with sheet.group():
            sheet.label(scene.words["marker"])
            symbols.draw_symbol(
                sheet, "first-player", (20 + 1.4 * SPACE_RADIUS, HEADER_HEIGHT + 1.2 * SPACE_RADIUS), 26, name="marker"
            )
    _draw_pass(sheet, scene, seat, _size(scene)[0] / 2)


def _draw_pass(sheet: Sheet, scene: Scene, seat: int, middle: float) -> None:
    """Show in the header that the seat has passed, or, if its pass ended the round, that it was the last action."""
    passed = scene.position["seats"][seat]["passed"] and scene.position["phase"] != "over"
    last = scene.was_last(seat=seat, type="queens-garden.pass")
    if not passed and not last:
        return
    with sheet.group(middle - 44, HEADER_HEIGHT / 2 - 14, f"seat_{seat}_passed"):
        if passed:
            sheet.rect(0, 0, 88, 28, "count", 14)
        sheet.text(44, 14, scene.words["passed"], "count-ink" if passed else "faint", 16, "middle")
        if last:
            sheet.rect(-3, -3, 94, 34, "last", 17)
