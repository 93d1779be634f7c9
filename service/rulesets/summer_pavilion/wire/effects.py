"""What an action or a draw did, told in order as named dicts, by the rules' own steps: `act`/`lay`, then `settle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from service.rulesets.factories import CENTRE, SOURCE_NAMES, factory_count
from service.rulesets.kernel import Ints, Record
from service.rulesets.summer_pavilion.rules.chance import lay
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
    act,
    placement,
    settle,
)
from service.rulesets.summer_pavilion.rules.placing import closes
from service.rulesets.summer_pavilion.rules.scoring import kind_of_star, number_bonus, star_bonus
from service.rulesets.summer_pavilion.rules.state import KINDS, PLAYING
from service.rulesets.summer_pavilion.rules.steps import Effect
from service.rulesets.telling import Details, tell_first_seat, tell_settling
from service.rulesets.turns import NO_SEAT
from service.rulesets.wire import Json, to_counts

STAR_KINDS = (*COLOURS, "mixed")
assert STAR_KINDS[MIXED] == "mixed"  # noqa: S101 - the kinds are named in the order of their numbers


def tell_action(record: Record, action: int) -> list[Json]:
    """Apply a legal action to the record; its effects."""
    if action < FIRST_PLACE:
        return list(_acquired(record, action))
    if action < FIRST_TAKE_BONUS:
        return list(_placed(record, action))
    if action < FIRST_PASS:
        return list(_bonus_taken(record, action))
    return [*_passed(record, action), *_settled(record)]


def tell_draw(record: Record, drawn: Sequence[int]) -> list[Json]:
    """Lay a possible draw on the record; its effects."""
    numbers = np.array(drawn, np.int64)
    if record.start_seat == NO_SEAT:
        return tell_first_seat("summer-pavilion", record, numbers, lay)
    return list(_refilled(record, numbers) if record.stage == PLAYING else _dealt(record, numbers))


def _acquired(record: Record, action: int) -> Iterator[Json]:
    """Tiles to the hand, the rest to the centre, the token with its price, the end of phase 1."""
    source, colour = divmod(action, KINDS)
    seat, score = int(record.seat), int(record.score[record.seat])
    hand, left = record.boards[seat].hand.copy(), record.tiles[source].copy()
    token_was = record.start_token
    act(record, action)
    taken = record.boards[seat].hand - hand
    count = int(taken.sum())
    acquired = {"colour": COLOURS[colour], "count": count, "wilds": count - int(taken[colour])}
    yield {"type": "summer-pavilion.tiles_acquired", "seat": seat, "source": SOURCE_NAMES[source], **acquired}
    if source != CENTRE and count < left.sum():
        yield {"type": "summer-pavilion.tiles_moved_to_centre", "tiles": to_counts(left - taken, COLOURS)}
    if record.start_token != token_was:
        yield {"type": "summer-pavilion.start_token_taken", "seat": seat, "points": int(record.score[seat]) - score}
    if record.stage == PLAYING:
        yield {"type": "summer-pavilion.play_began", "seat": int(record.seat)}


def _placed(record: Record, action: int) -> Iterator[Json]:
    """The tile with its points, what it cost, each feature it surrounded, the bonus tiles owed."""
    star, slot, colour, _ = (int(part) for part in placement(action))
    seat, score = int(record.seat), int(record.score[record.seat])
    board = record.boards[seat]
    closed = sorted(int(feature) for feature in FEATURES_AT[star, slot] if closes(board, feature, star, slot))
    tower = record.tower.copy()
    act(record, action)
    space = {"star": STARS[star], "slot": slot + 1, "colour": COLOURS[colour]}
    spent = to_counts(record.tower - tower, COLOURS)
    yield {
        "type": "summer-pavilion.tile_placed",
        "seat": seat,
        **space,
        "points": int(record.score[seat]) - score,
        "spent": spent,
    }
    for feature in closed:
        tiles = int(FEATURE_TILES[feature])
        yield {
            "type": "summer-pavilion.feature_surrounded",
            "seat": seat,
            "feature": FEATURE_NAMES[feature],
            "tiles": tiles,
        }
    if closed:
        yield {"type": "summer-pavilion.bonus_owed", "seat": seat, "tiles": int(record.bonus_owed)}


def _bonus_taken(record: Record, action: int) -> Iterator[Json]:
    seat, colour = int(record.seat), COLOURS[action - FIRST_TAKE_BONUS]
    act(record, action)
    yield {"type": "summer-pavilion.bonus_taken", "seat": seat, "colour": colour, "owed": int(record.bonus_owed)}


def _passed(record: Record, action: int) -> Iterator[Json]:
    seat, score = int(record.seat), int(record.score[record.seat])
    tower = record.tower.copy()
    act(record, action)
    discarded = to_counts(record.tower - tower, COLOURS)
    kept = to_counts(record.boards[seat].corners, COLOURS)
    points = int(record.score[seat]) - score
    yield {"type": "summer-pavilion.passed", "seat": seat, "kept": kept, "discarded": discarded, "points": points}


def _settled(record: Record) -> Iterator[Json]:
    """The effects of the round's end, and of the game's."""
    corners = [to_counts(record.boards[seat].corners, COLOURS) for seat in range(record.seats)]

    def leftover_penalty(_: Record, seat: int, points: int) -> Json | None:
        return {"seat": seat, "tiles": corners[seat], "points": -points} if corners[seat] else None

    details: Details = {Effect.END_BONUS: _end_bonus, Effect.LEFTOVER_PENALTY: leftover_penalty}
    return tell_settling("summer-pavilion", record, settle, Effect, details)


def _end_bonus(record: Record, seat: int, points: int) -> Json:
    board = record.boards[seat]
    stars = [
        {"star": name, "colour": STAR_KINDS[kind_of_star(board, star)], "points": int(star_bonus(board, star))}
        for star, name in enumerate(STARS)
        if star_bonus(board, star)
    ]
    numbers = [
        {"number": number, "points": int(number_bonus(board, record.variant, number))}
        for number in range(1, len(NUMBER_BONUS))
        if number_bonus(board, record.variant, number)
    ]
    return {"seat": seat, "stars": stars, "numbers": numbers, "points": points}


def _refilled(record: Record, drawn: Ints) -> Iterator[Json]:
    supply, tower_used = record.supply.copy(), len(drawn) > int(record.bag.sum())
    lay(record, drawn)
    tiles = to_counts(record.supply - supply, COLOURS)
    yield {"type": "summer-pavilion.supply_refilled", "tiles": tiles, "tower_used": tower_used}


def _dealt(record: Record, drawn: Ints) -> Iterator[Json]:
    """A new round: supply, factories, corners back to hands; where no factory got a tile, phase 2 at once."""
    supply, tower_used = record.supply.copy(), len(drawn) > int(record.bag.sum())
    corners = [to_counts(record.boards[seat].corners, COLOURS) for seat in range(record.seats)]
    lay(record, drawn)
    yield {
        "type": "summer-pavilion.dealt",
        "round": int(record.round_number),
        "wild": COLOURS[record.round_number - 1],
        "supply": to_counts(record.supply - supply, COLOURS),
        "factories": [to_counts(record.tiles[k], COLOURS) for k in range(factory_count(int(record.seats)))],
        "tower_used": tower_used,
    }
    for seat, tiles in enumerate(corners):
        if tiles:
            yield {"type": "summer-pavilion.corners_returned", "seat": seat, "tiles": tiles}
    if record.stage == PLAYING:
        yield {"type": "summer-pavilion.play_began", "seat": int(record.seat)}
