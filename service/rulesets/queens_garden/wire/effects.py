"""Effects of actions and draws, in order, from the steps of the rules: `act` or `apply_draw`, then `settle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from service.rulesets.kernel import Record
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.queens_garden.rules import codes
from service.rulesets.queens_garden.rules.components import (
    COLOURS,
    ELEMENTS,
    ELEMENTS_AT,
    GROUP_BONUS,
    JOKERS_OF,
    KINDS,
    MIN_GROUP,
    NO_ELEMENT,
    PATTERNS,
    PRICE,
    SPACES,
    WHEEL,
)
from service.rulesets.queens_garden.rules.display import expansions_to_turn
from service.rulesets.queens_garden.rules.garden import group_from, is_complete, shown_spaces
from service.rulesets.queens_garden.rules.scoring import group_points, pavilions, value_left
from service.rulesets.queens_garden.rules.state import FILLING, count_bits, lowest_bit, mask_of_bit, rule
from service.rulesets.queens_garden.rules.steps import Effect
from service.rulesets.queens_garden.wire.actions import BY, VALUES, name_discards, name_members
from service.rulesets.queens_garden.wire.catalogue import shown_points
from service.rulesets.queens_garden.wire.fields import HEXAGON_NAMES
from service.rulesets.shared_effects import Details, effect_json, first_seat_effects, settling_effects
from service.rulesets.wire import Json, places_of

_effect = partial(effect_json, "queens-garden")


def effects_of_action(table_state: Record, action: int) -> list[Json]:
    """Apply a legal action to the record and return its effects."""
    effects_by_kind = (
        _acquire_effects,
        _place_tile_effects,
        _place_expansion_effects,
        _buy_expansion_effects,
        _pass_effects,
    )
    return [*effects_by_kind[codes.kind_of(action)](table_state, action), *_settling_effects(table_state)]


def effects_of_draw(table_state: Record, drawn: Sequence[int]) -> list[Json]:
    """Apply a possible draw to the record and return its effects."""
    numbers = np.array(drawn, np.int64)
    if table_state.start_seat == NO_SEAT:
        return first_seat_effects("queens-garden", table_state, numbers, rule.apply_draw)
    hexagons = [HEXAGON_NAMES[hexagon] for hexagon in drawn]
    if table_state.stage == FILLING:
        left = int(table_state.bag.sum())
        rule.apply_draw(table_state, numbers)
        tower_used = int(table_state.bag.sum()) + len(drawn) > left
        effect = _effect("stack_filled", tiles=hexagons, tower_used=tower_used)
    else:
        due = places_of(expansions_to_turn(table_state))
        rule.apply_draw(table_state, numbers)
        turned = [{"number": number, "hexagon": hexagon} for number, hexagon in zip(due, hexagons, strict=True)]
        effect = _effect("expansions_turned", expansions=turned)
    return [effect, *_settling_effects(table_state)]


# ----------------------------------------------------------------------------------------- decisions


def _acquire_effects(table_state: Record, action: int) -> Iterator[Json]:
    """Yield the effects of an acquisition: the pieces, and the top of the stack if it moved."""
    seat, number = int(table_state.seat), int(table_state.left_stack)
    rule.act(table_state, action)
    yield _effect("pieces_acquired", seat=seat, **name_members(action))
    if table_state.left_stack > number:
        tiles = [HEXAGON_NAMES[tile - 1] for tile in table_state.lying[1 + number].tolist() if tile]
        yield _effect("top_moved_beside", number=number, tiles=tiles)


def _place_tile_effects(table_state: Record, action: int) -> Iterator[Json]:
    """Yield the effects of a placement: the tile with its payment, completed elements and their jokers."""
    _, space, _ = codes.unpack_place_tile(action)
    seat, board = int(table_state.seat), table_state.boards[table_state.seat]
    named = name_members(action)
    paid_jokers, had = named["payment"]["jokers"], int(board.jokers)
    rule.act(table_state, action)
    yield _effect("tile_placed", seat=seat, **named)
    shown, jokers = shown_spaces(board), 0
    for element in ELEMENTS_AT[space]:
        if element != NO_ELEMENT and is_complete(board, element, shown):
            (name, kind, _), earned = ELEMENTS[element], int(JOKERS_OF[element])
            jokers += earned
            yield _effect("element_completed", seat=seat, element=name, kind=kind, jokers=earned)
    if jokers:
        kept = int(board.jokers) - had + paid_jokers
        yield _effect("jokers_gained", seat=seat, jokers=kept, lost=jokers - kept)


def _place_expansion_effects(table_state: Record, action: int) -> Iterator[Json]:
    seat = int(table_state.seat)
    rule.act(table_state, action)
    yield _effect("expansion_placed", seat=seat, **name_members(action))


def _buy_expansion_effects(table_state: Record, action: int) -> Iterator[Json]:
    seat = int(table_state.seat)
    rule.act(table_state, action)
    yield _effect("expansion_bought", seat=seat, **name_members(action), points=-PRICE)


def _pass_effects(table_state: Record, action: int) -> Iterator[Json]:
    """Yield the effects of a pass: discards, and for the first pass the marker with its penalty."""
    seat, score, first = int(table_state.seat), int(table_state.score[table_state.seat]), not table_state.passed
    discards = name_discards(action)
    value = sum(1 + PATTERNS.index(piece["pattern"]) for pieces in discards.values() for piece in pieces)
    lost = min(value, score)
    rule.act(table_state, action)
    yield _effect("passed", seat=seat, discarded=discards, points=-lost)
    if first:
        yield _effect("marker_taken", seat=seat, points=int(table_state.score[seat]) - score + lost)


# ------------------------------------------------------------------------------- automatic steps


def _settling_effects(table_state: Record) -> Iterator[Json]:
    """Yield the effects of the automatic steps."""
    return settling_effects("queens-garden", table_state, rule.settle, Effect, DETAILS)


def _stack_spread(table_state: Record, count: int) -> Json:
    left = int(table_state.left_stack)
    return {"numbers": list(range(left - count, left))}


def _round_scored(table_state: Record, seat: int, points: int) -> Json:
    board, round_number, shown = table_state.boards[seat], int(table_state.round_number), []
    for name in WHEEL[round_number - 1]:
        mask = board.colours[COLOURS.index(name)] if name in COLOURS else board.patterns[PATTERNS.index(name)]
        count = int(count_bits(mask))
        points_of_each = shown_points(table_state.variant, round_number, name)
        shown.append({"shown": name, "hexagons": count, "points": count * points_of_each})
    return {"seat": seat, "shown": shown, "pavilions": int(pavilions(board)), "points": points}


def _storage_counted(table_state: Record, seat: int) -> Json:
    board = table_state.boards[seat]
    counted = {"jokers": int(board.jokers), "values": int(value_left(board)), "points": int(board.storage_points)}
    return {"seat": seat, **counted}


def _groups_scored(table_state: Record, seat: int, points: int) -> Json:
    groups = [group for by in range(2) for value in range(KINDS) for group in _groups(table_state, seat, by, value)]
    return {"seat": seat, "groups": groups, "points": points}


def _groups(table_state: Record, seat: int, by: int, value: int) -> Iterator[Json]:
    """Return the scoring groups of a colour or a pattern."""
    board: Any = table_state.boards[seat]
    rest = int((board.patterns if by else board.colours)[value])
    while rest:
        group = int(group_from(rest, lowest_bit(rest)) | mask_of_bit(lowest_bit(rest)))
        rest &= ~group
        size = int(count_bits(group))
        if size >= MIN_GROUP:
            spaces = [list(SPACES[space]) for space in places_of(group)]
            scored = {
                "points": int(group_points(board, table_state.variant, group)),
                "bonus": int(GROUP_BONUS[table_state.variant, size]),
            }
            yield {"by": BY[by], "value": VALUES[by][value], "spaces": spaces, **scored}


DETAILS: Details = {
    Effect.STACK_SPREAD: _stack_spread,
    Effect.ROUND_SCORED: _round_scored,
    Effect.STORAGE_COUNTED: _storage_counted,
    Effect.GROUPS_SCORED: _groups_scored,
}
