"""Azul, as in Azul Mini. Design: Michael Kiesling. The rules as played here stand in rules.py and scoring.py."""

from __future__ import annotations

from pathlib import Path

from service.rulesets.azul import (
    actions,
    bounds,
    choices,
    components,
    effects,
    evaluation,
    picture,
    prospects,
    rules,
    schemas,
    scoring,
    steps,
    strength,
    view,
)
from service.rulesets.azul.state import rule
from service.rulesets.learned import Learnable
from service.rulesets.ruleset import Ruleset
from service.rulesets.texts import Texts

__all__ = ["AZUL", "evaluation"]

FOLDER = Path(__file__).parent

AZUL = Ruleset(
    id="azul",
    version=1,
    variants=components.VARIANTS,
    seat_counts=tuple(components.FACTORIES),
    rules=rule,
    most_actions=rules.ACTIONS,
    most_drawn=components.TILES_A_FACTORY * components.MOST_FACTORIES,
    reasons=steps.REASONS,
    encode=actions.encode,
    decode=actions.decode,
    type_of=actions.type_of,
    name_draw=actions.name_draw,
    read_draw=actions.read_draw,
    tell_action=effects.tell_action,
    tell_draw=effects.tell_draw,
    to_json=view.to_json,
    from_json=view.from_json,
    out_of_bounds=bounds.out_of_bounds,
    choices=choices.choices,
    breakdown=scoring.breakdown,
    components=components.components,
    action_schemas=schemas.ACTIONS,
    draw_schemas=schemas.DRAWS,
    effect_schemas=schemas.EFFECTS,
    position_schema=schemas.AzulPosition,
    choices_schema=choices.AzulChoices,
    components_schema=schemas.AzulComponents,
    picture=picture.picture,
    texts=Texts(FOLDER / "texts"),
    win_steepness=strength.WIN_STEEPNESS,
    plays=strength.PLAYS,
    learnable=Learnable(prospects.untaught(), prospects.tables, evaluation.judge),
    search_style=strength.SEARCH_STYLE,
    folder=FOLDER,
)
