"""Text pictures of tables: what all rulesets share.

A picture consists of blocks, which are lists of lines. Each ruleset's `picture/text.py` builds its blocks from a
position in JSON. Seats, factories, areas and expansions count from 1, as in sentences and pictures. Fields of actions
and the notation count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from service.rulesets.wire import Json

WIDTH = 100
GAP_WIDTH = 4  # blanks between two blocks beside each other
EMPTY = "."
START_TOKEN = "T"  # noqa: S105 - one of cardboard

Block = list[str]
Letters = Mapping[str, str]
"""Letters by name."""


# ------------------------------------------------------------------------------------------- layout


def join_blocks(blocks: Iterable[Block]) -> str:
    """Return the blocks below each other, separated by empty lines."""
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)


def label_rows(items_by_label: Mapping[str, Sequence[str]]) -> Block:
    """Return a line for each label with its items in a column. Long lines are wrapped."""
    left = 2 + max(map(len, items_by_label))
    lines = []
    for label, items in items_by_label.items():
        line = label.ljust(left)
        for item in items:
            if len(line) > left and len(line) + len(item) > WIDTH:
                lines.append(line)
                line = " " * left
            line += f"{item}  "
        lines.append(line)
    return [line.rstrip() for line in lines]


def side_by_side(blocks: Sequence[Block]) -> list[Block]:
    """Return rows of blocks: as many side by side as fit, about equally many in every row."""
    widest = max(len(line) for block in blocks for line in block)
    fitting = max(1, (WIDTH + GAP_WIDTH) // (widest + GAP_WIDTH))
    rows = -(-len(blocks) // fitting)
    in_a_row = -(-len(blocks) // rows)
    return [_row(blocks[first : first + in_a_row], widest) for first in range(0, len(blocks), in_a_row)]


def _row(blocks: Sequence[Block], width: int) -> Block:
    lines = zip_longest(*blocks, fillvalue="")
    return [(" " * GAP_WIDTH).join(part.ljust(width) for part in parts) for parts in lines]


# -------------------------------------------------------------------------------------------- words


def heading(game: str, view: Json, *notes: str) -> Block:
    """Return the game and the seat to decide, and below them the starting seat and the notes. There must be a note."""
    line = f"{game}, {view['variant']} side, round {view['round']}, {view['phase'].replace('_', ' ')}"
    if view["to_decide"] is not None:
        line += f": {seat_name(view['to_decide'])} decides"
    elif view["phase"] != "over":
        line += ": chance decides"
    if view.get("next_seat") is not None:
        notes = (*notes, f"then {seat_name(view['next_seat'])} decides")
    if view["start_seat"] is not None:
        notes = (f"{seat_name(view['start_seat'])} started the round", *notes)
    noted = ", ".join(notes)
    return [line, noted[0].upper() + noted[1:]]


def seat_name(seat: int) -> str:
    """Return the name of a seat for people, who count from 1."""
    return f"seat {seat + 1}"


def seat_line(view: Json, seat: int) -> str:
    """Return the line above the board of a seat."""
    board = view["seats"][seat]
    score = board["score"]
    decides = ["decides"] if view["to_decide"] == seat else []
    passed = ["passed"] if board.get("passed") else []
    return ", ".join(
        [f"{seat_name(seat).capitalize()}: {score} {'point' if score == 1 else 'points'}", *decides, *passed]
    )


def token_note(view: Json) -> str:
    """Return the location of the start token as text."""
    return f"the start token {START_TOKEN} is {holder_text(view['start_token'])}"


def holder_text(holder: str) -> str:
    """Return the location of a token as text: with a seat (`seat_0`) or in a common place (`centre`)."""
    seat = holder.removeprefix("seat_")
    return f"in the {holder.replace('_', ' ')}" if seat == holder else f"with {seat_name(int(seat))}"


def key(letters: Letters) -> str:
    """Return the legend of the letters."""
    return ", ".join(f"{letter} {name.replace('_', ' ')}" for name, letter in letters.items())


# -------------------------------------------------------------------------------------------- tiles


def in_letters(tiles: Json, letters: Letters) -> list[str]:
    """Return tiles as letters, grouped by colour: `["bb", "k"]`."""
    return [letter * tiles[colour] for colour, letter in letters.items() if tiles.get(colour)]


def on_spaces(tiles: Json, letters: Letters, spaces: int) -> str:
    """Return tiles on a number of spaces: `bbk.`."""
    return "".join(in_letters(tiles, letters)).ljust(spaces, EMPTY)


def heap(tiles: Json, letters: Letters) -> str:
    """Return the number of tiles in a heap, in total and by colour: `13: 6b 7k`."""
    counts = [f"{tiles[colour]}{letter}" for colour, letter in letters.items() if tiles.get(colour)]
    return f"{sum(tiles.values())}: {' '.join(counts)}" if counts else "0"


def offer(view: Json, letters: Letters, tiles_a_factory: int) -> dict[str, list[str]]:
    """Return the factories and the centre, labelled."""
    factories = enumerate(view["factories"], 1)
    token = [START_TOKEN] if view["start_token"] == "centre" else []  # noqa: S105
    return {
        "factories": [f"{number} {on_spaces(tiles, letters, tiles_a_factory)}" for number, tiles in factories],
        "centre": [*token, *in_letters(view["centre"], letters)] or [EMPTY],
    }
