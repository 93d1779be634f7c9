"""Actions in letters, their effects on a position, and its visible parts."""

from __future__ import annotations

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from tests.rulesets.playing import of_type
from tests.rulesets.queens_garden.build import view
from tests.rulesets.queens_garden.geometry import Space
from tests.rulesets.queens_garden.letters import (
    COLOURS,
    ORDER,
    PATTERNS,
    SEED,
    Json,
    hexagon,
    hexagon_numbers,
    in_order,
    line_of,
    name_of,
    names_of,
    payment,
    pieces,
    tiles_in,
    tiles_of,
)


def acquire(what: str, line: str) -> Json:
    """``acquire("b", "t:b1 0:b3 2^b5")``: blue; a tile of the top, one of number 0, the expansion with number 2.

    A letter is a colour, a digit a pattern.
    """
    by_colour = what in ORDER
    chosen = [piece(word) for word in line.split()]
    other, kinds = ("pattern", PATTERNS) if by_colour else ("colour", COLOURS)
    return {
        "type": "queens-garden.acquire",
        "by": "colour" if by_colour else "pattern",
        "value": COLOURS[ORDER.index(what)] if by_colour else PATTERNS[int(what) - 1],
        "pieces": sorted(chosen, key=lambda each: kinds.index(each["hexagon"][other])),
    }


def piece(word: str) -> Json:
    """``"t:b1"``, ``"0:b3"`` or ``"2^b5"`` on the wire."""
    source, kind, name = word[0], word[1], word[2:]
    return {
        "kind": "tile" if kind == ":" else "expansion",
        "from": "top" if source == "t" else f"beside_{source}",
        "hexagon": hexagon(name),
    }


def place(name: str, space: Space, paid: str = "") -> Json:
    """Return the action that places a tile."""
    return {
        "type": "queens-garden.place_tile",
        "hexagon": hexagon(name),
        "space": list(space),
        "payment": payment(paid),
    }


def expand(name: str, area: int, rotation: int, paid: str = "") -> Json:
    """Return the action that places an expansion from the storage."""
    return {
        "type": "queens-garden.place_expansion",
        "hexagon": hexagon(name),
        "area": area,
        "rotation": rotation,
        "payment": payment(paid),
    }


def buy(area: int) -> Json:
    """Return the action that buys an expansion."""
    return {"type": "queens-garden.buy_expansion", "area": area}


def leave(discarded: str = "") -> Json:
    """Return the pass action."""
    return {"type": "queens-garden.pass", "discard": pieces(discarded)}


# Playing


def deal(position: Position, *draws: str) -> Position:
    """Return the position after these draws of hexagons."""
    for names in draws:
        position = position.resolve_draw(hexagon_numbers(names))
    return position


def effects_of_draw(position: Position, names: str, kind: str) -> list[Json]:
    """Return the effects of one type that a draw of these hexagons has, without their type."""
    return of_type(position.step_draw(hexagon_numbers(names))[0], kind)


def next_decision(position: Position, seed: bytes = SEED) -> Position:
    """Return the position after all draws before the next decision."""
    rng = generator(seed)
    while position.status == "drawing":
        position = position.resolve_draw(position.sample(rng))
    return position


# Looking


def storage(position: Position, seat: int = 0) -> str:
    """Return the content of a storage as one line."""
    shown = view(position)["seats"][seat]
    return line_of(tiles_in(shown["tiles"]), (name_of(face) for face in shown["expansions"]), shown["jokers"])


def garden(position: Position, seat: int = 0) -> dict[Space, str]:
    """Return a garden by spaces."""
    places = view(position)["seats"][seat]["garden"]
    return {(place["space"][0], place["space"][1]): name_of(place["hexagon"]) for place in places}


def top(position: Position) -> str:
    """Return the tiles on top of the stack as one line."""
    return " ".join(in_order(names_of(view(position)["display"]["top"]).split()))


def expansions_beside(position: Position) -> dict[int, str]:
    """Return the expansions beside the stack by number, in the form for `table`."""
    return {each["number"]: beside_text(each) for each in view(position)["display"]["beside"]}


def beside_text(each: Json) -> str:
    """Return an expansion beside the stack in letters."""
    if each["face"]:
        return f"^{name_of(each['face'])}"
    return names_of(each["tiles"]) or "?"


def stack(position: Position) -> int:
    """Return the number of expansions in the stack."""
    return int(view(position)["display"]["stack"])


def display(position: Position) -> tuple[int, str, dict[int, str], str]:
    """Return the stack, the tiles on its top, the expansions beside it, and the phase."""
    return stack(position), top(position), expansions_beside(position), view(position)["phase"]


def tower(position: Position) -> str:
    """Return the tiles in the tower as one line."""
    return tiles_of(view(position)["tower"])


def bag(position: Position) -> str:
    """Return the tiles in the bag as one line."""
    return tiles_of(view(position)["bag"])


def supply(position: Position) -> int:
    """Return the number of expansions in the supply."""
    return int(view(position)["supply"])
