"""The parts of a ruleset besides its rules: `Wire` for JSON, and the optional `AI` for the levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marshmallow import Schema

from service.rulesets.ai_levels import Calibration, LevelConfig
from service.rulesets.kernel import Record
from service.rulesets.networks.network import PreferenceFeatures, ValueFeatures
from service.rulesets.networks.trained_weights import UNTRAINED, TrainableEvaluation
from service.rulesets.notation import Notation
from service.rulesets.shared_effects import Merit
from service.rulesets.wire import Json


def no_entries(_: Record) -> Mapping[Any, Any]:
    """Return an empty mapping: no aliases, or no values out of bounds."""
    return {}


def no_merits(_table_state: Record, _action: int) -> Sequence[Merit]:
    """Return an empty sequence: the merits of actions are unknown."""
    return ()


@dataclass(frozen=True, eq=False)
class Wire:
    """How a ruleset converts its numbers to JSON and back."""

    encode: Callable[[Json], int]  # named action -> int (InconsistentStateError)
    decode: Callable[[int], Json]  # int -> named action
    type_of: Callable[[int], str]  # int -> the type of its named action, without naming the rest
    name_draw: Callable[[Record, Sequence[int]], Json]
    read_draw: Callable[[Json], tuple[int, ...]]  # (InconsistentStateError)
    effects_of_action: Callable[[Record, int], list[Json]]  # applies to the record, returns the effects
    effects_of_draw: Callable[[Record, Sequence[int]], list[Json]]
    to_json: Callable[[Record], Json]
    from_json: Callable[[Json], Record]  # (InconsistentStateError)
    choices: Callable[[Record], Json]  # the legal actions of the seat to decide, as choices
    components: Callable[[], Json]
    action_schemas: Mapping[str, type[Schema]]  # by `type`
    draw_schemas: Mapping[str, type[Schema]]
    effect_schemas: Mapping[str, type[Schema]]
    position_schema: type[Schema]
    choices_schema: type[Schema]
    components_schema: type[Schema]
    notation: Notation  # named actions and draws, positions as JSON: as short texts and back
    out_of_bounds: Callable[[Record], Mapping[str, str]] = no_entries
    """Errors by JSON pointer for values from which play could exceed the limits of the schemas."""
    merits: Callable[[Record, int], Sequence[Merit]] = no_merits
    """Performs a legal action on the record and returns its merits."""


@dataclass(frozen=True, eq=False)
class AI:
    """How the levels play. Without these settings they rely on the rule `estimate`."""

    level_configs: Mapping[str, LevelConfig] = field(default_factory=dict)  # by level; see workers.search.players
    calibrations: Mapping[int, Mapping[str, Calibration]] = field(default_factory=dict)
    """By number of seats, then by level, the weakest first. Ratings between levels interpolate."""
    search_parameters: Mapping[str, float] = field(default_factory=dict)  # tuned: workers.search.parameters
    trainable: TrainableEvaluation = UNTRAINED
    preference_features: PreferenceFeatures | None = None
    value_features: ValueFeatures | None = None
