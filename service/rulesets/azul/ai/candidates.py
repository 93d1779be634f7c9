"""Candidates: all legal actions except drafts that waste tiles in the first round.

While the wall is empty every line is useful, so tiles go to the floor only if no line can take any of them.
"""

from __future__ import annotations

from service.rulesets.azul.rules.game import FIRST_TILING, legal_actions
from service.rulesets.azul.rules.state import ALL_OPEN, DESTINATIONS, FLOOR, KINDS, rule
from service.rulesets.kernel import Ints, Record, as_int, helper

A_LINE = ALL_OPEN & ~(1 << FLOOR)  # mask of destinations


@helper
def is_waste(game: Record, action: int) -> bool:
    """Return True if the draft puts tiles on the floor that a line could take."""
    if action >= FIRST_TILING or action % DESTINATIONS != FLOOR:
        return False
    colour = action // DESTINATIONS % KINDS
    return as_int(game.boards[game.seat].open_to[colour]) & A_LINE != 0


@rule
def candidates(game: Record, out: Ints) -> int:
    """List the candidates in the order of `legal_actions`."""
    count = legal_actions(game, out)
    if game.round_number != 1:
        return count
    kept = 0
    for k in range(count):
        if not is_waste(game, out[k]):
            out[kept] = out[k]
            kept += 1
    return kept
