"""Invariants of every position that play can reach, checked on the record."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record
from service.rulesets.queens_garden.rules.state import FILLING, PLAYING, TURNING
from tests.rulesets.queens_garden.geometry import AREAS, SPACES, ring
from tests.rulesets.queens_garden.letters import ALL_EXPANSIONS, COPIES, HEXAGONS, ROUNDS, STACK_OF

TILE_SPACES, EXPANSION_SPACES, ON_TOP, KINDS = 12, 2, 4, 6


INDEX = {space: number for number, space in enumerate(SPACES)}
BESIDE = [sum(1 << INDEX[other] for other in ring(space) if other in INDEX) for space in SPACES]


def faults_of_record(table_state: Record) -> list[str]:
    """Return the faults of a record."""
    seats, per_stack = int(table_state.seats), STACK_OF[int(table_state.seats)]
    boards, bag, tower = table_state.boards[:seats], table_state.bag, table_state.tower
    gardens, areas, tiles = boards["garden"], boards["area"], boards["tiles"]
    printed = printed_hexagons(gardens, areas)
    lying = np.bincount(table_state.lying.ravel(), minlength=len(HEXAGONS) + 1)[1:]
    in_gardens = np.bincount(gardens.ravel(), minlength=len(HEXAGONS) + 1)[1:]
    total = bag.astype(np.int64) + tower + tiles.sum(axis=0) + lying + in_gardens
    total -= np.bincount(np.array(printed, np.int64), minlength=len(HEXAGONS))
    held = boards["tile_count"] + boards["jokers"]
    mine, faces, unseen = [int(each) for each in boards["expansions"]], int(table_state.faces), int(table_state.unseen)
    seen = [mask for mask in (*mine, faces, *(1 << number for number in printed)) if mask]
    beside = int(table_state.beside).bit_count()
    stacks = (ROUNDS - int(table_state.round_number)) * per_stack
    outside = stacks + int(table_state.stack) + beside + sum(mask.bit_count() for mask in mine) + int((areas > 0).sum())
    wrong = {
        f"{total.tolist()} tiles": (total != COPIES).any(),
        "less than nothing": min(int(each.min()) for each in (bag, tower, tiles, boards["jokers"])) < 0,
        "a storage": (held > TILE_SPACES).any() or max(mask.bit_count() for mask in mine) > EXPANSION_SPACES,
        "the tiles of a storage": (tiles.sum(axis=1) != boards["tile_count"]).any(),
        "the held hexagons": (as_masks(tiles > 0) != boards["held"]).any(),
        "the number of expansions": outside + int(table_state.supply) != ALL_EXPANSIONS or table_state.supply < 0,
        "a face twice": sum(mask.bit_count() for mask in seen) != union(seen).bit_count(),
        "an unseen face that is seen": bool(union(seen) & unseen),
        "too few unseen faces": unseen.bit_count() < stacks + int(table_state.stack) + beside - faces.bit_count(),
        "a score": table_state.score[:seats].min() < 0,
        "storage points": table_state.status != OVER and boards["storage_points"].any(),
    }
    results = [name for name, is_wrong in wrong.items() if is_wrong]
    for number in range(seats):
        results += [f"seat {number}: {fault}" for fault in board_faults(boards[number])]
    return results + display_record_faults(table_state) + stage_faults(table_state)


def union(masks: list[int]) -> int:
    """Return the union of some masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def as_masks(rows: Any) -> Any:
    """Rows of truths as masks."""
    return (rows * (np.int64(1) << np.arange(rows.shape[1]))).sum(axis=1)


def printed_hexagons(gardens: Any, areas: Any) -> list[int]:
    """Return the hexagons printed in the gardens, or 0 for a missing one."""
    up = [(seat, area, int(areas[seat, area]) - 2) for seat, area in zip(*np.nonzero(areas >= 2), strict=True)]
    return [max(0, int(gardens[seat, KINDS + 7 * area + turned]) - 1) for seat, area, turned in up]


def board_faults(board: Any) -> list[str]:
    """Return the faults of a board: wrong masks, and groups that contain a hexagon twice."""
    garden, filled = board["garden"], int(as_masks(board["garden"][None] > 0)[0])
    laid = (1 << KINDS) - 1
    for area in AREAS:
        shown = int(board["area"][area])
        laid |= (0, (1 << KINDS + 1) - 1)[shown == 1] << KINDS + 7 * area
        laid |= (0, (1 << KINDS) - 1)[shown >= 2] << KINDS + 7 * area
    kinds = garden.astype(np.int64) - 1
    there = garden > 0
    wrong = {
        "a hexagon without a board": filled & ~laid != 0,
        "the open spaces": int(board["open_spaces"]) != laid & ~filled,
        "its colours": [int(mask) for mask in board["colours"]]
        != as_masks(np.array([there & (kinds // KINDS == k) for k in range(KINDS)])).tolist(),
        "its patterns": [int(mask) for mask in board["patterns"]]
        != as_masks(np.array([there & (kinds % KINDS == k) for k in range(KINDS)])).tolist(),
        "a group": any(has_repeated_hexagon(int(mask), kinds) for mask in (*board["colours"], *board["patterns"])),
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def has_repeated_hexagon(mask: int, kinds: Any) -> bool:
    """Return True if a connected part of the spaces contains a hexagon twice."""
    everything = [int(kinds[space]) for space in spaces_of(mask)]
    if len(set(everything)) == len(everything):
        return False
    while mask:
        part, edge = 0, mask & -mask
        while edge:
            part |= edge
            reached = union([BESIDE[space] for space in spaces_of(edge)])
            edge = reached & mask & ~part
        shown = [int(kinds[space]) for space in spaces_of(part)]
        if len(set(shown)) != len(shown):
            return True
        mask &= ~part
    return False


def spaces_of(mask: int) -> list[int]:
    """Return the positions of the ones in a mask."""
    return [space for space in range(mask.bit_length()) if mask >> space & 1]


def display_record_faults(table_state: Record) -> list[str]:
    """Return the faults of the display in a record."""
    lying, faces = table_state.lying, table_state.face
    tiles = (lying > 0).sum(axis=1)
    masks = [union([1 << int(tile) - 1 for tile in row if tile]) for row in lying]
    beside, left = int(table_state.beside), int(table_state.left_stack)
    there = np.array([bool(beside >> number & 1) for number in range(len(faces))])
    bare = there & (tiles[1:] == 0) & (faces == 0)
    topped = table_state.stack > 0 and not (table_state.status == DRAWING and table_state.stage == FILLING)
    shown = union([1 << int(face) - 1 for face in faces if face])
    wrong = {
        "the expansions that left": int(table_state.stack) + left != STACK_OF[int(table_state.seats)]
        or table_state.stack < 0,
        "the top's tiles": (tiles[0] > 0) != topped,
        "what lies there": masks != [int(mask) for mask in table_state.lies],
        "the faces": shown != int(table_state.faces),
        "the numbers": beside >> left != 0,
        "tiles or a face beside that is not there": (tiles[1:][~there] > 0).any() or (faces[~there] > 0).any(),
        "tiles on a face": ((tiles[1:] > 0) & (faces > 0)).any(),
        "a full expansion beside": tiles[1:].max() >= ON_TOP,
        "a face to be drawn": bare.any() and table_state.status != DRAWING,
        "nothing to turn": table_state.status == DRAWING and table_state.stage == TURNING and not bare.any(),
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def stage_faults(table_state: Record) -> list[str]:
    """Return contradictions of the stage of the game."""
    seats, status, stage = int(table_state.seats), int(table_state.status), int(table_state.stage)
    passed, marker = int(table_state.passed), int(table_state.marker)
    seated = table_state.start_seat >= 0
    left = int(table_state.bag.sum()) + int(table_state.tower.sum())
    moving = status != OVER and seated
    wrong = {
        "the stage": (status == DECIDING and stage != PLAYING)
        or (status == DRAWING and stage not in {FILLING, TURNING}),
        "a mover that has passed": moving and bool(passed >> int(table_state.seat) & 1),
        "a mover that does not play": moving and not 0 <= table_state.seat < seats,
        "the seats that have passed": (passed == (1 << seats) - 1) != (status == OVER) or passed >> seats != 0,
        "the marker": (passed != 0) != (marker >= 0) or (marker >= 0 and not passed >> marker & 1),
        "the round": not 1 <= table_state.round_number <= ROUNDS
        or (status == OVER and table_state.round_number != ROUNDS),
        "a fill of nothing": status == DRAWING and stage == FILLING and not (left and table_state.stack),
        "the seat that started": not seated and (status, stage) != (DRAWING, FILLING),
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]
