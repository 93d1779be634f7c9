"""Reasons why actions are illegal, and effects of automatic steps."""

from __future__ import annotations

from enum import auto

from service.rulesets.parts.steps import OwnReason, PackedEffect


class Reason(OwnReason):
    """Reasons of Queen's Garden in addition to the common ones."""

    NOTHING_MATCHES = auto()
    PIECE_NOT_THERE = auto()
    PIECES_INCOMPLETE = auto()
    PIECES_REPEAT = auto()
    PIECE_DOES_NOT_MATCH = auto()
    NO_ROOM_FOR_TILES = auto()
    NO_ROOM_FOR_EXPANSIONS = auto()
    TILE_NOT_IN_STORAGE = auto()
    NO_BOARD_THERE = auto()
    SPACE_TAKEN = auto()
    EXPANSION_NOT_IN_STORAGE = auto()
    AREA_TAKEN = auto()
    PAYMENT_MIXED = auto()
    PAYMENT_REPEATS = auto()
    PAYMENT_NUMBER = auto()
    PAYMENT_NOT_IN_STORAGE = auto()
    NEIGHBOURS_DIFFER = auto()
    GROUP_REPEATS_HEXAGON = auto()
    SUPPLY_EMPTY = auto()
    TOO_FEW_POINTS = auto()
    DISCARD_NOT_IN_STORAGE = auto()


# reasons that depend only on the JSON action: its integer contains the reason (see codes.pack_refusal)
SEEN_IN_ACTION = (
    Reason.PIECE_NOT_THERE,
    Reason.PIECES_REPEAT,
    Reason.PIECE_DOES_NOT_MATCH,
    Reason.PAYMENT_MIXED,
    Reason.PAYMENT_REPEATS,
    Reason.PAYMENT_NUMBER,
)


class Effect(PackedEffect):
    """Effects of automatic steps and their numbers."""

    STACK_SPREAD = "count"
    ROUND_SCORED = "seat", "points"
    ROUND_ENDED = "round"
    ROUND_BEGAN = "round", "seat"
    STORAGE_COUNTED = "seat"
    GROUPS_SCORED = "seat", "points"
    GAME_ENDED = ()
