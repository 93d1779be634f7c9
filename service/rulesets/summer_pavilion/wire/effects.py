"""Effects of actions and draws, in order, from the steps of the rules: `act` or `apply_draw`, then `settle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from service.rulesets.kernel import Ints, Record
from service.rulesets.parts.factories import CENTRE, SOURCE_NAMES, factory_count
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.shared_effects import Details, effect_json, first_seat_effects, settling_effects
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    FEATURE_NAMES,
    FEATURE_TILES,
    FEATURES_AT,
    MIXED,
    NUMBER_BONUS,
    STARS,
)
from service.rulesets.summer_pavilion.rules.game import (
    FIRST_PASS,
    FIRST_PLACE,
    FIRST_TAKE_BONUS,
    placement,
)
from service.rulesets.summer_pavilion.rules.placing import can_surround
from service.rulesets.summer_pavilion.rules.scoring import kind_of_star, number_bonus, star_bonus
from service.rulesets.summer_pavilion.rules.state import KINDS, PLAYING, rule
from service.rulesets.summer_pavilion.rules.steps import Effect
from service.rulesets.wire import Json, to_counts

_effect = partial(effect_json, "summer-pavilion")

STAR_KINDS = (*COLOURS, "mixed")
assert STAR_KINDS[MIXED] == "mixed"  # noqa: S101 - the kinds are named in the order of their numbers


def effects_of_action(table_state: Record, action: int) -> list[Json]:
    """Apply a legal action to the record and return its effects."""
    if action < FIRST_PLACE:
        return list(_acquire_effects(table_state, action))
    if action < FIRST_TAKE_BONUS:
        return list(_place_effects(table_state, action))
    if action < FIRST_PASS:
        return list(_bonus_effects(table_state, action))
    return [*_pass_effects(table_state, action), *_settling_effects(table_state)]


def effects_of_draw(table_state: Record, drawn: Sequence[int]) -> list[Json]:
    """Apply a possible draw to the record and return its effects."""
    numbers = np.array(drawn, np.int64)
    if table_state.start_seat == NO_SEAT:
        return first_seat_effects("summer-pavilion", table_state, numbers, rule.apply_draw)
    return list(
        _refill_effects(table_state, numbers) if table_state.stage == PLAYING else _deal_effects(table_state, numbers)
    )


def _acquire_effects(table_state: Record, action: int) -> Iterator[Json]:
    """Yield the effects of an acquisition: hand, centre, token and its penalty, end of phase 1."""
    source, colour = divmod(action, KINDS)
    seat, score = int(table_state.seat), int(table_state.score[table_state.seat])
    hand, left = table_state.boards[seat].hand.copy(), table_state.tiles[source].copy()
    token_was = table_state.start_token
    rule.act(table_state, action)
    taken = table_state.boards[seat].hand - hand
    count = int(taken.sum())
    acquired = {"colour": COLOURS[colour], "count": count, "wilds": count - int(taken[colour])}
    yield _effect("tiles_acquired", seat=seat, source=SOURCE_NAMES[source], **acquired)
    if source != CENTRE and count < left.sum():
        yield _effect("tiles_moved_to_centre", tiles=to_counts((left - taken).tolist(), COLOURS))
    if table_state.start_token != token_was:
        yield _effect("start_token_taken", seat=seat, points=int(table_state.score[seat]) - score)
    if table_state.stage == PLAYING:
        yield _effect("play_began", seat=int(table_state.seat))


def _place_effects(table_state: Record, action: int) -> Iterator[Json]:
    """Yield the effects of a placement: the tile with its points and cost, surrounded features, owed bonus tiles."""
    star, slot, colour, _ = (int(part) for part in placement(action))
    seat, score = int(table_state.seat), int(table_state.score[table_state.seat])
    board = table_state.boards[seat]
    closed = sorted(int(feature) for feature in FEATURES_AT[star, slot] if can_surround(board, feature, star, slot))
    tower = table_state.tower.copy()
    rule.act(table_state, action)
    space = {"star": STARS[star], "slot": slot + 1, "colour": COLOURS[colour]}
    spent = to_counts((table_state.tower - tower).tolist(), COLOURS)
    yield _effect("tile_placed", seat=seat, **space, points=int(table_state.score[seat]) - score, spent=spent)
    for feature in closed:
        tiles = int(FEATURE_TILES[feature])
        yield _effect("feature_surrounded", seat=seat, feature=FEATURE_NAMES[feature], tiles=tiles)
    if closed:
        yield _effect("bonus_owed", seat=seat, tiles=int(table_state.bonus_owed))


def _bonus_effects(table_state: Record, action: int) -> Iterator[Json]:
    seat, colour = int(table_state.seat), COLOURS[action - FIRST_TAKE_BONUS]
    rule.act(table_state, action)
    yield _effect("bonus_taken", seat=seat, colour=colour, owed=int(table_state.bonus_owed))


def _pass_effects(table_state: Record, action: int) -> Iterator[Json]:
    seat, score = int(table_state.seat), int(table_state.score[table_state.seat])
    tower = table_state.tower.copy()
    rule.act(table_state, action)
    discarded = to_counts((table_state.tower - tower).tolist(), COLOURS)
    kept = to_counts(table_state.boards[seat].corners.tolist(), COLOURS)
    points = int(table_state.score[seat]) - score
    yield _effect("passed", seat=seat, kept=kept, discarded=discarded, points=points)


def _settling_effects(table_state: Record) -> Iterator[Json]:
    """Yield the effects of the end of the round and of the game."""
    corners = [to_counts(table_state.boards[seat].corners.tolist(), COLOURS) for seat in range(table_state.seats)]

    def leftover_penalty(_: Record, seat: int, points: int) -> Json | None:
        return {"seat": seat, "tiles": corners[seat], "points": -points} if corners[seat] else None

    details: Details = {Effect.END_BONUS: _end_bonus, Effect.LEFTOVER_PENALTY: leftover_penalty}
    return settling_effects("summer-pavilion", table_state, rule.settle, Effect, details)


def _end_bonus(table_state: Record, seat: int, points: int) -> Json:
    board = table_state.boards[seat]
    stars = [
        {"star": name, "colour": STAR_KINDS[kind_of_star(board, star)], "points": int(star_bonus(board, star))}
        for star, name in enumerate(STARS)
        if star_bonus(board, star)
    ]
    numbers = [
        {"number": number, "points": int(number_bonus(board, table_state.variant, number))}
        for number in range(1, len(NUMBER_BONUS))
        if number_bonus(board, table_state.variant, number)
    ]
    return {"seat": seat, "stars": stars, "numbers": numbers, "points": points}


def _refill_effects(table_state: Record, drawn: Ints) -> Iterator[Json]:
    supply, tower_used = table_state.supply.copy(), len(drawn) > int(table_state.bag.sum())
    rule.apply_draw(table_state, drawn)
    tiles = to_counts((table_state.supply - supply).tolist(), COLOURS)
    yield _effect("supply_refilled", tiles=tiles, tower_used=tower_used)


def _deal_effects(table_state: Record, drawn: Ints) -> Iterator[Json]:
    """Yield the effects of a new round: supply, factories, corners. Without factory tiles, phase 2 begins at once."""
    supply, tower_used = table_state.supply.copy(), len(drawn) > int(table_state.bag.sum())
    corners = [to_counts(table_state.boards[seat].corners.tolist(), COLOURS) for seat in range(table_state.seats)]
    rule.apply_draw(table_state, drawn)
    dealt = table_state.tiles[: factory_count(int(table_state.seats))].tolist()
    yield _effect(
        "dealt",
        round=int(table_state.round_number),
        wild=COLOURS[table_state.round_number - 1],
        supply=to_counts((table_state.supply - supply).tolist(), COLOURS),
        factories=[to_counts(factory, COLOURS) for factory in dealt],
        tower_used=tower_used,
    )
    for seat, tiles in enumerate(corners):
        if tiles:
            yield _effect("corners_returned", seat=seat, tiles=tiles)
    if table_state.stage == PLAYING:
        yield _effect("play_began", seat=int(table_state.seat))
