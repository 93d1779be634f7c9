"""A seat's garden and storage.

The garden is drawn around the fountain: its board, then each area with its spaces. Free areas are dashed. A printed
hexagon is sunk into its space, a tile fills it. A completed element has a frame and a tick.

The storage has twelve places for tiles and jokers (tiles from the top, jokers from the bottom) and two for expansions.
It is right of the garden, in a narrow layout below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from service.rulesets.pictures.drawing import COLUMNS, NARROW, WIDE, Scene, Sheet
from service.rulesets.queens_garden.letters import list_tiles
from service.rulesets.queens_garden.picture.labels import area_label, fountain_label, surrounded_label
from service.rulesets.queens_garden.picture.symbols import draw_symbol, kind_of, middle
from service.rulesets.queens_garden.rules.components import (
    AREA_CENTRES,
    DIRECTIONS,
    EXPANSION_SPACES,
    TILE_SPACES,
    Space,
    ring,
)
from service.rulesets.wire import Json

SPACE_RADIUS = 26.0  # radius of a place in the garden
GARDEN_W, GARDEN_H = 406.0, 14 * SPACE_RADIUS
TILE = 24.0  # radius in the storage
EXPANSION = 18.0  # radius of a place on a small expansion
PRINTED_SCALE = 0.84  # of the radius: printed hexagons look sunk
FACED = 4  # direction of the hexagon on an expansion outside gardens
PITCH = 1.732 * TILE + 3


class Storage(NamedTuple):
    """Layout of a storage: size, tiles per row, left edge of the tiles, and the middles of the expansions."""

    width: float
    height: float
    a_row: int
    left: float
    expansions: tuple[tuple[float, float], ...]


STORAGE_BESIDE = Storage(
    172.0,
    GARDEN_H,
    a_row=3,
    left=86 - 1.75 * PITCH,
    expansions=tuple(
        (86 + (k - 0.5) * 0.866 * EXPANSION, GARDEN_H - 10 - (7 - 4.5 * k) * EXPANSION) for k in range(EXPANSION_SPACES)
    ),
)
STORAGES = {
    WIDE: STORAGE_BESIDE,
    NARROW: Storage(GARDEN_W, 150.0, a_row=4, left=10.0, expansions=((262.0, 75.0), (357.0, 75.0))),
    COLUMNS: STORAGE_BESIDE,
}


# -------------------------------------------------------------------------------------------- garden


def garden(sheet: Sheet, scene: Scene, seat: int) -> None:
    """Draw a garden around (0, 0)."""
    board = scene.position["seats"][seat]
    shown = {tuple(each["space"]): each for each in board["garden"]}
    with sheet.group():
        sheet.label(fountain_label(scene.words, shown))
        draw_symbol(sheet, "fountain-board", (0, 0), SPACE_RADIUS, "garden")
        for space in ring((0, 0)):
            _space(sheet, seat, space, shown.get(space))
    for area, lying in enumerate(board["areas"]):
        with sheet.group(*middle(AREA_CENTRES[area], SPACE_RADIUS), f"seat_{seat}_area_{area}", seat=seat, area=area):
            sheet.label(area_label(scene.words, area, lying, shown, AREA_CENTRES[area]))
            draw_symbol(
                sheet, f"expansion-{lying['face']}" if lying else "free-area", (0, 0), SPACE_RADIUS, "expansion"
            )
            if not lying:
                sheet.text(0, 0, area + 1, "faint", 17, "middle")
            else:
                spaces = DIRECTIONS if lying["face"] == "up" else (*DIRECTIONS, (0, 0))
                for q, r in spaces:
                    space = (AREA_CENTRES[area][0] + q, AREA_CENTRES[area][1] + r)
                    _space(sheet, seat, space, shown.get(space), (q, r))
    with sheet.group():
        completed = [*_completed_elements(scene, board, set(shown))]
        sheet.label(surrounded_label(scene.words, (kind for kind, _ in completed)))
        for _, at in completed:
            draw_symbol(sheet, "done", middle(at, SPACE_RADIUS), SPACE_RADIUS)
    if scene.was_last(seat=seat):
        _mark_last_action(sheet, scene.last)


def _space(sheet: Sheet, seat: int, space: Space, shown: Json | None, at: Space | None = None) -> None:
    """Draw a space and its hexagon, at a place relative to the origin."""
    q, r = space
    radius = SPACE_RADIUS * PRINTED_SCALE if shown and shown["printed"] else SPACE_RADIUS
    if radius != SPACE_RADIUS:
        draw_symbol(sheet, "plot", middle(at or space, SPACE_RADIUS), SPACE_RADIUS)
    symbol = kind_of(shown["hexagon"]) if shown else "plot"
    name = f"seat_{seat}_space_{q}_{r}"
    draw_symbol(sheet, symbol, middle(at or space, SPACE_RADIUS), radius, name=name, seat=seat, space=f"{q},{r}")


def _completed_elements(scene: Scene, board: Json, shown: set[Space]) -> Iterator[tuple[str, Space]]:
    """Yield kind and place of each surrounded element."""
    up = [tuple(AREA_CENTRES[area]) for area, lying in enumerate(board["areas"]) if lying and lying["face"] == "up"]
    for element in scene.components["geometry"]["elements"]:
        at = tuple(element["at"])
        if element["kind"] == "pavilion" and at not in up:
            continue
        if all(tuple(space) in shown for space in element["spaces"]):
            yield element["kind"], at


def _mark_last_action(sheet: Sheet, last: Json | None) -> None:
    if last is None:
        return
    if last["type"] == "queens-garden.place_tile":
        draw_symbol(sheet, "last-place", middle(last["space"], SPACE_RADIUS), SPACE_RADIUS)
    elif last["type"] in {"queens-garden.place_expansion", "queens-garden.buy_expansion"}:
        draw_symbol(
            sheet, "last-expansion", middle(AREA_CENTRES[last["area"]], SPACE_RADIUS), SPACE_RADIUS, "expansion"
        )


# ------------------------------------------------------------------------------------------- storage


def storage(sheet: Sheet, scene: Scene, seat: int) -> None:
    """Draw a storage."""
    board, form = scene.position["seats"][seat], STORAGES[scene.layout]
    sheet.rect(0, 0, form.width, form.height, "well", 14)
    acquired = [(piece["kind"], kind_of(piece["hexagon"])) for piece in acquired_pieces(scene, seat=seat)]
    tiles = list_tiles(board["tiles"])
    for k in range(TILE_SPACES):
        at, name = _tile_place(form, k), f"seat_{seat}_storage_{k}"
        if k < len(tiles):
            draw_symbol(sheet, kind_of(tiles[k]), at, TILE, name=name, seat=seat, kind="tile", **tiles[k])
            if ("tile", kind_of(tiles[k])) in acquired:
                acquired.remove(("tile", kind_of(tiles[k])))
                draw_symbol(sheet, "last-place", at, TILE)
        elif k >= TILE_SPACES - board["jokers"]:
            draw_symbol(sheet, "joker", at, TILE, name=name, seat=seat, kind="joker")
        else:
            draw_symbol(sheet, "plot", at, TILE)
    for k, at in enumerate(form.expansions):
        if k >= len(board["expansions"]):
            draw_symbol(sheet, "free-area", at, EXPANSION, "expansion")
            continue
        face = board["expansions"][k]
        with sheet.group(*at, f"seat_{seat}_expansion_{k}", seat=seat, kind="expansion", **face):
            expansion(sheet, face, EXPANSION)
            if ("expansion", kind_of(face)) in acquired:
                draw_symbol(sheet, "last-expansion", (0, 0), EXPANSION, "expansion")


def expansion(sheet: Sheet, face: Json, radius: float) -> None:
    """Draw a face-up expansion outside gardens, around (0, 0)."""
    draw_symbol(sheet, "expansion-face", (0, 0), radius, "expansion")
    draw_symbol(sheet, kind_of(face), middle(DIRECTIONS[FACED], radius), radius)


def _tile_place(form: Storage, k: int) -> tuple[float, float]:
    row, column = divmod(k, form.a_row)
    return form.left + (column + 0.5 + row % 2 / 2) * PITCH, 10 + TILE + row * 0.866 * PITCH


def acquired_pieces(scene: Scene, **fields: Any) -> list[Json]:
    """Return the pieces that the last action acquired, if it was an acquisition with these fields."""
    if scene.last is None or not scene.was_last(type="queens-garden.acquire", **fields):
        return []
    return list(scene.last["pieces"])
