"""Whole games by keyboard, read only by roles and accessible names, as with a screen reader."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from service.rulesets.registry import RULESETS
from tests.browser.player import PLENTY_MS, Sit
from tests.browser.test_accessibility import serious
from tests.patience import wait_until

MAX_CHOICES = 40
"""In one decision."""
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
NAMES = {"azul": "Azul", "summer-pavilion": "Summer Pavilion", "queens-garden": "Queen's Garden"}


class Listener:
    """A player who uses the keyboard and knows the page only by roles and names."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = page.get_by_role("region", name="Board")
        self.choices = page.get_by_role("toolbar")
        self.log = page.get_by_role("log")
        self.heard: set[str] = set()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, wanted: Locator, key: str = "Tab") -> None:
        """Press Tab until something has the focus."""
        for _ in range(60):
            if is_focused(wanted):
                return
            self.press(key)
        pytest.fail(f"{wanted} cannot be reached")

    def open_game(self, url: str, name: str) -> None:
        """Start a game on the first page. The focus moves to its heading."""
        self.page.goto(f"{url}/play")
        start = self.page.get_by_role("button", name=f"Play now: {name}")
        expect(start).to_be_enabled()
        self.tab_to(self.page.get_by_label("Opponent"))
        self.press("Home")
        self.tab_to(start, "Shift+Tab")
        self.press("Enter")
        expect(self.page.get_by_role("heading", level=1)).to_be_focused()

    def skip_to_board(self) -> None:
        """Follow the skip link, which is next after the heading."""
        self.press("Tab")
        expect(self.page.get_by_role("link", name="Skip to the board")).to_be_focused()
        self.press("Enter")
        expect(self.board).to_be_focused()

    def focused_choice(self) -> str:
        """Return the name of the focused choice."""
        focused = [each for each in self.choices.get_by_role("button").all() if is_focused(each)]
        return focused[0].get_attribute("aria-label") or "" if focused else ""

    def wait_for_choice(self, name: str) -> None:
        """Wait until a choice has the focus whose name begins like this."""
        wait_until(lambda: self.focused_choice().startswith(name), name)

    def announcements(self) -> list[str]:
        """Return the latest announcements."""
        return self.log.get_by_role("paragraph").all_inner_texts()

    def wait_for_turn(self) -> bool:
        """Wait until something can be chosen, with the focus on the board. Return False if the game is over."""
        over = self.log.get_by_text("Game over")
        can_pass = self.page.get_by_role("button", name=re.compile("^Pass"))
        expect(self.choices.or_(can_pass).or_(over).first).to_be_visible(timeout=PLENTY_MS)
        self.heard |= set(self.announcements())
        return not over.is_visible()

    def decide(self, rng: random.Random, wandering: float) -> None:
        """Make a decision, and wander among its choices now and then. Afterwards the board has the focus."""
        self.press("Tab")
        for _ in range(MAX_CHOICES):
            if is_focused(self.board):
                return
            if rng.random() < wandering:
                self.press(*rng.choices(ARROWS, k=2))
            self.press("Enter")
            self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        pytest.fail(self.page.get_by_role("main").aria_snapshot())


def is_focused(wanted: Locator) -> bool:
    return bool(wanted.evaluate("element => element === document.activeElement"))


def test_a_decision_is_made_by_roles_names_and_keys(sit: Sit) -> None:
    player = sit()
    listener, page = Listener(player.page), player.page
    listener.open_game(player.url, "Azul")
    expect(listener.log).to_contain_text("Your turn.")
    expect(listener.log).to_contain_text("Take all tiles of a colour.")
    listener.skip_to_board()
    assert [] == serious(player)
    listener.press("+", "+", "+", "ArrowRight")
    chosen, board = listener.choices.get_by_role("button").first.bounding_box(), listener.board.bounding_box()
    assert chosen is not None
    assert board is not None
    assert chosen["y"] >= board["y"]  # the zoom follows the focus
    taken = re.fullmatch(r"(\d) (\w+) from (factory \d)", listener.focused_choice())
    assert taken is not None
    count, colour, source = int(taken[1]), taken[2], taken[3]
    expect(page.get_by_role("img", name=f"{source.capitalize()}: ")).to_have_accessible_name(
        re.compile(f"{count} {colour}")
    )
    first = listener.focused_choice()
    listener.press("Enter")
    expect(listener.log).to_contain_text(f"{first}: choose a line")
    listener.wait_for_choice("line 1")
    listener.press("Escape")
    listener.wait_for_choice(first)
    listener.press("Enter")
    listener.wait_for_choice("line 1")
    listener.press(*["ArrowDown"] * 4)
    listener.wait_for_choice("line 5")
    listener.press("Enter")
    expect(listener.board).to_be_focused()
    mine = listener.board.get_by_role("group", name="Anonymous", exact=True)
    expect(mine.get_by_role("img", name=f"Pattern line 5: {count} of 5 {colour}")).to_be_visible()
    expect(mine.get_by_role("img", name="Floor line: empty")).to_be_visible()


@pytest.mark.parametrize("screen", [(1280, 860), (390, 844)])
def test_the_focus_is_on_the_result_after_resigning(sit: Sit, screen: tuple[int, int]) -> None:
    player = sit(*screen)
    listener, page = Listener(player.page), player.page
    listener.open_game(player.url, "Azul")
    page.get_by_role("button", name="Resign").press("Enter")
    page.get_by_role("alertdialog").get_by_role("button", name="Resign").press("Enter")
    expect(page.get_by_role("heading", name="won")).to_be_focused()


def assert_heard(listener: Listener, decisions: int) -> None:
    """Check the announcements of a finished game: the other's moves, the scores of each round, and the result."""
    assert decisions > 10
    moves = [each for each in listener.heard if re.match(r".+ \(AI\) (took|placed|bought|passed|moved)\b.*\.", each)]
    assert len(moves) > 10
    heard = " ".join(listener.heard)
    rounds = re.findall(r"Round (\d): Anonymous \d+ points?, .+? \d+ points?\.", heard)
    assert rounds
    assert sorted(map(int, rounds)) == [*range(1, len(rounds) + 1)]
    last = listener.announcements()[-1]
    assert re.search(r"Game over\. .+ won\.$", last)
    assert 1 == heard.count("Game over")


@pytest.mark.nightly
@pytest.mark.timeout(400)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_is_played_to_the_end_by_roles_names_and_keys(sit: Sit, ruleset: str) -> None:
    player = sit()
    listener, rng = Listener(player.page), random.Random(ruleset)
    listener.open_game(player.url, NAMES[ruleset])
    listener.skip_to_board()
    decisions = 0
    while listener.wait_for_turn():
        decisions += 1
        listener.decide(rng, 0.3)
        if decisions == 5:
            assert [] == serious(player)
    assert_heard(listener, decisions)
