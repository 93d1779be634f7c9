"""Machine code of the environments: looked for, and compiled here where there is none (seconds, once for all sources).

It is no concern of the service, so `workers.warm` leaves it alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import cast

import numpy as np
import numpy.typing as npt

from research.envs import stepping
from research.envs.spaces import Spaces
from research.envs.stepping import ENTRIES, EnvRules, Games, Setting
from service.rulesets import machine_code
from service.rulesets.code_cache import SHARED, SHARED_BY_RULES, Library
from service.rulesets.kernel import SIGNATURES, Record
from service.rulesets.networks.network import MAX_FEATURES
from workers.search import rows
from workers.warm import warm

FEATURES = "int64(game, int64[::1])"  # signature of what writes the numbers of a position's features
ENVS_LIBRARY = Library("envs", *SHARED_BY_RULES, *(Path(str(module.__file__)) for module in (stepping, rows)))


@functools.cache
def steps_code() -> machine_code.MachineCode:
    """The entries of stepping.py."""
    if not ENVS_LIBRARY.path.exists():
        from numba import types

        from service.rulesets.compiler import compile_entries, signature

        texts = {**SIGNATURES, "listing": SIGNATURES["legal_actions"], "features": FEATURES}
        rules = [types.FunctionType(signature(texts[name], game=types.intp)) for name in EnvRules._fields]
        games = signature(f"[{', '.join(stepping.GAMES)}]")
        named = zip((EnvRules, Games, Setting), (rules, games, [types.int64] * len(Setting._fields)), strict=True)
        names = {kind.__name__: types.NamedTuple(members, kind) for kind, members in named}  # type: ignore[no-untyped-call]
        compile_entries(ENVS_LIBRARY, ENTRIES, **names)
    return _loaded(ENVS_LIBRARY.path)


@functools.cache
def features_code(spaces: Spaces) -> machine_code.MachineCode:
    """What a ruleset's network sees, as a function of the name that it has in Python."""
    rules = spaces.ruleset.rules
    library = Library(f"features-{rules.ruleset}", *SHARED, rules.folder / "rules", rules.folder / "ai")
    if not library.path.exists():
        import numba

        from service.rulesets.compiler import compile_all, signature

        function = cast("FunctionType", spaces.features.of_state)
        library.keep(compile_all({function: signature(FEATURES, game=numba.from_dtype(rules.dtype))}))
    return _loaded(library.path)


@functools.cache
def _features(spaces: Spaces) -> Callable[..., int]:
    return features_code(spaces).rule(spaces.features.of_state.__name__, FEATURES)


def observation(spaces: Spaces, table_state: Record) -> npt.NDArray[np.int8]:
    """What the seat of a record sees, (observed,); see spaces.py."""
    room = np.zeros(MAX_FEATURES, np.int64)
    count = _features(spaces)(table_state, room)
    return np.bincount(room[:count], minlength=spaces.observed).astype(np.int8)


def rules_of(spaces: Spaces) -> EnvRules:
    """A ruleset's rules as the steps take them: the address of each by the C convention, and two that Python has.

    RuntimeError: they could not be compiled.
    """
    rules = spaces.ruleset.rules
    if not (warm() and rules.are_compiled()):
        raise RuntimeError(f"{rules.ruleset} could not be compiled")
    names = {"listing": spaces.listing}
    addresses = [rules.address(names.get(name, name)) for name in EnvRules._fields[:-1]]
    addresses.append(features_code(spaces).address(spaces.features.of_state.__name__))
    return EnvRules(*((address, 0, 0) for address in addresses))


def _loaded(path: Path) -> machine_code.MachineCode:
    code = machine_code.load(path)
    assert code is not None  # noqa: S101 - it was there, or has been made
    return code
