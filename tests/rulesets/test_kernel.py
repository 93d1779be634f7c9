"""The generator, the record, and the cache of compiled rules."""

from __future__ import annotations

import ctypes
import importlib
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from service.rulesets import code_cache, kernel
from service.rulesets.compiler import compile_ruleset
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.textbook import Textbook

ROOT = Path(kernel.__file__).parents[2]


def test_the_generator_is_xoshiro256_starstar() -> None:
    """The expected numbers for the state 1, 2, 3, 4 come from the authors' reference program."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    expected = [11520, 0, 1509978240, 1215971899390074240]
    assert expected == [int(kernel.next_word(rng)) for _ in range(4)]


def test_random_words_overflow_without_a_warning_in_another_thread() -> None:
    """A web server draws in this way until the rules are compiled."""
    with warnings.catch_warnings(), ThreadPoolExecutor(1) as pool:
        warnings.simplefilter("error")
        drawn = pool.submit(lambda: [kernel.next_word(kernel.generator(bytes([255] * 32))) for _ in range(3)])
        assert len(drawn.result()) == 3


def test_random_below_matches_a_textbook_implementation_for_all_sizes_of_bounds() -> None:
    seed = bytes(range(1, 33))
    rng, textbook = kernel.generator(seed), Textbook(seed)
    for n in [1, 2, 3, 5, 7, 100, 132, 2**31 + 1, 3 * 2**30, 2**32 - 1] * 200:
        assert textbook.integer_below(n) == kernel.random_below(rng, n)


def test_random_below_does_not_favour_small_numbers() -> None:
    """With n = 3 * 2**30 a quarter of all words must be rejected; otherwise thirds would not be equal."""
    rng = kernel.generator(bytes(range(1, 33)))
    n = 3 * 2**30
    thirds = np.bincount([kernel.random_below(rng, n) * 3 // n for _ in range(30_000)], minlength=3)
    assert max(abs(thirds - 10_000)) < 5 * np.sqrt(30_000 * 2 / 9)


def test_draw_takes_each_piece_of_the_bag_equally_often() -> None:
    rng = kernel.generator(bytes(range(2, 34)))
    counts = np.array([1, 0, 5, 4], np.int64)
    drawn = np.bincount([kernel.draw(rng, counts, 10) for _ in range(20_000)], minlength=4)
    assert drawn[1] == 0
    assert max(abs(drawn - counts * 2_000)) < 5 * np.sqrt(20_000 * 0.25)


@pytest.mark.parametrize("seed", [b"", b"\1" * 31, b"\1" * 33, b"\0" * 32])
def test_a_seed_that_is_not_32_bytes_or_is_all_zeros_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        kernel.generator(seed)


def test_a_record_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="record of"):
        kernel.new_record(RULESETS["azul"].rules.dtype, b"\0")


def test_search_can_call_a_rule_by_address() -> None:
    """The rule called by the C convention leaves the same record."""
    ruleset = RULESETS["azul"]
    assert ruleset.rules.are_compiled()
    apply = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(ruleset.rules.address("apply"))
    position = ruleset.start("coloured", 2, 0)
    position = position.resolve_draw(position.sample(kernel.generator(b"\3" * 32)))
    action = position.legal_actions()[0]
    content = np.frombuffer(bytearray(position.to_bytes()), np.uint8)
    apply(content.ctypes.data, action)
    assert position.play(action).to_bytes() == content.tobytes()


CALLER = """
from pathlib import Path
from rules.callee import increase
from service.rulesets.kernel import Rules, record_dtype
rule = Rules("small", record_dtype([]), Path(__file__).parents[1])
@rule
def settle(game):
    return increase(1)
"""
CALLEE = """
from service.rulesets.kernel import helper
@helper
def increase(x):
    return x + {}
"""


def test_a_changed_helper_invalidates_the_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code contains its callees, so their files belong to the key of the cache."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "caller.py").write_text(CALLER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(code_cache, "code_folder", lambda: tmp_path)
    for name in set(kernel.SIGNATURES) - {"settle"}:  # the ruleset has no other rule
        monkeypatch.delitem(kernel.SIGNATURES, name)

    def run(constant: int) -> tuple[bool, bool, int]:
        """Return whether machine code existed before and exists now, and the result of the rule."""
        (folder / "callee.py").write_text(CALLEE.format(constant))
        for name in ("rules", "rules.caller", "rules.callee"):
            sys.modules.pop(name, None)
        rule = importlib.import_module("rules.caller").rule
        before = rule.library.path.exists()
        if not before:
            compile_ruleset(rule)
        return before, rule.are_compiled(), rule.settle(kernel.new_record(rule.dtype))

    assert [(False, True, 2), (True, True, 2), (False, True, 11)] == [run(constant) for constant in (1, 1, 10)]


def test_plain_and_compiled_rules_give_identical_results() -> None:
    """Every rule of every ruleset gives the same results in a game on each side.

    Uncompiled, NumPy warns where a number wraps, and compiled code does not.
    """
    warnings.simplefilter("error")
    for ruleset in RULESETS.values():
        for variant in ruleset.variants:
            played = [_record_game(ruleset, variant, rules) for rules in (ruleset.rules, _Plain(ruleset.rules))]
            assert played[0] == played[1]


class _Plain:
    """Rules as plain Python."""

    def __init__(self, rules: kernel.Rules) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return self._rules.function(name)


def _record_game(ruleset: Ruleset, variant: str, rules: Any) -> list[Any]:
    """Play a random game and return all results of its rules."""
    table_state, rng = kernel.new_record(ruleset.rules.dtype), kernel.generator(b"\5" * 32)
    out, keys = np.zeros(max(ruleset.max_actions, ruleset.max_drawn), np.int64), np.zeros(4, np.int64)
    rules.start(table_state, ruleset.variants.index(variant), 2, -1)
    results: list[Any] = []
    while table_state.status != kernel.OVER and len(results) < 400:
        if table_state.status == kernel.DRAWING:
            drawn = out[: rules.sample(table_state, rng, out)]
            results += [drawn.tolist(), rules.check_draw(table_state, drawn)]
            rules.resolve_draw(table_state, drawn)
        else:
            results += [out[: rules.legal_actions(table_state, out)].tolist()]
            results += [out[: rules.candidates(table_state, out)].tolist()]
            action = int(rules.random_action(table_state, rng))
            results += [action, rules.check(table_state, action), rules.check_listed(table_state, action)]
            rules.apply(table_state, action)
        rules.outcome(table_state, keys)
        results += [keys.tolist(), round(rules.estimate(table_state, 0), 9), table_state.tobytes()]
    return results


def test_the_rules_can_be_imported_without_the_web_stack() -> None:
    """The import of Flask, Redis and others fails; the registry is imported and a game starts."""
    code = (
        "import sys\n"
        "hidden = ('flask', 'flask_smorest', 'redis', 'rq', 'gevent', 'gunicorn', 'orjson', 'structlog', 'werkzeug')\n"
        "sys.modules.update(dict.fromkeys(hidden))\n"
        "from service.rulesets.registry import RULESETS\n"
        "print(RULESETS['azul'].start('grey', 3, None).status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "drawing\n"
