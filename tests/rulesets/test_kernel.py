"""The generator, the record, the compiled rules' cache."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from service.rulesets import kernel
from service.rulesets.registry import RULESETS
from tests.textbook import Textbook

ROOT = Path(kernel.__file__).parents[2]


def test_the_generator_is_xoshiro256_starstar() -> None:
    """The first outputs for the state 1, 2, 3, 4 as its authors' reference program prints them."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    expected = [11520, 0, 1509978240, 1215971899390074240]
    assert expected == [int(kernel.next_word(rng)) for _ in range(4)]


def test_below_agrees_with_the_textbook_for_all_sizes_of_bounds() -> None:
    seed = bytes(range(1, 33))
    rng, textbook = kernel.generator(seed), Textbook(seed)
    for n in [1, 2, 3, 5, 7, 100, 132, 2**31 + 1, 3 * 2**30, 2**32 - 1] * 200:
        assert textbook.below(n) == kernel.below(rng, n)


def test_below_rejects_what_would_favour_small_numbers() -> None:
    """With n = 3 * 2**30 a quarter of all words must be refused; without that, thirds would not be equal."""
    rng = kernel.generator(bytes(range(1, 33)))
    n = 3 * 2**30
    thirds = np.bincount([kernel.below(rng, n) * 3 // n for _ in range(30_000)], minlength=3)
    assert max(abs(thirds - 10_000)) < 5 * np.sqrt(30_000 * 2 / 9)


def test_draw_takes_each_piece_of_the_bag_equally_often() -> None:
    rng = kernel.generator(bytes(range(2, 34)))
    counts = np.array([1, 0, 5, 4], np.int64)
    drawn = np.bincount([kernel.draw(rng, counts, 10) for _ in range(20_000)], minlength=4)
    assert drawn[1] == 0
    assert max(abs(drawn - counts * 2_000)) < 5 * np.sqrt(20_000 * 0.25)


@pytest.mark.parametrize("seed", [b"", b"\1" * 31, b"\1" * 33, b"\0" * 32])
def test_a_seed_is_32_bytes_and_not_all_zero(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        kernel.generator(seed)


def test_a_record_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="record of"):
        kernel.new_record(RULESETS["azul"].rules.dtype, b"\0")


def test_search_can_call_a_rule_by_address() -> None:
    """The erased form of a rule is the rule: the same record comes out."""
    from numba import njit, types

    ruleset = RULESETS["azul"]
    apply = ruleset.rules.by_address("apply")
    signature = types.void(types.FunctionType(kernel.SIGNATURES_BY_ADDRESS["apply"]), types.intp, types.int64)
    call = njit(signature)(lambda rule, address, action: rule(address, action))
    position = ruleset.start("coloured", 2, 0)
    position = position.resolve_draw(position.sample(kernel.generator(b"\3" * 32)))
    action = position.legal_actions()[0]
    content = np.frombuffer(bytearray(position.to_bytes()), np.uint8)
    call(apply, content.ctypes.data, action)
    assert position.play(action).to_bytes() == content.tobytes()


SMALL = """
import sys
from pathlib import Path
from service.rulesets import compiled
compiled.keep(Path({folder!r}))
sys.path.insert(0, {folder!r})
from caller import rule
print(rule(1))
"""


def test_a_change_in_a_callee_is_never_missed(tmp_path: Path) -> None:
    """Numba alone would look at the caller's file only, find it unchanged, and run what was compiled before."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "caller.py").write_text(
        "from numba import njit, int64\nfrom callee import helper\n"
        "@njit(int64(int64), cache=True)\ndef rule(x):\n    return helper(x)\n"
    )
    callee = "from numba import njit\n@njit(cache=True)\ndef helper(x):\n    return x + {}\n"

    def run() -> str:
        code = SMALL.format(folder=str(folder))
        environment = {**os.environ, "AZUL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.strip()

    (folder / "callee.py").write_text(callee.format(1))
    assert run() == "2"
    (folder / "callee.py").write_text(callee.format(10))
    assert run() == "11"


TINY = """
from service.rulesets import compiled
from service.rulesets.kernel import Rules, record_dtype
rule = Rules("tiny", record_dtype([]))
@rule
def settle(game):
    return 0
compiled.PROGRESS.end()
"""


def test_the_first_compile_is_told_and_later_starts_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(TINY)
    environment = {**os.environ, "AZUL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    assert said_by_importing("tiny", environment).startswith(
        "compiling the rules of tiny, once for these sources: settle"
    )
    assert "" == said_by_importing("tiny", environment)


def test_a_start_with_every_ruleset_compiled_says_nothing() -> None:
    importlib.import_module("service.rulesets.registry")  # in this process, so that all of them are
    assert "" == said_by_importing("service.rulesets.registry", {**os.environ})


def said_by_importing(module: str, environment: dict[str, str]) -> str:
    """What a new process that imports a module tells on stderr."""
    command = [sys.executable, "-c", f"import {module}"]
    return subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True).stderr


def test_the_rules_import_with_no_web_stack_installed() -> None:
    """Flask, Redis and the rest are hidden; the registry imports and a game starts all the same."""
    code = (
        "import sys\n"
        "hidden = ('flask', 'flask_smorest', 'redis', 'rq', 'gevent', 'gunicorn', 'orjson', 'structlog', 'werkzeug')\n"
        "sys.modules.update(dict.fromkeys(hidden))\n"
        "from service.rulesets.registry import RULESETS\n"
        "print(RULESETS['azul'].start('grey', 3, None).status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "drawing\n"
