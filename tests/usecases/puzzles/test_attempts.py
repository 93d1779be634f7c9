"""Attempts of players: each puzzle counts once, also with simultaneous attempts and processes that die."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any
from unittest import mock

import pytest

from service.games.errors import GameError
from service.puzzles.model import Puzzle
from service.rulesets.texts import LANGUAGES
from service.storage.base.transactions import Transaction
from service.usecases.base.context import Caller, Context
from service.usecases.people import players
from service.usecases.puzzles import daily, next_puzzles, puzzle_progress, puzzle_views, solving
from tests.threads import run_at_once
from tests.usecases.killing import KilledError, before_call, killed_before
from tests.usecases.players import Time, player
from tests.usecases.puzzles.shipped import find_puzzles, wrong_actions


def attempt(context: Context, caller: Caller, puzzle: Puzzle, *actions: int) -> Any:
    return solving.attempt(context, caller, puzzle.id, [(str(action), None, None) for action in actions])


def solve(context: Context, caller: Caller, puzzle: Puzzle) -> Any:
    return attempt(context, caller, puzzle, *(step.solutions[0] for step in puzzle.steps))


def fail(context: Context, caller: Caller, puzzle: Puzzle) -> Any:
    return attempt(context, caller, puzzle, wrong_actions(puzzle)[0])


def counts(context: Context, puzzle: Puzzle) -> tuple[int, int]:
    """Return the attempts at a puzzle, and how many solved it."""
    (counted,) = context.puzzle_attempts.count_all([puzzle.id])
    return counted.attempts, counted.solved


def test_of_simultaneous_attempts_at_a_puzzle_one_counts(context: Context) -> None:
    _, caller = player(context)
    puzzle = find_puzzles("azul")[0]
    actions = wrong_actions(puzzle)[:8]
    results = run_at_once(lambda action: attempt(context, caller, puzzle, action), actions)
    assert (1, 0) == counts(context, puzzle)
    assert 1 == sum(result["rated"] for result in results)


def test_simultaneous_attempts_at_several_puzzles_all_count(context: Context) -> None:
    _, caller = player(context)
    puzzles = find_puzzles("azul")[:4]
    results = run_at_once(lambda puzzle: solve(context, caller, puzzle), puzzles)
    assert [True] * 4 == [result["rated"] for result in results]
    own = puzzle_progress.read(context, caller)
    (azul,) = own["rulesets"]
    assert (4, 4, 4) == (azul["attempts"], azul["solved"], own["streak"])
    assert azul["rating"] == max(result["rating"]["after"] for result in results)


def test_simultaneous_attempts_of_players_all_move_the_puzzle(context: Context) -> None:
    callers, puzzle = [player(context)[1] for _ in range(6)], find_puzzles("azul")[0]
    run_at_once(lambda caller: fail(context, caller, puzzle), callers)
    assert (6, 0) == counts(context, puzzle)
    assert puzzle_views.read(context, puzzle.id)["rating"] > puzzle.rating


def test_an_attempt_before_whose_commit_a_process_dies_stores_nothing(context: Context) -> None:
    player_id, caller = player(context)
    puzzle = find_puzzles("azul")[0]
    with killed_before(Transaction, "commit"), suppress(KilledError):
        solve(context, caller, puzzle)
    assert (({}, (0, 0))) == (context.puzzle_attempts.progress(player_id).attempts, counts(context, puzzle))
    assert solve(context, caller, puzzle)["rated"]


def test_an_attempt_whose_response_is_lost_is_repeated_with_the_same_result(context: Context, time: Time) -> None:
    _, caller = player(context)
    puzzle, other = find_puzzles("azul")[:2]
    count = context.puzzle_attempts.count

    def count_and_die(*arguments: Any) -> None:
        count(*arguments)
        raise KilledError

    with mock.patch.object(context.puzzle_attempts, "count", count_and_die), suppress(KilledError):
        solve(context, caller, puzzle)
    assert (1, 1) == counts(context, puzzle)
    fail(context, caller, other)
    time.pass_(60)
    results = [solve(context, caller, puzzle) for _ in range(2)]
    assert results[0] == results[1]
    assert (True, 1500, 1) == (results[0]["rated"], results[0]["rating"]["before"], results[0]["streak"])
    assert (1, 1) == counts(context, puzzle)


def test_an_attempt_of_a_player_who_has_been_deleted_is_refused(context: Context) -> None:
    player_id, caller = player(context)
    puzzle = find_puzzles("azul")[0]
    deletes = before_call(context.puzzle_attempts, "count", lambda: players.delete(context, caller))
    with deletes, pytest.raises(GameError, match="auth/token_unknown"):
        solve(context, caller, puzzle)
    assert {} == context.puzzle_attempts.progress(player_id).attempts


@pytest.mark.nightly
def test_every_wrong_answer_to_a_shipped_puzzle_is_refuted(context: Context) -> None:
    for puzzle in puzzle_views.all_puzzles():
        for language, action in product(LANGUAGES, wrong_actions(puzzle)):
            result = attempt(context, Caller(language=language), puzzle, action)
            assert (solving.UNSOLVED, str(puzzle.steps[0].solutions[0])) == (
                *(result["status"], result["solution"][0]["id"]),
            )
            assert result["refutation"]["win_lost"] is not None, (puzzle.id, action)
        assert solving.SOLVED == solve(context, Caller(), puzzle)["status"]


def next_id(context: Context, caller: Caller) -> str:
    return str(next_puzzles.find_next(context, caller, "azul", None, None)["id"])


def ship(monkeypatch: pytest.MonkeyPatch, *ratings: float) -> list[Puzzle]:
    """Offer only some puzzles, with these ratings."""
    chosen = zip(find_puzzles("azul"), ratings, strict=False)
    puzzles = [replace(puzzle, rating=rating) for puzzle, rating in chosen]
    monkeypatch.setattr(puzzle_views, "all_puzzles", lambda: puzzles)
    monkeypatch.setattr(puzzle_views, "find", {puzzle.id: puzzle for puzzle in puzzles}.__getitem__)
    monkeypatch.setattr(daily, "puzzle_of", lambda _: puzzles[0])
    return puzzles


def test_the_next_puzzle_is_the_nearest_to_the_player_and_stays_the_same(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    _, nearest, other = ship(monkeypatch, 1100, 1500, 1501)
    assert nearest.id == next_id(context, ana)
    solve(context, ben, nearest)  # it becomes easier
    assert (nearest.id, other.id) == (next_id(context, ana), next_id(context, player(context)[1]))
    solve(context, ana, nearest)
    assert other.id == next_id(context, ana)


def test_a_stronger_player_gets_a_harder_puzzle(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    _, caller = player(context)
    easy, _, middle, hard = ship(monkeypatch, 1499, 1300, 1500, 1900)
    for puzzle in (middle, easy):
        solve(context, caller, puzzle)
    assert hard.id == next_id(context, caller)


def test_after_the_last_puzzle_failed_ones_return_longest_ago_first(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, caller = player(context)
    first, solved, third = ship(monkeypatch, 1500, 1500, 1500)
    for puzzle, act in ((first, fail), (solved, solve), (third, fail)):
        act(context, caller, puzzle)
        time.pass_(1)
    assert first.id == next_id(context, caller)
    fail(context, caller, first)
    time.pass_(1)
    assert third.id == next_id(context, caller)
    for puzzle in (first, third):
        solve(context, caller, puzzle)
        time.pass_(1)
    assert solved.id == next_id(context, caller)
