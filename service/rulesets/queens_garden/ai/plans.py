"""What may be made of a storage: a plan of placements that it can pay for, best first, and hope for the rest.

A piece that nothing is planned with is worth `piece`: a share of what pieces bring, or in the end its loss. A placement
of the plan adds what the hexagon would bring (`gain`), and uses up the worth of the pieces and jokers that pay for it.
"""

from __future__ import annotations

from service.rulesets.kernel import Record, helper
from service.rulesets.queens_garden.ai.grouping import count_of, worth_in_groups
from service.rulesets.queens_garden.rules.components import KINDS, POPCOUNT
from service.rulesets.queens_garden.rules.state import one, place_of

COLUMN = sum(1 << KINDS * colour for colour in range(KINDS))  # mask of the hexagons of the first pattern
ROW = (1 << KINDS) - 1
FAR_MORE = 1e9


@helper
def jokers_needed(notes: Record, hexagon: int) -> int:
    """Jokers that pay for a hexagon of the storage where its longer line is too short."""
    return hexagon % KINDS + 1 - max(notes["counts"][hexagon // KINDS], notes["counts"][KINDS + hexagon % KINDS])


@helper
def worth_of_pieces(board: Record, notes: Record, now: Record) -> float:
    """What the pieces are worth without a plan; notes how many different ones each line has."""
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
        hexagon = place_of(pieces)
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
    """What the hexagon would bring in the garden, where so many rounds are still scored; 0 if there is no space."""
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
    """What the k-th noted hexagon brings beyond the worth of what pays for it; 0 if that is too little there."""
    hexagon = notes["hexagons"][k]
    needed = max(0, jokers_needed(notes, hexagon))
    if needed > jokers:
        return 0.0
    paid = (hexagon % KINDS + 1 - needed) * now["piece"][hexagon] + needed * now["joker"]
    return notes["gains"][k] - paid  # type: ignore[no-any-return]


@helper
def note_placeable(board: Record, notes: Record, now: Record) -> int:
    """Note the hexagons that can be paid for and bring more than that costs: how many."""
    count, rest, jokers = 0, board.held | board.expansions, int(board.jokers)
    while rest:
        hexagon = place_of(rest)
        rest &= rest - 1
        if jokers_needed(notes, hexagon) <= jokers:
            notes["hexagons"][count] = hexagon
            notes["gains"][count] = gain(board, notes, hexagon, now)
            count += surplus(notes, count, jokers, now) > 0.0
    return count


@helper
def leave(notes: Record, hexagon: int) -> int:
    """A hexagon is used: its bit."""
    notes["counts"][hexagon // KINDS] -= 1
    notes["counts"][KINDS + hexagon % KINDS] -= 1
    return one(hexagon)


@helper
def least_useful(notes: Record, line: int, count: int) -> int:
    """Of a mask of hexagons one to pay with: one that is not to be placed itself, else that which brings least."""
    idle = line
    for k in range(count):
        idle &= ~one(notes["hexagons"][k])
    if idle:
        return place_of(idle)
    least, chosen = FAR_MORE, 0
    for k in range(count):
        if line >> notes["hexagons"][k] & 1 and notes["gains"][k] < least:
            least, chosen = notes["gains"][k], notes["hexagons"][k]
    return chosen


@helper
def drop(notes: Record, k: int, count: int) -> int:
    """The k-th noted hexagon is noted no more: how many are left."""
    notes["hexagons"][k] = notes["hexagons"][count - 1]
    notes["gains"][k] = notes["gains"][count - 1]
    return count - 1


@helper
def best_placeable(notes: Record, pieces: int, count: int, jokers: int, now: Record) -> tuple[int, int]:
    """(which of the noted hexagons has the greatest surplus, how many are left); those that cannot be are dropped."""
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
    """What placing noted hexagons, best first, adds to the worth of the pieces, less for what stays in the way."""
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
    """What jokers and pieces may bring, or their loss where no round is scored any more."""
    points = now["joker"] * board.jokers
    if board.held | board.expansions:
        points += worth_of_pieces(board, notes, now)
        if now["rounds"]:
            count = note_placeable(board, notes, now)
            points += worth_of_plan(board, notes, count, now)
    return points  # type: ignore[no-any-return]
