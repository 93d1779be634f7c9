"""The components of Queen's Garden, which `GET /rulesets/queens-garden` returns."""

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
    MAX_GROUP,
    MIN_GROUP,
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
from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import Json, WireSchema, exact_list, nest, number, one_of, tag

MAX_SHOWN_POINTS = max(max(points) for points in PATTERN_POINTS.values())


def status(description: str | None = None) -> fields.String:
    """Return a field for how certain the details of a component are."""
    return one_of(CERTAINTY, description)


class RatedSchema(WireSchema):
    """An object with a status: how certain its details are."""

    status = status()


class PatternValue(WireSchema):
    """A pattern and its value: the number of pieces that its hexagons cost."""

    component = "QueensGardenPatternValue"
    pattern = pattern()
    value = number(1, len(PATTERNS))


class Hexagons(RatedSchema):
    """Colours and patterns of hexagons, and the number of pieces."""

    component = "QueensGardenHexagons"
    colours = exact_list(colour(), len(COLOURS), "Colours in the order that lists and draws use.")
    patterns = exact_list(PatternValue, len(PATTERNS), "Patterns in the order that lists and draws use.")
    tiles_per_hexagon = number(1, description="Tiles of each colour and pattern.")
    expansions_per_hexagon = number(1, description="Expansions of each colour and pattern.")


class PrintedArea(WireSchema):
    """A place for an expansion."""

    component = "QueensGardenPrintedArea"
    area = area()
    centre = space("Centre of the area: a space on a face-down expansion, a pavilion on a face-up one.")
    ring = exact_list(space(), len(DIRECTIONS), "Spaces around the centre, by direction (`rotation`).")


class Element(WireSchema):
    """The fountain, a statue, a bench, or the pavilion of a face-up expansion. Six hexagons around it complete it."""

    component = "QueensGardenElement"
    element = one_of(ELEMENT)
    kind = one_of(ELEMENT_KIND)
    at = place("Coordinates [q, r]; see `QueensGardenGeometry`.")
    jokers = number(1, max(ELEMENT_JOKERS.values()), description="Jokers for completing the element.")
    spaces = exact_list(space(), len(DIRECTIONS), "Spaces around the element.")


class Geometry(RatedSchema):
    """Layout of a garden. All gardens are identical.

    Coordinates are axial [q, r] for pointy-top hexagons: the fountain is [0, 0], q grows to the right, r grows down and
    to the right. For edges of length a, the centre is x = a · √3 · (q + r / 2) to the right and y = a · 3 / 2 · r down.
    The centre of each area is 3 times the direction with its number.
    """

    component = "QueensGardenGeometry"
    directions = exact_list(
        place("Step [q, r] to a neighbour."), len(DIRECTIONS), "Directions, clockwise from the right."
    )
    fountain_spaces = exact_list(space(), len(DIRECTIONS), "Spaces around the fountain, available from the start.")
    areas = exact_list(PrintedArea, AREAS)
    elements = exact_list(Element, len(ELEMENTS))
    elements_status = status("How certain the places and jokers of elements are.")
    statue_or_bench_status = status("How certain the kind is: statue or bench. Both give the same jokers.")


class WheelPart(WireSchema):
    """A colour or pattern of the wheel, and the points per hexagon with it."""

    component = "QueensGardenWheelPart"
    shown = one_of(COLOUR_OR_PATTERN)
    points = number(1, MAX_SHOWN_POINTS)


class WheelRound(WireSchema):
    """Colours and patterns of the wheel in a round."""

    component = "QueensGardenWheelRound"
    round = number(1, ROUNDS)
    shown = exact_list(WheelPart, len(WHEEL[0]))


class Wheel(RatedSchema):
    """Scoring after each round, for one side of the scoring board."""

    component = "QueensGardenWheel"
    variant = one_of(VARIANT)
    rounds = exact_list(WheelRound, ROUNDS)
    pavilion_points = number(1, description="Points per round for each face-up expansion in the garden.")


class GroupBonus(RatedSchema):
    """End-of-game points for a group of the size, in addition to its hexagons' values."""

    component = "QueensGardenGroupBonus"
    variant = one_of(VARIANT)
    size = number(MIN_GROUP, MAX_GROUP)
    points = number(0, int(GROUP_BONUS.max()))


class Stacks(RatedSchema):
    """Distribution of the expansions by number of seats."""

    component = "QueensGardenStacks"
    seats = number(min(STACKS), MAX_SEATS)
    expansions_per_stack = number(1, description=f"Expansions in each of the {ROUNDS} stacks, one per round.")
    supply = number(0, EXPANSIONS, "Expansions that can be bought at the start.")


class Storage(RatedSchema):
    """Storage of a seat."""

    component = "QueensGardenStorage"
    tile_spaces = number(1, description="Spaces for tiles and jokers.")
    expansion_spaces = number(1)
    start_jokers = number(0)


class Score(RatedSchema):
    """Scoring parameters."""

    component = "QueensGardenScore"
    start = number(0, description="Points of each seat at the start.")
    least = number(0, description="Minimum score.")
    least_status = status("How certain the minimum is.")
    track_spaces = number(1, description="Spaces of the printed track, a loop.")
    track_status = status("How certain the number of track spaces is.")
    expansion_price = number(1, description="Price of an expansion from the supply, in points.")
    first_pass_penalty = number(1, description="Points lost by the first seat to pass in a round.")
    least_group = number(1, description="Minimum number of hexagons in a scoring group.")


class QueensGardenComponents(WireSchema):
    """Game components of Queen's Garden, sufficient to draw the table."""

    component = "QueensGardenComponents"
    ruleset = tag("queens-garden")
    hexagons = nest(Hexagons)
    geometry = nest(Geometry)
    rounds = number(1)
    tiles_on_top = number(1, description="Tiles placed on each new top of the stack.")
    stacks = exact_list(Stacks, len(STACKS))
    storage = nest(Storage)
    score = nest(Score)
    wheel = exact_list(Wheel, len(VARIANTS))
    group_bonuses = exact_list(GroupBonus, len(VARIANTS) * (MAX_GROUP - MIN_GROUP + 1))


# -------------------------------------------------------------------------------------- content


def _places(places: tuple[Space, ...]) -> list[list[int]]:
    """Return coordinates as JSON."""
    return [list(at) for at in places]


def _geometry() -> Json:
    """Return the layout of a garden."""
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


def shown_points(variant: int, round_number: int, name: str) -> int:
    """Return the points per hexagon with a colour or pattern of the wheel."""
    if name in COLOURS:
        return int(SHOWN_COLOUR[round_number - 1, COLOURS.index(name)])
    return int(SHOWN_PATTERN[variant, round_number - 1, PATTERNS.index(name)])


def _wheel(variant: int) -> Json:
    """Return the wheel of one side of the scoring board."""
    return {
        "variant": VARIANTS[variant],
        "rounds": [
            {
                "round": number,
                "shown": [{"shown": name, "points": shown_points(variant, number, name)} for name in names],
            }
            for number, names in enumerate(WHEEL, 1)
        ],
        "pavilion_points": PAVILION_POINTS,
        "status": STATUS_OF[f"wheel_{VARIANTS[variant]}"],
    }


def components() -> Json:
    """Return the components for `GET /rulesets/queens-garden`."""
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
            "least_group": MIN_GROUP,
            "status": "certain",
        },
        "wheel": [_wheel(variant) for variant in range(len(VARIANTS))],
        "group_bonuses": [
            {"variant": name, "size": size, "points": bonus, "status": STATUS_OF[f"bonus_{name}"]}
            for name, bonuses in zip(VARIANTS, GROUP_BONUS.tolist(), strict=True)
            for size, bonus in enumerate(bonuses)
            if size >= MIN_GROUP
        ],
    }
