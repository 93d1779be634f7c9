"""Reasons and effects as numbers, see `service/rulesets/parts/steps.py`."""

from __future__ import annotations

from enum import auto

from service.rulesets.parts.steps import OwnReason, PackedEffect


class Reason(OwnReason):
    """Why an action is illegal, besides the common reasons."""

    NO_SUCH_DIE = auto()


class Effect(PackedEffect):
    """Effects of `settle`, with the names of their numbers."""

    ROUND_ENDED = ("round",)
