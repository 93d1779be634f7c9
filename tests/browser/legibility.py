"""What a player can read and hit on the page of a game: sizes of pieces and texts, and texts over other things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.e2e.stack import Stack
from tests.rulesets.pictures import moments_of

MOMENTS = {"start": 0.0, "middle": 0.55, "end": 0.94}
"""Shares of the decisions of a golden playthrough."""
MIN_PIECE_PX = 24
MIN_OVERVIEW_PIECE_PX = 12
MIN_TEXT_PX = 12
NAMES = ("Ada", "Benedikt", "Clementine", "Dora")
MEASURE = """
() => {
  const board = document.querySelector(".board");
  const svg = board.querySelector("svg");
  const boxOf = (element) => element.getBoundingClientRect();
  const seen = boxOf(board);
  const isSeen = (element) => {
    const { left, right, top, bottom, width } = boxOf(element);
    const isInside = left < seen.right && right > seen.left && top < seen.bottom && bottom > seen.top;
    return width > 0 && isInside && element.checkVisibility({ visibilityProperty: true });
  };
  const scaleOf = (element) => { const { a, b } = element.getScreenCTM(); return Math.hypot(a, b); };
  const sizeOf = (text) => parseFloat(text.style.fontSize || text.getAttribute("font-size"));
  const nameOf = (use) => use.getAttribute("href");
  const texts = [...svg.querySelectorAll("text[font-size]")].filter((text) => !text.closest("defs") && isSeen(text));
  const uses = [...svg.querySelectorAll("use")].filter((use) => !use.closest("defs, #ghosts") && isSeen(use));
  const textsInUse = (use) => {
    const symbol = svg.querySelector(nameOf(use));
    const width = symbol?.viewBox?.baseVal?.width;
    const scale = scaleOf(use) * (width ? use.width.baseVal.value / width : 1);
    return [...(symbol?.querySelectorAll("text") ?? [])].map((text) => [scale * sizeOf(text), nameOf(use)]);
  };
  // A click on the outline of a piece hits it, too.
  const hitSize = (piece) => {
    const { width, height } = boxOf(piece);
    return Math.min(width, height) + scaleOf(piece) * parseFloat(getComputedStyle(piece).strokeWidth);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const around = [...document.querySelectorAll(".play *, .bar *")].filter(
    (element) => !element.closest("svg") && hasText(element) && element.checkVisibility());
  const fontSize = (element) => parseFloat(getComputedStyle(element).fontSize) || Infinity;
  // The ink of a text without the space for other letters.
  const inkOf = (text) => {
    const { left, right, top, height } = boxOf(text);
    return { left: left + 1, right: right - 1, top: top + 0.28 * height, bottom: top + 0.78 * height };
  };
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  // Numbers are printed on spaces; the boxes of rotated pieces are larger than the pieces.
  const solid = uses.filter((use) => use.getScreenCTM().b === 0 && !/#(free|star|plot|hub)/.test(nameOf(use)));
  // A rhombus covers the middle of its box.
  const middleOf = (use) => {
    const { left, right, top, bottom, width, height } = boxOf(use);
    if (!svg.querySelector(`g${nameOf(use)}`)) return { left, right, top, bottom };
    return { left: left + width / 4, right: right - width / 4, top: top + height / 4, bottom: bottom - height / 4 };
  };
  const over = [...document.querySelectorAll(".zoom-buttons button, .caption, .views, .bar")];
  const overprints = texts.flatMap((text, at) => [
    ...texts.slice(at + 1).filter((other) => meet(inkOf(text), inkOf(other))).map((other) => other.textContent),
    ...solid.filter((use) => meet(inkOf(text), middleOf(use))).map(nameOf),
    ...over.filter((element) => meet(inkOf(text), boxOf(element))).map((element) => element.className),
    ...(boxOf(text).left < seen.left - 1 || boxOf(text).right > seen.right + 1 ? ["the edge"] : []),
  ].map((other) => `${text.textContent} / ${other}`));
  return {
    pieces: [...svg.querySelectorAll(".choice > *, .other > *")].map(hitSize),
    texts: [
      ...texts.map((text) => [scaleOf(text) * sizeOf(text), text.textContent]),
      ...uses.flatMap(textsInUse),
      ...around.map((element) => [fontSize(element), element.textContent]),
    ],
    overprints,
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
}
"""


def complaints(page: Page, *, is_overview: bool = False) -> list[str]:
    """Return what is too small, covered or outside of the page of a game.

    In the overview, which a player opens to compare boards, pieces may be smaller and texts may be close.
    """
    measured: dict[str, Any] = page.evaluate(MEASURE)
    min_piece = MIN_OVERVIEW_PIECE_PX if is_overview else MIN_PIECE_PX
    overprints = [] if is_overview else measured["overprints"]
    small = [f"piece of {size:.1f} px" for size in measured["pieces"] if size < min_piece]
    tiny = [f"{text!r} of {size:.1f} px" for size, text in measured["texts"] if size < MIN_TEXT_PX]
    outside = ["scrolls sideways"] if measured["sideways"] > 0 else []
    return [*small, *tiny, *overprints, *outside]


def positions(ruleset: str, variant: str, seats: int) -> Iterator[tuple[str, Position]]:
    """Yield positions of a golden playthrough near its start, in the middle and near its end."""
    moments = moments_of(f"{ruleset}.{variant}.{seats}")
    for name, share in MOMENTS.items():
        yield name, moments[round(share * (len(moments) - 1))][0]


def last_decision(ruleset: str, variant: str, seats: int) -> Position:
    """Return the position before the last decision of a golden playthrough."""
    return moments_of(f"{ruleset}.{variant}.{seats}")[-2][0]


def first_variant(ruleset: str) -> str:
    return RULESETS[ruleset].variants[0]


def create_from(stack: Stack, position: Position) -> dict[str, Any]:
    """Create a game at a position. All seats belong to the caller."""
    return stack.create(
        ruleset=position.ruleset.id,
        variant=position.variant,
        seats=[{"kind": "player", "name": name} for name in NAMES[: position.seats]],
        position_notation=position.notation,
    )


def open_as_all_seats(page: Page, url: str, created: dict[str, Any]) -> None:
    """Open a new game in a browser that has the tokens of all its seats."""
    game, tokens = created["game"], created["tokens"]
    kept = {"id": game["id"], "ruleset": game["ruleset"], "at": 0, "since": {}, "taken": False, **tokens}
    page.goto(f"{url}/play")
    page.evaluate("kept => localStorage.setItem('azul-table-games', JSON.stringify({ [kept.id]: kept }))", kept)
    page.goto("about:blank")
    page.goto(f"{url}/play#/{game['id']}")
