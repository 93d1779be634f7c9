"""The points in choices equal what the actions score."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.rulesets.kernel import generator
from service.rulesets.queens_garden.rules.components import PAVILION_POINTS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position
from tests.rulesets.azul import build as azul
from tests.rulesets.playing import effects, of_type, play, random_walk, short_type

NO_PAYMENT = {"tiles": [], "expansions": [], "jokers": 0}


def decisions(ruleset: str, variant: str, games: int = 3) -> Iterator[tuple[Position, Json]]:
    """Yield the decisions of random games with their choices."""
    for seed in range(games):
        for position in random_walk(RULESETS[ruleset].start(variant, 2, None), generator(bytes([seed + 1]) * 32)):
            choices = position.choices()
            if choices is not None:
                yield position, choices


def own_points(position: Position, action: Json, *kinds: str) -> int:
    """Return the points of the action's effects of these types on its seat."""
    scored = [effect for effect in effects(position, action) if effect.get("seat") == position.seat]
    return sum(effect.get("points", 0) for effect in scored if short_type(effect) in kinds)


def azul_draft(draft: Json, line: int | str) -> Json:
    return {"type": "azul.draft", "source": draft["source"], "colour": draft["colour"], "line": line}


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_the_choices_in_azul_say_what_a_draft_costs_and_a_column_scores(variant: str) -> None:
    seen = set()
    for position, choices in decisions("azul", variant):
        penalties = position.ruleset.wire.components()["floor_penalties"]
        seat = position.seat or 0
        before = len(azul.view(position)["seats"][seat]["floor_line"])
        for each in choices["tile"]["columns"] if choices["tile"] else ():
            [tiled, *_] = effects(position, azul.tile(choices["tile"]["line"], each["column"]))
            assert each["points"] == tiled["points"]
        for draft in choices["draft"]:
            for line in draft["lines"]:
                after = play(position, azul_draft(draft, line["line"]))
                view = azul.view(after)
                if view["round"] == azul.view(position)["round"] and view["phase"] == "draft":
                    fallen = len(view["seats"][seat]["floor_line"])
                    assert penalties[fallen] - penalties[before] == line["floor_points"]
                    seen.add(line["floor_points"])
    assert {0, -1, -2} < seen


def test_the_last_draft_of_a_round_in_azul_moves_a_tile_for_the_points_of_its_line() -> None:
    seen = set()
    for position, choices in decisions("azul", "coloured", 8):
        seat = position.seat
        for draft in choices["draft"]:
            for line in draft["lines"]:
                scored = of_type(effects(position, azul_draft(draft, line["line"])), "tile_placed")
                own = [tile["points"] for tile in scored if (tile["seat"], tile["line"]) == (seat, line["line"])]
                assert [] == own or own == [line["tile_points"]]
                seen.update(own)
    assert {1, 2, 3} < seen


@pytest.mark.parametrize(
    ("variant", "board", "points"),
    [
        ("coloured", azul.board(), 1),
        ("coloured", azul.board(lines={0: "w"}), 2),  # white will lie above black
        ("grey", azul.board(lines={0: "w"}), 1),  # in a column that is not chosen yet
        ("grey", azul.board(wall={2: ".r..."}), 2),
    ],
)
def test_a_tile_in_azul_counts_the_complete_lines_above_or_the_best_column(
    variant: str, board: Json, points: int
) -> None:
    position = azul.read(azul.table(board, variant=variant, factories=["kkrr"]))
    drafts = (position.choices() or {})["draft"]
    options = {line["line"]: line for draft in drafts if draft["colour"] == "black" for line in draft["lines"]}
    assert points == options[1]["tile_points"]
    assert {"line": "floor", "tile_points": 0, "floor_points": -2} == options["floor"]


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_acquiring_and_placing_in_summer_pavilion_score_what_the_choices_say(variant: str) -> None:
    seen: set[tuple[str, int]] = set()
    for position, choices in decisions("summer-pavilion", variant):
        for source in choices["acquire"]:
            for offered in source["colours"]:
                action = {"type": "summer-pavilion.acquire", "source": source["source"], "colour": offered["colour"]}
                assert offered["points"] == own_points(position, action, "start_token_taken")
                seen.add(("token", offered["points"]))
        for space in choices["place"]:
            colour = space["colours"][0]
            where = {"star": space["star"], "slot": space["slot"], "colour": colour["colour"]}
            action = {"type": "summer-pavilion.place", **where, "wilds": colour["fewest_wilds"]}
            scored = effects(position, action)
            assert space["points"] == own_points(position, action, "tile_placed")
            assert space["bonus"] == sum(owed["tiles"] for owed in of_type(scored, "bonus_owed"))
            seen |= {("points", space["points"]), ("bonus", space["bonus"])}
    assert {("token", 0), ("token", -2), ("points", 1), ("points", 3), ("bonus", 0), ("bonus", 1)} < seen


@pytest.mark.parametrize("variant", ["standard", "reverse"])
def test_the_choices_in_queens_garden_say_what_an_action_costs_and_earns(variant: str) -> None:
    seen: set[tuple[str, int]] = set()
    for position, choices in decisions("queens-garden", variant, 2):
        wheel = next(each for each in position.ruleset.wire.components()["wheel"] if each["variant"] == variant)
        shown = {
            each["shown"]: each["points"]
            for each in wheel["rounds"][position.ruleset.view(position)["round"] - 1]["shown"]
        }
        for tile in choices["place_tile"]:
            assert tile["points"] == sum(shown.get(tile["hexagon"][axis], 0) for axis in ("colour", "pattern"))
            for space in tile["spaces"] if tile["payment"]["pieces"] == 0 else ():
                named = {"hexagon": tile["hexagon"], "space": space["space"], "payment": NO_PAYMENT}
                scored = effects(position, {"type": "queens-garden.place_tile", **named})
                assert space["jokers"] == sum(each["jokers"] for each in of_type(scored, "element_completed"))
                seen |= {("points", tile["points"]), ("jokers", space["jokers"])}
        for expansion in choices["place_expansion"]:
            face = sum(shown.get(expansion["hexagon"][axis], 0) for axis in ("colour", "pattern"))
            assert expansion["points"] == PAVILION_POINTS + face
        for bought in choices["buy_expansion"]:
            action = {"type": "queens-garden.buy_expansion", "area": bought["area"]}
            assert bought["points"] == own_points(position, action, "expansion_bought")
        passing = {"type": "queens-garden.pass", "discard": {"tiles": [], "expansions": []}}
        assert choices["pass"]["points"] == own_points(position, passing, "passed", "marker_taken")
        seen.add(("pass", choices["pass"]["points"]))
    assert {("points", 0), ("points", 1), ("jokers", 0), ("pass", 0), ("pass", -1)} < seen
