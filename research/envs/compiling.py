"""How Numba compiles the environments. Nothing else in this package imports Numba; machine.py does so where it must."""

from __future__ import annotations

from types import FunctionType
from typing import cast

import numba
from numba import types

from research.envs.objects import FEATURES, features_path, steps_path
from research.envs.spaces import Spaces
from research.envs.stepping import FUNCTIONS, SIGNATURES_OF_STEPS, EnvRules, Games, Setting
from service.rulesets import compiler
from service.rulesets.kernel import SIGNATURES

_INT_ROW, _INT_TABLE = types.int64[::1], types.int64[:, ::1]
_SIGNATURES_BY_FIELD = {**SIGNATURES, "listing": SIGNATURES["legal_actions"], "features": FEATURES}
TYPES_OF_STEPS = {
    "EnvRules": types.NamedTuple(  # type: ignore[no-untyped-call]  # numba ships half its types
        [
            types.FunctionType(compiler.signature(_SIGNATURES_BY_FIELD[name], game=types.intp))
            for name in EnvRules._fields
        ],
        EnvRules,
    ),
    "Games": types.NamedTuple(  # type: ignore[no-untyped-call]
        [
            *(types.uint64[:, ::1], types.uint64[:, ::1], types.int8[:, ::1], types.boolean[:, ::1]),
            *(_INT_TABLE, _INT_ROW, _INT_ROW),
            *(types.float32[:, ::1], types.boolean[::1], _INT_TABLE),
            *(_INT_ROW, _INT_ROW, _INT_ROW, _INT_ROW),
        ],
        Games,
    ),
    "Setting": types.NamedTuple([types.int64, types.int64, types.int64], Setting),  # type: ignore[no-untyped-call]
}
"""In the order of the fields of each."""


def compile_steps() -> None:
    """Compile what steps, for all rulesets, and keep the object."""
    functions = {
        name: (cast("FunctionType", FUNCTIONS[name]), compiler.signature(text, **TYPES_OF_STEPS))
        for name, text in SIGNATURES_OF_STEPS.items()
    }
    compiler.keep(steps_path(), compiler.compile_all("envs", functions))


def compile_features(spaces: Spaces) -> None:
    """Compile what a ruleset's network sees, and keep the object."""
    rules = spaces.ruleset.rules
    signature = compiler.signature(FEATURES, game=numba.from_dtype(rules.dtype))
    functions = {"features": (cast("FunctionType", spaces.features.of_state), signature)}
    compiler.keep(features_path(rules), compiler.compile_all(f"features of {rules.ruleset}", functions))
