"""Legal actions as choices, for front ends that highlight the next options without a list of thousands of actions.

Three parts have many combinations, so the result lists their options and limits: the pieces of an acquisition (all must
fit into the storage), the payment of a placement, and the discards of a pass. Every option belongs to a legal action.

Built by the helpers that the rules use to list and sample actions; the conformance suite compares both forms.
"""

from __future__ import annotations

from typing import Any

from service.rulesets.kernel import Record
from service.rulesets.queens_garden.rules.aliases import BY_COLOUR, alias_by_colour
from service.rulesets.queens_garden.rules.codes import FIRST_FACE, FIRST_TILE, SOURCES
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    ELEMENTS_AT,
    FIRST_PASS_PENALTY,
    JOKERS_OF,
    KINDS,
    NO_ELEMENT,
    PAVILION_POINTS,
    PRICE,
    SHOWN_COLOUR,
    SHOWN_PATTERN,
    SPACES,
)
from service.rulesets.queens_garden.rules.display import (
    fits_somehow,
    free_expansion_spaces,
    free_tile_spaces,
    is_available,
    tiles_in_display,
)
from service.rulesets.queens_garden.rules.game import check_buy
from service.rulesets.queens_garden.rules.garden import (
    check_area,
    is_complete,
    rotations_for,
    shown_spaces,
    spaces_for,
)
from service.rulesets.queens_garden.rules.payments import is_payable, matching_hexagons, pieces_to_pay
from service.rulesets.queens_garden.rules.state import axis_of, hexagon_at
from service.rulesets.queens_garden.wire.actions import BY, PLACE_NAMES, VALUES
from service.rulesets.queens_garden.wire.fields import HEXAGON_NAMES, PIECE_KIND
from service.rulesets.wire import Json, places_of, to_counts

COLOUR_NAMES, PATTERN_NAMES = VALUES
SOURCE_NAMES: tuple[Json, ...] = (
    *({"kind": "tile", "from": source} for source in PLACE_NAMES),
    *({"kind": "expansion", "from": source} for source in PLACE_NAMES[1:]),
)  # by piece, starting with FIRST_TILE
assert len(SOURCE_NAMES) == SOURCES - FIRST_TILE  # noqa: S101 - one name per source


def choices(table_state: Record) -> Json:
    """Return the legal actions as QueensGardenChoices."""
    board = table_state.boards[table_state.seat]
    return {
        "ruleset": "queens-garden",
        "tile_spaces": int(free_tile_spaces(board)),
        "expansion_spaces": int(free_expansion_spaces(board)),
        "acquire": _acquisitions(table_state, board),
        "place_tile": _tiles(table_state, board),
        "place_expansion": _expansions(table_state, board),
        "buy_expansion": [
            {"area": area, "points": -PRICE} for area in range(AREAS) if check_buy(table_state, board, area) == 0
        ],
        "pass": {
            "points": 0 if table_state.passed else -min(FIRST_PASS_PENALTY, int(table_state.score[table_state.seat])),
            "tiles": _counts(board.tiles),
            "expansions": [HEXAGON_NAMES[hexagon] for hexagon in places_of(board.expansions)],
        },
    }


def _counts(tiles: Any) -> Json:
    """Return tiles by colour and pattern, without zeros and empty colours."""
    rows = zip(COLOUR_NAMES, tiles.reshape(KINDS, KINDS), strict=True)
    return {colour: row for colour, tiles in rows if (row := to_counts(tiles.tolist(), PATTERN_NAMES))}


# ------------------------------------------------------------------------------------------- acquire


def _acquisitions(table_state: Record, board: Record) -> list[Json]:
    """Return the acquisitions with at least one fitting choice of pieces; alias patterns are part of their colour."""
    tiles, faces = int(tiles_in_display(table_state)), int(table_state.faces)
    sources = {hexagon: _sources(table_state, hexagon) for hexagon in places_of(tiles | faces)}
    aliases, options = alias_by_colour(tiles | faces), []
    for by, names in enumerate(VALUES):
        for value, name in enumerate(names):
            alias = aliases.get(value) if by == BY_COLOUR else None
            pieces = _pieces(board, sources, (by, value), axis_of(tiles, by, value), axis_of(faces, by, value))
            if pieces and (by == BY_COLOUR or value not in aliases.values()):
                alias_pattern = None if alias is None else PATTERN_NAMES[alias]
                options.append({"by": BY[by], "value": name, "alias": alias_pattern, "pieces": pieces})
    return options


def _sources(table_state: Record, hexagon: int) -> list[int]:
    return [piece for piece in range(FIRST_TILE, SOURCES) if is_available(table_state, piece, hexagon)]


def _pieces(
    board: Record, sources: dict[int, list[int]], chosen: tuple[int, int], tiles: int, faces: int
) -> list[Json]:
    """Return the hexagons to take with their possible sources; empty if no choice fits.

    `tiles` and `faces` are masks of the available tiles and expansions by place on the other axis. Kinds that leave no
    room for the other pieces are omitted.
    """
    if not tiles | faces or not fits_somehow(board, tiles, faces):
        return []
    options = []
    for other in places_of(tiles | faces):
        hexagon, one = int(hexagon_at(*chosen, other)), 1 << other
        as_tile = fits_somehow(board, tiles, faces & ~one)
        as_expansion = fits_somehow(board, tiles & ~one, faces)
        fitting = [piece for piece in sources[hexagon] if (as_expansion if piece >= FIRST_FACE else as_tile)]
        named = [SOURCE_NAMES[piece - FIRST_TILE] for piece in fitting]
        options.append({"hexagon": HEXAGON_NAMES[hexagon], "sources": named})
    return options


# --------------------------------------------------------------------------------------------- place


def _tiles(table_state: Record, board: Record) -> list[Json]:
    options = []
    for hexagon in places_of(board.held):
        spaces = places_of(spaces_for(board, hexagon)) if is_payable(board, hexagon) else []
        if spaces:
            where = [{"space": list(SPACES[space]), "jokers": _jokers(board, space)} for space in spaces]
            points = _round_points(table_state, hexagon)
            named = {"hexagon": HEXAGON_NAMES[hexagon], "points": points, "spaces": where}
            options.append({**named, "payment": _payment(board, hexagon)})
    return options


def _round_points(table_state: Record, hexagon: int) -> int:
    """Return the points of the hexagon when the current round is scored."""
    by_colour = SHOWN_COLOUR[table_state.round_number - 1, hexagon // KINDS]
    return int(by_colour + SHOWN_PATTERN[table_state.variant, table_state.round_number - 1, hexagon % KINDS])


def _jokers(board: Record, space: int) -> int:
    """Return the jokers for the elements that a tile on the free space completes."""
    shown = int(shown_spaces(board)) | 1 << space
    around = (element for element in ELEMENTS_AT[space] if element != NO_ELEMENT)
    return sum(int(JOKERS_OF[element]) for element in around if is_complete(board, element, shown))


def _expansions(table_state: Record, board: Record) -> list[Json]:
    free, options = [area for area in range(AREAS) if check_area(board, area) == 0], []
    for hexagon in places_of(board.expansions):
        if not is_payable(board, hexagon):
            continue
        rotations = {area: places_of(rotations_for(board, hexagon, area)) for area in free}
        where = [{"area": area, "rotations": ways} for area, ways in rotations.items() if ways]
        if where:
            points = PAVILION_POINTS + _round_points(table_state, hexagon)
            named = {"hexagon": HEXAGON_NAMES[hexagon], "points": points, "placements": where}
            options.append({**named, "payment": _payment(board, hexagon)})
    return options


def _payment(board: Record, hexagon: int) -> Json:
    """Return all payments for a hexagon that can be paid."""
    number = int(pieces_to_pay(hexagon))
    jokers = min(int(board.jokers), number)
    options: Json = {"pieces": number, "jokers": jokers}
    for by, name in enumerate(BY):
        payable = _payable(board, hexagon, by) if number else []
        options[f"by_{name}"] = payable if len(payable) + jokers >= number else []
    return options


def _payable(board: Record, hexagon: int, by: int) -> list[Json]:
    """Return the hexagons of the storage with the same colour (`by` 0) or pattern (1), and their kinds."""
    tiles, expansions = (int(matching_hexagons(mask, hexagon, by)) for mask in (board.held, board.expansions))
    value = hexagon % KINDS if by else hexagon // KINDS
    options = []
    for other in places_of(tiles | expansions):
        held = zip(PIECE_KIND, (tiles, expansions), strict=True)
        kinds = [kind for kind, mask in held if mask >> other & 1]
        options.append({"hexagon": HEXAGON_NAMES[hexagon_at(by, value, other)], "kinds": kinds})
    return options
