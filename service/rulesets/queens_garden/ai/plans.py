"""Expected value of a storage: a plan of affordable placements, best first, and an estimate for the rest.

A piece without a plan is worth `piece`: a share of the usual points of a piece, or its loss at the end. A placement of
the plan adds the points of the hexagon in the garden (`gain`) and subtracts the value of the pieces and jokers paid.
"""

from __future__ import annotations

from service.rulesets.kernel import Record, helper
from service.rulesets.queens_garden.ai.grouping import count_of, worth_in_groups
from service.rulesets.queens_garden.rules.components import KINDS, POPCOUNT
from service.rulesets.queens_garden.rules.state import lowest_bit, mask_of_bit

COLUMN = sum(1 << KINDS * colour for colour in range(KINDS))  # mask of the hexagons of the first pattern
ROW = (1 << KINDS) - 1
FAR_MORE = 1e9


@helper
def jokers_needed(notes: Record, hexagon: int) -> int:
    """Return the number of jokers needed to pay for a hexagon of the storage from its longer line."""
    return hexagon % KINDS + 1 - max(notes["counts"][hexagon // KINDS], notes["counts"][KINDS + hexagon % KINDS])


@helper
def worth_of_pieces(board: Record, notes: Record, now: Record) -> float:
    """Return the value of the pieces without a plan. Store the number of different ones of each line in the notes."""
    pieces, expansions = board.held | board.expansions, count_of(board.expansions)
    different = pairs = 0
    for k in range(KINDS):
        of_colour, of_pattern = POPCOUNT[pieces >> (KINDS * k) & ROW], count_of(pieces & (COLUMN << k))
        notes["counts"][k], notes["counts"][KINDS + k] = of_colour, of_pattern
        pairs += of_colour * of_colour + of_pattern * of_pattern
        different += of_colour
    points = now["sets"] * (pairs - 2 * different) + now["expansion"] * expansions
    doubles = board.tile_count + expansions > different
    while pieces:
        hexagon = lowest_bit(pieces)
        pieces &= pieces - 1
        points += now["piece"][hexagon]
        lack = jokers_needed(notes, hexagon) - board.jokers
        if lack > 0:
            points -= now["lack"][lack]
        if doubles:
            more = board.tiles[hexagon] + (board.expansions >> hexagon & 1) - 1
            points += more * (now["piece"][hexagon] - now["double"])
    return points  # type: ignore[no-any-return]


@helper
def gain(board: Record, notes: Record, hexagon: int, now: Record) -> float:
    """Return the points that the hexagon would gain in the garden; 0 without a free space."""
    expansion = board.expansions >> hexagon & 1 != 0
    where = notes["areas"] if expansion else board.open_spaces
    if where == 0:
        return 0.0
    points = worth_in_groups(notes, hexagon, now, where)
    points += now["left"][hexagon] + now["filling"]
    if expansion:
        points += now["rounds"] + now["pavilion"]
    return points * now["plan"]  # type: ignore[no-any-return]


@helper
def surplus(notes: Record, k: int, jokers: int, now: Record) -> float:
    """Return the gain of the k-th noted hexagon minus the value of its payment; 0 if it cannot be paid."""
    hexagon = notes["hexagons"][k]
    needed = max(0, jokers_needed(notes, hexagon))
    if needed > jokers:
        return 0.0
    paid = (hexagon % KINDS + 1 - needed) * now["piece"][hexagon] + needed * now["joker"]
    return notes["gains"][k] - paid  # type: ignore[no-any-return]


@helper
def note_placeable(board: Record, notes: Record, now: Record) -> int:
    """Store the hexagons that can be paid for with a surplus in the notes and return their number."""
    count, rest, jokers = 0, board.held | board.expansions, int(board.jokers)
    while rest:
        hexagon = lowest_bit(rest)
        rest &= rest - 1
        if jokers_needed(notes, hexagon) <= jokers:
            notes["hexagons"][count] = hexagon
            notes["gains"][count] = gain(board, notes, hexagon, now)
            count += surplus(notes, count, jokers, now) > 0.0
    return count


@helper
def leave(notes: Record, hexagon: int) -> int:
    """Remove a hexagon from the counts of its lines and return its bit."""
    notes["counts"][hexagon // KINDS] -= 1
    notes["counts"][KINDS + hexagon % KINDS] -= 1
    return mask_of_bit(hexagon)


@helper
def least_useful(notes: Record, line: int, count: int) -> int:
    """Return a hexagon of the mask to pay with: one without a plan, else the one with the smallest gain."""
    idle = line
    for k in range(count):
        idle &= ~mask_of_bit(notes["hexagons"][k])
    if idle:
        return lowest_bit(idle)
    least, chosen = FAR_MORE, 0
    for k in range(count):
        if line >> notes["hexagons"][k] & 1 and notes["gains"][k] < least:
            least, chosen = notes["gains"][k], notes["hexagons"][k]
    return chosen


@helper
def drop(notes: Record, k: int, count: int) -> int:
    """Remove the k-th noted hexagon and return the number left."""
    notes["hexagons"][k] = notes["hexagons"][count - 1]
    notes["gains"][k] = notes["gains"][count - 1]
    return count - 1


@helper
def best_placeable(notes: Record, pieces: int, count: int, jokers: int, now: Record) -> tuple[int, int]:
    """Return (index of the noted hexagon with the greatest surplus, number left). Drop those that cannot be placed."""
    best, most, k = -1, 0.0, 0
    while k < count:
        points = surplus(notes, k, jokers, now) if pieces >> notes["hexagons"][k] & 1 else 0.0
        if points <= 0.0:
            count = drop(notes, k, count)
            continue
        if points > most:
            best, most = k, points
        k += 1
    return best, count


@helper
def worth_of_plan(board: Record, notes: Record, count: int, now: Record) -> float:
    """Return the value that placing noted hexagons adds, best first, less the cost of a full storage."""
    pieces, jokers, points = board.held | board.expansions, int(board.jokers), 0.0
    while count:
        best, count = best_placeable(notes, pieces, count, jokers, now)
        if count == 0:
            break
        hexagon = notes["hexagons"][best]
        colour, pattern = hexagon // KINDS, hexagon % KINDS
        needed = max(0, jokers_needed(notes, hexagon))
        same = (
            ROW << KINDS * colour if notes["counts"][colour] >= notes["counts"][KINDS + pattern] else COLUMN << pattern
        )
        points += notes["gains"][best] - needed * now["joker"] - now["piece"][hexagon]
        count = drop(notes, best, count)
        jokers -= needed
        pieces &= ~leave(notes, hexagon)
        for _ in range(pattern - needed):
            paid = least_useful(notes, pieces & same, count)
            pieces &= ~leave(notes, paid)
            points -= now["piece"][paid]
    used = (board.held | board.expansions) & ~pieces & ~board.expansions
    return points - now["full"][board.tile_count - count_of(used) + jokers]  # type: ignore[no-any-return]


@helper
def worth_of_storage(board: Record, notes: Record, now: Record) -> float:
    """Return the expected value of jokers and pieces, or their loss if no more round is scored."""
    points = now["joker"] * board.jokers
    if board.held | board.expansions:
        points += worth_of_pieces(board, notes, now)
        if now["rounds"]:
            count = note_placeable(board, notes, now)
            points += worth_of_plan(board, notes, count, now)
    return points  # type: ignore[no-any-return]
