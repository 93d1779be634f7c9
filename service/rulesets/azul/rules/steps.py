"""Reasons why actions are illegal, and effects of automatic steps."""

from __future__ import annotations

from enum import auto

from service.rulesets.parts.steps import OwnReason, PackedEffect


class Reason(OwnReason):
    """Reasons of Azul in addition to the common ones."""

    NOT_DRAFTING = auto()
    NOT_TILING = auto()
    SOURCE_EMPTY = auto()
    COLOUR_NOT_IN_SOURCE = auto()
    LINE_FULL = auto()
    LINE_HOLDS_OTHER_COLOUR = auto()
    WALL_ROW_HOLDS_COLOUR = auto()
    WRONG_LINE = auto()
    SPACE_TAKEN = auto()
    COLUMN_HOLDS_COLOUR = auto()


class Effect(PackedEffect):
    """Effects of automatic steps and their numbers."""

    TILE_PLACED = "seat", "line", "column", "colour", "points"
    LINE_FALLEN = "seat", "line", "colour", "count", "lost"
    FLOOR_PENALTY = "seat", "tiles", "points"
    ROUND_ENDED = "round"
    END_BONUS = "seat", "rows", "columns", "colours", "points"
    GAME_ENDED = "reason"
