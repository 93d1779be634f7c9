"""Picture of the table: factories, centre, supply and wild colours in the middle, and a board for each seat below.

A board is laid out as printed. A star's six spaces are rhombi of side `SIDE` around its middle. The outer stars are
three sides from the centre, so the gaps between stars are rhombi, too. They contain pillars and statues; windows are
outside. Kept tiles are in the four corners, the hand below. Bearings are clockwise from the top.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from service.rulesets.pictures.drawing import Scene, Sheet, Sitting, hexagon, mark
from service.rulesets.pictures.materials import EDGE, FACTORY_STYLES, OUTLINED, Styles, both_themes
from service.rulesets.pictures.table_parts import (
    HEADER_HEIGHT,
    INSET,
    MARGIN,
    boards,
    boards_top,
    factories,
    height_of,
    middle,
    panel,
    plan_of,
    start_token,
)
from service.rulesets.summer_pavilion.picture.labels import features_label, star_label, wild_label
from service.rulesets.wire import Json

SIDE = 46.0
TALL = SIDE * math.sqrt(3)  # a tile from tip to tip
BOARD_W, BOARD_H = 508.0, 556.0
MIDDLE = HEADER_HEIGHT + 4.5 * SIDE  # of the board, below the panel's upper edge
MIDDLE_WIDTH = 580.0  # width of the middle beside the boards
FACTORY = 58.0  # radius
GAP = 12.0
DISC = 2 * FACTORY + GAP
OFFERED = 0.8  # scale of tiles that can be taken
STEP = SIDE * OFFERED + 1.4
ROW = TALL * OFFERED + 2.5
CENTRE_A_ROW = 7
STRIP = ROW + 30  # height of the supply
HUB = 14.0  # radius of a star's sign
SMALL = 0.58  # scale of other tiles beside the boards
WILD = TALL * SMALL + 34  # height of the wild colours
MARKS = {
    "purple": ("dots", "mark-light"),
    "green": ("drop", "mark-light"),
    "orange": ("petals", "mark-dark"),
    "yellow": ("diamond", "mark-dark"),
    "blue": ("ring", "mark-light"),
    "red": ("bars", "mark-light"),
}
INLAYS = {
    "purple": "M0-27l5 7l-5 7l-5-7zM0 13l5 7l-5 7l-5-7zM-8-7l5 7l-5 7l-5-7zM8-7l5 7l-5 7l-5-7z",
    "green": "M1.4-25C11-9 11 9 1.4 25zM-1.4-25C-11-9-11 9-1.4 25z",
    "orange": "M-11-8L0-21L11-8V-1L0-14L-11-1zM-14 8L0-7L14 8L10.5 13L0 1L-10.5 13zM-8 17L0 7L8 17L5 22L0 16L-5 22z",
    "yellow": "M0-30L17 0L0 30L-17 0zM0-20.5L-11.6 0L0 20.5L11.6 0zM0-11L6.2 0L0 11L-6.2 0z",
    "blue": "M0-11a11 11 0 1 0 .01 0zm0 5.5a5.5 5.5 0 1 1-.01 0zM0-27a4.6 4.6 0 1 0 .01 0zM0 17.8a4.6 4.6 0 1 0 .01 0z",
    "red": "M-1.9-25h3.8v50h-3.8zM-10.4-11h3.8v22h-3.8zM6.6-11h3.8v22h-3.8z",
}
"""Inlays of the tiles, around their middle."""
STYLES: Styles = {
    "purple": ("fill:#4b2585", "fill:#7040ae"),
    "green": ("fill:#40935e", "fill:#57b06f", "fill:#2c7a48"),
    "orange": ("fill:#f1912d", "fill:#f2973f"),
    "yellow": ("fill:#f9eb63", "fill:#f8e464"),
    "blue": ("fill:#2b67b9", "fill:#4590e6"),
    "red": ("fill:#ba3329", "fill:#cf3f36"),
    "free-purple": ("fill:#b387a8", "fill:#4f3174"),
    "free-green": ("fill:#72a062", "fill:#3f7350"),
    "free-orange": ("fill:#e09a45", "fill:#8f5f2c"),
    "free-yellow": ("fill:#f2e3a0", "fill:#57530c"),
    "free-blue": ("fill:#6ca4d8", "fill:#3d5f92"),
    "free-red": ("fill:#eaaea0", "fill:#6b2320"),
    "petal": (
        *both_themes("fill:url(#az-petal);stroke:url(#az-facet);stroke-width:2.2;stroke-linejoin:round"),
        f"{EDGE};stroke-linejoin:round",
    ),
    "mark-light": (*both_themes("fill:#ffffffd0"), "fill:#fff"),
    "mark-dark": (*both_themes("fill:#6b3605"), "fill:#000"),
    "printed": both_themes("opacity:.38"),
    **FACTORY_STYLES,
    "outline": (
        "fill:none;stroke:#8d6c38;stroke-width:4",
        "fill:none;stroke:#8a7660;stroke-width:4",
        "fill:none;stroke:#000;stroke-width:5",
    ),
    "feature": (
        "fill:#fffaf0;stroke:#a48a5c;stroke-width:1.5",
        "fill:#221a14;stroke:#8a7660;stroke-width:1.5",
        OUTLINED,
    ),
    "closed": (
        "fill:#8f640f;stroke:#5c3f06;stroke-width:1.5",
        "fill:#d9ab44;stroke:#8c6a1d;stroke-width:1.5",
        "fill:#000;stroke:#000;stroke-width:2",
    ),
    "closed-ink": ("fill:#fffaf0", "fill:#171a21", "fill:#fff"),
    "now": (
        "fill:none;stroke:#2b2620;stroke-width:2.5",
        "fill:none;stroke:#eceff4;stroke-width:2.5",
        "fill:none;stroke:#000;stroke-width:4",
    ),
}


def picture(scene: Scene) -> Sheet:
    """Return the picture of the whole table."""
    plan = plan_of(scene, BOARD_W, MIDDLE_WIDTH)
    offered = middle(scene, plan.middle_width, FACTORY, DISC, _centre_height(scene))
    above = offered.height + GAP + STRIP + (WILD if scene.is_folded else 0)
    height = above * offered.scale
    sheet = Sheet(plan.width, height_of(scene, BOARD_H, height), STYLES)
    _shapes(sheet, scene)
    with sheet.scaled_group(MARGIN, MARGIN, offered.scale):
        sheet.rect(0, 0, offered.width, above, "well", 16)
        for tiles in factories(sheet, scene, FACTORY, DISC):
            across, down = (SIDE * OFFERED + 1.4) / 4, (TALL * OFFERED + 2.4) / 4  # interlocked: two rows of two
            spots = [(-across, down), (3 * across, down), (-3 * across, 3 * down), (across, 3 * down)]
            _tiles(sheet, tiles, iter(spots), OFFERED)
        x, y, centre_width, centre_height = offered.centre
        with sheet.group(x, y, "centre", source="centre"):
            _centre(sheet, scene, centre_width, centre_height)
        with sheet.group(INSET, offered.height - INSET + GAP):
            _strip(sheet, scene, offered.width - 2 * INSET)
    for seat in boards(sheet, scene, BOARD_W, BOARD_H, (plan.left, boards_top(scene, height))):
        _board(sheet, scene, seat, scene.sittings[seat])
    return sheet


def _centre_height(scene: Scene) -> float:
    """Return the height for the maximum content of the centre: three tiles of each factory."""
    return 16 + (math.ceil(3 * len(scene.position["factories"]) / CENTRE_A_ROW) + 1) * ROW / 2


def _shapes(sheet: Sheet, scene: Scene) -> None:
    """Define a tile of each colour with its lower tip at the origin, free spaces, features and the start token."""
    rhombus = [(0.0, 0.0), (SIDE / 2, -TALL / 2), (0.0, -TALL), (-SIDE / 2, -TALL / 2)]
    inner = [(0.0, -3.0), (SIDE / 2 - 1.6, -TALL / 2), (0.0, -TALL + 3), (-SIDE / 2 + 1.6, -TALL / 2)]
    for colour in scene.components["colours"]:
        shape, style = MARKS[colour]
        with sheet.shape(f"tile-{colour}"):
            sheet.polygon(rhombus, "shade")
            sheet.polygon(inner, colour)
            with sheet.group(0, -TALL / 2):
                sheet.path(INLAYS[colour], style)
            sheet.polygon(inner, "petal")
        with sheet.shape(f"free-{colour}"):
            sheet.polygon(rhombus, "space")
            sheet.polygon(inner, f"free-{colour}")
        with sheet.shape(f"hub-{colour}"):
            sheet.circle(0, 0, HUB, colour)
            sheet.circle(0, 0, HUB, "edge")
            with sheet.scaled_group(0, 0, HUB / 19):
                mark(sheet, shape, 0, 0, style)
    outline = [_polar(30 * k, SIDE if k % 2 else TALL) for k in range(12)]
    with sheet.shape("star"):
        sheet.polygon(outline, "outline")
    with sheet.shape("free-space"):
        sheet.polygon(rhombus, "space")
    for kind, tiles in {feature["kind"]: feature["tiles"] for feature in scene.components["features"]}.items():
        _feature_shapes(sheet, kind, tiles)
    with sheet.shape("start-token"):
        start_token(sheet, 0, 0)


def _feature_shapes(sheet: Sheet, kind: str, tiles: int) -> None:
    """Define a feature, by its form and its bonus, and its golden variant when surrounded."""
    for name, style, ink in ((kind, "feature", "faint"), (f"{kind}-closed", "closed", "closed-ink")):
        with sheet.shape(name):
            if kind == "pillar":
                sheet.rect(-9, -9, 18, 18, style, 3)
            elif kind == "statue":
                sheet.polygon(hexagon(0, 0, 11.5), style)
            else:
                sheet.circle(0, 0, 11, style)
            sheet.text(0, 0, tiles, ink, 13, "middle")


def _tiles(sheet: Sheet, tiles: Json, spots: Iterator[tuple[float, float]], scale: float) -> None:
    """Draw tiles by colour, each with its lower tip on the next spot."""
    for colour, count in tiles.items():
        with sheet.group(colour=colour, count=count):
            for _ in range(count):
                sheet.stamp(f"tile-{colour}", *next(spots), scale)


def _in_row(x: float, y: float) -> Iterator[tuple[float, float]]:
    """Yield spots for offered tiles from the left."""
    return ((x + spot * STEP, y) for spot in itertools.count())


def _in_centre(x: float, y: float) -> Iterator[tuple[float, float]]:
    """Yield spots for offered tiles from the upper left. Every second row lies in the gaps of the row above."""
    for spot in itertools.count():
        row, column = divmod(spot, CENTRE_A_ROW)
        yield x + (column + row % 2 / 2) * STEP, y + row * ROW / 2


def _centre(sheet: Sheet, scene: Scene, width: float, height: float) -> None:
    sheet.rect(0, 0, width, height, "panel", 14)
    if scene.was_last(type="summer-pavilion.acquire", source="centre"):
        sheet.rect(0, 0, width, height, "last", 14)
    has_marker = scene.position["start_token"] == "centre"  # noqa: S105 - one of cardboard
    tokens = [scene.words["start-token"]] if has_marker else []
    sheet.label(scene.words.format("centre", tiles=scene.words.list_tiles(scene.position["centre"], *tokens)))
    if has_marker:
        with sheet.group(name="start_token"):
            sheet.stamp("start-token", 28, 30)
    left = 66.0 if has_marker else 26.0
    _tiles(sheet, scene.position["centre"], _in_centre(left, 8 + TALL * OFFERED), OFFERED)


def _strip(sheet: Sheet, scene: Scene, width: float) -> None:
    """Draw the supply, the wild colours by round (below it if folded), and the contents of bag and tower."""
    position, words = scene.position, scene.words
    spaces = scene.components["supply_spaces"]
    with sheet.group(0, 6, "supply", source="supply"):
        sheet.label(words.format("place", place=words["supply"], content=words.list_tiles(position["supply"])))
        sheet.text(0, 6, words["supply"], "faint", 15)
        for spot in range(spaces):
            with sheet.scaled_group(20 + spot * STEP, 22 + TALL * OFFERED, OFFERED):
                sheet.stamp("free-space")
        _tiles(sheet, position["supply"], _in_row(20, 22 + TALL * OFFERED), OFFERED)
        if scene.was_last(type="summer-pavilion.take_bonus"):
            sheet.rect(-1, 18, spaces * STEP + 4, TALL * OFFERED + 8, "last", 9)
    x, y = (0.0, 6 + STRIP) if scene.is_folded else (spaces * STEP + 50, 6.0)
    with sheet.group(x, y, "wild"):
        sheet.label(wild_label(scene))
        _wild_colours(sheet, scene)
    bag, tower = (sum(position[spot].values()) for spot in ("bag", "tower"))
    round_, held = f"{words['round']} {position['round']}", f"{words['bag']} {bag} · {words['tower']} {tower}"
    if scene.is_folded:
        sheet.text(width, 12, f"{round_} · {held}", "faint", 15, "end")
    else:
        sheet.text(width, 40, round_, "ink", 19, "end")
        sheet.text(width, 64, held, "faint", 15, "end")


def _wild_colours(sheet: Sheet, scene: Scene) -> None:
    sheet.text(0, 6, scene.words["wild"], "faint", 15)
    for number, mine in enumerate(scene.components["rounds"]):
        x = 18 + number * (SIDE * SMALL + 19)
        if mine["round"] == scene.position["round"]:
            sheet.rect(x - 18, 19, 36, TALL * SMALL + 8, "now", 9)
        is_past = mine["round"] < scene.position["round"]
        with sheet.styled_group("printed") if is_past else sheet.group():
            sheet.stamp(f"tile-{mine['wild']}", x, 23 + TALL * SMALL, SMALL)


# ------------------------------------------------------------------------------------------------ a board


def _board(sheet: Sheet, scene: Scene, seat: int, sitting: Sitting) -> None:
    mine = scene.position["seats"][seat]
    has_just_passed = scene.was_last(type="summer-pavilion.pass", seat=seat)
    passed = scene.words["passed"] if mine["passed"] or has_just_passed else ""
    panel(sheet, BOARD_W, BOARD_H, replace(sitting, note=sitting.note or passed))
    if has_just_passed:
        sheet.rect(BOARD_W / 2 - 60, 12, 120, HEADER_HEIGHT - 24, "last", 14)
    board = next(one for one in scene.components["boards"] if one["variant"] == scene.position["variant"])
    with sheet.group(BOARD_W / 2, MIDDLE):
        for star in board["stars"]:
            x, y = (0.0, 0.0) if star["bearing"] is None else _polar(star["bearing"], 3 * SIDE)
            with sheet.group(x, y, f"seat_{seat}_{star['star']}"):
                sheet.label(star_label(scene, star, mine["stars"][star["star"]]))
                _star(sheet, scene, seat, star)
        with sheet.group():
            _features(sheet, scene, mine["stars"])
        _last_placed(sheet, scene, seat, board)
    with sheet.group():
        sheet.label(scene.words.format("corners", tiles=scene.words.list_tiles(mine["corners"])))
        _corners(sheet, seat, mine["corners"], scene.components["corner_spaces"])
    with sheet.group(20, BOARD_H - TALL * SMALL - 16, f"seat_{seat}_hand", seat=seat):
        sheet.label(scene.words.format("hand", tiles=scene.words.list_tiles(mine["hand"])))
        _hand(sheet, scene, mine)
    if scene.position["start_token"] == f"seat_{seat}":
        with sheet.group():
            sheet.label(scene.words["start-token"])
            sheet.stamp("start-token", BOARD_W - 37, BOARD_H - 40)


def _polar(bearing: float, distance: float) -> tuple[float, float]:
    """Return (x, y) of a point at this bearing and distance."""
    return distance * math.sin(math.radians(bearing)), -distance * math.cos(math.radians(bearing))


def _star(sheet: Sheet, scene: Scene, seat: int, star: Json) -> None:
    tiles = scene.position["seats"][seat]["stars"][star["star"]]
    sheet.stamp("star")
    for space in star["spaces"]:
        name, slot = star["star"], space["slot"]
        colour = tiles[slot - 1]
        shape = f"free-{star['colour'] or 'space'}" if colour is None else f"tile-{colour}"
        named = f"seat_{seat}_{name}_{slot}"
        sheet.stamp(shape, turn=space["bearing"], name=named, seat=seat, star=name, slot=slot)
        if colour is None:
            x, y = _polar(space["bearing"], TALL * 0.58)
            sheet.text(x, y, space["number"], "ink", 17, "middle")
            if scene.position["variant"] == "grey":  # where the printed number is not the number of the space
                sheet.text(*_polar(space["bearing"], TALL * 0.24), slot, "faint", 10, "middle")
    if star["colour"] is not None:
        sheet.stamp(f"hub-{star['colour']}")


def _last_placed(sheet: Sheet, scene: Scene, seat: int, board: Json) -> None:
    """Draw a frame around the tile that was placed last, above everything else."""
    for star in board["stars"]:
        for space in star["spaces"]:
            if scene.was_last(type="summer-pavilion.place", seat=seat, star=star["star"], slot=space["slot"]):
                x, y = (0.0, 0.0) if star["bearing"] is None else _polar(star["bearing"], 3 * SIDE)
                with sheet.group(x, y, turn=space["bearing"]):
                    corners = [(0.0, 3.0), (SIDE / 2 + 2, -TALL / 2), (0.0, -TALL - 3), (-SIDE / 2 - 2, -TALL / 2)]
                    sheet.polygon(corners, "last")


def _features(sheet: Sheet, scene: Scene, stars: Json) -> None:
    """Draw the features, golden if surrounded."""
    closed = []
    for feature in scene.components["features"]:
        kind = feature["kind"]
        is_closed = all(stars[space["star"]][space["slot"] - 1] is not None for space in feature["spaces"])
        closed += [kind] * is_closed
        distance = {"pillar": 1.5, "statue": 1.5 * math.sqrt(3), "window": 4.35}[kind] * SIDE
        x, y = _polar(feature["bearing"], distance)
        sheet.stamp(f"{kind}-closed" if is_closed else kind, x, y, feature=feature["feature"])
    sheet.label(features_label(scene, closed))


def _corners(sheet: Sheet, seat: int, corners: Json, spaces: int) -> None:
    """Draw the kept tiles, one in each corner."""
    kept = [colour for colour, count in corners.items() for _ in range(count)]
    for number in range(spaces):
        x = 32.0 if number % 2 == 0 else BOARD_W - 32
        y = HEADER_HEIGHT + 10 + TALL * SMALL if number < 2 else MIDDLE + 4.4 * SIDE
        with sheet.group(name=f"seat_{seat}_corner_{number}"):
            with sheet.scaled_group(x, y, SMALL):
                sheet.stamp("free-space")
            if number < len(kept):
                sheet.stamp(f"tile-{kept[number]}", x, y, SMALL)


def _hand(sheet: Sheet, scene: Scene, mine: Json) -> None:
    """Draw tiles of each colour with their number."""
    x = 14.0
    for colour in scene.components["colours"]:
        count = mine["hand"].get(colour, 0)
        if count:
            with sheet.group(x, 0, colour=colour, count=count):
                sheet.stamp(f"tile-{colour}", 0, TALL * SMALL, SMALL)
                sheet.text(18, TALL * SMALL / 2, f"× {count}", "ink", 17)
            x += 72
