"""Reasons why actions are illegal, and effects of automatic steps."""

from __future__ import annotations

from enum import auto

from service.rulesets.parts.steps import OwnReason, PackedEffect


class Reason(OwnReason):
    """Reasons of Summer Pavilion in addition to the common ones."""

    NOT_ACQUIRING = auto()
    NOT_PLAYING = auto()
    TAKE_BONUS_FIRST = auto()
    NO_BONUS_OWED = auto()
    SOURCE_EMPTY = auto()
    COLOUR_NOT_IN_SOURCE = auto()
    WILD_NOT_ALONE = auto()
    SPACE_TAKEN = auto()
    STAR_TAKES_OTHER_COLOUR = auto()
    STAR_HOLDS_COLOUR = auto()
    COLOUR_NOT_IN_HAND = auto()
    WILD_NEEDS_NO_WILDS = auto()
    TOO_MANY_WILDS = auto()
    NOT_ENOUGH_TILES = auto()
    NOT_ENOUGH_WILDS = auto()
    COLOUR_NOT_IN_SUPPLY = auto()
    KEPT_NOT_IN_HAND = auto()


class Effect(PackedEffect):
    """Effects of automatic steps and their numbers."""

    ROUND_ENDED = "round"
    END_BONUS = "seat", "points"
    LEFTOVER_PENALTY = "seat", "points"
    GAME_ENDED = ()
