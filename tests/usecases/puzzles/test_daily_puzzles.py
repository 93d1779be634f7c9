"""The choice of the daily puzzle."""

from __future__ import annotations

from service.usecases.puzzles import daily
from tests.rulesets.offers import WITH_PUZZLES
from tests.usecases.puzzles.shipped import find_puzzles


def test_rulesets_take_turns_and_no_puzzle_repeats_before_all_had_a_day() -> None:
    longest = max(len(find_puzzles(ruleset)) for ruleset in WITH_PUZZLES)
    days = [daily.puzzle_of(20_000 + day) for day in range(len(WITH_PUZZLES) * longest)]
    assert {len(WITH_PUZZLES)} == {len({one.ruleset for one in days[at : at + 3]}) for at in range(len(days) - 2)}
    for ruleset in WITH_PUZZLES:
        puzzles = find_puzzles(ruleset)
        shown = [one.id for one in days if one.ruleset == ruleset][: len(puzzles)]
        assert len(puzzles) == len(set(shown))
