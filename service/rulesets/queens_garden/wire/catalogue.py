"""The answer of GET /rulesets/queens-garden: all that is printed and in the box, for front ends to draw."""

from __future__ import annotations

from marshmallow import fields

from service.rulesets.queens_garden.rules.components import (
    AREA_CENTRES,
    AREAS,
    COLOURS,
    DIRECTIONS,
    ELEMENT_JOKERS,
    ELEMENTS,
    EXPANSION_SPACES,
    EXPANSIONS,
    FIRST_PASS_PENALTY,
    GROUP_BONUS,
    LEAST_GROUP,
    MOST_GROUP,
    PATTERN_POINTS,
    PATTERNS,
    PAVILION_POINTS,
    PRICE,
    ROUNDS,
    SHOWN_COLOUR,
    SHOWN_PATTERN,
    STACKS,
    START_JOKERS,
    START_SCORE,
    STATUS_OF,
    TILE_SPACES,
    TILES_A_HEXAGON,
    TILES_ON_TOP,
    TRACK_LENGTH,
    VARIANTS,
    WHEEL,
    Space,
    ring,
)
from service.rulesets.queens_garden.wire.fields import (
    CERTAINTY,
    COLOUR_OR_PATTERN,
    ELEMENT,
    ELEMENT_KIND,
    VARIANT,
    area,
    colour,
    pattern,
    place,
    space,
)
from service.rulesets.seats import MOST_SEATS
from service.rulesets.wire import Json, WireSchema, listed, number, one_of, tag

MOST_SHOWN_POINTS = max(max(points) for points in PATTERN_POINTS.values())
CELL = (
    "Axial coordinates [q, r] of pointy-top hexagons, the fountain at [0, 0]. Drawn with edges of length a, the "
    "middle lies at x = a · √3 · (q + r / 2) to the right and y = a · 3 / 2 · r down."
)


def status(description: str = "How sure it is that the part is so.") -> fields.String:
    """How sure something is."""
    return one_of(CERTAINTY, metadata={"description": description})


class PatternValue(WireSchema):
    """A pattern and its value: the pieces that a hexagon with it costs."""

    component = "QueensGardenPatternValue"
    pattern = pattern()
    value = number(1, len(PATTERNS))


class Hexagons(WireSchema):
    """What hexagons show, and how many pieces show it."""

    component = "QueensGardenHexagons"
    colours = listed(
        colour(), len(COLOURS), len(COLOURS), "The colours, in the order in which all lists and draws name hexagons."
    )
    patterns = listed(fields.Nested(PatternValue), len(PATTERNS), len(PATTERNS), "Likewise, within a colour.")
    tiles_per_hexagon = number(1, metadata={"description": "Tiles that show the same colour and pattern."})
    expansions_per_hexagon = number(1, metadata={"description": "Expansions that show the same on their face."})
    status = status()


class PrintedArea(WireSchema):
    """A place for an expansion."""

    component = "QueensGardenPrintedArea"
    area = area()
    centre = space("A space if the expansion lies face down; else the pavilion stands there.")
    ring = listed(space(), len(DIRECTIONS), len(DIRECTIONS), "The ring by direction; `rotation` counts through it.")


class Element(WireSchema):
    """The fountain, a statue, a bench, or the pavilion of a face-up expansion: complete amid six hexagons."""

    component = "QueensGardenElement"
    element = one_of(ELEMENT)
    kind = one_of(ELEMENT_KIND)
    at = place(f"Where it stands. {CELL}")
    jokers = number(1, max(ELEMENT_JOKERS.values()), metadata={"description": "The jokers for completing the element."})
    spaces = listed(space(), len(DIRECTIONS), len(DIRECTIONS), "The spaces around it.")


class Geometry(WireSchema):
    """Where everything lies in a garden; all four gardens are alike."""

    component = "QueensGardenGeometry"
    directions = listed(
        place(f"A step to a neighbour. {CELL}"), len(DIRECTIONS), len(DIRECTIONS), "The directions, clockwise."
    )
    fountain_spaces = listed(space(), len(DIRECTIONS), len(DIRECTIONS), "Those that are there from the start.")
    areas = listed(fields.Nested(PrintedArea), AREAS, AREAS)
    elements = listed(fields.Nested(Element), len(ELEMENTS), len(ELEMENTS))
    elements_status = status("How sure it is where elements stand, and of their jokers.")
    statue_or_bench_status = status("How sure it is which is a statue and which a bench; both give the same.")
    status = status()


class WheelPart(WireSchema):
    """A colour or pattern that the wheel shows, and its points for every hexagon with it."""

    component = "QueensGardenWheelPart"
    shown = one_of(COLOUR_OR_PATTERN)
    points = number(1, MOST_SHOWN_POINTS)


class WheelRound(WireSchema):
    """What the wheel shows in a round."""

    component = "QueensGardenWheelRound"
    round = number(1, ROUNDS)
    shown = listed(fields.Nested(WheelPart), len(WHEEL[0]), len(WHEEL[0]))


class Wheel(WireSchema):
    """What is scored after each round, on one side of the scoring board."""

    component = "QueensGardenWheel"
    variant = one_of(VARIANT)
    rounds = listed(fields.Nested(WheelRound), ROUNDS, ROUNDS)
    pavilion_points = number(
        1, metadata={"description": "The points in every round for each face-up expansion in the garden."}
    )
    status = status()


class GroupBonus(WireSchema):
    """Points at the end for a group of that size, beyond the values of its hexagons."""

    component = "QueensGardenGroupBonus"
    variant = one_of(VARIANT)
    size = number(LEAST_GROUP, MOST_GROUP)
    points = number(0, int(GROUP_BONUS.max()))
    status = status()


class Stacks(WireSchema):
    """How the expansions are dealt out."""

    component = "QueensGardenStacks"
    seats = number(min(STACKS), MOST_SEATS)
    expansions_per_stack = number(1, metadata={"description": f"There are {ROUNDS} stacks, one a round."})
    supply = number(0, EXPANSIONS, metadata={"description": "Expansions to buy at the start."})
    status = status()


class Storage(WireSchema):
    """What a seat can keep."""

    component = "QueensGardenStorage"
    tile_spaces = number(1, metadata={"description": "The spaces for tiles and jokers together."})
    expansion_spaces = number(1)
    start_jokers = number(0)
    status = status()


class Score(WireSchema):
    """How points are counted."""

    component = "QueensGardenScore"
    start = number(0, metadata={"description": "Points of every seat at the start."})
    least = number(0, metadata={"description": "No loss takes a score below this."})
    least_status = status("How sure it is that no loss does.")
    track_spaces = number(1, metadata={"description": "Spaces of the printed track, in a loop; for show."})
    track_status = status("How sure it is how many spaces the track has.")
    expansion_price = number(1, metadata={"description": "Points for an expansion of the supply."})
    first_pass_penalty = number(1, metadata={"description": "Points that the first seat to pass in a round loses."})
    least_group = number(1, metadata={"description": "Hexagons of a group that scores at the end."})
    status = status()


class QueensGardenComponents(WireSchema):
    """What is printed and in the box: enough to draw the table."""

    component = "QueensGardenComponents"
    ruleset = tag("queens-garden")
    hexagons = fields.Nested(Hexagons, required=True)
    geometry = fields.Nested(Geometry, required=True)
    rounds = number(1)
    tiles_on_top = number(1, metadata={"description": "Tiles that come onto a new top of the stack."})
    stacks = listed(fields.Nested(Stacks), len(STACKS), len(STACKS))
    storage = fields.Nested(Storage, required=True)
    score = fields.Nested(Score, required=True)
    wheel = listed(fields.Nested(Wheel), len(VARIANTS), len(VARIANTS))
    group_bonuses = listed(
        fields.Nested(GroupBonus),
        len(VARIANTS) * (MOST_GROUP - LEAST_GROUP + 1),
        len(VARIANTS) * (MOST_GROUP - LEAST_GROUP + 1),
    )


# -------------------------------------------------------------------------------------- what it says


def _places(places: tuple[Space, ...]) -> list[list[int]]:
    """Coordinates on the wire."""
    return [list(at) for at in places]


def _geometry() -> Json:
    """The garden."""
    return {
        "directions": _places(DIRECTIONS),
        "fountain_spaces": _places(ring((0, 0))),
        "areas": [
            {"area": number, "centre": list(at), "ring": _places(ring(at))} for number, at in enumerate(AREA_CENTRES)
        ],
        "elements": [
            {"element": name, "kind": kind, "at": list(at), "jokers": ELEMENT_JOKERS[kind], "spaces": _places(ring(at))}
            for name, kind, at in ELEMENTS
        ],
        "elements_status": STATUS_OF["elements"],
        "statue_or_bench_status": STATUS_OF["statue_or_bench"],
        "status": STATUS_OF["garden"],
    }


def _shown(variant: int, round_index: int, name: str) -> Json:
    """A colour or pattern on the wheel."""
    if name in COLOURS:
        points = SHOWN_COLOUR[round_index, COLOURS.index(name)]
    else:
        points = SHOWN_PATTERN[variant, round_index, PATTERNS.index(name)]
    return {"shown": name, "points": int(points)}


def _wheel(variant: int) -> Json:
    """One side of the scoring board."""
    return {
        "variant": VARIANTS[variant],
        "rounds": [
            {"round": number, "shown": [_shown(variant, number - 1, name) for name in names]}
            for number, names in enumerate(WHEEL, 1)
        ],
        "pavilion_points": PAVILION_POINTS,
        "status": STATUS_OF[f"wheel_{VARIANTS[variant]}"],
    }


def components() -> Json:
    """What a front end draws, as GET /rulesets/queens-garden answers it."""
    return {
        "ruleset": "queens-garden",
        "hexagons": {
            "colours": list(COLOURS),
            "patterns": [{"pattern": name, "value": value} for value, name in enumerate(PATTERNS, 1)],
            "tiles_per_hexagon": TILES_A_HEXAGON,
            "expansions_per_hexagon": 1,
            "status": STATUS_OF["hexagons"],
        },
        "geometry": _geometry(),
        "rounds": ROUNDS,
        "tiles_on_top": TILES_ON_TOP,
        "stacks": [
            {
                "seats": seats,
                "expansions_per_stack": size,
                "supply": EXPANSIONS - ROUNDS * size,
                "status": STATUS_OF["stacks"],
            }
            for seats, size in STACKS.items()
        ],
        "storage": {
            "tile_spaces": TILE_SPACES,
            "expansion_spaces": EXPANSION_SPACES,
            "start_jokers": START_JOKERS,
            "status": STATUS_OF["storage"],
        },
        "score": {
            "start": START_SCORE,
            "least": 0,
            "least_status": STATUS_OF["least_score"],
            "track_spaces": TRACK_LENGTH,
            "track_status": STATUS_OF["track"],
            "expansion_price": PRICE,
            "first_pass_penalty": FIRST_PASS_PENALTY,
            "least_group": LEAST_GROUP,
            "status": "certain",
        },
        "wheel": [_wheel(variant) for variant in range(len(VARIANTS))],
        "group_bonuses": [
            {"variant": name, "size": size, "points": bonus, "status": STATUS_OF[f"bonus_{name}"]}
            for name, bonuses in zip(VARIANTS, GROUP_BONUS.tolist(), strict=True)
            for size, bonus in enumerate(bonuses)
            if size >= LEAST_GROUP
        ],
    }
