r"""Text picture of the table: the display and the remaining pieces, then a garden with its storage for each seat.

A hexagon is two characters: the letter of its colour, and its pattern by its value. A garden is a map; alternate rows
are shifted by half a space. Elements are signs: `~~` the fountain, `!!` statues, `==` benches and `/\` pavilions. A
free area shows only its number.
"""

from __future__ import annotations

from service.rulesets.pictures.text_drawing import (
    Block,
    heading,
    holder_text,
    join_blocks,
    key,
    label_rows,
    seat_line,
    side_by_side,
)
from service.rulesets.queens_garden.letters import LETTERS, VALUE_DIGITS, count_tiles, list_tiles
from service.rulesets.queens_garden.rules.components import (
    AREA_CENTRES,
    BENCH,
    COLOUR_POINTS,
    COLOURS,
    ELEMENTS,
    EXPANSION_SPACES,
    FOUNTAIN,
    PATTERN_POINTS,
    PATTERNS,
    PAVILION,
    PAVILION_POINTS,
    STATUE,
    TILE_SPACES,
    WHEEL,
    Space,
    ring,
)
from service.rulesets.wire import Json

SIGNS = {FOUNTAIN: "~~", STATUE: "!!", BENCH: "==", PAVILION: "/\\"}
FREE_SPACE, JOKER, FACE_TO_DRAW = "..", "**", "??"
PRINTED_MARK = "'"
ROWS_FROM_FOUNTAIN = 4  # rows above and below the fountain
HALF = 2  # shift of a row in characters
LEGEND = [
    key(LETTERS),
    f"{key(VALUE_DIGITS)}, {PRINTED_MARK} printed, [b1] an expansion",
    f"{key(SIGNS)}, {FREE_SPACE} free space, a1 free area 1, {JOKER} joker",
]


def draw_text(view: Json) -> str:
    """Return the text picture of the whole table."""
    boards = [_board(view, seat) for seat in range(len(view["seats"]))]
    return join_blocks([_heading(view), _middle(view), *side_by_side(boards), LEGEND])


def _heading(view: Json) -> Block:
    return heading("Queen's Garden", view, f"the first-player marker is {holder_text(view['marker'])}")


# -------------------------------------------------------------------------------------------- middle


def _middle(view: Json) -> Block:
    """Return the display, the scoring of the round, and the contents of the other places."""
    display = view["display"]
    counts = {
        "bag": count_tiles(view["bag"]),
        "tower": count_tiles(view["tower"]),
        "supply": view["supply"],
        "round stacks": view["round_stacks"],
        "unseen faces": len(view["unseen"]),
    }
    return label_rows(
        {
            "top": [" ".join(map(_hexagon, display["top"])) or FREE_SPACE, f"on a stack of {display['stack']}"],
            "expansions": [f"{each['number'] + 1}: {_expansion_text(each)}" for each in display["beside"]]
            or ["nothing"],
            "scores": _scores(view["variant"], view["round"]),
            "left": [f"{name} {count}" for name, count in counts.items()],
        }
    )


def _expansion_text(board: Json) -> str:
    """Return the tiles on an expansion beside the stack, or its face."""
    if board["tiles"]:
        return " ".join(map(_hexagon, board["tiles"]))
    return f"[{_hexagon(board['face']) if board['face'] else FACE_TO_DRAW}]"


def _scores(variant: str, round_number: int) -> list[str]:
    """Return the colours and patterns of the wheel in the round with their points."""
    points = {**dict.fromkeys(COLOURS, COLOUR_POINTS), **dict(zip(PATTERNS, PATTERN_POINTS[variant], strict=True))}
    shown = {**{name: points[name] for name in WHEEL[round_number - 1]}, PAVILION: PAVILION_POINTS}
    return [f"{name.replace('_', ' ')} {each}" for name, each in shown.items()]


# ------------------------------------------------------------------------------------------- a board


def _board(view: Json, seat: int) -> Block:
    board = view["seats"][seat]
    return [seat_line(view, seat), *_garden(board), *_storage(view, board)]


def _garden(board: Json) -> Block:
    """Return the map, rows from the top."""
    cells = _cells(board)
    lines = []
    for r in range(-ROWS_FROM_FOUNTAIN, ROWS_FROM_FOUNTAIN + 1):
        line = ""
        for q in range(-2 * ROWS_FROM_FOUNTAIN, 2 * ROWS_FROM_FOUNTAIN + 1):
            if (q, r) in cells:
                line = line.ljust(HALF * (2 * q + r + 2 * ROWS_FROM_FOUNTAIN)) + cells[q, r]
        lines.append(line)
    return lines


def _cells(board: Json) -> dict[Space, str]:
    """Return the text of each place of the map."""
    cells = {at: SIGNS[kind] for _, kind, at in ELEMENTS if kind != PAVILION}
    cells |= dict.fromkeys(ring((0, 0)), FREE_SPACE)
    for area, lying in enumerate(board["areas"]):
        centre = AREA_CENTRES[area]
        if lying is None:
            cells[centre] = f"a{area + 1}"
        else:
            cells |= dict.fromkeys(ring(centre), FREE_SPACE)
            cells[centre] = SIGNS[PAVILION] if lying["face"] == "up" else FREE_SPACE
    for each in board["garden"]:
        q, r = each["space"]
        cells[q, r] = _hexagon(each["hexagon"]) + PRINTED_MARK * each["printed"]
    return cells


def _storage(view: Json, board: Json) -> Block:
    """Return the places for tiles and jokers, those for expansions, and after the end the points of the storage."""
    tiles = [_hexagon(tile) for tile in list_tiles(board["tiles"])]
    places = [*tiles, *[FREE_SPACE] * (TILE_SPACES - len(tiles) - board["jokers"]), *[JOKER] * board["jokers"]]
    expansions = [f"[{_hexagon(face)}]" for face in board["expansions"]]
    expansions += [f"[{FREE_SPACE}]"] * (EXPANSION_SPACES - len(expansions))
    half = TILE_SPACES // 2
    lines = {"storage": [" ".join(places[:half])], "": [" ".join(places[half:] + expansions)]}
    if view["phase"] == "over":
        lines["counted"] = [str(board["storage_points"])]
    return label_rows(lines)


def _hexagon(hexagon: Json) -> str:
    return LETTERS[hexagon["colour"]] + VALUE_DIGITS[hexagon["pattern"]]
