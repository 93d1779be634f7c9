"""Puzzles at the table: a wrong answer, another try, and the solution."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from service.puzzles import model
from service.puzzles.model import Puzzle
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious
from tests.rulesets.offers import WITH_PUZZLES

PLURALS = {"butterfly": "butterflies"}
PATTERNS = ("tree", "bird", "butterfly", "flower", "plant", "bellflower")


def names_of(action: Json) -> list[str]:
    """Return patterns of the names of the choices that lead to an action; none if it takes more than names."""
    source = action.get("source", "")
    place = "the centre" if source == "centre" else f"factory {int(source.rpartition('_')[2] or 0) + 1}"
    if action["type"] == "azul.draft":
        line = action["line"]
        return [f"^\\d+ {action['colour']} from {place}$", "^floor" if line == "floor" else f"^line {line + 1}\\b"]
    if action["type"] == "summer-pavilion.acquire":
        return [f"^\\d+ {action['colour']}\\b.* from {place}\\b"]
    if action["type"] == "queens-garden.acquire":
        value = action["value"]
        word = PLURALS.get(value, f"{value}s") if value in PATTERNS else value.replace("_", " ")
        return [f"^Take all {word} \\("]
    return []


def enter(button: Locator) -> None:
    """Press a button by keyboard."""
    button.focus()
    button.page.keyboard.press("Enter")


def choose(player: Player, action: Json, press: Callable[[Locator], None] = Locator.click) -> None:
    """Choose an action in the lists of choices."""
    assert player.wait_for_turn()
    for name in names_of(action):
        folded = player.page.locator(".choosing details.all:not([open]) summary")
        if folded.count():
            press(folded)
        press(player.page.locator(".choosing .options button").filter(has_text=re.compile(name)).first)


def named_actions(position: Position) -> dict[int, Json]:
    """Return the legal actions that have names of their own."""
    decoded = {action: position.ruleset.wire.decode(action) for action in position.legal_actions()}
    names = [names_of(action) for action in decoded.values()]
    return {action: fields for action, fields in decoded.items() if names.count(names_of(fields)) == 1}


def named_solution(puzzle: Puzzle) -> list[Json]:
    """Return the solution, or less if it cannot be chosen by names."""
    position, solution = puzzle.position, list[Json]()
    for step in puzzle.steps:
        if (fields := named_actions(position).get(step.solutions[0])) is None:
            break
        solution.append(fields)
        for action in (step.solutions[0], *(action for _, action in step.reply)):
            position = position.play(action)
    return solution


def easy_puzzle(ruleset: str) -> tuple[Puzzle, Json, list[Json]]:
    """Return a puzzle, a wrong answer and the solution, all of which have names. Prefer a puzzle of several steps."""
    for puzzle in sorted(model.of_ruleset(ruleset), key=lambda one: -len(one.steps)):
        solution, named = named_solution(puzzle), named_actions(puzzle.position)
        wrong = [named[action] for action, line in puzzle.steps[0].refutations.items() if line and action in named]
        if wrong and len(solution) == len(puzzle.steps):
            return puzzle, wrong[0], solution
    raise AssertionError(f"no puzzle of {ruleset} can be solved by names")


NIGHTLY = [pytest.param(ruleset, enter, marks=pytest.mark.nightly) for ruleset in WITH_PUZZLES if ruleset != "azul"]


@pytest.mark.parametrize(("ruleset", "press"), [("azul", Locator.click), *NIGHTLY])
def test_a_puzzle_is_solved_after_a_wrong_answer(sit: Sit, ruleset: str, press: Callable[[Locator], None]) -> None:
    puzzle, wrong, solution = easy_puzzle(ruleset)
    player = sit()
    player.page.goto(f"{player.url}/play#/puzzles/{puzzle.id}")
    facts, status = player.page.locator(".puzzle").first, player.page.locator(".status strong")
    expect(status).to_have_text("Your turn")
    expect(player.page.get_by_role("heading", level=1)).to_be_focused()
    expect(facts).not_to_contain_text("Themes")
    choose(player, wrong, press)
    expect(status).to_have_text("There is a better move.")
    expect(player.page.get_by_role("log")).to_contain_text("There is a better move.")
    expect(player.page.locator(".sequel li").first).to_contain_text("Seat")
    expect(facts).to_contain_text("Themes")
    player.shoot("wrong")
    assert [] == serious(player)
    again = player.page.get_by_role("button", name="Try again")
    if press == enter:
        expect(player.page.get_by_role("region", name="Board")).to_be_focused()
        player.page.keyboard.press("Tab")
        expect(again).to_be_focused()
    press(again)
    for action in solution:
        choose(player, action, press)
    expect(status).to_have_text("Right, that is the best move.")
    player.shoot("solved")
    press(player.page.locator(".choosing").get_by_role("button", name="Next puzzle"))
    expect(status).to_have_text("Your turn")
    assert puzzle.id not in player.page.url
