"""Positions in JSON, written so that a test names only the parts that matter for its rule.

A position is refused unless all 100 tiles are somewhere, so a test that spelled one out would be
ninety tiles of noise around the three that matter. Here tiles are letters (``b`` blue, ``y`` yellow,
``r`` red, ``k`` black, ``w`` white, ``T`` the start token), a wall row is five characters with ``.`` for
an empty space, and all other tiles are in the bag, or in the box lid if the test sets the bag.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rulesets.azul import AZUL
from service.rulesets.ruleset import Position

Json = dict[str, Any]

COLOURS = ("blue", "yellow", "red", "black", "white")
LETTERS = dict(zip("byrkw", COLOURS, strict=True))
FACTORIES = {2: 5, 3: 7, 4: 9}
PRINTED = ("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")


def counts(tiles: str) -> Json:
    """Tiles as letters -> counts by colour, zeros left out: ``"bbk"`` -> ``{"blue": 2, "black": 1}``."""
    return {colour: tiles.count(letter) for letter, colour in LETTERS.items() if letter in tiles}


def colour_numbers(tiles: str) -> tuple[int, ...]:
    """Tiles as letters -> colour numbers in the order drawn, as `Position.deal` takes them."""
    return tuple("byrkw".index(letter) for letter in tiles)


def board(
    score: int = 0,
    lines: Mapping[int, str] | None = None,
    wall: Mapping[int, str] | None = None,
    floor: str = "",
) -> Json:
    """Return a seat: ``lines={2: "rr"}``, ``wall={1: "wb..."}``, ``floor="Tb"``. Everything else is empty."""
    held, rows = lines or {}, wall or {}
    return {
        "score": score,
        "pattern_lines": [
            {
                "capacity": line + 1,
                "colour": LETTERS[held[line][0]] if held.get(line) else None,
                "count": len(held.get(line, "")),
            }
            for line in range(5)
        ],
        "wall": [[LETTERS.get(letter) for letter in rows.get(row, ".....")] for row in range(5)],
        "floor_line": ["start_token" if letter == "T" else LETTERS[letter] for letter in floor],
    }


def table(
    *boards: Json,
    seats: int = 2,
    to_decide: int = 0,
    factories: Sequence[str] = (),
    centre: str = "",
    token: int | None = None,
    round_number: int = 6,
    bag: str | None = None,
    lid: str | None = None,
    **members: Any,
) -> Json:
    """Return a position with all 100 tiles. Further seats and factories are empty. `members`: other fields.

    The token is with the seat whose floor has ``T``, otherwise in the centre; `token` names a holder whose floor was
    full. `start_seat` is by default the seat to decide. Other tiles are in the bag, or the box lid if `bag` is given.
    """
    all_boards = [*boards, *(board() for _ in range(seats - len(boards)))]
    holders = [seat for seat, each in enumerate(all_boards) if "start_token" in each["floor_line"]]
    holder = token if token is not None else (holders[0] if holders else None)
    position: Json = {
        "ruleset": "azul",
        "variant": "coloured",
        "round": round_number,
        "phase": "draft",
        "to_decide": to_decide,
        "start_token": "centre" if holder is None else f"seat_{holder}",
        "start_seat": to_decide,
        "rounds_without_tile": 0,
        "wall_gained_tile": False,
        "reason_of_end": None,
        "factories": [counts(tiles) for tiles in factories] + [{} for _ in range(FACTORIES[seats] - len(factories))],
        "centre": counts(centre),
        "bag": counts(bag or ""),
        "box_lid": counts(lid or ""),
        "seats": all_boards,
        **members,
    }
    return with_the_rest(position, bag, lid)


def with_the_rest(position: Json, bag: str | None, lid: str | None) -> Json:
    """Add the missing tiles to the position and return it."""
    missing = {colour: 20 - number for colour, number in colours_of(position).items()}
    assert min(missing.values()) >= 0, f"more than 20 tiles of a colour: {missing}"
    assert bag is None or lid is None or not any(missing.values()), f"bag and lid are named, and yet: {missing}"
    place = "bag" if bag is None else "box_lid"
    sums = {colour: position[place].get(colour, 0) + missing[colour] for colour in COLOURS}
    position[place] = {colour: number for colour, number in sums.items() if number}
    return position


def colours_of(position: Json) -> dict[str, int]:
    """Return the number of tiles of each colour in a position in JSON."""
    total = dict.fromkeys(COLOURS, 0)
    for heap in (position["bag"], position["box_lid"], position["centre"], *position["factories"]):
        for colour, number in heap.items():
            total[colour] += number
    for seat in position["seats"]:
        for line in seat["pattern_lines"]:
            if line["colour"] is not None:
                total[line["colour"]] += line["count"]
        on_wall = [tile for row in seat["wall"] for tile in row if tile is not None]
        for tile in (*on_wall, *seat["floor_line"]):
            if tile != "start_token":
                total[tile] += 1
    return total


def closing(*boards: Json, **named: Any) -> Position:
    """Return a position in which `CLOSE` empties the table and changes no score.

    The last seat puts four white tiles into its empty line 4: it completes nothing, and drops nothing.
    """
    seats = named.setdefault("seats", 2)
    return read(table(*boards, **{"to_decide": seats - 1, "factories": ("wwww",), **named}))


def draft(source: int | str, colour: str, line: int | str) -> Json:
    """Return a draft action. `source`: a factory's number or ``"centre"``; `colour`: a letter."""
    name = f"factory_{source}" if isinstance(source, int) else source
    return {"type": "azul.draft", "source": name, "colour": LETTERS[colour], "line": line}


def tile(line: int, column: int) -> Json:
    """Return a tile action of the side `grey`."""
    return {"type": "azul.tile", "line": line, "column": column}


CLOSE = draft(0, "w", 4)


def read(position: Json) -> Position:
    return AZUL.read(position)


def view(position: Position) -> Json:
    return AZUL.view(position)


def floors(position: Position) -> list[list[str]]:
    """Return the floor line of each seat."""
    return [seat["floor_line"] for seat in view(position)["seats"]]
