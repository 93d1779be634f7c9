"""How the search plays by any ruleset's rules without knowing one.

A position is a row of 64-bit words; a rule is a function that gets the row's address. Only the HEADER, common to all
records, is ever looked into. So the types of the search's arguments are the same for every ruleset, and it is compiled
once, as `workers.search.compiling` says. Where the search or a ruleset is not compiled yet, both run as plain Python:
rightly, and hundreds of times slower.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from service.rulesets import code_cache, machine_code
from service.rulesets.kernel import Rules, compiled_as, helper, record_dtype
from service.rulesets.ruleset import Position, Ruleset

Words = npt.NDArray[np.uint64]
FOLDER = Path(__file__).parent

# rows of the memory that search works in: where it begins, where it is, what it only looks at; and a line of play
ROOT_ROW, CURRENT_ROW, TRIAL_ROW, FIRST_STACK_ROW = range(4)
STACK_ROWS = 32  # rows of that line

_HEADER = record_dtype([])


class RulesByAddress(NamedTuple):
    """A ruleset's rules, each taking an address (intp) where it took a record. Fields are the kernel's names."""

    candidates: Any
    ending_actions: Any
    check_listed: Any
    random_action: Any
    apply: Any
    sample: Any
    resolve_draw: Any
    outcome: Any
    estimate: Any
    preferences: Any
    value: Any


def rules_by_address(ruleset: Ruleset) -> RulesByAddress:
    """The ruleset's rules as the search takes them: compiled, where the search is compiled too."""
    if search_code() is None or not ruleset.rules.are_compiled():
        return plain_rules(ruleset.rules)
    return _compiled(ruleset.rules)


def is_compiled(ruleset: Ruleset) -> bool:
    """Whether the search plays this ruleset by machine code."""
    return search_code() is not None and ruleset.rules.are_compiled()


@functools.cache
def _compiled(rules: Rules) -> RulesByAddress:
    """Each as Numba hands over a function: its address by the C convention, and two that Python would have."""
    return RulesByAddress(*((rules.address(name), 0, 0) for name in RulesByAddress._fields))


@functools.cache
def plain_rules(rules: Rules) -> RulesByAddress:
    """The same as plain Python."""
    return RulesByAddress(*(functools.partial(_call, rules, name) for name in RulesByAddress._fields))


def _call(rules: Rules, name: str, address: int, *arguments: Any) -> Any:
    return rules.function(name)(_record_at(address, rules.dtype), *arguments)


def _record_at(address: int, dtype: np.dtype[Any]) -> Any:
    memory = (ctypes.c_char * dtype.itemsize).from_address(int(address))
    return np.frombuffer(memoryview(memory), dtype).view(np.recarray)[0]


def tables(ruleset: Ruleset) -> Words:
    """Zeroed memory for positions of the ruleset: (rows, words of a record)."""
    return np.zeros((FIRST_STACK_ROW + STACK_ROWS, -(-ruleset.rules.dtype.itemsize // 8)), np.uint64)


def set_root(rows: Words, position: Position) -> None:
    """Lay a position into row ROOT."""
    content = np.frombuffer(position.to_bytes(), np.uint8)
    rows[ROOT_ROW].view(np.uint8)[: len(content)] = content


class Entry:
    """A function of the search that Python calls: compiled, if the rules are handed over as addresses."""

    def __init__(self, function: FunctionType, signature: str) -> None:
        self.function, self.signature = function, signature

    def __call__(self, rules: RulesByAddress, *arguments: Any) -> Any:
        """What the function returns."""
        if callable(rules[0]):
            return self.function(rules, *arguments)
        return self._compiled(rules, *arguments)

    @functools.cached_property
    def _compiled(self) -> Callable[..., Any]:
        code = search_code()
        assert code is not None  # noqa: S101 - else there were no addresses
        return code.entry(self.function.__name__, self.signature.partition("(")[0])


ENTRIES: dict[str, Entry] = {}


def entry(signature: str) -> Callable[[Callable[..., Any]], Entry]:
    """Make an entry of a function; the types' names stand in `workers.search.compiling`."""

    def decorate(function: Callable[..., Any]) -> Entry:
        made = ENTRIES[function.__name__] = Entry(cast("FunctionType", function), signature)
        return made

    return decorate


_code: machine_code.MachineCode | None = None
_looks = code_cache.Looks()


@functools.cache
def object_path() -> Path:
    """Where its machine code is kept."""
    return code_cache.object_path("search", *code_cache.SHARED_BY_RULES, FOLDER)


def search_code() -> machine_code.MachineCode | None:
    """The search as machine code; None while there is none."""
    global _code  # noqa: PLW0603 - of the process
    if _code is None and _looks.are_due():
        _code = machine_code.load(object_path())
    return _code


@compiled_as("workers.search.compiling:header")
def header(address: int) -> Any:
    """The HEADER at an address."""
    return _record_at(address, _HEADER)


@helper
def address(rows: Words, row: int) -> int:
    """Where a row stands in memory."""
    return np.intp(rows.ctypes.data) + np.intp(row) * np.intp(rows.strides[0])  # type: ignore[return-value]


@helper
def copy(rows: Words, to: int, origin: int) -> None:
    """Lay row `origin` over row `to`."""
    for word in range(rows.shape[1]):
        rows[to, word] = rows[origin, word]


@helper
def status(rows: Words, row: int) -> int:
    """DECIDING, DRAWING or OVER."""
    return header(address(rows, row)).status  # type: ignore[no-any-return]


@helper
def seat_to_decide(rows: Words, row: int) -> int:
    """The seat, while DECIDING."""
    return np.int64(header(address(rows, row)).seat)  # type: ignore[return-value]


@helper
def seats_of(rows: Words, row: int) -> int:
    """Number of seats."""
    return np.int64(header(address(rows, row)).seats)  # type: ignore[return-value]
