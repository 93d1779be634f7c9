"""Machine code of the environments and their rules, compiled when it is first needed (seconds, once for all sources).

The service does not use that of the environments, so `workers.warm` does not compile it.
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
from research.envs.spaces import MAX_SEEN, Spaces
from research.envs.stepping import ENTRIES, EnvRules, Games, Setting
from service.rulesets.code_cache import SHARED, SHARED_BY_RULES, Library
from service.rulesets.kernel import SIGNATURES, Ints, Record, Rules, helper
from service.rulesets.machine_code import MachineCode
from workers.search import rows

FEATURES = "int64(game, int64[::1])"  # signature of the function that writes a position's features
SEEN = "list_seen"  # name of that function
ENVS_LIBRARY = Library("envs", *SHARED_BY_RULES, *(Path(str(module.__file__)) for module in (stepping, rows)))


def import_compiler() -> Any:
    """Return the module that compiles. Raises RuntimeError without Numba."""
    try:
        from service.rulesets import compiler
    except ModuleNotFoundError as error:
        raise RuntimeError("the rules are not compiled yet: install Numba, which compiles them") from error
    return compiler


def compile_rules(rules: Rules) -> None:
    """Compile the rules of a ruleset unless they are compiled. Raises RuntimeError if they cannot be compiled."""
    if not rules.are_compiled() and rules.library.load() is None:
        import_compiler().compile_ruleset(rules)
    if not rules.are_compiled():  # AZUL_PLAIN is set
        raise RuntimeError(f"{rules.ruleset} could not be compiled")


def steps_code(games: Games, setting: Setting) -> MachineCode:
    """Return the entries of stepping.py; compile them if needed, for arguments of these types."""
    if ENVS_LIBRARY.code() is None:
        compile_entries, signature = import_compiler().compile_entries, import_compiler().signature
        import numba
        from numba import types

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


@helper
def _list_seen(game: Record, out: Ints) -> int:
    """Write the features of a position, and one number more for each piece in the two piles. Return their count."""
    count: int = of_state(game, out)  # type: ignore[name-defined]  # noqa: F821 - see seen_by
    number = FEATURES_OF_STATE  # type: ignore[name-defined]  # noqa: F821
    for pile in (game[BAG], game[RESERVE]):  # type: ignore[name-defined]  # noqa: F821
        for kind in range(len(pile)):
            for _ in range(pile[kind]):
                out[count] = number
                count += 1
            number += 1
    return count


@functools.cache
def seen_by(spaces: Spaces) -> FunctionType:
    """Return the function that writes what an observation of the ruleset counts, in plain Python."""
    bag, reserve = spaces.piles
    names = {"FEATURES_OF_STATE": spaces.features.counts[0], "BAG": bag, "RESERVE": reserve}
    return FunctionType(_list_seen.__code__, {"of_state": spaces.features.of_state, **names}, SEEN)


def features_library(spaces: Spaces) -> Library:
    """Return the library of the function SEEN of a ruleset."""
    rules = spaces.ruleset.rules
    return Library(f"seen-{rules.ruleset}", *SHARED, rules.folder / "rules", rules.folder / "ai", Path(__file__))


@functools.cache
def features_code(spaces: Spaces) -> MachineCode:
    """Return the machine code of that function, also with AZUL_PLAIN=1. Raises RuntimeError without Numba."""
    library = features_library(spaces)
    code = library.load()
    if code is None:
        compile_all, signature = import_compiler().compile_all, import_compiler().signature
        import numba

        record = numba.from_dtype(spaces.ruleset.rules.dtype)
        library.save(compile_all({seen_by(spaces): signature(FEATURES, game=record)}))
        code = library.load()
    return cast("MachineCode", code)


@functools.cache
def _features(spaces: Spaces) -> Callable[..., int]:
    return features_code(spaces).rule(SEEN, FEATURES)


def observation(spaces: Spaces, table_state: Record) -> npt.NDArray[np.int8]:
    """Return what the seat of a record sees, (observed,) int8; see spaces.py."""
    room = np.zeros(MAX_SEEN, np.int64)
    count = _features(spaces)(table_state, room)
    return np.bincount(room[:count], minlength=spaces.observation_size).astype(np.int8)


def rules_of(spaces: Spaces) -> EnvRules:
    """Return a ruleset's rules as Numba represents functions: the address of the C function, and two for Python only.

    Raises RuntimeError if they cannot be compiled.
    """
    rules = spaces.ruleset.rules
    compile_rules(rules)
    names = {"listing": spaces.listing}
    addresses = [rules.address(names.get(name, name)) for name in EnvRules._fields[:-1]]
    addresses.append(features_code(spaces).address(SEEN))
    return EnvRules(*((address, 0, 0) for address in addresses))
