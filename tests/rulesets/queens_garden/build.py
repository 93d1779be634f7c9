"""Positions in wire form, written so that a test names only what its rule is about; hexagons as in `letters`.

A garden is ``{(q, r): hexagon}``, printed hexagons too; areas are ``{area: rotation}`` for face up and
``{area: "down"}``. An expansion beside the stack is ``"b1 b2"`` (tiles), ``"^b3"`` (face up), ``"?"`` (its face is
still to be drawn) or ``""`` (it was taken); its place in the list is its number.

Tiles that are not named lie in the bag; in the tower where the bag is named. Expansions that are not named lie in
the supply. Where no top is named there is no stack any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from service.rulesets.queens_garden import QUEENS_GARDEN
from service.rulesets.ruleset import Position
from tests.rulesets.queens_garden.geometry import AREAS, CENTRES, DIRECTIONS, SPACES, Space
from tests.rulesets.queens_garden.letters import (
    ALL_EXPANSIONS,
    COPIES,
    HEXAGONS,
    ROUNDS,
    STACK_OF,
    Json,
    counts,
    hexagon,
    in_order,
    name_of,
    pieces,
    tiles_in,
)


def board(
    score: int = 15,
    storage: str = "",
    garden: Mapping[Space, str] | None = None,
    areas: Mapping[int, int | str] | None = None,
    *,
    passed: bool = False,
) -> Json:
    """Return a seat: ``board(9, "b1 ^y3 **", {(1, 0): "b2", (4, 0): "y5"}, {0: 0, 1: "down"})``."""
    named, places = areas or {}, garden or {}
    printed = [spot(area, turned) for area, turned in named.items() if isinstance(turned, int)]
    held = pieces(storage)
    return {
        "score": score,
        "passed": passed,
        "jokers": storage.count("*"),
        "tiles": counts(name_of(tile) for tile in held["tiles"]),
        "expansions": held["expansions"],
        "storage_points": 0,
        "areas": [area_of(named.get(area)) for area in AREAS],
        "garden": [
            {"space": list(space), "hexagon": hexagon(places[space]), "printed": space in printed}
            for space in sorted(places, key=place_in_order)
        ],
    }


def passer(score: int = 15, storage: str = "", *more: Any) -> Json:
    """Return a seat that has passed in this round."""
    return board(score, storage, *more, passed=True)


def place_in_order(space: Space) -> int:
    """Return the index of a space in the order of spaces, or their number for anything else."""
    return SPACES.index(space) if space in SPACES else len(SPACES)


def spot(area: int, rotation: int) -> Space:
    """Return the space with the printed hexagon of a face-up expansion."""
    (q, r), (more_q, more_r) = CENTRES[area], DIRECTIONS[rotation]
    return q + more_q, r + more_r


def area_of(turned: int | str | None) -> Json | None:
    """Return an area as JSON."""
    return {"face": "up", "rotation": turned} if isinstance(turned, int) else turned and {"face": turned}  # type: ignore[return-value]


def beside_of(number: int, text: str) -> Json:
    """Return an expansion beside the stack as JSON."""
    face = hexagon(text[1:]) if text[0] == "^" else None
    tiles = "" if text[0] in "^?" else text
    return {"number": number, "tiles": [hexagon(name) for name in in_order(tiles.split())], "face": face}


def display_of(seats: int, in_stack: int, top: str, beside: Sequence[str]) -> Json:
    """Return the display as JSON."""
    return {
        "stack": in_stack,
        "top": [hexagon(name) for name in in_order(top.split())],
        "beside": [beside_of(number, text) for number, text in enumerate(beside) if text],
        "left": STACK_OF[seats] - in_stack,
    }


def table(
    *boards: Json,
    seats: int = 2,
    variant: str = "standard",
    round_number: int = 1,
    phase: str = "play",
    to_decide: int | None = 0,
    next_seat: int | None = None,
    start_seat: int | None = 0,
    marker: int | None = None,
    top: str = "",
    beside: Sequence[str] = (),
    stack: int | None = None,
    bag: str | None = None,
    tower: str = "",
    planted: bool = False,
) -> Json:
    """Return a position with all tiles and expansions. Further seats are empty; the first who passed has the marker.

    `planted`: other tiles are in the gardens of the last three of four seats, from round 3 on.
    """
    all_boards = [*boards, *(board() for _ in range(seats - len(boards)))]
    first_passed = next((seat for seat, each in enumerate(all_boards) if each["passed"]), None)
    holder = first_passed if marker is None else marker
    in_stack = stack if stack is not None else STACK_OF[seats] - len(beside) if top or phase == "fill" else 0
    position: Json = {
        "ruleset": "queens-garden",
        "variant": variant,
        "round": round_number,
        "phase": phase,
        "to_decide": to_decide if phase == "play" else None,
        "next_seat": next_seat,
        "start_seat": start_seat,
        "marker": "display" if holder is None else f"seat_{holder}",
        "display": display_of(seats, in_stack, top, beside),
        "round_stacks": (ROUNDS - round_number) * STACK_OF[seats],
        "seats": all_boards,
    }
    lay_the_rest(position, bag, tower, planted=planted)
    return position


def lay_the_rest(position: Json, bag: str | None, tower: str, *, planted: bool) -> None:
    """Tiles and expansions that were not named go where they belong."""
    position |= {"supply": 0, "unseen": [], "bag": counts(bag or ""), "tower": counts(tower)}
    lying = Counter(tiles_on(position))
    assert max(lying.values(), default=0) <= COPIES, f"more than {COPIES} of a hexagon: {lying}"
    missing = Counter(dict.fromkeys(HEXAGONS, COPIES)) - lying
    if planted:
        position["seats"][-3:] = [
            planted_board(each, [name for name in HEXAGONS if missing[name] > number])
            for number, each in enumerate(position["seats"][-3:])
        ]
    else:
        heap = "bag" if bag is None else "tower"
        position[heap] = counts([*tiles_in(position[heap]), *missing.elements()])
    position["supply"] = ALL_EXPANSIONS - expansions_on(position)
    assert position["supply"] >= 0, "more expansions than there are"
    seen = faces_on(position)
    position["unseen"] = [hexagon(name) for name in HEXAGONS if name not in seen]


def planted_board(seat: Json, names: Sequence[str]) -> Json:
    """Return the seat with these different hexagons in its garden, on five bought expansions."""
    garden = dict(zip(SPACES, names, strict=False))
    full = board(seat["score"], garden=garden, areas=dict.fromkeys(range(5), "down"))
    return {**seat, "garden": full["garden"], "areas": full["areas"]}


def tiles_on(position: Json) -> list[str]:
    """Return all tiles of a position in JSON."""
    display = position["display"]
    results = [name_of(tile) for tile in display["top"]]
    results += [name_of(tile) for each in display["beside"] for tile in each["tiles"]]
    for heap in (position["bag"], position["tower"], *(seat["tiles"] for seat in position["seats"])):
        results += tiles_in(heap)
    return results + [
        name_of(place["hexagon"]) for seat in position["seats"] for place in seat["garden"] if not place["printed"]
    ]


def faces_on(position: Json) -> list[str]:
    """Return the faces of all face-up expansions: in the display, in storages and in gardens."""
    results = [name_of(each["face"]) for each in position["display"]["beside"] if each["face"]]
    for seat in position["seats"]:
        results += [name_of(face) for face in seat["expansions"]]
        results += [name_of(place["hexagon"]) for place in seat["garden"] if place["printed"]]
    return results


def expansions_on(position: Json) -> int:
    """Return the number of expansions outside the supply."""
    display = position["display"]
    shared = display["stack"] + len(display["beside"]) + position["round_stacks"]
    own = [len(seat["expansions"]) + sum(area is not None for area in seat["areas"]) for seat in position["seats"]]
    return int(shared + sum(own))


def distinct(spaces: Collection[Space], *, first: str = "", without: str = "") -> dict[Space, str]:
    """Return a valid garden with different hexagons on up to 36 spaces.

    `first`: the hexagons of the first spaces; `without`: hexagons to leave out.
    """
    named = first.split()
    names = [*named, *(name for name in HEXAGONS if name not in (*named, *without.split()))]
    return dict(zip(spaces, names, strict=False))


def read(position: Json) -> Position:
    return QUEENS_GARDEN.read(position)


def view(position: Position) -> Json:
    return QUEENS_GARDEN.view(position)


def state(*boards: Json, **named: Any) -> Position:
    """`read(table(...))`."""
    return read(table(*boards, **{"seats": max(2, len(boards)), **named}))
