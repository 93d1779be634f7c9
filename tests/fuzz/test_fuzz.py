"""Some hundred damaged inputs for every decoder, always the same. `python -m tests.fuzz` tries more."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.bodies import OF_AN_OPERATION
from tests.fuzz.decoders import DECODERS
from tests.fuzz.failing import ending, failing, hanging
from tests.fuzz.fuzzing import try_all, try_apart
from tests.fuzz.mutations import Damage, by_name, damaged_bytes, text_of

INPUTS = {"snapshot": 100, "position": 20, "action": 150, "draw": 150, "records": 13, "bodies": 100}
STEPS = {"bodies": OF_AN_OPERATION + 1}  # every input is for another operation
SEED = "a share of it"
GOOD = {"a": 1, "b": [{"a": 2, "c": "x"}, {"a": 3, "c": None}], "d": {"e": True, "a": 4}}


@pytest.mark.parametrize("name", DECODERS)
def test_damaged_input_is_refused_or_read(name: str) -> None:
    numbers = range(0, INPUTS[name] * STEPS.get(name, 1), STEPS.get(name, 1))
    with DECODERS[name]() as decoder:
        figures = try_all(name, decoder, SEED, numbers, lambda _: None)
    assert [] == figures.faults
    assert INPUTS[name] == figures.refused.total() + figures.accepted.total()
    assert 0 < figures.accepted.total() < figures.refused.total() or name == "draw"


def test_input_is_damaged_in_many_ways_without_changing_the_original() -> None:
    before, known = repr(GOOD), by_name([GOOD])
    damaged = {repr(Damage(random.Random(number), known).json(GOOD)) for number in range(1_000)}
    assert before == repr(GOOD)
    assert len(damaged) > 400
    texts = {text_of(random.Random(number), GOOD) for number in range(1_000)}
    assert len(texts) > 60
    content = bytes(range(200))
    assert len({damaged_bytes(random.Random(number), content, [content[::-1]]) for number in range(1_000)}) > 900


# ------------------------------------------------------------------ faults that the loop must find


def test_a_failing_decoder_is_reported_with_its_input() -> None:
    figures = try_apart("bad", failing, "s", range(6))
    assert ["bad 2, seed s:", "bad 3, seed s:"] == [fault.partition("\n")[0] for fault in figures.faults]
    assert ({"even": 1, "odd": 1}, {"even": 1, "odd": 1}) == (figures.accepted, figures.refused)


def test_a_decoder_that_ends_its_process_is_reported_with_its_input() -> None:
    assert ["bad 2, seed s: ended the process (7)"] == try_apart("bad", ending, "s", range(6)).faults


def test_a_decoder_that_hangs_is_reported_with_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first input may take any time, so the second one hangs."""
    monkeypatch.setattr("tests.fuzz.fuzzing.HANGS_S", 0.1)
    assert ["bad 2, seed s: hangs"] == try_apart("bad", hanging, "s", range(1, 6)).faults
