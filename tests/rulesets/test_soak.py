"""The soak command, for a few thousand actions of every ruleset."""

from __future__ import annotations

import pytest

from service.rulesets.registry import RULESETS
from tests.rulesets import soak


@pytest.mark.parametrize("name", RULESETS)
def test_a_few_thousand_random_actions_leave_no_fault(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == soak.main([name, "--actions", "1500", "--seed", "suite", "--processes", "1"])
    told = capsys.readouterr().out
    assert "seed suite" in told
    assert "; 0 faults" in told


def test_a_fault_ends_the_command_with_1_and_tells_where(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "faults_by", lambda _: lambda record: ["too good"] if record.score.max() > 9 else [])
    assert 1 == soak.main(["azul", "--actions", "9000", "--seed", "suite", "--processes", "1"])
    assert "'too good'" in capsys.readouterr().out


def test_the_same_seed_plays_the_same_games() -> None:
    figures = [soak.soak("azul", 500, "suite", 1).counts for _ in range(2)]
    assert figures[0] == figures[1]


def test_an_unknown_ruleset_is_refused() -> None:
    with pytest.raises(SystemExit) as caught:
        soak.main(["chess"])
    assert 2 == caught.value.code
