"""Parts of all tables: the places of the shared supply and of the boards, factories, and panels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from service.rulesets.pictures.drawing import COLUMNS, NARROW, WIDE, Scene, Sheet, Sitting
from service.rulesets.wire import Json

MARGIN = 24.0
HEADER_HEIGHT = 52.0
ACROSS = {WIDE: 2, NARROW: 1, COLUMNS: 2}  # boards


class Plan(NamedTuple):
    """Places on the picture: its size, the width of the middle, and the upper left corner of the first board."""

    width: float
    middle_width: float
    left: float


def plan_of(scene: Scene, board: float, column: float) -> Plan:
    """Return the plan for boards of this width. `column`: width of the middle if it is left of the boards."""
    across = MARGIN + min(scene.seats, ACROSS[scene.layout]) * (board + MARGIN)
    if scene.layout == COLUMNS:
        return Plan(MARGIN + column + across, column, 2 * MARGIN + column)
    return Plan(across, across - 2 * MARGIN, MARGIN)


def boards_top(scene: Scene, middle_height: float) -> float:
    """Return the upper edge of the first row of boards."""
    return MARGIN if scene.layout == COLUMNS else 2 * MARGIN + middle_height


def height_of(scene: Scene, board: float, middle_height: float) -> float:
    """Return the height of a table whose boards have this height."""
    rows = -(-scene.seats // ACROSS[scene.layout])
    return max(boards_top(scene, middle_height) + rows * (board + MARGIN), 2 * MARGIN + middle_height)


def boards(sheet: Sheet, scene: Scene, width: float, height: float, corner: tuple[float, float]) -> Iterator[int]:
    """Yield each seat with the origin at the upper left corner of its board.

    `corner` is that of the first board. An odd last board is centred.
    """
    left, top = corner
    for seat in range(scene.seats):
        row, column = divmod(seat, ACROSS[scene.layout])
        alone = seat == scene.seats - 1 and column == 0
        x = (left + sheet.width - MARGIN - width) / 2 if alone else left + column * (width + MARGIN)
        sheet.boards_at.append(top + row * (height + MARGIN))
        with sheet.group(x, sheet.boards_at[seat], f"seat_{seat}", seat=seat):
            sheet.label(scene.sittings[seat].name, "group")
            yield seat


INSET = 14.0  # padding of the middle of the table


def factories_a_row(scene: Scene) -> int:
    """Return the number of factories in a row."""
    return 3 if scene.is_folded else 5


class Middle(NamedTuple):
    """Layout of the middle of a table with factories: size, scale, and the centre as (x, y, width, height)."""

    width: float
    height: float
    scale: float
    centre: tuple[float, float, float, float]


def middle(scene: Scene, width: float, radius: float, pitch: float, centre_height: float) -> Middle:
    """Return the layout of the middle, `width` wide after scaling.

    The centre is right of the factories or below them, and at least `centre_height` high.
    """
    a_row = factories_a_row(scene)
    gap = pitch - 2 * radius
    right = INSET + a_row * pitch - gap
    below = INSET + math.ceil(len(scene.position["factories"]) / a_row) * pitch - gap
    if not scene.is_folded:
        below = max(below, INSET + centre_height)
        left = right + 2 * gap
        return Middle(width, below + INSET, 1, (left, INSET, width - left - INSET, below - INSET))
    centre = (INSET, below + gap, right - INSET, centre_height)
    return Middle(right + INSET, below + gap + centre_height + INSET, width / (right + INSET), centre)


def factories(sheet: Sheet, scene: Scene, radius: float, pitch: float) -> Iterator[Json]:
    """Yield the tiles of each factory with the origin at its middle."""
    first = INSET + radius
    for number, tiles in enumerate(scene.position["factories"]):
        row, column = divmod(number, factories_a_row(scene))
        source = f"factory_{number}"
        with sheet.group(first + column * pitch, first + row * pitch, source, source=source):
            sheet.label(scene.words.format("factory", number=number + 1, tiles=scene.words.list_tiles(tiles)))
            sheet.circle(0, 0, radius, "disc")
            sheet.text(-0.84 * radius, -0.84 * radius, number + 1, "faint", 14, "middle")
            if scene.was_last(source=source):
                sheet.circle(0, 0, radius + 3, "last")
            yield tiles


def start_token(sheet: Sheet, x: float, y: float) -> None:
    """Draw the start token around (x, y)."""
    sheet.circle(x, y, 17, "token")
    sheet.text(x, y, 1, "token-ink", 22, "middle")


def panel(sheet: Sheet, width: float, height: float, sitting: Sitting) -> None:
    """Draw a wooden board with its header (name, note, score) and a frame if the seat decides."""
    sheet.rect(0, 0, width, height, "panel", 16)
    low, inside = f"{height - 16:g}", f"{width - 32:g}"
    sheet.path(
        f"M0 {low}a16 16 0 0 0 16 16h{inside}a16 16 0 0 0 16 -16v5a16 16 0 0 1 -16 16h-{inside}a16 16 0 0 1 -16 -16z",
        "lip",
    )
    if sitting.decides:
        sheet.rect(0, 0, width, height, "deciding", 16)
        sheet.path(f"M18 {HEADER_HEIGHT / 2 - 9:g}l13 9l-13 9z", "accent")
    with sheet.group():
        sheet.label(f"{sitting.caption or sitting.name} {sitting.note}".strip())
        sheet.text(42 if sitting.decides else 20, HEADER_HEIGHT / 2, sitting.name, "ink", 21)
        if sitting.note:
            sheet.text(width / 2, HEADER_HEIGHT / 2, sitting.note, "faint", 15, "middle")
        score = "–" if sitting.score is None else sitting.score
        sheet.text(width - 20, HEADER_HEIGHT / 2, score, "ink", 28, "end")
