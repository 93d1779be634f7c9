"""Invariants of every position that play can reach, checked on the record."""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.rules.state import RECORD, TILING, TOKEN
from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record

TILES, FLOOR_SPACES, FACTORY_SPACES, IDLE_ROUNDS = 20, 7, 4, 5
KINDS = np.arange(1, 6)
CAPACITY = np.arange(1, 6)
BITS = 1 << np.arange(5)


def faults_of_record(table_state: Record) -> list[str]:
    """Return the faults of a record."""
    game = np.frombuffer(table_state.tobytes(), RECORD)[0]  # access by name is several times as fast as by attribute
    seats = int(game["seats"])
    boards = game["boards"][:seats]
    walls, floors, counts, colours = boards["wall"], boards["floor"], boards["line_count"], boards["line_colour"]
    on_walls, on_floors = walls[..., None] == KINDS, floors[..., None] == KINDS
    line_colours = (colours[..., None] == KINDS - 1) & (counts[..., None] > 0)
    in_lines = (line_colours * counts[..., None]).sum(axis=(0, 1))
    tiles = game["tiles"].sum(axis=1)
    total = game["bag"].astype(np.int64) + game["box_lid"] + game["tiles"].sum(axis=0)
    total += in_lines + on_walls.sum(axis=(0, 1, 2)) + on_floors.sum(axis=(0, 1))
    tokens = (floors == TOKEN).sum(axis=1)
    holder = int(game["start_token"])
    filled = walls > 0
    drafting = game["status"] == DECIDING and game["stage"] != TILING
    wrong = {
        f"{total.tolist()} tiles": (total != TILES).any(),
        "less than nothing": min(int(game["bag"].min()), int(game["box_lid"].min()), int(game["tiles"].min())) < 0,
        "the factories": tiles[2 * seats + 1 : -1].any() or tiles[:-1].max() > FACTORY_SPACES,
        "tiles to draft": tiles.any() != drafting,
        "a score": game["score"][:seats].min() < 0,
        "a line": counts.min() < 0 or (counts > CAPACITY).any(),
        "a floor": boards["floor_count"].max() > FLOOR_SPACES
        or ((floors > 0).sum(axis=1) != boards["floor_count"]).any(),
        "the token": tokens.sum() > 1 or (tokens.any() and (holder < 0 or not tokens[holder])),
        "a colour twice in a row or column": on_walls.sum(axis=2).max() > 1 or on_walls.sum(axis=1).max() > 1,
        "the filled spaces": ((filled * BITS).sum(axis=2) != boards["row_mask"]).any(),
        "the filled columns": ((filled * BITS[:, None]).sum(axis=1) != boards["column_mask"]).any(),
        "a line whose wall row holds its colour": (line_colours & on_walls.any(axis=2)).any(),
        "a full row": filled.all(axis=2).any() and (game["status"] == DRAWING or drafting),
        "the idle rounds": game["rounds_without_tile"] >= IDLE_ROUNDS and game["status"] != OVER,
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]
