"""Queen's Garden as text: `b3@2,0=b1*1` places blue butterfly.

Grammar: `docs/reference/notation.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

from service.rulesets.notation import (
    FIRST_SEAT,
    NOTHING,
    PASSED_WORD,
    SEAT_OR_NOBODY,
    ListOf,
    Mapped,
    Members,
    Notation,
    Number,
    Prefixed,
    Tagged,
    Word,
    match_at,
    numbers,
    words,
)
from service.rulesets.queens_garden.letters import LETTERS, VALUE_DIGITS, list_tiles
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    DIRECTIONS,
    MAX_BESIDE,
    ROUNDS,
    SPACES,
    SPACES_AN_AREA,
    STACKS,
    VARIANTS,
)
from service.rulesets.queens_garden.wire.schemas import MARKER_PLACES, PHASES
from service.rulesets.queens_garden.wire.view import FIRST_SPACES
from service.rulesets.wire import Json, mover_of

COLOUR_OF = {letter: colour for colour, letter in LETTERS.items()}
PATTERN_OF = {digit: pattern for pattern, digit in VALUE_DIGITS.items()}
A_COLOUR, A_PATTERN = f"[{''.join(COLOUR_OF)}]", f"[{''.join(PATTERN_OF)}]"
GROUPS = (len(DIRECTIONS), *(SPACES_AN_AREA,) * AREAS)  # spaces of a garden: round the fountain, then by area

# ------------------------------------------------------------------------------------------- hexagons


class Hexagons:
    """Hexagons in order: the letter of a colour, then digits of patterns, such as `b13d2`."""

    def __init__(self, none: str | None = None) -> None:
        """`none`: the text of an empty list; None if the list cannot be empty."""
        self.none = none
        self.pattern = re.compile(f"(?:{A_COLOUR}{A_PATTERN}+)+" + ("" if none is None else f"|{none}"))
        self.expected = "hexagons: letters of colours, each with digits of patterns" + (f", or {none}" if none else "")

    def write(self, value: Sequence[Json]) -> str:
        """Write consecutive hexagons of one colour together."""
        runs = groupby(value, lambda hexagon: hexagon["colour"])
        written = (LETTERS[colour] + "".join(VALUE_DIGITS[each["pattern"]] for each in run) for colour, run in runs)
        return "".join(written) or self.none or ""

    def read(self, text: str, at: int) -> tuple[list[Json], int]:
        """Keep the order."""
        match = match_at(self.pattern, text, at, self.expected)
        return [*_hexagons(match[0])], match.end()


def _hexagons(text: str) -> Iterator[Json]:
    colour = ""
    for sign in text:
        if sign in COLOUR_OF:
            colour = COLOUR_OF[sign]
        elif sign in PATTERN_OF:
            yield {"colour": colour, "pattern": PATTERN_OF[sign]}


def _count_tiles(hexagons: list[Json]) -> Json:
    counts: Json = {}
    for each in hexagons:
        row = counts.setdefault(each["colour"], {})
        row[each["pattern"]] = row.get(each["pattern"], 0) + 1
    return counts


HEXAGON = Members({"colour": Word(LETTERS), "pattern": Word(VALUE_DIGITS)})
HEXAGON_LIST, HEAP, MAYBE_HEXAGON_LIST = Hexagons(), Hexagons(none=NOTHING), Hexagons(none="")
COUNTS = Mapped(HEAP, list_tiles, _count_tiles)
IN_BRACKETS = Prefixed("[", HEXAGON_LIST, usual=[], after="]")  # beside tiles: in brackets, as in the drawing

# ------------------------------------------------------------------------------------------- actions

PAYMENT = Members({"tiles": MAYBE_HEXAGON_LIST, "expansions": IN_BRACKETS, "jokers": Prefixed("*", Number(), usual=0)})
PAID = Prefixed("=", PAYMENT, usual={"tiles": [], "expansions": [], "jokers": 0})
DISCARDED = Prefixed(
    ":", Members({"tiles": MAYBE_HEXAGON_LIST, "expansions": IN_BRACKETS}), usual={"tiles": [], "expansions": []}
)
SPACE_WORD = Mapped(Word({space: "{},{}".format(*space) for space in SPACES}), tuple, list)
SHARED = Word(
    {
        **{("colour", colour): letter for colour, letter in LETTERS.items()},
        **{("pattern", pattern): digit for pattern, digit in VALUE_DIGITS.items()},
    }
)
PLACE = Word({"top": "t", **{f"beside_{number}": str(number) for number in range(MAX_BESIDE)}})


def _piece(read: Json) -> Json:
    if read.pop("closed") != read["kind"]:
        raise ValueError("a tile, or an expansion in brackets")
    return read


PIECE = Mapped(
    Members(
        {
            "from": PLACE,
            "kind": Word({"expansion": "[", "tile": ""}),
            "hexagon": HEXAGON,
            "closed": Word({"expansion": "]", "tile": ""}),
        }
    ),
    lambda piece: {**piece, "closed": piece["kind"]},
    _piece,
)
ACQUISITION = Mapped(
    Members({"shared": SHARED, "pieces": Prefixed(":", ListOf(PIECE, ","))}),
    lambda action: {"shared": (action["by"], action["value"]), "pieces": action["pieces"]},
    lambda read: {"by": read["shared"][0], "value": read["shared"][1], "pieces": read["pieces"]},
)

# ------------------------------------------------------------------------------------------- a board


class Cells:
    """Spaces with a hexagon or a dot (null); `-` if all are free."""

    pattern = re.compile(rf"-|(?:{A_COLOUR}{A_PATTERN}|\.)+")

    def write(self, value: Sequence[Json | None]) -> str:
        """Keep the order."""
        free = not any(value)
        return NOTHING if free else "".join("." if each is None else HEXAGON.write(each) for each in value)

    def read(self, text: str, at: int) -> tuple[list[Json | None], int]:
        """Return an empty list if all are free."""
        match = match_at(self.pattern, text, at, f"hexagons, dots for free spaces, or {NOTHING}")
        cells = re.findall(r"\.|[^-.].", match[0])
        return [None if cell == "." else next(_hexagons(cell)) for cell in cells], match.end()


def _group_cells(garden: list[Json]) -> list[list[Json | None]]:
    """Return the hexagons by group of spaces."""
    shown = {tuple(each["space"]): each["hexagon"] for each in garden}
    cells, ends = [shown.get(space) for space in SPACES], [*accumulate(GROUPS)]
    return [cells[end - size : end] for size, end in zip(GROUPS, ends, strict=True)]


def _garden(groups: list[list[Json | None]]) -> list[Json]:
    """Return the hexagons with their spaces. Raises ValueError."""
    sizes = [len(cells) or size for cells, size in zip(groups, GROUPS, strict=False)]
    if len(groups) != len(GROUPS) or sizes != [*GROUPS]:
        raise ValueError(f"{len(GROUPS)} groups of spaces, parted by /: {GROUPS[0]}, then {SPACES_AN_AREA} an area")
    cells = [cell for group, size in zip(groups, GROUPS, strict=True) for cell in group or [None] * size]
    return [{"space": list(space), "hexagon": cell} for space, cell in zip(SPACES, cells, strict=True) if cell]


def _lying(area: Json | None) -> str | int:
    return "free" if area is None else area.get("rotation", "down")


def _area(lying: str | int) -> Json | None:
    if lying == "free":
        return None
    return {"face": "down"} if lying == "down" else {"face": "up", "rotation": lying}


AREA = Mapped(Word({"free": ".", "down": "d", **numbers(len(DIRECTIONS)).words}), _lying, _area)


def _with_printed(board: Json) -> Json:
    """Mark hexagons as printed at the places that the rotations of expansions determine."""
    printed = {
        SPACES[first + area["rotation"]]
        for first, area in zip(FIRST_SPACES, board["areas"], strict=True)
        if area is not None and area["face"] == "up"
    }
    garden = [{**each, "printed": tuple(each["space"]) in printed} for each in board["garden"]]
    return {**board, "garden": garden}


BOARD_LINE = Mapped(
    Members(
        {
            "score": Number(),
            "passed": PASSED_WORD,
            "jokers": Number(),
            "tiles": COUNTS,
            "expansions": HEAP,
            "storage_points": Number(),
            "areas": Mapped(
                Members({str(area): AREA for area in range(AREAS)}),
                lambda areas: {str(area): lying for area, lying in enumerate(areas)},
                lambda areas: [*areas.values()],
            ),
            "garden": Mapped(ListOf(Cells(), "/"), _group_cells, _garden),
        },
        ";",
    ),
    dict,
    _with_printed,
)

# ------------------------------------------------------------------------------------------- the table

DISPLAY = Members(
    {
        "stack": Number(),
        "left": Number(),
        "top": HEAP,
        "beside": ListOf(
            Members(
                {
                    "number": numbers(MAX_BESIDE),
                    "tiles": Prefixed(":", HEXAGON_LIST, usual=[]),
                    "face": Prefixed("[", HEXAGON, usual=None, after="]"),
                }
            ),
            "/",
            none=NOTHING,
        ),
    },
    ";",
)


def _from_short(short: Json) -> Json:
    """Add the members that follow from phase, round and number of seats."""
    is_drawn = short["phase"] in ("fill", "turn")
    return {
        **short,
        "to_decide": None if is_drawn else short["to_decide"],
        "next_seat": short["to_decide"] if is_drawn else None,
        "round_stacks": (ROUNDS - short["round"]) * STACKS.get(len(short["seats"]), 0),
    }


NOTATION = Notation(
    action=Tagged(
        {
            "queens-garden.acquire": ACQUISITION,
            "queens-garden.place_tile": Members(
                {"hexagon": HEXAGON, "space": Prefixed("@", SPACE_WORD), "payment": PAID}
            ),
            "queens-garden.place_expansion": Members(
                {
                    "hexagon": HEXAGON,
                    "area": Prefixed("]@a", numbers(AREAS)),
                    "rotation": Prefixed("r", numbers(len(DIRECTIONS))),
                    "payment": PAID,
                },
                before="[",
            ),
            "queens-garden.buy_expansion": Members({"area": numbers(AREAS)}, before="buy:a"),
            "queens-garden.pass": Members({"discard": DISCARDED}, before="pass"),
        }
    ),
    draw=Tagged(
        {
            "queens-garden.first_seat": FIRST_SEAT,
            "queens-garden.fill": Members({"tiles": HEXAGON_LIST}, before="fill:"),
            "queens-garden.turn": Members({"faces": HEXAGON_LIST}, before="turn:"),
        }
    ),
    position=Mapped(
        Members(
            {
                "ruleset": words(["queens-garden"]),
                "variant": words(VARIANTS),
                "round": Number(),
                "phase": words(PHASES),
                "to_decide": SEAT_OR_NOBODY,
                "start_seat": SEAT_OR_NOBODY,
                "marker": Word({MARKER_PLACES[0]: "d", **{place: str(k) for k, place in enumerate(MARKER_PLACES[1:])}}),
                "display": DISPLAY,
                "supply": Number(),
                "unseen": HEAP,
                "bag": COUNTS,
                "tower": COUNTS,
                "seats": ListOf(BOARD_LINE, " "),
            },
            " ",
        ),
        lambda position: {**position, "to_decide": mover_of(position)},
        _from_short,
    ),
)
