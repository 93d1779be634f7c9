"""Reasons: every claim holds after the action, and every reason has an exact sentence in both languages."""

from __future__ import annotations

import importlib
import random
import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.games.reasons import compare
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.rulesets.texts import LANGUAGES
from service.usecases.base.i18n import why_text
from tests.games.claims.turn import Claims, Turn
from tests.rulesets.offers import WITH_MERITS
from tests.rulesets.playing import random_walk
from tests.rulesets.tiny import TINY

EXAMPLES = orjson.loads((Path(__file__).parent / "reasons.json").read_bytes())


def claims(ruleset: str) -> Claims:
    module = importlib.import_module(f"tests.games.claims.{ruleset.replace('-', '_')}")
    checks: Claims = module.CLAIMS
    return checks


def assert_true(position: Position, best: int, other: int) -> set[str]:
    """Check all claims of the reasons and their sentences. Return the names of the reasons."""
    reasons = compare(position, best, other)
    turn = Turn(position, best, generator(bytes(range(32))))
    for reason in reasons:
        assert reason.best > reason.other
        assert claims(position.ruleset.id)[reason.name](turn, reason), (position.notation, best, other, reason)
        for language in LANGUAGES:
            assert why_text(position.ruleset, position.variant, [reason], language)
    return {reason.name for reason in reasons}


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("ruleset", WITH_MERITS)
def test_every_reason_is_true_and_has_sentences(ruleset: str, every: int) -> None:
    names, dice = set[str](), random.Random(5)
    for number, variant in enumerate(RULESETS[ruleset].variants):
        start = RULESETS[ruleset].start(variant, 2 + number, None)
        for seed in range(2):
            for position in [*random_walk(start, generator(bytes([seed + 1]) * 32))][seed::every]:
                if position.seat is not None:
                    names |= assert_true(position, *dice.choices(position.legal_actions(), k=2))
    assert len(names) > 8


@pytest.mark.parametrize("ruleset", WITH_MERITS)
def test_every_reason_has_a_claim_and_an_example(ruleset: str) -> None:
    for language in LANGUAGES:
        source = (RULESETS[ruleset].folder / "texts" / f"{language}.ftl").read_text("utf-8")
        messages = {name.replace("-", "_") for name in re.findall(r"^why-([a-z-]+) =", source, re.MULTILINE)}
        assert messages == {*claims(ruleset)}
    assert messages == {each["reason"] for each in EXAMPLES if each["ruleset"] == ruleset}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each['ruleset']} {each['reason']}")
def test_a_reason_is_said_in_this_sentence(example: dict[str, Any]) -> None:
    ruleset = RULESETS[example["ruleset"]]
    position = ruleset.read_notation(example["position"])
    best, other = (ruleset.action_of(example[name]) for name in ("best", "other"))
    assert example["reason"] in assert_true(position, best, other)
    [reason] = [each for each in compare(position, best, other) if each.name == example["reason"]]
    actual = [why_text(ruleset, position.variant, [reason], language) for language in LANGUAGES]
    assert [example["en"], example["de"]] == actual


def test_a_sentence_names_the_two_most_important_reasons() -> None:
    example = EXAMPLES[0]
    ruleset = RULESETS[example["ruleset"]]
    position = ruleset.read_notation(example["position"])
    reasons = compare(position, *(ruleset.action_of(example[name]) for name in ("best", "other")))
    assert len(reasons) > 2
    actual = [why_text(ruleset, position.variant, reasons, language, "best") for language in LANGUAGES]
    first, second = (why_text(ruleset, position.variant, [reason], "en") or "" for reason in reasons[:2])
    assert f"The best move {first.removeprefix('It ')[:-1]}, and it {second.removeprefix('It ')}" == actual[0]
    assert (actual[1] or "").startswith("Der beste Zug ")
    assert why_text(ruleset, position.variant, [], "en") is None


def test_a_ruleset_without_merits_has_no_reasons() -> None:
    position = TINY.start(TINY.variants[0], 2, 0)
    while position.seat is None:
        position = position.resolve_draw(position.sample(generator(bytes(range(32)))))
    best, *_, other = position.legal_actions()
    assert [] == compare(position, best, other)
