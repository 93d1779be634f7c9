"""Azul: Summer Pavilion. Design: Michael Kiesling. rules/game.py describes the rules as played here."""

from __future__ import annotations

from pathlib import Path

from service.rulesets.interface import AI, Wire
from service.rulesets.networks.network import add_preferences, add_value
from service.rulesets.networks.trained_weights import TrainableEvaluation
from service.rulesets.parts.factories import FACTORIES
from service.rulesets.parts.steps import reason_codes
from service.rulesets.ruleset import Ruleset
from service.rulesets.summer_pavilion.ai import evaluation, levels, preference_features, value_features, value_tables
from service.rulesets.summer_pavilion.picture import table, text
from service.rulesets.summer_pavilion.rules import chance, components, game, scoring, steps
from service.rulesets.summer_pavilion.rules.state import rule
from service.rulesets.summer_pavilion.wire import (
    actions,
    bounds,
    catalogue,
    choices,
    effects,
    merits,
    notation,
    schemas,
    view,
)

__all__ = ["SUMMER_PAVILION", "evaluation"]

add_preferences(rule, preference_features.PREFERENCE_FEATURES, Path(__file__).parent / "ai")
add_value(rule, value_features.VALUE_FEATURES, Path(__file__).parent / "ai")

SUMMER_PAVILION = Ruleset(
    id="summer-pavilion",
    version=1,
    variants=components.VARIANTS,
    seat_counts=tuple(FACTORIES),
    rules=rule,
    max_actions=game.ACTION_COUNT,
    action_count=game.ACTION_COUNT,
    max_drawn=chance.MAX_DRAWN,
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
        position_schema=schemas.SummerPavilionPosition,
        choices_schema=choices.SummerPavilionChoices,
        components_schema=catalogue.SummerPavilionComponents,
        notation=notation.NOTATION,
    ),
    ai=AI(
        calibrations=levels.CALIBRATIONS,
        level_configs=levels.LEVEL_CONFIGS,
        trainable=TrainableEvaluation(value_tables.initial_weights(), value_tables.tables, evaluation.evaluate),
        preference_features=preference_features.PREFERENCE_FEATURES,
        value_features=value_features.VALUE_FEATURES,
        search_parameters=levels.SEARCH_PARAMETERS,
    ),
    picture=table.picture,
    text_picture=text.draw_text,
    folder=Path(__file__).parent,
)
