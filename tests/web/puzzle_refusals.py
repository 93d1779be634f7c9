"""Requests for refusals about puzzles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING
from unittest import mock

from werkzeug.test import TestResponse

from service.puzzles.model import Puzzle
from service.rulesets.registry import RULESETS
from service.usecases.puzzles import puzzle_views
from tests.web.test_callers import NO_GAME

if TYPE_CHECKING:
    from tests.web.refusals import Refusals


def code_not_found(refusals: Refusals, operation: str) -> TestResponse:
    """Name a missing puzzle, or a theme that a ruleset does not have."""
    table = refusals.new()
    if operation != "getNextPuzzle":
        return refusals.ask(operation, table, path={"puzzle_id": NO_GAME})
    puzzles = puzzle_views.all_puzzles()
    known = {(puzzle.ruleset, theme) for puzzle in puzzles for theme in puzzle.themes}
    missing = product(RULESETS, {theme for _, theme in known})
    ruleset, theme = next(each for each in missing if each not in known)
    return refusals.ask(operation, table, query_string=f"ruleset={ruleset}&theme={theme}")


def code_unreadable(refusals: Refusals, operation: str) -> TestResponse:
    return refusals.ask(operation, refusals.new(), body={"answers": [{"notation": "?"}]})


def code_illegal_action(refusals: Refusals, operation: str) -> TestResponse:
    return refusals.ask(operation, refusals.new(), body={"answers": [{"id": str(2**63 - 1)}]})


def code_no_picture(refusals: Refusals, operation: str) -> TestResponse:
    """Draw a puzzle of a ruleset without pictures."""
    plain = replace(RULESETS["azul"], picture=None, text_picture=None)
    refusals.context.pictures.clear()
    with mock.patch.object(Puzzle, "position", property(lambda _: plain.start("grey", 2, 0))):
        return refusals.ask(operation, refusals.new())


WAYS: Mapping[str, Callable[[Refusals, str], TestResponse]] = MappingProxyType(
    {
        function.__name__.removeprefix("code_"): function
        for function in (code_not_found, code_unreadable, code_illegal_action, code_no_picture)
    }
)
"""By the second word of the code."""
