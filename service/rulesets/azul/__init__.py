"""Azul, in the edition Azul Mini. Design: Michael Kiesling. rules/game.py describes the rules as played here."""

from __future__ import annotations

from pathlib import Path

from service.rulesets.azul.ai import candidates, evaluation, levels, preference_features, value_features, value_tables
from service.rulesets.azul.picture import table, text
from service.rulesets.azul.rules import components, game, scoring, steps
from service.rulesets.azul.rules.state import rule
from service.rulesets.azul.wire import actions, bounds, choices, effects, merits, notation, schemas, view
from service.rulesets.interface import AI, Wire
from service.rulesets.networks.network import add_preferences, add_value
from service.rulesets.networks.trained_weights import TrainableEvaluation
from service.rulesets.parts.factories import FACTORIES, MAX_FACTORIES, TILES_A_FACTORY
from service.rulesets.parts.steps import reason_codes
from service.rulesets.ruleset import Ruleset

__all__ = ["AZUL", "candidates", "evaluation"]

add_preferences(rule, preference_features.PREFERENCE_FEATURES, Path(__file__).parent / "ai")
add_value(rule, value_features.VALUE_FEATURES, Path(__file__).parent / "ai")

AZUL = Ruleset(
    id="azul",
    version=1,
    variants=components.VARIANTS,
    seat_counts=tuple(FACTORIES),
    rules=rule,
    max_actions=game.ACTION_COUNT,
    action_count=game.ACTION_COUNT,
    max_drawn=TILES_A_FACTORY * MAX_FACTORIES,
    reasons=reason_codes(steps.Reason),
    breakdown=scoring.breakdown,
    wire=Wire(
        encode=actions.encode,
        decode=actions.decode,
        type_of=actions.type_of,
        name_draw=actions.name_draw,
        read_draw=actions.read_draw,
        effects_of_action=effects.effects_of_action,
        effects_of_draw=effects.effects_of_draw,
        to_json=view.to_json,
        from_json=view.from_json,
        out_of_bounds=bounds.out_of_bounds,
        merits=merits.merits,
        choices=choices.choices,
        components=components.components,
        action_schemas=schemas.ACTION_SCHEMAS,
        draw_schemas=schemas.DRAWS,
        effect_schemas=schemas.EFFECTS,
        position_schema=schemas.AzulPosition,
        choices_schema=choices.AzulChoices,
        components_schema=schemas.AzulComponents,
        notation=notation.NOTATION,
    ),
    ai=AI(
        calibrations=levels.CALIBRATIONS,
        level_configs=levels.LEVEL_CONFIGS,
        trainable=TrainableEvaluation(value_tables.initial_weights(), value_tables.tables, evaluation.evaluate),
        search_parameters=levels.SEARCH_PARAMETERS,
        preference_features=preference_features.PREFERENCE_FEATURES,
        value_features=value_features.VALUE_FEATURES,
    ),
    picture=table.picture,
    text_picture=text.draw_text,
    folder=Path(__file__).parent,
)
