"""Merits of actions, from the rules alone.

Points count the garden right after the action. The options of the next opponent include the tiles and faces that a draw
may still add to the display.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.kernel import Record
from service.rulesets.queens_garden.rules.codes import ACQUIRE, kind_of
from service.rulesets.queens_garden.rules.components import (
    ELEMENT_SPACES,
    ELEMENTS,
    FIRST_PAVILION,
    JOKERS_OF,
    KINDS,
    ROUNDS,
    TILES_ON_TOP,
)
from service.rulesets.queens_garden.rules.display import expansions_to_turn
from service.rulesets.queens_garden.rules.garden import group_from, rotations_for, shown_spaces, spaces_for
from service.rulesets.queens_garden.rules.payments import is_payable
from service.rulesets.queens_garden.rules.scoring import points_of_groups, round_points, value_left
from service.rulesets.queens_garden.rules.state import FACE_UP, FILLING, FREE, TURNING, lowest_bit, mask_of_bit, rule
from service.rulesets.queens_garden.wire.actions import BY, VALUES, name_members
from service.rulesets.queens_garden.wire.choices import choices
from service.rulesets.queens_garden.wire.fields import HEXAGON_NAMES
from service.rulesets.shared_effects import Merit
from service.rulesets.wire import places_of


def merits(table_state: Record, action: int) -> list[Merit]:
    """Perform a legal action on the record and return its merits."""
    seat = int(table_state.seat)
    score = int(table_state.score[seat])
    taken = len(name_members(action)["pieces"]) if kind_of(action) == ACQUIRE else 0
    rule.act(table_state, action)
    board, has_passed = table_state.boards[seat], bool(table_state.passed >> seat & 1)
    return [
        Merit("start_token", int(table_state.marker == seat)),
        Merit("in_round", int(not has_passed), 0.5),
        Merit("tiles", taken, 0.5),
        Merit("covered", int(table_state.stage != FILLING), 0.6),
        *_point_merits(table_state, board, int(table_state.score[seat]) - score),
        *_garden_merits(board),
        *_storage_merits(table_state, board),
        *(() if has_passed else _placement_merits(board)),
        *(_opponent_merits(table_state) if table_state.stage <= TURNING and table_state.seat != seat else ()),
    ]


def _point_merits(table_state: Record, board: Record, points: int) -> Iterator[Merit]:
    """Yield points that the garden is sure to score. `points`: of the action itself."""
    variant, round_number = int(table_state.variant), int(table_state.round_number)
    now, *later = (int(round_points(board, variant, number)) for number in range(round_number, ROUNDS + 1))
    yield Merit("points_of_round", points + now)
    yield Merit("later_points", sum(later))
    yield Merit("group_points", int(points_of_groups(board, variant)))


def _garden_merits(board: Record) -> Iterator[Merit]:
    """Yield groups, elements and expansions of the garden."""
    for by, rows in enumerate((board.colours.tolist(), board.patterns.tolist())):
        for value, mask in enumerate(rows):
            size = _largest_group(mask)
            named = {"by": BY[by], "value": VALUES[by][value]}
            yield Merit("group", size, 0.5 if size > 1 else 0.0, named, (by, value))
    shown = int(shown_spaces(board))
    for element, (_, kind, _) in enumerate(ELEMENTS):
        exists = element < FIRST_PAVILION or int(board.area[element - FIRST_PAVILION]) >= FACE_UP
        lacking, jokers = (int(ELEMENT_SPACES[element]) & ~shown).bit_count(), int(JOKERS_OF[element])
        yield Merit("element_completed", jokers * (exists and not lacking), 1.0, {"kind": kind}, element)
        yield Merit(
            "element_ready", int(exists and lacking <= 1), 0.4 * jokers * (lacking == 1), {"kind": kind}, element
        )
    yield Merit("expansions_placed", sum(area != FREE for area in board.area.tolist()), 2.0)


def _largest_group(mask: int) -> int:
    """Return the number of spaces of the largest connected group of the mask."""
    most = 0
    while mask:
        space = lowest_bit(mask)
        group = int(group_from(mask, space) | mask_of_bit(space))
        most = max(most, group.bit_count())
        mask &= ~group
    return most


def _storage_merits(table_state: Record, board: Record) -> Iterator[Merit]:
    """Yield what is left in the storage."""
    is_last = table_state.round_number == ROUNDS
    expansions = int(board.expansions).bit_count()
    yield Merit("jokers", int(board.jokers))
    yield Merit("expansions", expansions, 0.0 if is_last else 1.0)
    yield Merit("tiles_kept", int(board.tile_count) + expansions, 0.0 if is_last else 0.4)
    yield Merit("storage", -int(value_left(board)), 0.4 if is_last else 0.0)


def _placement_merits(board: Record) -> Iterator[Merit]:
    """Yield the hexagons of the storage that can be paid and placed."""
    for kind, held, fits in (("tile", board.held, _has_space), ("expansion", board.expansions, _has_area)):
        for hexagon in places_of(held):
            if is_payable(board, hexagon) and fits(board, hexagon):
                named = {"kind": kind, "hexagon": HEXAGON_NAMES[hexagon]}
                yield Merit("placeable", 1 + hexagon % KINDS, 0.3, named, (kind, hexagon))


def _has_space(board: Record, hexagon: int) -> bool:
    return bool(spaces_for(board, hexagon))


def _has_area(board: Record, hexagon: int) -> bool:
    free = (area for area, state in enumerate(board.area.tolist()) if state == FREE)
    return any(rotations_for(board, hexagon, area) for area in free)


def _opponent_merits(table_state: Record) -> Iterator[Merit]:
    """Yield the most pieces that the next opponent can acquire by each colour and pattern."""
    seat = int(table_state.seat)
    added = TILES_ON_TOP * int(table_state.stage == FILLING) + int(expansions_to_turn(table_state)).bit_count()
    options = choices(table_state)["acquire"]
    pieces = {(by, piece["hexagon"][by]): 1 for each in options for piece in each["pieces"] for by in BY}
    pieces |= {(each["by"], each["value"]): len(each["pieces"]) for each in options}
    for by, names in zip(BY, VALUES, strict=True):
        for value in names:
            most = min(KINDS, pieces.get((by, value), 0) + added)
            yield Merit("deny", -most, 0.4, {"seat": seat, "value": value}, (by, value))
