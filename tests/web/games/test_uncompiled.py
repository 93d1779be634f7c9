"""Until the rules are compiled, everything is served except slow lists."""

from __future__ import annotations

import pytest

from service.rulesets import ruleset as ruleset_module
from service.rulesets.kernel import SIGNATURES, Rules
from service.rulesets.registry import RULESETS
from tests.sampling import one_in
from tests.web.table import SEED, NewTable


@pytest.fixture
def run_uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all rulesets without compiled code."""
    monkeypatch.setattr(Rules, "are_compiled", lambda _: False)
    for ruleset in RULESETS.values():
        for name in SIGNATURES:
            monkeypatch.setattr(ruleset.rules, name, ruleset.rules.function(name))


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
@pytest.mark.usefixtures("run_uncompiled")
def test_an_uncompiled_game_is_playable(new_game: NewTable, ruleset: str) -> None:
    table = new_game(ruleset=ruleset, seed=SEED)
    for _ in range(10):
        assert table.legal() == [entry["action"] for entry in table.actions()]
        assert 201 == table.act().status_code


@pytest.mark.usefixtures("run_uncompiled")
def test_a_slow_list_is_refused_until_rules_are_compiled(new_game: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_game(ruleset="queens-garden", seed=SEED)
    total = len(table.legal())
    examined = {"position": table.view()["position"]}

    def statuses() -> list[tuple[int, str | None, str | None]]:
        answers = [
            *(table.anyone.get(f"{table.path}{path}") for path in ("/actions", "/choices")),
            table.anyone.get(f"{table.path}/actions?type=queens-garden.acquire"),
            table.anyone.get(f"{table.path}?include=actions"),
            *(table.anyone.post("/v1/positions", {**examined, "form": form}) for form in ("list", "choices")),
        ]
        return [
            (answer.status_code, (answer.json or {}).get("code"), answer.headers.get("Retry-After"))
            for answer in answers
        ]

    monkeypatch.setattr(ruleset_module, "MAX_UNCOMPILED", total)
    assert {(200, None, None)} == set(statuses())
    monkeypatch.setattr(ruleset_module, "MAX_UNCOMPILED", total - 1)
    assert {(503, "service/compiling", "2")} == set(statuses())
    assert 200 == table.anyone.get(table.path).status_code
