"""The guided first game: five coached moves of each ruleset, by clicking the coach's suggestions."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from service.rulesets.registry import RULESETS
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark

MAX_DECISIONS = 40
MOVES = [1, 2, 3, 4, 5]


def learn(player: Player, ruleset: str) -> None:
    """Start the lesson on the first page."""
    player.page.goto(f"{player.url}/play")
    player.page.locator("button.learn").nth(list(RULESETS).index(ruleset)).click()
    player.page.wait_for_url("**/play#/*")


class Coach:
    """The card of the coach and the marks."""

    def __init__(self, player: Player) -> None:
        self.player, self.rng = player, random.Random(5)
        self.card = player.page.locator(".coach")
        self.advice, self.happened = self.card.locator(".advice"), self.card.locator(".note")
        self.move = self.card.locator("h2 small")
        self.over = self.card.locator(".primary")
        self.marks = player.page.locator(".board .choice.meant")
        self.buttons = player.page.locator(".choosing .options:not(details *) button.meant")

    def wait(self) -> int:
        """Wait for our turn and the coach's text. Return the revision."""
        assert self.player.wait_for_turn()
        revision = int(self.player.view()["revision"])
        self.player.page.locator(f'.coach[data-revision="{revision}"]').wait_for()
        return revision

    def follow(self, press: Callable[[Locator], None]) -> None:
        """Make one step to the suggestion, or any step without one."""
        if self.player.complete_button.count():
            press(self.player.complete_button)
        elif self.buttons.count():
            press(self.buttons.first)
        elif self.marks.count():
            press(self.marks.first)
        else:
            self.player.click_something(self.rng)

    def decisions(self, press: Callable[[Locator], None]) -> Iterator[int]:
        """Yield the revision before each decision until the lesson is over."""
        for _ in range(MAX_DECISIONS):
            revision = before = self.wait()
            if self.over.count():
                return
            yield revision
            while before == revision:
                self.follow(press)
                assert self.player.wait_for_turn()
                before = int(self.player.view()["revision"])
        raise AssertionError("The lesson does not end")


def click(place: Locator) -> None:
    shape = place.locator("rect, polygon")
    (shape.first if shape.count() else place).click()


def enter(place: Locator) -> None:
    place.focus()
    place.page.keyboard.press("Enter")


def number(coach: Coach) -> list[int]:
    """Return the number of the coached move, if any."""
    return [int(text.split()[1]) for text in coach.move.all_inner_texts()]


def third_line(player: Player) -> Any:
    return player.view()["position"]["seats"][0]["pattern_lines"][2]


def assert_it_fits_above_the_board(coach: Coach) -> None:
    """Check the card's place on a phone."""
    box, board = coach.card.bounding_box(), coach.player.page.locator(".board").bounding_box()
    assert box is not None
    assert board is not None
    assert box["y"] + box["height"] <= board["y"] < 844 / 2
    assert 390 == coach.player.page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.nightly
def test_azul_is_learnt_by_keyboard_across_a_reload_with_correct_points(sit: Sit) -> None:
    player = sit()
    learn(player, "azul")
    coach, moves, scored = Coach(player), list[int](), ""
    for revision in coach.decisions(enter):
        moves += number(coach)
        happened = " ".join(coach.happened.all_inner_texts())
        if moves == [1]:
            assert "Most points win." in happened
            expect(coach.advice).to_contain_text("Take yellow from factory 4 for line 3: 3 tiles fill it exactly.")
            assert {"colour": None, "count": 0, "capacity": 3} == third_line(player)
        elif moves == [1, 2] and number(coach):
            assert {"colour": "yellow", "count": 3, "capacity": 3} == third_line(player)
            assert happened.startswith("Exactly! Line 3 now has 3 of 3 tiles.")
            advice = coach.advice.inner_text()
            player.page.reload()
            assert revision == coach.wait()
            assert ([2], advice) == (number(coach), coach.advice.inner_text())
            assert happened == coach.happened.inner_text()
        if "Round 1 is over" in happened:
            scored = happened
            placed = re.search(r"scored ([\d +]+) on the wall", scored)
            floor = re.search(r"floor line cost (\d+)", scored)
            told = sum(int(each) for each in placed[1].split("+")) if placed else 0
            assert told - (int(floor[1]) if floor else 0) == player.view()["position"]["seats"][0]["score"]
    assert (MOVES, True) == (moves, bool(scored))
    expect(coach.advice).to_have_text("You know the basics now. Enjoy the game!")
    enter(coach.over)
    expect(coach.card).to_have_count(0)
    assert player.wait_for_turn()


@pytest.mark.nightly
def test_summer_pavilion_is_learnt_and_other_moves_are_explained(sit: Sit) -> None:
    player = sit()
    learn(player, "summer-pavilion")
    coach, moves = Coach(player), list[int]()
    coach.wait()
    expect(coach.advice).to_contain_text("Purple is wild this round")
    assert [] == serious_in_light_and_dark(player)
    other = player.page.locator("#factory_2 [data-colour=green]")  # 1 green, and no purple lies there
    box = other.bounding_box()
    assert box is not None
    player.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    player.wait_for_revision(4)
    coach.wait()
    expect(coach.happened).to_contain_text("You chose a different move. That's fine. You took 1 tile.")
    assert [2] == number(coach)
    coach.card.get_by_role("button", name="End lesson").click()
    expect(coach.card).to_have_count(0)
    expect(coach.marks).to_have_count(0)
    player.page.get_by_role("button", name="Resume lesson").click()
    for _ in coach.decisions(click):
        moves += number(coach)
    assert MOVES[1:] == moves
    coach.over.click()
    expect(coach.card).to_have_count(0)


def test_a_lesson_is_followed_ended_and_resumed_on_a_phone_in_german(sit: Sit) -> None:
    player = sit(390, 844, locale="de-DE", has_touch=True, is_mobile=True)
    learn(player, "queens-garden")
    coach = Coach(player)
    decisions = coach.decisions(click)
    for move in (1, 2):
        next(decisions)
        assert [move] == number(coach)
        expect(coach.advice).not_to_be_empty()
        assert_it_fits_above_the_board(coach)
    assert [] == serious(player)
    coach.card.get_by_role("button", name="Lektion beenden").click()
    expect(coach.card).to_have_count(0)
    expect(coach.marks).to_have_count(0)
    player.page.get_by_role("button", name="Lektion fortsetzen").click()
    expect(coach.card).to_have_count(1)
    expect(coach.marks.or_(coach.buttons).first).to_be_visible()


@pytest.mark.nightly
def test_queens_garden_is_learnt_on_a_phone_in_german(sit: Sit) -> None:
    player = sit(390, 844, locale="de-DE", has_touch=True, is_mobile=True)
    learn(player, "queens-garden")
    coach, moves = Coach(player), list[int]()
    for _ in coach.decisions(click):
        moves += number(coach)
        assert_it_fits_above_the_board(coach)
        if len(moves) == 3:
            player.shoot("move-3")
    assert MOVES == moves
    told = re.search(r"Dein Garten brachte (\d+) Punkt", coach.happened.inner_text())
    assert told is not None
    events = player.read("/history?limit=500")["events"]
    scored = [
        effect["points"]
        for event in events
        for effect in event["effects"]
        if (effect["type"], effect.get("seat")) == ("queens-garden.round_scored", 0)
    ]
    assert [int(told[1])] == scored
    expect(coach.advice).to_have_text("Du kennst jetzt die Grundlagen. Viel Spaß!")
