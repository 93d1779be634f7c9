"""Azul a second time: from the rules page alone, over the JSON of positions, plain and slow.

`legal` lists what the seat to decide may do, `play` and `resolve_draw` apply it, `standing` orders the seats at the
end. Nothing is checked. Nothing here is the service's: the soak holds the compiled rules against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.rulesets.heaps import add_tiles

Json = dict[str, Any]

COLOURS = ("blue", "yellow", "red", "black", "white")
TOKEN = "start_token"
FLOOR_SPACES = 7
PENALTIES = (0, 1, 2, 4, 6, 8, 11, 14)
TILES_A_FACTORY = 4
MAX_ROUNDS_WITHOUT_TILE = 5


def sources(position: Json) -> dict[str, Json]:
    """Return the tiles in the factories and in the centre."""
    factories = {f"factory_{number}": tiles for number, tiles in enumerate(position["factories"])}
    return {**factories, "centre": position["centre"]}


def starter(position: Json) -> int:
    """Return the seat that is first in wall-tiling and in the next round."""
    holder = position["start_token"]
    return int(position["start_seat"] if holder == "centre" else holder.removeprefix("seat_"))


# ------------------------------------------------------------------------------------------ what is legal


def legal(position: Json) -> Iterator[Json]:
    """Yield the actions of the deciding seat."""
    seat = position["seats"][position["to_decide"]]
    if position["phase"] == "tile":
        row = complete_lines(seat)[0]
        yield from ({"type": "azul.tile", "line": row, "column": column} for column in columns(position, seat, row))
        return
    for source, tiles in sources(position).items():
        for colour in tiles:
            for line in (*open_lines(seat, colour), "floor"):
                yield {"type": "azul.draft", "source": source, "colour": colour, "line": line}


def open_lines(seat: Json, colour: str) -> list[int]:
    """Return the pattern lines that take a colour."""
    return [
        number
        for number, line in enumerate(seat["pattern_lines"])
        if line["count"] <= number and line["colour"] in {None, colour} and colour not in seat["wall"][number]
    ]


def complete_lines(seat: Json) -> list[int]:
    """Return the full pattern lines, from top to bottom."""
    return [number for number, line in enumerate(seat["pattern_lines"]) if line["count"] > number]


def columns(position: Json, seat: Json, row: int) -> list[int]:
    """Return the columns for the tile of a complete line."""
    colour, wall = seat["pattern_lines"][row]["colour"], seat["wall"]
    if position["variant"] == "coloured":
        return [(COLOURS.index(colour) + row) % 5]
    free = (column for column in range(5) if wall[row][column] is None and colour not in wall[row])
    return [column for column in free if all(each[column] != colour for each in wall)]


# ---------------------------------------------------------------------------------------------- decisions


def play(position: Json, action: Json) -> None:
    """Apply a decision and everything that follows from it."""
    number = position["to_decide"]
    if action["type"] == "azul.tile":
        tile(position, position["seats"][number], action["line"], action["column"])
        tile_walls(position, number)
        return
    draft(position, number, action)
    if any(sources(position).values()):
        position["to_decide"] = (number + 1) % len(position["seats"])
    else:
        tile_walls(position, starter(position))


def draft(position: Json, number: int, action: Json) -> None:
    """Move all tiles of a colour from a source to a pattern line or to the floor line."""
    seat, name, colour = position["seats"][number], action["source"], action["colour"]
    source = sources(position)[name]
    count = source.pop(colour)
    if name == "centre" and position["start_token"] == "centre":
        position["start_token"] = f"seat_{number}"
        seat["floor_line"] += [TOKEN][: FLOOR_SPACES - len(seat["floor_line"])]
    elif name != "centre":
        for other in [*source]:
            add_tiles(position["centre"], other, source.pop(other))
    if action["line"] != "floor":
        line = seat["pattern_lines"][action["line"]]
        placed = min(count, line["capacity"] - line["count"])
        line["colour"], line["count"] = colour, line["count"] + placed
        count -= placed
    drop(position, seat, colour, count)


def drop(position: Json, seat: Json, colour: str, count: int) -> None:
    """Tiles fall to the floor line, and what finds no space there into the box lid."""
    fallen = min(count, FLOOR_SPACES - len(seat["floor_line"]))
    seat["floor_line"] += [colour] * fallen
    add_tiles(position["box_lid"], colour, count - fallen)


def tile_walls(position: Json, first: int) -> None:
    """Wall-tiling from a seat on, up to the next decision or the end of the round."""
    seats = len(position["seats"])
    in_turn = [(starter(position) + turn) % seats for turn in range(seats)]
    position["to_decide"] = None
    for number in in_turn[in_turn.index(first) :]:
        seat = position["seats"][number]
        for row in complete_lines(seat):
            where = columns(position, seat, row)
            if where and position["variant"] == "grey":
                position["phase"], position["to_decide"] = "tile", number
                return
            if where:
                tile(position, seat, row, where[0])
            else:
                drop(position, seat, empty(seat, row), row + 1)
        pay_floor(position, seat)
    end_round(position)


def empty(seat: Json, row: int) -> str:
    """Empty a pattern line and return its colour."""
    line = seat["pattern_lines"][row]
    colour = line["colour"]
    line["colour"], line["count"] = None, 0
    return str(colour)


def tile(position: Json, seat: Json, row: int, column: int) -> None:
    """Move one tile of a complete line to the wall, score it, and move the others into the box lid."""
    wall, colour = seat["wall"], empty(seat, row)
    wall[row][column] = colour
    add_tiles(position["box_lid"], colour, row)
    across, down = run(wall[row], column), run([each[column] for each in wall], row)
    seat["score"] += max(1, (across if across > 1 else 0) + (down if down > 1 else 0))
    position["wall_gained_tile"] = True


def run(spaces: Sequence[str | None], at: int) -> int:
    """Return the number of connected tiles in a row or column through a space."""
    first = last = at
    while first > 0 and spaces[first - 1]:
        first -= 1
    while last < 4 and spaces[last + 1]:
        last += 1
    return last - first + 1


def pay_floor(position: Json, seat: Json) -> None:
    """Subtract the floor penalty, and put the tiles into the box lid."""
    seat["score"] = max(0, seat["score"] - PENALTIES[len(seat["floor_line"])])
    for piece in seat["floor_line"]:
        if piece != TOKEN:
            add_tiles(position["box_lid"], piece)
    seat["floor_line"] = []


# ------------------------------------------------------------------------------ the next round, or the end


def full_rows(seat: Json) -> int:
    """Return the number of full wall rows."""
    return sum(None not in row for row in seat["wall"])


def end_round(position: Json) -> None:
    """After the last floor penalty."""
    position["rounds_without_tile"] = 0 if position["wall_gained_tile"] else position["rounds_without_tile"] + 1
    position["wall_gained_tile"], position["phase"] = False, "draw"
    if any(map(full_rows, position["seats"])):
        end(position, "row_completed")
    elif position["rounds_without_tile"] == MAX_ROUNDS_WITHOUT_TILE:
        end(position, "no_wall_gained")


def end(position: Json, reason: str) -> None:
    """Score the bonuses of all seats."""
    position["phase"], position["reason_of_end"] = "over", reason
    for seat in position["seats"]:
        full_columns = sum(None not in column for column in zip(*seat["wall"], strict=True))
        colours = sum(all(colour in row for row in seat["wall"]) for colour in COLOURS)
        seat["score"] += 2 * full_rows(seat) + 7 * full_columns + 10 * colours


def resolve_draw(position: Json, draw: Json) -> None:
    """Set the first seat, or fill the factories in order with four tiles each."""
    if draw["type"] == "azul.first_seat":
        position["start_seat"] = draw["seat"]
    elif draw["tiles"]:
        begin_round(position, draw["tiles"])
    else:
        end(position, "no_tile_dealt")


def begin_round(position: Json, tiles: list[str]) -> None:
    """Deal four tiles to each factory, and put the token into the centre."""
    left = sum(position["bag"].values()) + sum(position["box_lid"].values())
    assert min(left, TILES_A_FACTORY * len(position["factories"])) == len(tiles)
    for number, colour in enumerate(tiles):
        if not position["bag"]:
            position["bag"], position["box_lid"] = position["box_lid"], {}
        add_tiles(position["bag"], colour, -1)
        add_tiles(position["factories"][number // TILES_A_FACTORY], colour)
    first = starter(position)
    position |= {"round": position["round"] + 1, "phase": "draft", "to_decide": first}
    position |= {"start_seat": first, "start_token": "centre"}


def standing(position: Json, seat: int) -> tuple[int, ...]:
    """Return the values that order the seats at the end."""
    board = position["seats"][seat]
    return board["score"], full_rows(board)
