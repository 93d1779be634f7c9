"""Machine code of the environments, compiled when it is first needed (seconds, once for all sources).

The service does not use it, so `workers.warm` does not compile it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from research.envs import stepping
from research.envs.spaces import Spaces
from research.envs.stepping import ENTRIES, EnvRules, Games, Setting
from service.rulesets import machine_code
from service.rulesets.code_cache import SHARED, SHARED_BY_RULES, Library
from service.rulesets.kernel import SIGNATURES, Record
from service.rulesets.machine_code import MachineCode
from service.rulesets.networks.network import MAX_FEATURES
from workers.search import rows
from workers.warm import warm

FEATURES = "int64(game, int64[::1])"  # signature of the function that writes a position's features
ENVS_LIBRARY = Library("envs", *SHARED_BY_RULES, *(Path(str(module.__file__)) for module in (stepping, rows)))


def steps_code(games: Games, setting: Setting) -> MachineCode:
    """Return the entries of stepping.py; compile them if needed, for arguments of these types."""
    if ENVS_LIBRARY.code() is None:
        import numba
        from numba import types

        from service.rulesets.compiler import compile_entries, signature

        typeof: Any = numba.typeof
        texts = {**SIGNATURES, "listing": SIGNATURES["legal_actions"], "features": FEATURES}
        rules = [types.FunctionType(signature(texts[name], game=types.intp)) for name in EnvRules._fields]
        named_tuple: Any = types.NamedTuple
        names = {
            "EnvRules": named_tuple(rules, EnvRules),
            "Games": typeof(games),
            "Setting": typeof(setting),
        }
        compile_entries(ENVS_LIBRARY, ENTRIES, **names)
    return cast("MachineCode", ENVS_LIBRARY.code())


@functools.cache
def features_code(spaces: Spaces) -> MachineCode:
    """Return the function that writes the features of a ruleset's network, under its name in Python."""
    rules = spaces.ruleset.rules
    library = Library(f"features-{rules.ruleset}", *SHARED, rules.folder / "rules", rules.folder / "ai")
    code = machine_code.load(library.path)  # `Library.code` returns None with AZUL_PLAIN=1
    if code is None:
        import numba

        from service.rulesets.compiler import compile_all, signature

        function = cast("FunctionType", spaces.features.of_state)
        library.save(compile_all({function: signature(FEATURES, game=numba.from_dtype(rules.dtype))}))
        code = machine_code.load(library.path)
    return cast("MachineCode", code)


@functools.cache
def _features(spaces: Spaces) -> Callable[..., int]:
    return features_code(spaces).rule(spaces.features.of_state.__name__, FEATURES)


def observation(spaces: Spaces, table_state: Record) -> npt.NDArray[np.int8]:
    """Return what the seat of a record sees, (observed,) int8; see spaces.py."""
    room = np.zeros(MAX_FEATURES, np.int64)
    count = _features(spaces)(table_state, room)
    return np.bincount(room[:count], minlength=spaces.observation_size).astype(np.int8)


def rules_of(spaces: Spaces) -> EnvRules:
    """Return a ruleset's rules as Numba represents functions: the address of the C function, and two for Python only.

    Raises RuntimeError if they cannot be compiled.
    """
    rules = spaces.ruleset.rules
    if not (warm() and rules.are_compiled()):
        raise RuntimeError(f"{rules.ruleset} could not be compiled")
    names = {"listing": spaces.listing}
    addresses = [rules.address(names.get(name, name)) for name in EnvRules._fields[:-1]]
    addresses.append(features_code(spaces).address(spaces.features.of_state.__name__))
    return EnvRules(*((address, 0, 0) for address in addresses))
