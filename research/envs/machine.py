"""Machine code of the environments: looked for, and compiled here where there is none (seconds, once for all sources).

It is no concern of the service, so `workers.warm` leaves it alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from research.envs.objects import FEATURES, features_path, steps_path
from research.envs.spaces import Spaces
from research.envs.stepping import EnvRules
from service.rulesets import machine_code
from service.rulesets.kernel import Record
from service.rulesets.networks.network import MOST_FEATURES
from workers.warm import warm


@functools.cache
def steps_code() -> machine_code.MachineCode:
    """The functions of stepping.py."""
    if not steps_path().exists():
        from research.envs.compiling import compile_steps

        compile_steps()
    return _loaded(steps_path())


@functools.cache
def features_code(spaces: Spaces) -> machine_code.MachineCode:
    """What a ruleset's network sees, as `features`."""
    path = features_path(spaces.ruleset.rules)
    if not path.exists():
        from research.envs.compiling import compile_features

        compile_features(spaces)
    return _loaded(path)


@functools.cache
def _features(spaces: Spaces) -> Callable[..., int]:
    return features_code(spaces).callable("features", FEATURES)


def observation(spaces: Spaces, table_state: Record) -> npt.NDArray[np.int8]:
    """What the seat of a record sees, (observed,); see spaces.py."""
    room = np.zeros(MOST_FEATURES, np.int64)
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
    return EnvRules(*((address, 0, 0) for address in (*addresses, features_code(spaces).c_address("features"))))


def _loaded(path: Path) -> machine_code.MachineCode:
    code = machine_code.load(path)
    assert code is not None  # noqa: S101 - it was there, or has been made
    return code
