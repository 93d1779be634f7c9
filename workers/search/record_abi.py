"""Rules that take the address of a position, so a single compiled search plays every ruleset.

The types of the search's arguments are the same for all rulesets (`numba_search`). Until the search and a ruleset are
compiled, both run as plain Python, hundreds of times slower.
"""

from __future__ import annotations

import ctypes
import functools
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np

from service.rulesets.code_cache import SHARED_BY_RULES, Library
from service.rulesets.kernel import Rules, helper
from service.rulesets.machine_code import MachineCode, argument_record
from service.rulesets.ruleset import Ruleset

FOLDER = Path(__file__).parent
LIBRARY = Library("search", *SHARED_BY_RULES, FOLDER)
ENTRIES: dict[FunctionType, str] = {}
"""Functions of the search that Python calls, and the types of their arguments as named in `numba_search`."""

RulesByAddress = namedtuple(  # noqa: PYI024 - a class would say each name twice
    "RulesByAddress",
    "candidates ending_actions check_listed random_action apply sample resolve_draw outcome estimate preferences value",
)
"""A ruleset's rules, each with an address (intp) in place of the record. Fields are the kernel's names."""


def is_compiled(ruleset: Ruleset) -> bool:
    """Return whether the search plays this ruleset by machine code."""
    return LIBRARY.code() is not None and ruleset.rules.are_compiled()


def rules_by_address(ruleset: Ruleset) -> RulesByAddress:
    """Return the ruleset's rules by address: compiled if the search is compiled, too."""
    return _compiled_rules(ruleset.rules) if is_compiled(ruleset) else plain_rules(ruleset.rules)


@functools.cache
def _compiled_rules(rules: Rules) -> RulesByAddress:
    """Return Numba's representation of functions: the address of the C function, and two that only Python uses."""
    return RulesByAddress(*((rules.address(name), 0, 0) for name in RulesByAddress._fields))


@functools.cache
def plain_rules(rules: Rules) -> RulesByAddress:
    """Return the ruleset's rules by address, as plain Python."""

    def record_at(address: int) -> Any:
        memory = (ctypes.c_char * rules.dtype.itemsize).from_address(int(address))
        return np.frombuffer(memoryview(memory), rules.dtype).view(np.recarray)[0]

    def at_address(name: str) -> Callable[..., Any]:
        return lambda address, *arguments: rules.function(name)(record_at(address), *arguments)

    return RulesByAddress(*map(at_address, RulesByAddress._fields))


def entry(arguments: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate an entry. It calls the machine code if the rules, the first argument, are addresses."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        ENTRIES[cast("FunctionType", helper(function))] = arguments
        compiled = functools.cache(lambda: cast("MachineCode", LIBRARY.code()).entry(function.__name__))

        @functools.wraps(function)
        def call(rules: RulesByAddress, *others: Any) -> Any:
            if callable(rules[0]):
                return function(rules, *others)
            return compiled()(argument_record(rules, *others))

        return call

    return decorate
