"""The parts of every ruleset: one record, a fixed set of rules over it, and a random number generator.

A game is **one NumPy record** (a structured scalar). It is copied and serialized as bytes, and the JSON view reads its
fields. Every record begins with the same HEADER, so search, store and API need not know the ruleset.

A **rule** is a plain function over that record whose name and signature are in SIGNATURES. A **helper** is a function
that rules call. Both are ordinary Python. `compiler` compiles them, one ruleset at a time. Once the machine code is in
the cache, `Rules` runs it (`machine_code`), with the same results.

An action fits 63 bits in every ruleset, also a payment of Queen's Garden. A draw is a seat, some tiles or some
expansion faces, so `drawn` is a short array of small numbers. Effects of a decision (a top that moves, expansions that
turn, elements that pay jokers) are a chain of steps, so `settle` performs one at a time.

**Chance.** xoshiro256** (Blackman and Vigna 2018, https://prng.di.unimi.it), seeded with 32 bytes read as four
little-endian 64-bit words. `random_below(n)` takes the upper 32 bits x of the next output and computes m = x * n. The
result is m >> 32. If the lower 32 bits of m are less than (2**32 - n) mod n, it takes the next output instead, so every
result is exactly equally likely (Lemire 2019, https://arxiv.org/abs/1805.10941).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from service.rulesets import code_cache
from service.rulesets.seats import MAX_SEATS

Function = TypeVar("Function", bound=Callable[..., Any])
Record = Any  # np.record; in compiled code Numba's Record: attributes are the fields
Records = npt.NDArray[Any]  # (n,) of them
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
RngState = npt.NDArray[np.uint64]  # (4,): a generator's

DECIDING, DRAWING, OVER = 0, 1, 2  # `status`: a seat decides, chance decides, the game is over

HEADER = [
    ("variant", "u1"),  # index into the ruleset's variants
    ("seats", "u1"),  # 2..4
    ("status", "u1"),  # DECIDING, DRAWING, OVER
    ("seat", "i1"),  # the seat to decide; meaningless while DRAWING or OVER
    ("score", "i2", (MAX_SEATS,)),  # points, by seat; 0 for seats not in the game
]

SIGNATURES: dict[str, str] = {
    # start(game, variant, seats, first_seat): a zeroed record becomes a game; first_seat -1 = drawn at random
    "start": "void(game, int64, int64, int64)",
    # check(game, action) -> reason: 0 = legal; else an index into the ruleset's reasons. Takes any int64.
    "check": "int64(game, int64)",
    # legal_actions(game, out) -> count: the *listed* legal actions, each once, in a fixed order. Of several actions
    # with the same effect only one is listed; the others are its aliases
    "legal_actions": "int64(game, int64[::1])",
    # check_listed(game, action) -> 0 if the action is listed, else another number. The same as `check` in a ruleset
    # without aliases
    "check_listed": "int64(game, int64)",
    # candidates(game, out) -> count: the listed actions that a player should consider, each once; at least one if
    # any is legal. All of them (`legal_actions` itself) unless there are far too many
    "candidates": "int64(game, int64[::1])",
    # ending_actions(game, out) -> count: listed actions, among them a best one for the seat in each position from which
    # the game ends without chance
    "ending_actions": "int64(game, int64[::1])",
    # random_action(game, rng) -> action: a random listed action; each has a positive probability
    "random_action": "int64(game, uint64[::1])",
    # act(game, action): perform the decision in place, unchecked and without its effects
    "act": "void(game, int64)",
    # settle(game) -> packed: perform and return the next effect, see steps.pack_effect; 0 = none is left
    "settle": "int64(game)",
    # apply(game, action): act, then settle until no effect is left; composed of them
    "apply": "void(game, int64)",
    # sample(game, rng, out) -> count: a random draw
    "sample": "int64(game, uint64[::1], int64[::1])",
    # check_draw(game, drawn) -> 0 if the draw is possible now, else 1
    "check_draw": "int64(game, int64[::1])",
    # apply_draw(game, drawn): perform the draw without its effects
    "apply_draw": "void(game, int64[::1])",
    # resolve_draw(game, drawn): apply_draw, then settle until no effect is left; composed of them
    "resolve_draw": "void(game, int64[::1])",
    # outcome(game, keys): one number for each seat that ranks the seats at the end of the game; greater is better
    "outcome": "void(game, int64[::1])",
    # estimate(game, seat) -> points: expected final score of a seat; its score once the game is over, and always in a
    # ruleset without this rule
    "estimate": "float64(game, int64)",
    # preferences(game, actions, out, features, hidden): how much a strong player prefers each of some legal actions,
    # in log-odds, by a network; 0 without one. The last two arguments are memory of network.py
    "preferences": "void(game, int64[::1], float64[::1], int64[::1], float32[::1])",
    # value(game, seat, lead, features, hidden) -> return: expected return of a seat before the end, -1..1, by a
    # network; 0 without one. `lead`: points by which the seat leads, by estimate
    "value": "float64(game, int64, float64, int64[::1], float32[::1])",
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


def _preferences(_game: Record, actions: Ints, out: Floats, _features: Ints, _hidden: npt.NDArray[np.float32]) -> None:
    for k in range(len(actions)):
        out[k] = 0.0


def _value(_game: Record, _seat: int, _lead: float, _features: Ints, _hidden: npt.NDArray[np.float32]) -> float:
    return 0.0


COMPOSED: dict[str, tuple[FunctionType, tuple[str, ...]]] = {
    "apply": (cast("FunctionType", _apply), ("act", "settle")),
    "resolve_draw": (cast("FunctionType", _resolve_draw), ("apply_draw", "settle")),
    "estimate": (cast("FunctionType", _estimate), ()),
    "preferences": (cast("FunctionType", _preferences), ()),
    "value": (cast("FunctionType", _value), ()),
}
"""Default rules: a template, and the ruleset's rules that it calls by name."""
FALLBACKS = {"check_listed": "check", "candidates": "legal_actions", "ending_actions": "legal_actions"}
"""The rule that takes the place of one that a ruleset lacks."""


def record_dtype(fields: list[Any]) -> np.dtype[Any]:
    """Return the aligned dtype of a ruleset's record: HEADER, then its own fields. Padding stays zero."""
    return np.dtype(HEADER + fields, align=True)


def new_record(dtype: np.dtype[Any], content: bytes | None = None) -> Record:
    """Return a writable record: zeroed, or with the given bytes. Raises ValueError for a wrong number of bytes."""
    buffer = bytearray(dtype.itemsize) if content is None else bytearray(content)
    if len(buffer) != dtype.itemsize:
        raise ValueError(f"expected a record of {dtype.itemsize} bytes, got {len(buffer)}")
    return np.frombuffer(buffer, dtype=_with_attributes(dtype))[0]


@functools.cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of records that have their fields as attributes."""
    return np.dtype((np.record, dtype))


def helper(function: Function) -> Function:
    """Mark a function that compiled code may call."""
    _MARKED.add(cast("FunctionType", function))
    return function


def wrapping(function: Function) -> Function:
    """Mark a helper whose unsigned numbers wrap on purpose, so that plain Python does not warn."""
    return helper(np.errstate(over="ignore")(function))


def compiled_as(path: str) -> Callable[[Function], Function]:
    """Mark a helper that compiled code replaces by the function at `module:name`."""

    def mark(function: Function) -> Function:
        COMPILED_AS[cast("FunctionType", function)] = path
        return helper(function)

    return mark


def is_marked(function: object) -> bool:
    """Return whether compiled code may call the function."""
    return isinstance(function, FunctionType) and function in _MARKED


_MARKED: set[FunctionType] = set()
COMPILED_AS: dict[FunctionType, str] = {}


@helper
def as_int(field: Any) -> int:
    """Return a record's field as int64. In plain Python, arithmetic with its int8 would wrap."""
    return np.int64(field)  # type: ignore[return-value]


class Rules:
    """The rules of one ruleset by name. An instance is the decorator of its rules: `@rule`.

    They run as plain Python until machine code of these sources exists.
    """

    def __init__(self, ruleset: str, dtype: np.dtype[Any], folder: Path | None = None) -> None:
        """Collect rules of a ruleset with this id and record. `folder` contains `rules` and `ai`, default by the id."""
        self.ruleset = ruleset
        self.dtype = dtype
        self.folder = folder or code_cache.RULESETS_FOLDER / ruleset.replace("-", "_")
        own = [part for part in (self.folder / "rules", self.folder / "ai") if part.is_dir()]
        self.library = code_cache.Library(ruleset, *code_cache.SHARED, *own)
        self._functions: dict[str, FunctionType] = {}
        self._runs_compiled = False

    def __call__(self, function: Function) -> Function:
        """Register the rule of this name. Raises KeyError if SIGNATURES lacks it."""
        assert SIGNATURES[function.__name__]  # noqa: S101 - raises KeyError
        self._functions[function.__name__] = cast("FunctionType", function)
        return helper(function)

    def function(self, name: str) -> FunctionType:
        """Return the rule in plain Python, its fallback, or a composed rule. Raises AttributeError."""
        if name not in self._functions and name in COMPOSED:
            self(self._compose(name))
        try:
            return self._functions[name if name in self._functions else FALLBACKS[name]]
        except KeyError:
            raise AttributeError(f"{self.ruleset} has no rule {name!r}") from None

    def __getattr__(self, name: str) -> Any:
        """Return the rule: compiled if possible."""
        if name not in SIGNATURES:
            raise AttributeError(name)
        return getattr(self, name) if self.are_compiled() else self.function(name)

    def are_compiled(self) -> bool:
        """Return whether the rules run as machine code. Looks for machine code if they do not."""
        if not self._runs_compiled and (code := self.library.code()) is not None:
            for name, signature in SIGNATURES.items():
                self.__dict__[name] = code.rule(self.function(name).__name__, signature)
            self._runs_compiled = True
        return self._runs_compiled

    def address(self, name: str) -> int:
        """Return the address of the machine code of a rule, which takes the address of the record."""
        code = self.library.code()
        if code is None:
            raise AttributeError(f"{self.ruleset} is not compiled yet")
        return code.address(self.function(name).__name__)

    def _compose(self, name: str) -> Callable[..., Any]:
        """Return the code of a template with the ruleset's own rules as globals."""
        template, parts = COMPOSED[name]
        return FunctionType(
            template.__code__, {**template.__globals__, **{part: self.function(part) for part in parts}}, name
        )

    def missing(self) -> set[str]:
        """Return the names of SIGNATURES for which this ruleset has no rule."""
        missing = set()
        for name in SIGNATURES:
            try:
                self.function(name)
            except AttributeError:
                missing.add(name)
        return missing


# --------------------------------------------------------------------------------------------- chance

_ROTATE_7, _ROTATE_45, _SHIFT_17 = np.uint64(7), np.uint64(45), np.uint64(17)
_FIVE, _NINE, _HALF, _LOW = np.uint64(5), np.uint64(9), np.uint64(32), np.uint64(0xFFFFFFFF)
_WORD, _ELEVEN = np.uint64(64), np.uint64(11)


def generator(seed: bytes) -> RngState:
    """Return a generator's state, (4,) uint64, from 32 bytes that are not all zero. Raises ValueError.

    The bytes should be random or a hash. If most are zero, the first numbers are not random.
    """
    if len(seed) != 32 or not any(seed):
        raise ValueError("a generator is seeded with 32 bytes that are not all zero")
    return np.frombuffer(seed, dtype="<u8").astype(np.uint64)


@wrapping
def next_word(rng: RngState) -> np.uint64:
    """Return the next 64 bits of xoshiro256**."""
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
def random_below(rng: RngState, n: int) -> int:
    """Return a random number of 0..n-1, each equally likely; 1 <= n < 2**32."""
    bound = np.uint64(n)
    product = (next_word(rng) >> _HALF) * bound
    if (product & _LOW) < bound:
        threshold = ((_LOW + np.uint64(1)) - bound) % bound
        while (product & _LOW) < threshold:
            product = (next_word(rng) >> _HALF) * bound
    return np.int64(product >> _HALF)  # type: ignore[return-value]


@helper
def uniform(rng: RngState) -> float:
    """Return a random number 0 <= x < 1, a multiple of 2**-53."""
    return (next_word(rng) >> _ELEVEN) * 2.0**-53  # type: ignore[no-any-return,operator]


@helper
def draw(rng: RngState, counts: Any, total: int) -> int:
    """Return the kind of a random piece of a bag with counts[k] pieces of kind k, `total` >= 1 in all."""
    rest = random_below(rng, total)
    kind = 0
    while rest >= counts[kind]:
        rest -= counts[kind]
        kind += 1
    return kind
