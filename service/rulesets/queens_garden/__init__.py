"""Azul: Queen's Garden. Design: Michael Kiesling. rules/game.py describes the rules as played here."""

from __future__ import annotations

from pathlib import Path

from service.rulesets.interface import AI, Wire
from service.rulesets.networks.network import add_preferences, add_value
from service.rulesets.networks.trained_weights import TrainableEvaluation
from service.rulesets.parts.steps import reason_codes
from service.rulesets.queens_garden.ai import (
    candidates,
    evaluation,
    levels,
    preference_features,
    value_features,
    value_tables,
)
from service.rulesets.queens_garden.picture import table, text
from service.rulesets.queens_garden.rules import aliases, chance, components, moves, scoring, steps
from service.rulesets.queens_garden.rules.state import rule
from service.rulesets.queens_garden.wire import (
    actions,
    bounds,
    catalogue,
    choice_schemas,
    choices,
    effects,
    merits,
    notation,
    schemas,
    view,
)
from service.rulesets.ruleset import Ruleset

__all__ = ["QUEENS_GARDEN", "candidates", "evaluation"]

add_preferences(rule, preference_features.PREFERENCE_FEATURES, Path(__file__).parent / "ai")
add_value(rule, value_features.VALUE_FEATURES, Path(__file__).parent / "ai")

_WAYS_TO_PAY_MORE = candidates.FEW_PAYMENTS - 1
MAX_CANDIDATES = (
    3 * 2 * components.KINDS  # acquisitions: three choices of sources for each colour and pattern
    + components.TILE_SPACES * (candidates.FEW_SPACES + _WAYS_TO_PAY_MORE)
    + components.EXPANSION_SPACES * (candidates.FEW_WAYS + _WAYS_TO_PAY_MORE)
    + candidates.FEW_AREAS
    + 1  # a pass
    + candidates.FEW_DISCARDS
)

QUEENS_GARDEN = Ruleset(
    id="queens-garden",
    version=1,
    variants=components.VARIANTS,
    seat_counts=tuple(components.STACKS),
    rules=rule,
    max_actions=moves.MAX_ACTIONS,
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
        components=catalogue.components,
        action_schemas=schemas.ACTIONS,
        draw_schemas=schemas.DRAWS,
        effect_schemas=schemas.EFFECTS,
        position_schema=schemas.QueensGardenPosition,
        choices_schema=choice_schemas.QueensGardenChoices,
        components_schema=catalogue.QueensGardenComponents,
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
    aliases=aliases.aliases,
    max_candidates=MAX_CANDIDATES,
)
