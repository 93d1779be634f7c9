"""The middle of the table: the wheel, the display, and the contents of the other places.

Every expansion of the round has its own place in the display: the stack, then the numbers in the order in which
expansions leave it. A taken expansion leaves a gap, so numbers keep their places during the round.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from service.rulesets.pictures.drawing import Scene, Sheet
from service.rulesets.pictures.table_parts import INSET
from service.rulesets.queens_garden.letters import count_tiles
from service.rulesets.queens_garden.picture.garden import acquired_pieces, expansion
from service.rulesets.queens_garden.picture.labels import expansion_label, stack_label, wheel_label
from service.rulesets.queens_garden.picture.symbols import draw_symbol, kind_of, middle
from service.rulesets.queens_garden.rules.components import COLOURS, STACKS
from service.rulesets.wire import Json

WHEEL_RADIUS = 102.0  # radius
HUB = 37.0
BAND = 2 * WHEEL_RADIUS + 36  # height of the wheel with its margins
BESIDE = 2 * WHEEL_RADIUS + 44  # left edge of the space right of the wheel
LABEL = 26.0  # height of the numbers below the display
LARGEST = 27.0  # maximum radius of a place
A_ROW = 3  # expansions if the middle is folded
MAX_A_ROW = 6  # expansions otherwise
TILE_OFFSETS = ((0, -1), (1, -1), (-1, 1), (0, 1))  # places of the tiles on an expansion


class Arrangement(NamedTuple):
    """Layout of the middle of the table. Expansions and the marker have their middles as coordinates."""

    width: float
    height: float
    display: tuple[float, float]
    expansions: tuple[tuple[float, float], ...]
    radius: float
    counts: tuple[float, float]
    counts_a_row: int
    marker: tuple[float, float]


def arrangement(scene: Scene, width: float) -> Arrangement:
    """Return the layout for a width.

    The display is right of the wheel or below it, the counts below the display or right.
    """
    places = STACKS[scene.seats] + 1
    if not scene.is_folded:
        rows = math.ceil(places / MAX_A_ROW)
        a_row = math.ceil(places / rows)
        pitch = (width - BESIDE - INSET) / a_row
        radius, y = _radius(pitch), (BAND - 61 - LABEL) / 2
        down = 5.2 * radius + LABEL + 8
        expansions = tuple(((k % a_row + 0.5) * pitch, y + k // a_row * down) for k in range(places))
        marker = (width - BESIDE - INSET - 24, 18.0)
        height = BAND + (rows - 1) * down
        return Arrangement(width, height, (BESIDE, 12), expansions, radius, (BESIDE, height - 49), 5, marker)
    pitch = (width - 2 * INSET) / A_ROW
    radius = _radius(pitch)
    down = 5.2 * radius + LABEL + 14
    expansions = tuple(((k % A_ROW + 0.5) * pitch, (k // A_ROW + 0.5) * down - LABEL / 2) for k in range(places))
    height = BAND + math.ceil(places / A_ROW) * down + INSET
    return Arrangement(width, height, (INSET, BAND), expansions, radius, (BESIDE, 44), 2, (134.0, 130.0))


def _radius(pitch: float) -> float:
    """Return the radius of a place, so that expansions at this distance do not touch."""
    return min(LARGEST, (pitch - 9) / 5.2)


def middle_of_table(sheet: Sheet, scene: Scene, form: Arrangement) -> None:
    """Draw the wheel, the display, and the counts."""
    sheet.rect(0, 0, form.width, form.height, "well", 16)
    with sheet.group(16 + WHEEL_RADIUS, BAND / 2, "wheel"):
        _wheel(sheet, scene)
    with sheet.group(*form.display, "display"):
        _display(sheet, scene, form)
    with sheet.group(*form.counts, "counts"):
        _counts(sheet, scene, form)


# --------------------------------------------------------------------------------------------- wheel


def _wheel(sheet: Sheet, scene: Scene) -> None:
    """Draw a quarter for each round, clockwise. The present one is emphasised, past ones are faint."""
    position = scene.position
    printed = next(side for side in scene.components["wheel"] if side["variant"] == position["variant"])
    sheet.label(wheel_label(scene, printed))
    for quarter in sorted(printed["rounds"], key=lambda each: each["round"] == position["round"]):
        with sheet.styled_group("wheel-past" if quarter["round"] < position["round"] else "wheel"):
            _quarter(sheet, quarter, "quarter-present" if quarter["round"] == position["round"] else "quarter")
    draw_symbol(sheet, "pavilion", (-88, -88), 16)  # each, in every round
    sheet.text(-66, -96, printed["pavilion_points"], "ink", 15, "middle")
    sheet.circle(0, 0, HUB, "wheel-hub")
    for quarter in printed["rounds"]:
        number = quarter["round"]
        x, y = _wheel_point(number, 0.5, 23)
        if number == position["round"]:
            sheet.circle(x, y, 12, "accent")
        sheet.text(x, y, number, "on-accent" if number == position["round"] else "faint", 16, "middle")


def _quarter(sheet: Sheet, quarter: Json, style: str) -> None:
    number = quarter["round"]
    start, end = (
        f"{x:.1f} {y:.1f}" for x, y in (_wheel_point(number, 0, WHEEL_RADIUS), _wheel_point(number, 1, WHEEL_RADIUS))
    )
    sheet.path(f"M0 0L{start}A{WHEEL_RADIUS:g} {WHEEL_RADIUS:g} 0 0 1 {end}z", style)
    for k, each in enumerate(quarter["shown"]):
        share = 0.2 + 0.3 * k
        at, shown = _wheel_point(number, share, 63), each["shown"]
        if shown in COLOURS:
            draw_symbol(sheet, f"tile-{shown}", at, 16.5)
        else:
            draw_symbol(sheet, "plot", at, 17.5)
            draw_symbol(sheet, f"glyph-{shown}", (at[0], at[1] + 3), 15.5, style="ink")
        sheet.text(*_wheel_point(number, share, 89), each["points"], "ink", 15, "middle")


def _wheel_point(quarter: int, share: float, distance: float) -> tuple[float, float]:
    """Return the point of a quarter at a share of its angle and a distance from the hub."""
    turn = math.radians(90 * (quarter - 1 + share))
    return distance * math.sin(turn), -distance * math.cos(turn)


# ------------------------------------------------------------------------------------------- display


def _display(sheet: Sheet, scene: Scene, form: Arrangement) -> None:
    display, radius = scene.position["display"], form.radius
    stack, *others = form.expansions
    taken = {piece["from"] for piece in acquired_pieces(scene)}
    named: dict[str, Any] = {"from_": "top"} if display["stack"] else {}
    with sheet.group(*stack, "display_top", **named):
        sheet.label(stack_label(scene.words, display))
        if "top" in taken:
            draw_symbol(sheet, "last-expansion", (0, 0), 1.06 * radius, "expansion")
        _stack(sheet, display, radius)
    beside = {each["number"]: each for each in display["beside"]}
    for number, at in enumerate(others):
        lies_at = f"beside_{number}"
        named = {"from_": lies_at} if number in beside else {}  # a gap is no place to take from
        with sheet.group(*at, f"display_{lies_at}", **named):
            sheet.label(expansion_label(scene.words, number, beside.get(number)))
            if lies_at in taken:
                draw_symbol(sheet, "last-expansion", (0, 0), 1.06 * radius, "expansion")
            _draw_expansion(sheet, beside.get(number), lies_at, radius)
            sheet.text(0, _label(radius), number + 1, "ink" if number in beside else "faint", 15, "middle")


def _label(radius: float) -> float:
    """Return the distance of a number below the middle of its expansion."""
    return 2.6 * radius + 19


def _stack(sheet: Sheet, display: Json, radius: float) -> None:
    """Draw the expansions of the stack on top of each other, and their number."""
    below = min(display["stack"] - 1, 3)
    if display["stack"] == 0:
        draw_symbol(sheet, "free-area", (0, 0), radius, "expansion")
    for k in range(below, -1, -1):
        if display["stack"]:
            draw_symbol(sheet, "expansion-back", (0, 3.5 * k), radius, "expansion")
    _tiles(sheet, display["top"], "top", radius)
    sheet.rect(-19, _label(radius) - 11.5, 38, 23, "count", 11)
    sheet.text(0, _label(radius), f"×{display['stack']}", "count-ink", 15, "middle")


def _draw_expansion(sheet: Sheet, lying: Json | None, lies_at: str, radius: float) -> None:
    if lying is None:
        draw_symbol(sheet, "free-area", (0, 0), radius, "expansion")
    elif lying["face"]:
        with sheet.group(name=f"display_{lies_at}_expansion", from_=lies_at, kind="expansion", **lying["face"]):
            expansion(sheet, lying["face"], radius)
    else:
        draw_symbol(sheet, "expansion-back", (0, 0), radius, "expansion")
        _tiles(sheet, lying["tiles"], lies_at, radius)


def _tiles(sheet: Sheet, tiles: list[Json], lies_at: str, radius: float) -> None:
    for k, (tile, corner) in enumerate(zip(tiles, TILE_OFFSETS, strict=False)):
        name = f"display_{lies_at}_tile_{k}"
        draw_symbol(sheet, kind_of(tile), middle(corner, radius), radius, name=name, from_=lies_at, kind="tile", **tile)


# -------------------------------------------------------------------------------------------- counts


def _counts(sheet: Sheet, scene: Scene, form: Arrangement) -> None:
    position, words = scene.position, scene.words
    totals = (
        ("round", f"{position['round']}/{scene.components['rounds']}"),
        ("bag", count_tiles(position["bag"])),
        ("tower", count_tiles(position["tower"])),
        ("supply", position["supply"]),
        ("stacks", position["round_stacks"]),
    )
    for k, (name, count) in enumerate(totals):
        row, column = divmod(k, form.counts_a_row)
        with sheet.group(8 + column * 104, 20 + row * 56, name):
            sheet.label(f"{words[name]}: {count}")
            sheet.text(0, -11, count, "ink", 22)
            sheet.text(0, 15, words[name], "faint", 14)
    if position["marker"] == "display":
        with sheet.group():
            sheet.label(words["marker"])
            draw_symbol(sheet, "first-player", form.marker, 22, name="marker")
