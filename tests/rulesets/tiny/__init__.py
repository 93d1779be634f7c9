"""Tiny, a complete ruleset without optional parts: a template. Copy the folder to `service/rulesets`."""

from __future__ import annotations

from pathlib import Path

from service.rulesets.interface import Wire
from service.rulesets.parts.steps import reason_codes
from service.rulesets.ruleset import Ruleset

from . import wire
from .rules import game, steps

TINY = Ruleset(
    id="tiny",
    version=1,
    variants=game.VARIANTS,
    seat_counts=(2, 3, 4),
    rules=game.rule,
    max_actions=game.FACES,
    max_drawn=5,
    reasons=reason_codes(steps.Reason),
    breakdown=game.breakdown,
    wire=Wire(
        encode=wire.encode,
        decode=wire.decode,
        type_of=lambda _: "tiny.take",
        name_draw=wire.name_draw,
        read_draw=wire.read_draw,
        effects_of_action=wire.effects_of_action,
        effects_of_draw=wire.effects_of_draw,
        to_json=wire.to_json,
        from_json=wire.from_json,
        choices=wire.choices,
        components=lambda: {"ruleset": "tiny", "rounds": game.ROUNDS},
        action_schemas=wire.ACTIONS,
        draw_schemas=wire.DRAWS,
        effect_schemas=wire.EFFECTS,
        position_schema=wire.Position,
        choices_schema=wire.Choices,
        components_schema=wire.Components,
        notation=wire.NOTATION,
    ),
    folder=Path(__file__).parent,
)
