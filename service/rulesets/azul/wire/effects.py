"""Effects of actions and draws, in order, from the steps of the rules: `act` or `apply_draw`, then `settle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from service.rulesets.azul.rules.components import COLOURS, FLOOR_SPACES, LINES
from service.rulesets.azul.rules.game import FIRST_TILING
from service.rulesets.azul.rules.scoring import points_of_tile
from service.rulesets.azul.rules.state import DESTINATIONS, FLOOR, KINDS, REASONS_OF_END, rule
from service.rulesets.azul.rules.steps import Effect
from service.rulesets.kernel import Record
from service.rulesets.parts.factories import CENTRE, SOURCE_NAMES, TOKEN_IN_CENTRE, factory_count
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.shared_effects import Details, effect_json, first_seat_effects, settling_effects
from service.rulesets.wire import Json, to_counts

_effect = partial(effect_json, "azul")


def effects_of_action(table_state: Record, action: int) -> list[Json]:
    """Apply a legal action to the record and return its effects."""
    effects = list(_draft_effects(table_state, action) if action < FIRST_TILING else _tile_effects(table_state, action))
    return effects + list(_settling_effects(table_state))


def effects_of_draw(table_state: Record, drawn: Sequence[int]) -> list[Json]:
    """Apply a possible draw to the record and return its effects."""
    numbers = np.array(drawn, np.int64)
    if table_state.start_seat == NO_SEAT:
        return first_seat_effects("azul", table_state, numbers, rule.apply_draw)
    box_lid_used = len(drawn) > int(table_state.bag.sum())
    rule.apply_draw(table_state, numbers)
    if not drawn:
        return list(_settling_effects(table_state))
    dealt = table_state.tiles[: factory_count(int(table_state.seats))].tolist()
    factories = [to_counts(factory, COLOURS) for factory in dealt]
    return [_effect("dealt", factories=factories, box_lid_used=box_lid_used)]


def _draft_effects(table_state: Record, action: int) -> Iterator[Json]:
    """Yield the effects of a draft in the order of the rules: hand, centre, token, line, floor."""
    rest, destination = divmod(action, DESTINATIONS)
    source, colour = divmod(rest, KINDS)
    seat, tiles = int(table_state["seat"]), table_state["tiles"][source].tolist()
    count = tiles[colour]
    own = {"seat": seat, "colour": COLOURS[colour]}
    yield _effect("tiles_taken", **own, source=SOURCE_NAMES[source], count=count)
    moved = to_counts(tiles, COLOURS)
    del moved[COLOURS[colour]]
    if source != CENTRE and moved:
        yield _effect("tiles_moved_to_centre", tiles=moved)
    board = table_state["boards"][seat]
    free = FLOOR_SPACES - int(board["floor_count"])
    if source == CENTRE and table_state["start_token"] == TOKEN_IN_CENTRE:
        yield _effect("start_token_taken", seat=seat)
        free = max(0, free - 1)
    if destination != FLOOR:
        placed = min(count, destination + 1 - int(board["line_count"][destination]))
        yield _effect("tiles_placed", **own, line=destination, count=placed)
        count -= placed
    if count:
        yield _effect("tiles_fallen", **own, count=count, lost=max(0, count - free))
    rule.act(table_state, action)


def _tile_effects(table_state: Record, action: int) -> Iterator[Json]:
    line, column = divmod(action - FIRST_TILING, LINES)
    seat = int(table_state.seat)
    colour = COLOURS[table_state.boards[seat].line_colour[line]]
    rule.act(table_state, action)
    points = int(points_of_tile(table_state.boards[seat], line, column))
    yield _effect("tile_placed", seat=seat, line=line, column=column, colour=colour, points=points)


def _settling_effects(table_state: Record) -> Iterator[Json]:
    """Yield the effects of the automatic steps."""
    return settling_effects("azul", table_state, rule.settle, Effect, DETAILS)


def _with_colour(_: Record, **numbers: int) -> Json:
    return {**numbers, "colour": COLOURS[numbers["colour"]]}


def _floor_penalty(_: Record, seat: int, tiles: int, points: int) -> Json | None:
    """Return the penalty, or None for an empty floor line."""
    return {"seat": seat, "tiles": tiles, "points": -points} if tiles else None


DETAILS: Details = {
    Effect.TILE_PLACED: _with_colour,
    Effect.LINE_FALLEN: _with_colour,
    Effect.FLOOR_PENALTY: _floor_penalty,
    Effect.GAME_ENDED: lambda _, reason: {"reason": REASONS_OF_END[reason]},
}
