"""What every ruleset is made of: one record, a fixed set of rules over it, and a generator for chance.

A game in play is **one NumPy record** (a structured scalar): the memory layout, the copy, the serialisation and
what the JSON view walks. Every record begins with the same HEADER, so that search, store and API can ask the
questions common to all games without knowing which game it is.

A **rule** is a plain function over that record whose name and signature stand in SIGNATURES. `Rules` compiles it
with exactly that signature (so that it is cached, and can be passed to other compiled code); a **helper** is
compiled into the rules that call it. With NUMBA_DISABLE_JIT=1 the same functions run as ordinary Python.

The signatures were fixed after trying each on paper against Queen's Garden: an action there (a payment, choices
among identical pieces, a discard) fits 63 bits; one draw is at most a seat, some tiles or some expansion faces,
so `drawn` is a short array of small numbers; what follows a decision by itself (a top that moves, expansions that
turn, elements that pay jokers) is a chain of steps, so `settle` tells one at a time and can be listed as effects.

**Chance.** xoshiro256** (Blackman and Vigna 2018, https://prng.di.unimi.it), seeded with 32 bytes read as four
little-endian 64-bit words. `below(n)` takes the upper 32 bits x of the next output; with m = x * n, the result is
m >> 32, unless the lower 32 bits of m are less than (2**32 - n) mod n, when the next output is taken instead
(Lemire 2019, https://arxiv.org/abs/1805.10941): every result is exactly equally likely.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import njit, types

from service.rulesets import compiled
from service.rulesets.seats import MOST_SEATS

compiled.keep(*compiled.compiled_sources())

UNCOMPILED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]

Function = TypeVar("Function", bound=Callable[..., Any])
Record = Any  # np.record uncompiled, numba's Record compiled: attributes are the fields
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
RngState = npt.NDArray[np.uint64]  # (4,): a generator's

DECIDING, DRAWING, OVER = 0, 1, 2  # `status`: a seat decides, chance decides, nobody decides any more

HEADER = [
    ("variant", "u1"),  # index into the ruleset's variants
    ("seats", "u1"),  # 2..4
    ("status", "u1"),  # DECIDING, DRAWING, OVER
    ("seat", "i1"),  # the seat to decide; meaningless while DRAWING or OVER
    ("score", "i2", (MOST_SEATS,)),  # points, by seat; 0 for seats not in the game
]

SIGNATURES: dict[str, Callable[[types.Type], Any]] = {
    # start(game, variant, seats, first_seat): a zeroed record becomes a game; first_seat -1 = drawn at random
    "start": lambda game: types.void(game, types.int64, types.int64, types.int64),
    # check(game, action) -> reason: 0 = legal; else an index into the ruleset's reasons. Any int64 is answered.
    "check": lambda game: types.int64(game, types.int64),
    # legal_actions(game, out) -> count: the legal actions, each once, in a fixed order. They are *listed*; of several
    # that do exactly the same only one is, and the others are its aliases
    "legal_actions": lambda game: types.int64(game, types.int64[::1]),
    # check_listed(game, action) -> 0 if the action is listed, else another number. `check` itself where nothing has an
    # alias
    "check_listed": lambda game: types.int64(game, types.int64),
    # candidates(game, out) -> count: the listed actions that a player should think about, each once; at least one if
    # any is legal. All of them (`legal_actions` itself), unless there are far too many
    "candidates": lambda game: types.int64(game, types.int64[::1]),
    # random_action(game, rng) -> action: any listed action can come
    "random_action": lambda game: types.int64(game, types.uint64[::1]),
    # act(game, action): the decision alone, unchecked, in place, without what follows by itself
    "act": lambda game: types.void(game, types.int64),
    # settle(game) -> packed: the next thing that follows by itself, see steps.pack_effect; 0 = nothing
    "settle": types.int64,
    # apply(game, action): act, then settle until nothing follows; composed of them
    "apply": lambda game: types.void(game, types.int64),
    # sample(game, rng, out) -> count: what chance brings next, as it would be drawn
    "sample": lambda game: types.int64(game, types.uint64[::1], types.int64[::1]),
    # check_draw(game, drawn) -> 0 if chance could bring this now, else 1
    "check_draw": lambda game: types.int64(game, types.int64[::1]),
    # apply_draw(game, drawn): the draw alone, without what follows by itself
    "apply_draw": lambda game: types.void(game, types.int64[::1]),
    # resolve_draw(game, drawn): apply_draw, then settle until nothing follows; composed of them
    "resolve_draw": lambda game: types.void(game, types.int64[::1]),
    # outcome(game, keys): a number a seat by which seats are ranked when the game is over, greater is better
    "outcome": lambda game: types.void(game, types.int64[::1]),
    # estimate(game, seat) -> points: what a seat may expect to have at the end; the score once the game is over, and
    # all the time in a ruleset without this rule
    "estimate": lambda game: types.float64(game, types.int64),
}


def _apply(game: Record, action: int) -> None:
    act(game, action)  # type: ignore[name-defined]  # noqa: F821 - of the ruleset that this is composed for
    while settle(game):  # type: ignore[name-defined]  # noqa: F821
        pass


def _resolve_draw(game: Record, drawn: Ints) -> None:
    apply_draw(game, drawn)  # type: ignore[name-defined]  # noqa: F821 - of the ruleset that this is composed for
    while settle(game):  # type: ignore[name-defined]  # noqa: F821
        pass


def _estimate(game: Record, seat: int) -> float:
    return float(game.score[seat])


COMPOSED: dict[str, tuple[FunctionType, tuple[str, ...]]] = {
    "apply": (cast("FunctionType", _apply), ("act", "settle")),
    "resolve_draw": (cast("FunctionType", _resolve_draw), ("apply_draw", "settle")),
    "estimate": (cast("FunctionType", _estimate), ()),
}
"""Rules that a ruleset need not write: a template, and the rules of the ruleset that it calls by name."""
STANDS_FOR = {"check_listed": "check", "candidates": "legal_actions"}
"""Where a ruleset lacks a rule: the one that does the same there."""


def record_dtype(fields: list[Any]) -> np.dtype[Any]:
    """The aligned dtype of a ruleset's record: HEADER, then its own fields. Padding stays zero."""
    return np.dtype(HEADER + fields, align=True)


def new_record(dtype: np.dtype[Any], content: bytes | None = None) -> Record:
    """A writable record: zeroed, or with the given bytes (ValueError if their number is wrong)."""
    buffer = bytearray(dtype.itemsize) if content is None else bytearray(content)
    if len(buffer) != dtype.itemsize:
        raise ValueError(f"a record of {dtype.itemsize} bytes, got {len(buffer)}")
    return np.frombuffer(buffer, dtype=dtype).view(np.recarray)[0]


def helper(function: Function) -> Function:
    """A function compiled into the rules that call it."""
    return cast("Function", njit(cache=True, nogil=True)(function))


class Rules:
    """The rules of one ruleset, compiled, by name. An instance is the decorator: `@rule` above each of them."""

    def __init__(self, ruleset: str, dtype: np.dtype[Any]) -> None:
        """`ruleset` names it in the line of progress; `dtype` is its record's."""
        self.ruleset = ruleset
        self.dtype = dtype
        self.record_type = numba.from_dtype(dtype)
        self._compiled: dict[str, Any] = {}

    def __call__(self, function: Function) -> Function:
        """Compile `function` by the signature that its name has in SIGNATURES (KeyError: no such rule)."""
        name = function.__name__
        signature = SIGNATURES[name](self.record_type)
        began = time.monotonic()
        rule = njit(signature, cache=True, nogil=True)(function)
        if not UNCOMPILED and rule.stats.cache_misses:
            compiled.PROGRESS.report(f"the rules of {self.ruleset}", name, time.monotonic() - began)
        self._compiled[name] = rule
        return cast("Function", rule)

    def __getattr__(self, name: str) -> Any:
        """The compiled rule of that name, the one that stands for it, or one composed of others."""
        compiled_rules = self.__dict__["_compiled"]
        if name not in compiled_rules and name in COMPOSED:
            self(self._composed(name))
        try:
            return compiled_rules[name if name in compiled_rules else STANDS_FOR[name]]
        except KeyError:
            raise AttributeError(f"{self.ruleset} has no rule {name!r}") from None

    def _composed(self, name: str) -> Callable[..., Any]:
        """A rule made of the ruleset's own: a template's code with these rules as its globals.

        Numba keeps compiled code by module and qualified name, so the name says whose rule it is, and of which sources
        those rules are. A closure over compiled functions would do the same, but Numba never finds one in its cache.
        """
        template, parts = COMPOSED[name]
        rules = {part: getattr(self, part) for part in parts}
        files = {Path(getattr(rule, "py_func", rule).__code__.co_filename) for rule in rules.values()}
        made = FunctionType(template.__code__, {**template.__globals__, **rules}, name)
        made.__qualname__ = f"{name} of {self.ruleset} {compiled.sources_hash(*files)[:16]}"
        made.__module__ = __name__
        return made

    def missing(self) -> set[str]:
        """Names of SIGNATURES for which this ruleset has no rule."""
        return {name for name in SIGNATURES if not hasattr(self, name)}

    def by_address(self, name: str) -> Any:
        """The rule with its record passed as an address: so that search is compiled once for all rulesets."""
        return _ByAddress(getattr(self, name), SIGNATURES[name](self.record_type), SIGNATURES_BY_ADDRESS[name])


SIGNATURES_BY_ADDRESS = {name: signature(types.intp) for name, signature in SIGNATURES.items()}


class _ByAddress(types.WrapperAddressProtocol):  # type: ignore[misc]  # numba ships no types
    """A compiled rule as a C function whose first argument is the record's address.

    In compiled code a record *is* a pointer, so the machine code is the rule's own; only the type differs.
    """

    def __init__(self, rule: Any, typed: Any, by_address: Any) -> None:
        result = rule.get_compile_result(typed)
        self._library = result.library  # keeps the machine code alive
        self._address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        self._signature = by_address

    def __wrapper_address__(self) -> int:
        return cast("int", self._address)

    def signature(self) -> Any:
        """The signature that callers see."""
        return self._signature


# --------------------------------------------------------------------------------------------- chance

_ROTATE_7, _ROTATE_45, _SHIFT_17 = np.uint64(7), np.uint64(45), np.uint64(17)
_FIVE, _NINE, _HALF, _LOW = np.uint64(5), np.uint64(9), np.uint64(32), np.uint64(0xFFFFFFFF)
_WORD, _ELEVEN = np.uint64(64), np.uint64(11)

if UNCOMPILED:
    np.seterr(over="ignore")  # 64-bit words are meant to wrap; compiled code never warns


def generator(seed: bytes) -> RngState:
    """A generator's state, (4,) uint64, from 32 bytes (ValueError otherwise, or if all are zero)."""
    if len(seed) != 32 or not any(seed):
        raise ValueError("a generator is seeded with 32 bytes that are not all zero")
    return np.frombuffer(seed, dtype="<u8").astype(np.uint64)


@helper
def next_word(rng: RngState) -> np.uint64:
    """The next 64 bits of xoshiro256**."""
    x = rng[1] * _FIVE
    result = ((x << _ROTATE_7) | (x >> (_WORD - _ROTATE_7))) * _NINE
    shifted = rng[1] << _SHIFT_17
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = (rng[3] << _ROTATE_45) | (rng[3] >> (_WORD - _ROTATE_45))
    return result  # type: ignore[no-any-return]  # uint64 arithmetic


@helper
def below(rng: RngState, n: int) -> int:
    """A number of 0..n-1, each equally likely; 1 <= n < 2**32."""
    bound = np.uint64(n)
    product = (next_word(rng) >> _HALF) * bound
    if (product & _LOW) < bound:
        threshold = ((_LOW + np.uint64(1)) - bound) % bound
        while (product & _LOW) < threshold:
            product = (next_word(rng) >> _HALF) * bound
    return np.int64(product >> _HALF)  # type: ignore[return-value]


@helper
def uniform(rng: RngState) -> float:
    """A number of 0 <= x < 1, in steps of 2**-53."""
    return (next_word(rng) >> _ELEVEN) * 2.0**-53  # type: ignore[no-any-return,operator]


@helper
def draw(rng: RngState, counts: Any, total: int) -> int:
    """One piece out of a bag that holds counts[k] of kind k, `total` >= 1 in all: its kind. Nothing is removed."""
    rest = below(rng, total)
    kind = 0
    while rest >= counts[kind]:
        rest -= counts[kind]
        kind += 1
    return kind
