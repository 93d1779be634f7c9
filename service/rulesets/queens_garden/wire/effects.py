"""What an action or a draw did, told in order as named dicts, by the rules' own steps: `act`/`lay`, then `settle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from service.rulesets.kernel import Record
from service.rulesets.queens_garden.rules import codes
from service.rulesets.queens_garden.rules.chance import lay
from service.rulesets.queens_garden.rules.components import (
    COLOURS,
    ELEMENTS,
    ELEMENTS_AT,
    GROUP_BONUS,
    JOKERS_OF,
    KINDS,
    LEAST_GROUP,
    NO_ELEMENT,
    PATTERNS,
    PRICE,
    SHOWN_COLOUR,
    SHOWN_PATTERN,
    SPACES,
    WHEEL,
)
from service.rulesets.queens_garden.rules.display import turning
from service.rulesets.queens_garden.rules.game import act, settle
from service.rulesets.queens_garden.rules.garden import group_from, is_complete, occupied
from service.rulesets.queens_garden.rules.scoring import group_points, pavilions, value_left
from service.rulesets.queens_garden.rules.state import FILLING, bits, one, place_of
from service.rulesets.queens_garden.rules.steps import Effect
from service.rulesets.queens_garden.wire.actions import BY, VALUES, decode, name_discards
from service.rulesets.queens_garden.wire.fields import HEXAGON_NAMES
from service.rulesets.telling import Details, tell_first_seat, tell_settling
from service.rulesets.turns import NO_SEAT
from service.rulesets.wire import Json, places_of


def tell_action(record: Record, action: int) -> list[Json]:
    """Apply a legal action to the record; its effects."""
    tellers = (_acquired, _tile_placed, _expansion_placed, _expansion_bought, _passed)
    return [*tellers[codes.kind_of(action)](record, action), *_settled(record)]


def tell_draw(record: Record, drawn: Sequence[int]) -> list[Json]:
    """Lay a possible draw on the record; its effects."""
    numbers = np.array(drawn, np.int64)
    if record.start_seat == NO_SEAT:
        return tell_first_seat("queens-garden", record, numbers, lay)
    hexagons = [HEXAGON_NAMES[hexagon] for hexagon in drawn]
    effect: Json
    if record.stage == FILLING:
        left = int(record.bag.sum())
        lay(record, numbers)
        tower_used = int(record.bag.sum()) + len(drawn) > left
        effect = {"type": "queens-garden.stack_filled", "tiles": hexagons, "tower_used": tower_used}
    else:
        due = places_of(turning(record))
        lay(record, numbers)
        turned = [{"number": number, "hexagon": hexagon} for number, hexagon in zip(due, hexagons, strict=True)]
        effect = {"type": "queens-garden.expansions_turned", "expansions": turned}
    return [effect, *_settled(record)]


# ----------------------------------------------------------------------------------------- decisions


def _acquired(record: Record, action: int) -> Iterator[Json]:
    """The pieces, and the stack's top where it went beside."""
    seat, number = int(record.seat), int(record.left_stack)
    act(record, action)
    named = decode(action)
    yield {
        "type": "queens-garden.pieces_acquired",
        "seat": seat,
        "by": named["by"],
        "value": named["value"],
        "pieces": named["pieces"],
    }
    if record.left_stack > number:
        tiles = [HEXAGON_NAMES[tile - 1] for tile in record.lying[1 + number].tolist() if tile]
        yield {"type": "queens-garden.top_moved_beside", "number": number, "tiles": tiles}


def _tile_placed(record: Record, action: int) -> Iterator[Json]:
    """The tile with its payment, each element it completed, the jokers for them."""
    _, space, _ = codes.tile_placed(action)
    seat, board = int(record.seat), record.boards[record.seat]
    named = decode(action)
    paid_jokers, had = named["payment"]["jokers"], int(board.jokers)
    act(record, action)
    yield {"type": "queens-garden.tile_placed", "seat": seat, **_without_type(named)}
    shown, jokers = occupied(board), 0
    for element in ELEMENTS_AT[space]:
        if element != NO_ELEMENT and is_complete(board, element, shown):
            name, kind, _ = ELEMENTS[element]
            jokers += int(JOKERS_OF[element])
            yield {
                "type": "queens-garden.element_completed",
                "seat": seat,
                "element": name,
                "kind": kind,
                "jokers": int(JOKERS_OF[element]),
            }
    if jokers:
        kept = int(board.jokers) - had + paid_jokers
        yield {"type": "queens-garden.jokers_gained", "seat": seat, "jokers": kept, "lost": jokers - kept}


def _expansion_placed(record: Record, action: int) -> Iterator[Json]:
    seat = int(record.seat)
    act(record, action)
    yield {"type": "queens-garden.expansion_placed", "seat": seat, **_without_type(decode(action))}


def _expansion_bought(record: Record, action: int) -> Iterator[Json]:
    seat = int(record.seat)
    act(record, action)
    yield {"type": "queens-garden.expansion_bought", "seat": seat, **_without_type(decode(action)), "points": -PRICE}


def _passed(record: Record, action: int) -> Iterator[Json]:
    """The discards, and the marker with its price where the seat is the first to pass."""
    seat, score, first = int(record.seat), int(record.score[record.seat]), not record.passed
    discards = name_discards(action)
    value = sum(1 + PATTERNS.index(piece["pattern"]) for pieces in discards.values() for piece in pieces)
    lost = min(value, score)
    act(record, action)
    yield {"type": "queens-garden.passed", "seat": seat, "discarded": discards, "points": -lost}
    if first:
        yield {"type": "queens-garden.marker_taken", "seat": seat, "points": int(record.score[seat]) - score + lost}


def _without_type(named: Json) -> Json:
    return {key: value for key, value in named.items() if key != "type"}


# ------------------------------------------------------------------------------- what follows by itself


def _settled(record: Record) -> Iterator[Json]:
    """The effects of all that follows by itself."""
    return tell_settling("queens-garden", record, settle, Effect, DETAILS)


def _stack_spread(record: Record, count: int) -> Json:
    left = int(record.left_stack)
    return {"numbers": list(range(left - count, left))}


def _round_scored(record: Record, seat: int, points: int) -> Json:
    board, round_number, shown = record.boards[seat], int(record.round_number), []
    for name in WHEEL[round_number - 1]:
        if name in COLOURS:
            mask, each = board.colours[COLOURS.index(name)], SHOWN_COLOUR[round_number - 1, COLOURS.index(name)]
        else:
            pattern = PATTERNS.index(name)
            mask, each = board.patterns[pattern], SHOWN_PATTERN[record.variant, round_number - 1, pattern]
        count = int(bits(mask))
        shown.append({"shown": name, "hexagons": count, "points": count * int(each)})
    return {"seat": seat, "shown": shown, "pavilions": int(pavilions(board)), "points": points}


def _storage_counted(record: Record, seat: int) -> Json:
    board = record.boards[seat]
    counted = {"jokers": int(board.jokers), "values": int(value_left(board)), "points": int(board.storage_points)}
    return {"seat": seat, **counted}


def _groups_scored(record: Record, seat: int, points: int) -> Json:
    groups = [group for by in range(2) for value in range(KINDS) for group in _groups(record, seat, by, value)]
    return {"seat": seat, "groups": groups, "points": points}


def _groups(record: Record, seat: int, by: int, value: int) -> Iterator[Json]:
    """The groups of a colour or a pattern that score."""
    board: Any = record.boards[seat]
    rest = int((board.patterns if by else board.colours)[value])
    while rest:
        group = int(group_from(rest, place_of(rest)) | one(place_of(rest)))
        rest &= ~group
        size = int(bits(group))
        if size >= LEAST_GROUP:
            spaces = [list(SPACES[space]) for space in places_of(group)]
            scored = {
                "points": int(group_points(board, record.variant, group)),
                "bonus": int(GROUP_BONUS[record.variant, size]),
            }
            yield {"by": BY[by], "value": VALUES[by][value], "spaces": spaces, **scored}


DETAILS: Details = {
    Effect.STACK_SPREAD: _stack_spread,
    Effect.ROUND_SCORED: _round_scored,
    Effect.STORAGE_COUNTED: _storage_counted,
    Effect.GROUPS_SCORED: _groups_scored,
}
