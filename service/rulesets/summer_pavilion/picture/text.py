"""Text picture of the table: factories, centre, supply, bag and tower, then a board for each seat.

The stars of a board are arranged as printed: six around the centre star. A star is a row of its six spaces from slot 1
on. A free space shows its printed number, which is its cost.
"""

from __future__ import annotations

from service.rulesets.parts.factories import TILES_A_FACTORY
from service.rulesets.pictures.text_drawing import (
    START_TOKEN,
    Block,
    heading,
    heap,
    join_blocks,
    key,
    label_rows,
    offer,
    on_spaces,
    seat_line,
    side_by_side,
    token_note,
)
from service.rulesets.summer_pavilion.letters import LETTERS
from service.rulesets.summer_pavilion.rules.components import (
    CORNER_SPACES,
    NUMBERS,
    STARS,
    SUPPLY_SPACES,
    VARIANTS,
)
from service.rulesets.wire import Json

# the stars from the top to the bottom of a board, and the indentation of each line
LINES_OF_STARS = ((8, ("orange", "red")), (0, ("purple", "centre", "blue")), (8, ("green", "yellow")))
STAR_WIDTH = 15


def draw_text(view: Json) -> str:
    """Return the text picture of the whole table."""
    middle = {
        **offer(view, LETTERS, TILES_A_FACTORY),
        "supply": [on_spaces(view["supply"], LETTERS, SUPPLY_SPACES)],
        "bag": [heap(view["bag"], LETTERS)],
        "tower": [heap(view["tower"], LETTERS)],
    }
    boards = [_board(view, seat) for seat in range(len(view["seats"]))]
    legend = [
        f"{key(LETTERS)}, {START_TOKEN} start token",
        "A number is a free space and its cost in tiles; spaces 1 to 6 run from left to right",
    ]
    return join_blocks([_heading(view), label_rows(middle), *side_by_side(boards), legend])


def _heading(view: Json) -> Block:
    notes = [token_note(view)]
    if view["wild"]:
        notes.append(f"{view['wild']} is wild")
    if view["bonus_owed"]:
        notes.append(f"bonus tiles to take: {view['bonus_owed']}")
    return heading("Summer Pavilion", view, *notes)


def _board(view: Json, seat: int) -> Block:
    board = view["seats"][seat]
    lines = [seat_line(view, seat)]
    for shift, stars in LINES_OF_STARS:
        lines.append(" " * shift + "".join(star.ljust(STAR_WIDTH) for star in stars))
        drawn = (_star(board["stars"][star], view["variant"], star) for star in stars)
        lines.append(" " * shift + "".join(star.ljust(STAR_WIDTH) for star in drawn))
    beside = {
        "hand": [heap(board["hand"], LETTERS)],
        "corners": [on_spaces(board["corners"], LETTERS, CORNER_SPACES)],
    }
    if board["leftover_penalty"]:
        beside["lost"] = [f"{board['leftover_penalty']} for tiles in the corners"]
    return [*(line.rstrip() for line in lines), *label_rows(beside)]


def _star(tiles: list[str | None], variant: str, star: str) -> str:
    numbers = NUMBERS[VARIANTS.index(variant), STARS.index(star)].tolist()
    spaces = zip(tiles, numbers, strict=True)
    return " ".join(str(number) if tile is None else LETTERS[tile] for tile, number in spaces)
