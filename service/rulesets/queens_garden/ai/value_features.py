"""Features of a Queen's Garden position for the value network."""

from __future__ import annotations

from service.rulesets.kernel import DECIDING, Ints, Record, as_int, helper
from service.rulesets.networks.network import ValueFeatures, score_step
from service.rulesets.parts.turns import seats_between
from service.rulesets.queens_garden.ai.evaluation import free_rings
from service.rulesets.queens_garden.ai.grouping import LINES, count_of, group_of, reach_of
from service.rulesets.queens_garden.ai.preference_features import OF_A_SEAT, garden_counts, round_of, seat_features
from service.rulesets.queens_garden.ai.value_tables import REACHES, SHUT
from service.rulesets.queens_garden.rules.components import HEXAGONS, KINDS, MAX_BESIDE, MAX_GROUP, ROUNDS
from service.rulesets.queens_garden.rules.display import in_display
from service.rulesets.seats import MAX_SEATS

POINT_LEADS = 61  # steps of two points, around 0
MAX_OPEN = 16  # spaces, or more

# First number of each kind of feature. For each seat, the one in question first, after its preference features:
OPEN_FROM = OF_A_SEAT  # [spaces to be filled]
GROUP_FROM = OPEN_FROM + MAX_OPEN + 1  # [colour, then pattern; hexagons of its largest group; its reach]
A_SEAT = GROUP_FROM + LINES * (MAX_GROUP + 1) * REACHES
# For the table:
LEAD_FROM = MAX_SEATS * A_SEAT  # [seat, points ahead of it]
TIME_FROM = LEAD_FROM + MAX_SEATS * POINT_LEADS  # [round, expansions in the stack]
LEFT_FROM = TIME_FROM + ROUNDS * (MAX_BESIDE + 1)  # [round, different pieces in the display]
TURN_FROM = LEFT_FROM + ROUNDS * (HEXAGONS + 1)  # [seat, whether it decides; else chance acts]
MARKER_FROM = TURN_FROM + MAX_SEATS * 2  # in the display, or [seat]
SIDE_FROM = MARKER_FROM + 1 + MAX_SEATS  # [side, round]
SEATS_FROM = SIDE_FROM + 2 * ROUNDS
FEATURE_COUNT = SEATS_FROM + MAX_SEATS + 1


@helper
def group_features(board: Record, first: int, out: Ints, count: int) -> int:
    """Append the features of the largest group of each colour and pattern and return the new count."""
    areas = free_rings(board)
    for line in range(LINES):
        rest = board.colours[line] if line < KINDS else board.patterns[line - KINDS]
        most, reach = 0, SHUT
        while rest:
            group, near = group_of(rest)
            rest &= ~group
            size, grows = min(MAX_GROUP, count_of(group)), reach_of(board, areas, near)
            if size > most or (size == most and grows > reach):
                most, reach = size, grows
        out[count] = first + GROUP_FROM + (line * (MAX_GROUP + 1) + most) * REACHES + reach
        count += 1
    return count


@helper
def position_features(game: Record, seat: int, out: Ints) -> int:
    """Write the features of a position from a seat's perspective into `out` (MAX_FEATURES,) and return their number."""
    count, seats, number = 0, as_int(game.seats), round_of(game)
    for k in range(seats):
        other = (seat + k) % seats
        board, first = game.boards[other], k * A_SEAT
        count = seat_features(game, other, first, out, count)
        count = garden_counts(board, first, out, count)
        count = group_features(board, first, out, count)
        out[count] = first + OPEN_FROM + min(MAX_OPEN, count_of(board.open_spaces))
        count += 1
        if k:
            out[count] = LEAD_FROM + k * POINT_LEADS + score_step(game, seat, other, 2, POINT_LEADS)
            count += 1
    out[count] = TIME_FROM + number * (MAX_BESIDE + 1) + as_int(game.stack)
    out[count + 1] = LEFT_FROM + number * (HEXAGONS + 1) + count_of(in_display(game))
    out[count + 2] = MARKER_FROM
    if game.marker >= 0:
        out[count + 2] = MARKER_FROM + 1 + seats_between(game, seat, game.marker)
    out[count + 3] = SIDE_FROM + as_int(game.variant) * ROUNDS + number
    out[count + 4] = SEATS_FROM + seats
    out[count + 5] = TURN_FROM + seats_between(game, seat, game.seat) * 2 + (1 if game.status == DECIDING else 0)
    return count + 6


VALUE_FEATURES = ValueFeatures(position_features, FEATURE_COUNT)
