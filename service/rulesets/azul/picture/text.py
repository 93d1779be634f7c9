"""Text picture of the table: factories, centre, bag and box lid, then a board for each seat.

On a board the pattern lines are left of the wall, and the floor line with its printed penalties is below.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.letters import FLOOR_LETTERS, LETTERS
from service.rulesets.azul.rules.components import COLOURS, FLOOR_PENALTY, FLOOR_SPACES, LINES, PRINTED_COLUMN
from service.rulesets.parts.factories import TILES_A_FACTORY
from service.rulesets.pictures.text_drawing import (
    EMPTY,
    START_TOKEN,
    Block,
    heading,
    heap,
    join_blocks,
    key,
    label_rows,
    offer,
    seat_line,
    side_by_side,
    token_note,
)
from service.rulesets.wire import Json

LOSSES = np.diff(FLOOR_PENALTY).tolist()  # of each space of the floor line


def draw_text(view: Json) -> str:
    """Return the text picture of the whole table."""
    middle = {
        **offer(view, LETTERS, TILES_A_FACTORY),
        "bag": [heap(view["bag"], LETTERS)],
        "box lid": [heap(view["box_lid"], LETTERS)],
    }
    boards = [_board(view, seat) for seat in range(len(view["seats"]))]
    return join_blocks([_heading(view), label_rows(middle), *side_by_side(boards), _key(view)])


def _heading(view: Json) -> Block:
    notes = [token_note(view)]
    if view["rounds_without_tile"]:
        notes.append(f"rounds without a wall tile: {view['rounds_without_tile']}")
    first, *others = heading("Azul", view, *notes)
    if view["reason_of_end"]:
        first += f": {view['reason_of_end'].replace('_', ' ')}"
    return [first, *others]


def _board(view: Json, seat: int) -> Block:
    board = view["seats"][seat]
    lines = [
        f"{_pattern_line(line)} | {' '.join(LETTERS.get(tile, EMPTY) for tile in row)}"
        for line, row in zip(board["pattern_lines"], board["wall"], strict=True)
    ]
    return [seat_line(view, seat), *lines, *_floor_line(board["floor_line"])]


def _pattern_line(line: Json) -> str:
    """Return a pattern line with its tiles on the right, next to the wall."""
    empty = line["capacity"] - line["count"]
    return " ".join([EMPTY] * empty + [LETTERS.get(line["colour"], EMPTY)] * line["count"]).rjust(2 * LINES - 1)


def _floor_line(pieces: list[str]) -> Block:
    """Return the floor line, and its penalties below."""
    spaces = [*(FLOOR_LETTERS[piece] for piece in pieces), *EMPTY * (FLOOR_SPACES - len(pieces))]
    losses = [f"-{loss}" for loss in LOSSES]
    return ["floor" + "".join(space.rjust(3) for space in spaces), " " * 5 + "".join(loss.rjust(3) for loss in losses)]


def _key(view: Json) -> Block:
    """Return the letters, and the colours printed on the coloured wall by row."""
    lines = [f"{key(LETTERS)}, {START_TOKEN} start token"]
    if view["variant"] == "coloured":
        rows = (" ".join(LETTERS[COLOURS[k]] for k in np.argsort(PRINTED_COLUMN[:, row])) for row in range(LINES))
        lines.append(f"Printed on the walls, row by row: {' | '.join(rows)}")
    return lines
