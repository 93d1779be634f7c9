"""Choosing in the picture: marks, previews, and dragging."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
import requests
from playwright.sync_api import Locator, expect

from tests.browser.legibility import create_from, first_variant, open_as_all_seats, positions
from tests.browser.player import Player, Sit
from tests.e2e.stack import Stack, bearer

MIN_TEXT_PX = 12
FLOOR = {1: 1, 2: 2, 3: 4, 4: 6, 5: 8}
"""Cost in points by the number of tiles on the floor line."""


def last_action(player: Player) -> dict[str, Any]:
    """Return the last action of seat 0."""
    events = player.read("/history")["events"]
    return dict(next(event for event in reversed(events) if event["kind"] == "action" and event["seat"] == 0))


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def choose_and_go_back(player: Player) -> None:
    """Choose a tile, choose another, read the cost of the floor line, and go back."""
    offered = player.places.count()
    player.places.first.locator("rect").first.click()
    taken, others = player.page.locator(".board .taken"), player.page.locator(".board .other")
    expect(taken).to_have_count(1)
    expect(others).to_have_count(offered - 1)
    before = player.page.locator(".ask").inner_text()
    others.last.locator("rect").first.click()
    expect(player.page.locator(".ask")).not_to_have_text(before)
    expect(taken).to_have_count(1)
    floor = player.places.last
    floor.hover()
    costs = player.page.locator("#ghosts text")
    expect(costs).to_have_text(re.compile(r"^−\d+ points?$"))
    player.shoot("cost")
    preview = costs.text_content() or ""
    assert preview in (floor.get_attribute("aria-label") or "")
    assert FLOOR[player.page.locator("#ghosts use").count()] == int(preview.split()[0].replace("−", ""))
    player.page.get_by_role("button", name="Back", exact=True).click()
    expect(player.places).to_have_count(offered)
    expect(taken).to_have_count(0)


def carry_by_mouse(player: Player) -> None:
    """Drag tiles next to all lines first, then to the fourth."""
    mouse = player.page.mouse
    before, offered = player.view()["revision"], player.places.count()
    x, y = middle(player.places.first.locator("rect").first)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 40, steps=3)
    expect(player.page.locator(".carried")).to_be_visible()
    mouse.move(5, 5)
    mouse.up()  # next to all lines: it is put back
    expect(player.places).to_have_count(offered)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 40, steps=3)
    expect(player.page.get_by_role("button", name="floor line").first).to_be_visible()
    mouse.move(*middle(player.places.nth(3)), steps=3)
    expect(player.page.locator("#ghosts use").first).to_be_attached()
    mouse.up()
    player.wait_for_revision(before + 1)
    assert "azul.draft" == last_action(player)["action"]["type"]
    assert 3 == last_action(player)["action"]["line"]


def carry_by_finger(phone: Player) -> None:
    """Drag tiles to the third line."""
    before = phone.view()["revision"]
    finger = phone.page.context.new_cdp_session(phone.page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = middle(phone.places.first.locator("rect").first)
    touch("touchStart", x, y)
    touch("touchMove", x + 10, y + 30)
    touch("touchMove", x + 12, y + 36)
    expect(phone.page.locator(".board .taken, .board .choice")).not_to_have_count(0)
    expect(phone.page.get_by_role("button", name="floor line").first).to_be_visible()
    touch("touchMove", *middle(phone.places.nth(2)))
    touch("touchEnd")
    phone.wait_for_revision(before + 1)
    assert 2 == last_action(phone)["action"]["line"]


def test_chosen_tiles_are_marked_and_dragged_by_mouse_and_finger(sit: Sit) -> None:
    player, phone = sit(), sit(390, 844, has_touch=True, is_mobile=True)
    for each in (player, phone):
        each.begin_first("azul", "coloured", "random")
    choose_and_go_back(player)
    carry_by_mouse(player)
    carry_by_finger(phone)


def preview_of(player: Player, action: dict[str, Any]) -> int:
    """Return the points that the service expects of an action."""
    view = player.view()
    body = {"action": action, "revision": view["revision"]}
    headers = bearer(player.tokens["seats"]["0"])
    answer = requests.post(f"{player.api}/actions/preview", json=body, headers=headers, timeout=10).json()
    effects = [effect for event in answer["events"] for effect in event["effects"] if effect.get("seat") == 0]
    return sum(effect.get("points", 0) for effect in effects if effect["type"].endswith(("tile_placed", "bought")))


@pytest.mark.parametrize("ruleset", ["summer-pavilion", "queens-garden"])
def test_the_points_of_a_move_are_shown_on_hover_and_focus_without_requests(sit: Sit, ruleset: str) -> None:
    player = sit()
    player.begin(ruleset, "coloured" if ruleset == "summer-pavilion" else "standard", "random")
    assert player.wait_for_turn()
    if ruleset == "summer-pavilion":
        player.decide_until(lambda position: position["phase"] == "play")
        place = player.read("/choices")["choices"]["place"][0]
        colour = place["colours"][0]
        action = {"type": "summer-pavilion.place", "star": place["star"], "slot": place["slot"]}
        action |= {"colour": colour["colour"], "wilds": colour["fewest_wilds"]}
        name = f"{place['star']} star, space {place['slot']} (costs"
    else:
        action = {"type": "queens-garden.buy_expansion", "area": 2}
        name = "Buy an expansion for area 3"
    points = preview_of(player, action)
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url) if "/events" not in request.url else None)
    note = player.page.locator("#ghosts text")
    place = player.page.locator(".board .choice").and_(player.page.get_by_role("button", name=name)).first
    away = partial(player.page.mouse.move, 2, 2)
    for show, hide in ((place.hover, away), (place.focus, place.blur)):
        show()
        expect(note).to_have_text(re.compile(rf"^{re.escape(with_sign(points))} points?(, \d bonus tiles?)?$"))
        player.shoot(f"points-{show.__name__}")
        hide()
        expect(note).to_have_count(0)
    assert [] == [url for url in asked if "/preview" in url or "/choices" in url or "/actions" in url]


def with_sign(points: int) -> str:
    return f"{points:+d}".replace("-", "−")


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_passing_keeps_the_best_four_tiles_and_shows_the_cost(sit: Sit, width: int, height: int) -> None:
    player = sit(width, height)
    player.begin("summer-pavilion", "coloured", "random")
    player.decide_until(lambda position: position["phase"] == "play")
    board = player.view()["position"]["seats"][0]
    hand = {colour: count for colour, count in board["hand"].items() if count}
    player.page.get_by_role("button", name="Pass", exact=True).click()
    discarded = max(0, sum(hand.values()) - 4)
    lost = min(discarded, board["score"] - 1)
    told = player.page.locator(".costs")
    expect(told).to_contain_text(f"You keep {sum(hand.values()) - discarded}")
    if discarded:
        expect(told).to_contain_text(f"discard {discarded}, which costs {lost} point")
    box = player.complete_button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height
    player.shoot("pass")
    before = player.view()["revision"]
    player.page.keyboard.press("Enter")
    player.wait_for_revision(before + 1)
    action = last_action(player)["action"]
    assert "summer-pavilion.pass" == action["type"]
    assert sum(hand.values()) - discarded == sum(action["keep"].values())
    assert action["keep"].get("green", 0) == min(4, hand.get("green", 0))  # they will be wild


@pytest.mark.parametrize("screen", [(844, 390), (667, 375), (390, 844), (360, 640)])
def test_all_pieces_can_be_discarded_on_a_phone_while_the_board_is_visible(
    sit: Sit, stack: Stack, screen: tuple[int, int]
) -> None:
    phone = sit(*screen, locale="de-DE", has_touch=True, is_mobile=True)
    position = dict(positions("queens-garden", first_variant("queens-garden"), 4))["middle"]
    open_as_all_seats(phone.page, stack.url, create_from(stack, position))
    assert phone.wait_for_turn()
    phone.page.get_by_role("button", name="Passen").click()
    more = phone.page.locator(".counter button:last-child")
    expect(more.nth(10)).to_be_attached()
    panel = phone.page.locator(".choosing")
    box = panel.bounding_box()
    assert box is not None
    for index in range(more.count()):
        more.nth(index).click()
        inner = more.nth(index).bounding_box()
        assert inner is not None
        assert inner["x"] + inner["width"] <= box["x"] + box["width"]
    expect(panel.get_by_role("button", name="Fertig")).to_be_in_viewport(ratio=1)
    is_beside = screen[0] > screen[1]
    assert is_beside or box["y"] > screen[1] / 3
    assert phone.page.evaluate(
        "() => { const { scrollWidth, clientWidth } = document.querySelector('.choosing');"
        "return scrollWidth === clientWidth; }"
    )
    phone.shoot("discard")


def smallest_text(player: Player) -> float:
    """Return the smallest size of text in the picture in pixels, including used symbols."""
    return float(
        player.page.evaluate(
            """() => {
                const svg = document.querySelector(".board svg");
                const scale = (each) => Math.hypot(each.getScreenCTM().a, each.getScreenCTM().b);
                const size = (each) => parseFloat(getComputedStyle(each).fontSize);
                const direct = [...svg.querySelectorAll("text:not(defs *)")].map((each) => size(each) * scale(each));
                const used = [...svg.querySelectorAll("use:not(defs *)")].flatMap((use) => {
                    const symbol = svg.querySelector(use.getAttribute("href"));
                    const wide = symbol?.viewBox?.baseVal?.width;
                    const words = [...(symbol?.querySelectorAll("text") ?? [])];
                    return words.map((each) => size(each) * scale(use) * (wide ? use.width.baseVal.value / wide : 1));
                });
                return Math.min(...direct, ...used);
            }"""
        )
    )


@pytest.mark.nightly
def test_a_garden_of_four_is_readable_zoomable_and_explained(sit: Sit) -> None:
    player = sit(1280, 800)
    player.begin_first("queens-garden", "standard", "random", "random", "random")
    assert smallest_text(player) >= MIN_TEXT_PX
    picture = player.page.locator(".board > svg")
    whole = picture.get_attribute("viewBox")
    player.page.mouse.move(*middle(player.page.locator("#wheel")))
    player.page.mouse.wheel(0, -400)
    expect(picture).not_to_have_attribute("viewBox", whole or "")
    player.shoot("zoomed")
    assert smallest_text(player) >= MIN_TEXT_PX
    player.page.get_by_role("button", name="Zoom in").focus()
    player.page.keyboard.press("0")
    expect(picture).to_have_attribute("viewBox", whole or "")
    player.page.get_by_text("Legend").click()
    for name in ("Wheel", "Stacks", "Tower"):
        expect(player.page.locator(".explained dt", has_text=re.compile(f"^{name}$"))).to_be_visible()
    choices = player.page.locator(".choosing details.all")
    choices.locator("summary").click()
    expect(choices.get_by_role("button", name="Buy an expansion for area 6")).to_be_visible()


@pytest.mark.nightly
def test_two_fingers_zoom_the_garden(sit: Sit) -> None:
    phone = sit(390, 844, has_touch=True, is_mobile=True)
    phone.begin_first("queens-garden", "standard", "random", "random", "random")
    assert smallest_text(phone) >= MIN_TEXT_PX
    picture = phone.page.locator(".board > svg")
    before = str(picture.get_attribute("viewBox"))
    fingers = phone.page.context.new_cdp_session(phone.page)
    for kind, distance in (
        ("touchStart", 20),
        ("touchMove", 30),
        ("touchMove", 60),
        ("touchMove", 90),
        ("touchEnd", 0),
    ):
        points = [{"x": 190 + side * distance, "y": 260, "id": side + 1} for side in (-1, 1)] if distance else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(picture).not_to_have_attribute("viewBox", before)
    assert float(str(picture.get_attribute("viewBox")).split()[2]) < 0.7 * float(before.split()[2])


def test_a_move_is_confirmed_by_players_who_want_it(sit: Sit) -> None:
    player = sit()
    player.begin_first("summer-pavilion", "coloured", "random")
    player.page.get_by_text("Preferences").click()
    player.page.get_by_label("Confirm each move").check()
    player.page.reload()
    assert player.wait_for_turn()
    before = player.view()["revision"]
    taken, play = player.page.locator(".board .taken"), player.page.get_by_role("button", name="Play it")
    player.places.first.locator("polygon").first.click()
    expect(play).to_be_visible()
    expect(taken).to_have_count(1)
    player.shoot("confirm")
    player.page.keyboard.press("Escape")
    expect(play).to_have_count(0)
    expect(taken).to_have_count(0)
    player.places.last.locator("polygon").first.click()
    player.page.get_by_role("button", name="Back", exact=True).click()
    expect(play).to_have_count(0)
    assert before == player.view()["revision"]
    player.places.first.locator("polygon").first.click()
    play.click()
    player.wait_for_revision(before + 1)
