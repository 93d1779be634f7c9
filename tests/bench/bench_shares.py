"""What a simulation spends its time on: `python -m tests.bench.bench_shares` tells shares of rules, evaluation, tree.

Each rule is replaced by one that does its work twice and leaves the same, so the search goes the same way; what that
takes longer is the rule's share. Rules are `apply`, `random_action`, `candidates` and `check_listed`; chance acts too
seldom to count. The baseline is the search as it is; where a rule's second time needs a copy, copying alone is taken
off.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np
from numba import types

from service.rulesets.compiler import signature
from service.rulesets.kernel import SIGNATURES
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from tests.bench.bench_search import SEED, SIMULATIONS, seconds
from tests.workers.positions import CASES, walk
from workers.search.players import read
from workers.search.record_abi import RulesByAddress, rules_by_address
from workers.search.tree import SearchTree
from workers.warm import warm

_memcpy = ctypes.CDLL(None).memcpy
_memcpy.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t]
_memcpy.restype = ctypes.c_size_t
_spare = np.zeros(1 << 16, np.uint8)


def _pure(once: Any, _spare_at: int, _size: int, more: int) -> Any:
    """A rule that leaves the same however often it is asked."""

    def again(address, other):  # type: ignore[no-untyped-def]  # noqa: ANN001
        for _ in range(more):
            once(address, other)
        return once(address, other)

    return again


def _apply(once: Any, spare_at: int, size: int, more: int) -> Any:
    def again(address, action):  # type: ignore[no-untyped-def]  # noqa: ANN001
        _memcpy(spare_at, address, size)
        for _ in range(more):
            once(spare_at, action)
        once(address, action)

    return again


def _random_action(once: Any, _spare_at: int, _size: int, more: int) -> Any:
    def again(address, rng):  # type: ignore[no-untyped-def]  # noqa: ANN001
        a, b, c, d = rng[0], rng[1], rng[2], rng[3]
        for _ in range(more):
            once(address, rng)
        rng[0], rng[1], rng[2], rng[3] = a, b, c, d
        return once(address, rng)

    return again


DOUBLED = {
    "estimate": _pure,
    "apply": _apply,
    "random_action": _random_action,
    "candidates": _pure,
    "check_listed": _pure,
}


def doubled(ruleset: Ruleset, name: str, more: int) -> RulesByAddress:
    """The rules, one of which does its work once, and so many times more on a copy."""
    rules = rules_by_address(ruleset)
    typed = signature(SIGNATURES[name], game=types.intp)
    once = _AtAddress(getattr(rules, name)[0], typed)
    function = DOUBLED[name](once, _spare.ctypes.data, ruleset.rules.dtype.itemsize, more)
    made = numba.cfunc(typed, nogil=True)(function)
    _kept.append(made)
    return rules._replace(**{name: (made.address, 0, 0)})


_kept: list[Any] = []


class _AtAddress(types.WrapperAddressProtocol):
    """A function by the C convention, for compiled code."""

    def __init__(self, address: int, typed: Any) -> None:
        self._address, self._typed = address, typed

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        return self._typed


def time_of(position: Position, rules: RulesByAddress) -> float:
    """Seconds for SIMULATIONS from a position with these rules."""

    def run() -> None:
        search_tree = SearchTree(position, read(position.ruleset, "tree").parameters, SEED)
        search_tree.rules = rules
        search_tree.simulate(SIMULATIONS)

    return seconds(run)


def main() -> None:
    """A line a ruleset, two seats."""
    warm()
    for name, variant, seats in CASES:
        if seats != 2:
            continue
        ruleset, position = RULESETS[name], walk(name, variant, seats, 1, decisions=2)
        once, share = time_of(position, rules_by_address(ruleset)), {}
        for rule in DOUBLED:
            worked, copied = (time_of(position, doubled(ruleset, rule, more)) for more in (1, 0))
            share[rule] = (worked - copied) / once
        evaluation = share.pop("estimate")
        parts = ", ".join(f"{rule} {part:.0%}" for rule, part in share.items())
        print(
            f"{name} {variant}: {SIMULATIONS / once:,.0f} simulations/s; evaluation {evaluation:.0%}, "
            f"rules {sum(share.values()):.0%} ({parts}), tree and the rest {1 - evaluation - sum(share.values()):.0%}"
        )


if __name__ == "__main__":
    main()
