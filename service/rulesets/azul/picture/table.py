"""Picture of the table: factories and centre in the middle, and a board for each seat below.

On a board the pattern lines are left of the wall, and the floor line with its printed penalties is below. Tiles are
squares with a mark for each colour. The destination of the last action is marked.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from service.rulesets.azul.picture.labels import floor_label, line_label, wall_row_label
from service.rulesets.azul.rules.components import COLOURS
from service.rulesets.pictures.drawing import Scene, Sheet, Sitting, mark
from service.rulesets.pictures.materials import FACTORY_STYLES, Styles, both_themes
from service.rulesets.pictures.table_parts import (
    HEADER_HEIGHT,
    MARGIN,
    Middle,
    boards,
    boards_top,
    factories,
    height_of,
    middle,
    panel,
    plan_of,
    start_token,
)
from service.rulesets.wire import Json

TILE = 40.0
CELL = 44.0  # a tile and the gap beside it
BOARD_W, BOARD_H = 508.0, 382.0
FACTORY = 54.0  # radius
DISC = 2 * FACTORY + 14
MIDDLE_WIDTH = 490.0  # width of the middle beside the boards
MARKS = {
    "blue": ("ring", "mark-light"),
    "yellow": ("diamond", "mark-dark"),
    "red": ("petals", "mark-light"),
    "black": ("dots", "mark-light"),
    "white": ("vanes", "mark-slate"),
}
CORNERS = {
    "blue": "M1 14A13 13 0 0 0 14 1h4A17 17 0 0 1 1 18zM38 14A13 13 0 0 1 25 1h-4A17 17 0 0 0 38 18z"
    "M1 25A13 13 0 0 1 14 38h4A17 17 0 0 0 1 21zM38 25A13 13 0 0 0 25 38h-4A17 17 0 0 1 38 21z",
    "yellow": "M1 13V8a7 7 0 0 1 7-7h5zM38 13V8a7 7 0 0 0-7-7h-5zM1 26v5a7 7 0 0 0 7 7h5zM38 26v5a7 7 0 0 1-7 7h-5z",
    "red": "M17 1h5l-2.5 6zM17 38h5l-2.5-6zM1 17v5l6-2.5zM38 17v5l-6-2.5z",
    "black": "M17.5 17.5h4v4h-4zM17.5 4h4v4h-4zM17.5 31h4v4h-4zM4 17.5h4v4h-4zM31 17.5h4v4h-4z",
    "white": "M5 5h29v29H5zM7.5 7.5v24h24v-24z",
}
"""Ornaments of the tiles around their marks."""
STYLES: Styles = {
    "blue": ("fill:#2f74c0", "fill:#3a80d0", "fill:#0a4fa3"),
    "yellow": ("fill:#f0b92d", "fill:#f2c144", "fill:#ffd21f"),
    "red": ("fill:#c63a2b", "fill:#d8493a", "fill:#b3121d"),
    "black": ("fill:#2a2d34", "fill:#1d2027", "fill:#111"),
    "white": ("fill:#f1f2ee", "fill:#e9ebe8", "fill:#fff"),
    "mark-light": (*both_themes("fill:#ffffffe6"), "fill:#fff"),
    "mark-dark": ("fill:#5a3600d9", "fill:#4d2e00d9", "fill:#000"),
    "mark-slate": ("fill:#62678a", "fill:#565b80", "fill:#000"),
    "around": (*both_themes("fill-rule:evenodd;opacity:.42"), "fill-rule:evenodd;opacity:.7"),
    "printed": ("opacity:.34", "opacity:.4", "opacity:.6"),
    **FACTORY_STYLES,
}


def picture(scene: Scene) -> Sheet:
    """Return the picture of the whole table."""
    plan = plan_of(scene, BOARD_W, MIDDLE_WIDTH)
    supply = middle(scene, plan.middle_width, FACTORY, DISC, _centre_height(scene))
    height = supply.height * supply.scale
    sheet = Sheet(plan.width, height_of(scene, BOARD_H, height), STYLES)
    _symbols(sheet)
    with sheet.scaled_group(MARGIN, MARGIN, supply.scale):
        _supply(sheet, scene, supply)
    for seat in boards(sheet, scene, BOARD_W, BOARD_H, (plan.left, boards_top(scene, height))):
        _board(sheet, scene, seat, scene.sittings[seat])
    return sheet


def _symbols(sheet: Sheet) -> None:
    """Define a tile of each colour (with its printed face) and the start token."""
    for colour in COLOURS:
        shape, style = MARKS[colour]
        with sheet.symbol(f"face-{colour}", "0 0 40 40"):
            sheet.rect(1, 0.5, 37.6, 37.6, colour, 7)
            with sheet.styled_group("around"):
                sheet.path(CORNERS[colour], style)
            mark(sheet, shape, 19.8, 19.3, style)
        with sheet.symbol(f"tile-{colour}", "0 0 40 40"):
            sheet.rect(1.6, 2.4, 38, 37.4, "shade", 8)
            sheet.use(f"face-{colour}", 0, 0, TILE)
            sheet.rect(2, 1.5, 35.6, 35.6, "edge", 6)
    with sheet.symbol("start-token", "0 0 40 40"):
        start_token(sheet, 20, 20)


def _supply(sheet: Sheet, scene: Scene, supply: Middle) -> None:
    """Draw the factories, the centre, and the contents of bag and lid."""
    sheet.rect(0, 0, supply.width, supply.height, "well", 16)
    for tiles in factories(sheet, scene, FACTORY, DISC):
        _tiles(sheet, tiles, iter((x, y) for y in (-TILE - 2, 2.0) for x in (-TILE - 2, 2.0)))
    x, y, width, height = supply.centre
    with sheet.group(x, y, "centre", source="centre"):
        _centre(sheet, scene, width, height)
    with sheet.group(x, y):
        _draw_contents(sheet, scene, width, height)


def _centre_height(scene: Scene) -> float:
    """Return the height for the maximum content of the centre: three tiles of each factory, and the start token."""
    a_row = 7 if scene.is_folded else 8
    rows = math.ceil((3 * len(scene.position["factories"]) + 1) / a_row)
    return 10 + rows * CELL + 26


def _centre(sheet: Sheet, scene: Scene, width: float, height: float) -> None:
    position, words = scene.position, scene.words
    sheet.rect(0, 0, width, height, "panel", 14)
    if scene.was_last(source="centre"):
        sheet.rect(0, 0, width, height, "last", 14)
    a_row = int((width - 12) // CELL)
    has_marker = position["start_token"] == "centre"  # noqa: S105 - one of cardboard
    tokens = [words["start-token"]] if has_marker else []
    sheet.label(words.format("centre", tiles=words.list_tiles(position["centre"], *tokens)))
    if has_marker:
        with sheet.group(name="start_token"):
            sheet.use("start-token", 10, 10, TILE)
    places = itertools.count(int(has_marker))
    _tiles(sheet, position["centre"], ((10 + spot % a_row * CELL, 10 + spot // a_row * CELL) for spot in places))


def _draw_contents(sheet: Sheet, scene: Scene, width: float, height: float) -> None:
    """Write the round and the contents of bag and lid into the lower right corner of the centre."""
    position, words = scene.position, scene.words
    bag, lid = (sum(position[spot].values()) for spot in ("bag", "box_lid"))
    board = f"{words['round']} {position['round']} · {words['bag']} {bag} · {words['box_lid']} {lid}"
    sheet.text(width - 12, height - 15, board, "faint", 14, "end")


def _tiles(sheet: Sheet, tiles: Json, spots: Iterator[tuple[float, float]]) -> None:
    """Draw tiles by colour, each on the next spot."""
    for colour, count in tiles.items():
        with sheet.group(colour=colour, count=count):
            for _ in range(count):
                sheet.use(f"tile-{colour}", *next(spots), TILE)


def _board(sheet: Sheet, scene: Scene, seat: int, sitting: Sitting) -> None:
    board = scene.position["seats"][seat]
    panel(sheet, BOARD_W, BOARD_H, sitting)
    with sheet.group(20, HEADER_HEIGHT + 6):
        for number, line in enumerate(board["pattern_lines"]):
            with sheet.group(0, number * CELL):
                sheet.label(line_label(scene.words, number, line))
                _line(sheet, seat, number, line)
                if scene.was_last(seat=seat, type="azul.draft", line=number):
                    left = (4 - number) * CELL - 3
                    sheet.rect(left, -3, (number + 1) * CELL + 2, CELL + 2, "last", 9)
    with sheet.group(20 + 5 * CELL + 28, HEADER_HEIGHT + 6):
        _wall(sheet, scene, seat)
    with sheet.group(20, HEADER_HEIGHT + 6 + 5 * CELL + 22, f"seat_{seat}_floor", seat=seat, line="floor"):
        sheet.label(floor_label(scene.words, board["floor_line"], scene.components["floor_penalties"]))
        _floor(sheet, scene, board["floor_line"])
        if scene.was_last(seat=seat, type="azul.draft", line="floor"):
            sheet.rect(-5, -5, 7 * (CELL + 4) + 6, CELL + 26, "last", 9)
    if scene.position["start_token"] == f"seat_{seat}" and "start_token" not in board["floor_line"]:
        with sheet.group():
            sheet.label(scene.words["start-token"])
            sheet.use("start-token", BOARD_W - 20 - TILE, BOARD_H - 20 - TILE, TILE)


def _line(sheet: Sheet, seat: int, number: int, line: Json) -> None:
    """Draw a pattern line with its tiles on the right, next to the wall."""
    with sheet.group(name=f"seat_{seat}_line_{number}", seat=seat, line=number):
        for k in range(line["capacity"]):
            x = (4 - k) * CELL
            if k < line["count"]:
                sheet.use(f"tile-{line['colour']}", x, 0, TILE)
            else:
                sheet.rect(x, 0, TILE, TILE, "space", 7)
    middle = TILE / 2
    sheet.path(f"M{5 * CELL + 4:g} {middle - 6:g}l9 6l-9 6z", "faint")


def _wall(sheet: Sheet, scene: Scene, seat: int) -> None:
    is_printed = scene.position["variant"] == "coloured"
    for line, row in enumerate(scene.position["seats"][seat]["wall"]):
        printed = scene.components["printed_wall"][line] if is_printed else [None] * len(row)
        with sheet.group():
            sheet.label(wall_row_label(scene.words, line, row, printed))
            for column, colour in enumerate(row):
                _wall_space(sheet, scene, (seat, line, column), colour, printed[column])


def _wall_space(sheet: Sheet, scene: Scene, at: tuple[int, int, int], colour: str | None, printed: str | None) -> None:
    """Draw a space of the wall. `at`: seat, line and column; `printed`: its colour, if it has one."""
    seat, line, column = at
    name = f"seat_{seat}_wall_{line}_{column}"
    with sheet.group(column * CELL, line * CELL, name, seat=seat, line=line, column=column):
        if colour is not None:
            sheet.use(f"tile-{colour}", 0, 0, TILE)
        else:
            sheet.rect(0, 0, TILE, TILE, "space", 7)
            if printed is not None:
                with sheet.styled_group("printed"):
                    sheet.use(f"face-{printed}", 0, 0, TILE)
        if scene.was_last(seat=seat, type="azul.tile", line=line, column=column):
            sheet.rect(-3, -3, TILE + 6, TILE + 6, "last", 9)


def _floor(sheet: Sheet, scene: Scene, floor: list[str]) -> None:
    losses = scene.components["floor_penalties"]
    for k in range(len(losses) - 1):
        x = k * (CELL + 4)
        sheet.text(x + TILE / 2, 8, losses[k + 1] - losses[k], "faint", 15, "middle")
        if k >= len(floor):
            sheet.rect(x, 20, TILE, TILE, "space", 7)
        elif floor[k] == "start_token":
            sheet.use("start-token", x, 20, TILE)
        else:
            sheet.use(f"tile-{floor[k]}", x, 20, TILE)
