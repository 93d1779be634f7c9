"""The soak command with a few hundred actions of every ruleset, and whole games checked by the referee."""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from tests.rulesets import refereeing, soak
from tests.sampling import one_in


@pytest.mark.parametrize("name", soak.SOAKED)
def test_a_few_hundred_random_actions_cause_no_faults(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == soak.main([name, "--actions", "600", "--seed", "suite", "--processes", "1"])
    actual = capsys.readouterr().out
    assert "seed suite" in actual
    assert "; 0 faults" in actual


def test_a_fault_is_printed_and_the_command_exits_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "faults_by", lambda _: lambda game: ["too good"] if game.score.max() > 9 else [])
    assert 1 == soak.main(["azul", "--actions", "9000", "--seed", "suite", "--processes", "1"])
    assert "'too good'" in capsys.readouterr().out


WHOLE = [
    case
    for name in soak.SOAKED
    for case in one_in(
        20,
        [(name, number) for number, (way, *_) in enumerate(soak.tables(RULESETS[name])) if way in {"any", "good"}],
    )
]


@pytest.mark.parametrize(("name", "number"), WHOLE)
def test_the_referee_agrees_with_every_step_of_a_whole_game(name: str, number: int) -> None:
    figures = soak.Figures()
    soak.game(RULESETS[name], "suite", number, figures, every=1)
    assert [] == figures.faults
    assert figures.counts["checked closely"] == figures.counts["actions"] + figures.counts["draws"]


@pytest.mark.parametrize(
    ("name", "rule", "otherwise"),
    one_in(
        2,
        [
            ("azul", "PENALTIES", (0, 1, 3, 4, 6, 8, 11, 14)),
            ("azul", "FLOOR_SPACES", 6),
            ("summer-pavilion", "SUPPLY_SPACES", 9),
            ("summer-pavilion", "FEATURES", []),
            ("queens-garden", "PRICE", 5),
            ("queens-garden", "MIN_GROUP", 2),
        ],
    ),
)
def test_a_rule_that_differs_from_the_referee_is_a_fault(
    name: str, rule: str, otherwise: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refereeing.referee_of(RULESETS[name]), rule, otherwise)
    figures = soak.Figures()
    for number in range(len(soak.tables(RULESETS[name]))):
        if not figures.faults:
            soak.game(RULESETS[name], "suite", number, figures, every=1)
    assert "the referee" in figures.faults[0]


def test_the_same_seed_plays_the_same_games() -> None:
    figures = [soak.soak("azul", 200, "suite", 1).counts for _ in range(2)]
    assert figures[0] == figures[1]


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(SystemExit) as caught:
        soak.main(["chess"])
    assert 2 == caught.value.code
