"""Positions in JSON, written so that a test names only the parts that matter for its rule.

A position is refused unless all 132 tiles are somewhere. Here tiles are letters (``p`` purple, ``g`` green,
``o`` orange, ``y`` yellow, ``b`` blue, ``r`` red), a star is six characters with ``.`` for an empty space, slot 1
first, stars are named by their first letter (``c`` the centre star), and all other tiles are in the bag. If the test
sets the bag, they are in the tower; if it sets `rest`, they are in the hand of that seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rulesets.ruleset import Position
from service.rulesets.summer_pavilion import SUMMER_PAVILION
from tests.rulesets.playing import of_type
from tests.rulesets.summer_pavilion.geometry import STAR_NAMES

Json = dict[str, Any]

VARIANTS = ("coloured", "grey")
COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")
ORDER = "pgoybr"
LETTERS = dict(zip(ORDER, COLOURS, strict=True))
FACTORIES = {2: 5, 3: 7, 4: 9}
TILES = 22
SUPPLY = "ppggooyybr"
WINDOW = {"b": "....bb"}  # a surrounded window, so that bonus tiles can be owed
FULL_BOARD = {"o": "oooooo", "r": "rrrrrr", "b": "bbbbbb", "y": "yyyyyy", "g": "gggggg", "p": "pppppp", "c": "pgoybr"}


def counts(tiles: str) -> Json:
    """Tiles as letters -> counts by colour, zeros left out: ``"bbp"`` -> ``{"purple": 1, "blue": 2}``."""
    return {colour: tiles.count(letter) for letter, colour in LETTERS.items() if letter in tiles}


def colour_numbers(tiles: str) -> tuple[int, ...]:
    """Tiles as letters -> colour numbers in the order drawn, as `Position.deal` takes them."""
    return tuple(ORDER.index(letter) for letter in tiles)


def stars_of(stars: Mapping[str, str]) -> Json:
    """Return stars as JSON from letters. Everything else is empty."""
    return {name: [LETTERS.get(space) for space in stars.get(letter, "......")] for letter, name in STAR_NAMES.items()}


def board(
    score: int = 5,
    stars: Mapping[str, str] | None = None,
    hand: str = "",
    *,
    corners: str = "",
    passed: bool = False,
    leftover: int = 0,
) -> Json:
    """Return a seat: ``board(9, {"o": "oo....", "c": "..b..."}, hand="bbp")``."""
    return {
        "score": score,
        "passed": passed or bool(corners),
        "hand": counts(hand),
        "corners": counts(corners),
        "leftover_penalty": leftover,
        "stars": stars_of(stars or {}),
    }


def passer(score: int = 5, stars: Mapping[str, str] | None = None, corners: str = "") -> Json:
    """Return a seat that has passed in this round."""
    return board(score, stars, corners=corners, passed=True)


def table(
    *boards: Json,
    seats: int = 2,
    phase: str | None = None,
    to_decide: int | None = 0,
    token: int | None = None,
    round_number: int = 1,
    supply: str = SUPPLY,
    factories: Sequence[str] = (),
    centre: str = "",
    bag: str | None = None,
    tower: str | None = None,
    rest: int | None = None,
    **members: Any,
) -> Json:
    """Return a position with all 132 tiles. Further seats and factories are empty; the supply is full by default.

    The phase is `acquire` if factories or the centre are given, else `play`. The token is in the centre by default;
    `start_seat` is by default the seat to decide. `members`: other fields.
    """
    position: Json = {
        "ruleset": "summer-pavilion",
        "variant": "coloured",
        "round": round_number,
        "wild": COLOURS[round_number - 1],
        "phase": phase or ("acquire" if centre or any(factories) else "play"),
        "to_decide": to_decide,
        "next_seat": None,
        "bonus_owed": 0,
        "start_token": "centre" if token is None else f"seat_{token}",
        "start_seat": to_decide or 0,
        "supply": counts(supply),
        "factories": [counts(tiles) for tiles in factories] + [{} for _ in range(FACTORIES[seats] - len(factories))],
        "centre": counts(centre),
        "bag": counts(bag or ""),
        "tower": counts(tower or ""),
        "seats": [*boards, *(board() for _ in range(seats - len(boards)))],
        **members,
    }
    return with_the_rest(position, bag, tower, rest)


def with_the_rest(position: Json, bag: str | None, tower: str | None, rest: int | None) -> Json:
    """Add the missing tiles to the position and return it."""
    missing = {colour: TILES - number for colour, number in colours_of(position).items()}
    assert min(missing.values()) >= 0, f"more than {TILES} tiles of a colour: {missing}"
    if rest is not None:
        seat = position["seats"][rest]
        position["seats"][rest] = {**seat, "hand": sum_of_counts(seat["hand"], missing)}
        return position
    assert bag is None or tower is None or not any(missing.values()), f"nowhere to lie: {missing}"
    name = "bag" if bag is None else "tower"
    position[name] = sum_of_counts(position[name], missing)
    return position


def sum_of_counts(heap: Json, more: Mapping[str, int]) -> Json:
    """Return the sum of two counts by colour, without zeros."""
    sums = {colour: heap.get(colour, 0) + more.get(colour, 0) for colour in COLOURS}
    return {colour: number for colour, number in sums.items() if number}


def colours_of(position: Json) -> dict[str, int]:
    """Return the number of tiles of each colour in a position in JSON."""
    total = dict.fromkeys(COLOURS, 0)
    boards = position["seats"]
    shared = (position["bag"], position["tower"], position["supply"], position["centre"], *position["factories"])
    for heap in (*shared, *(seat["hand"] for seat in boards), *(seat["corners"] for seat in boards)):
        for colour, number in heap.items():
            total[colour] += number
    for seat in boards:
        for star in seat["stars"].values():
            for tile in star:
                if tile is not None:
                    total[tile] += 1
    return total


def acquire(source: int | str, colour: str) -> Json:
    """Return an acquire action. `source`: a factory's number or ``"centre"``; `colour`: a letter."""
    name = f"factory_{source}" if isinstance(source, int) else source
    return {"type": "summer-pavilion.acquire", "source": name, "colour": LETTERS[colour]}


def place(space: str, colour: str, wilds: int = 0) -> Json:
    """Return a place action. `space`: a star's letter and a slot, such as ``"c6"``."""
    return {
        "type": "summer-pavilion.place",
        "star": STAR_NAMES[space[0]],
        "slot": int(space[1]),
        "colour": LETTERS[colour],
        "wilds": wilds,
    }


def take_bonus(colour: str) -> Json:
    """Return the action that takes one bonus tile."""
    return {"type": "summer-pavilion.take_bonus", "colour": LETTERS[colour]}


def keep(tiles: str = "") -> Json:
    """Return the pass action that keeps these tiles."""
    return {"type": "summer-pavilion.pass", "keep": counts(tiles)}


def read(position: Json) -> Position:
    return SUMMER_PAVILION.read(position)


def view(position: Position) -> Json:
    return SUMMER_PAVILION.view(position)


def state(*boards: Json, **named: Any) -> Position:
    """`read(table(...))`."""
    return read(table(*boards, **{"seats": max(2, len(boards)), **named}))


def waiting(*boards: Json, **named: Any) -> Position:
    """Return a position between two rounds: every seat has passed, and the next deal must be drawn."""
    seats = named.setdefault("seats", max(2, len(boards)))
    boards_of_all = (*boards, *(passer() for _ in range(seats - len(boards))))
    all_boards = [{**one, "passed": True} for one in boards_of_all]
    return read(table(*all_boards, **{"phase": "deal", "to_decide": None, **named}))


def effects_of_draw(position: Position, tiles: str, kind: str) -> list[Json]:
    """Return the effects of one type that a draw of these tiles has, without their type."""
    return of_type(position.step_draw(colour_numbers(tiles))[0], kind)


def hand(position: Position, seat: int = 0) -> Json:
    """Return the hand of a seat as counts."""
    return dict(view(position)["seats"][seat]["hand"])


def size(heap: Mapping[str, int]) -> int:
    """Return the number of tiles of a heap."""
    return sum(heap.values())
