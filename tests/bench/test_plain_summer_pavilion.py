"""Summer Pavilion twice: the compiled rules follow the plain-object game move by move, and both agree on everything.

What is legal, who decides and what lies where is compared around each move. Besides random play there are builders,
who never pass while they can place, and place what is cheapest: with four of them the tiles run out.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from tests.bench.plain_summer_pavilion import FACTORIES, Game, Player, Tiles

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")
STARS = ("orange", "red", "blue", "yellow", "green", "purple", "centre")
RULESET = RULESETS["summer-pavilion"]


def named(tiles: Tiles | Iterable[int]) -> dict[str, int]:
    """How many of each colour, as the wire says it."""
    if isinstance(tiles, dict):
        return {COLOURS[colour]: tiles[colour] for colour in sorted(tiles)}
    found = list(tiles)
    return {COLOURS[colour]: found.count(colour) for colour in range(6) if colour in found}


def acquiring(source: str, colour: int) -> dict[str, Any]:
    return {"type": "summer-pavilion.acquire", "source": source, "colour": COLOURS[colour]}


def placing(star: int, slot: int, colour: int, wilds: int) -> dict[str, Any]:
    return {
        "type": "summer-pavilion.place",
        "star": STARS[star],
        "slot": slot + 1,
        "colour": COLOURS[colour],
        "wilds": wilds,
    }


def passing(kept: Tiles) -> dict[str, Any]:
    return {"type": "summer-pavilion.pass", "keep": named(kept)}


class Chance(random.Random):
    """Remembers what was chosen; a builder passes only where it must, and places what is cheapest."""

    def __init__(self, seed: int, *, builds: bool) -> None:
        super().__init__(seed)
        self.builds = builds
        self.numbers: list[list[int]] = []
        self.chosen: Any = None

    def choice(self, options: Any) -> Any:
        wanted = list(options)
        if self.builds and wanted[-1] is None and len(wanted) > 1:
            least = min(self.numbers[star][slot] for star, slot, _ in wanted[:-1])
            wanted = [one for one in wanted[:-1] if self.numbers[one[0]][one[1]] == least]
        self.chosen = super().choice(wanted)
        return self.chosen


class Twins(Game):
    """A plain game; each of its moves is made by the compiled rules too."""

    def __init__(self, variant: str, seats: int, chance: Chance) -> None:
        super().__init__(variant, seats, chance)
        chance.numbers = self.numbers
        self.chance = chance
        self.twin = RULESET.start(variant, seats, self.starter)
        self.drawn: list[int] = []
        self.dealt: list[Tiles] = []
        self.dealing = self.was_short = False

    def act(self, action: dict[str, Any]) -> None:
        """The twin makes the move, and both have the same."""
        self.twin = self.twin.play(RULESET.wire.encode(action))
        if self.twin.status != "over":
            self.compare()

    def draw_too(self) -> None:
        """The twin draws the same tiles."""
        self.twin = self.twin.deal([*self.drawn])
        self.compare()

    def offers(self, seat: int, actions: Iterable[dict[str, Any]]) -> None:
        """These are the actions that the seat has."""
        assert self.twin.seat == seat
        legal = self.twin.legal_actions()
        assert sorted(RULESET.wire.encode(action) for action in actions) == sorted(legal)

    def compare(self) -> None:
        """The same tiles lie in the same places, 22 of each colour, and the scores are the same."""
        view = RULESET.view(self.twin)
        alike = [named(tiles if any(tiles is one for one in self.factories) else {}) for tiles in self.dealt]
        assert alike == view["factories"][: len(alike)]
        for name, tiles in (("supply", self.supply), ("centre", self.centre), ("bag", self.bag), ("tower", self.tower)):
            assert named(tiles) == view[name]
        everything = [named(self.bag), named(self.tower), *view["factories"], view["supply"], view["centre"]]
        for player, seat in zip(self.players, view["seats"], strict=True):
            assert (player.score, player.passed) == (seat["score"], seat["passed"])
            assert (named(player.hand), named(player.corners)) == (seat["hand"], seat["corners"])
            for name, star in zip(STARS, player.stars, strict=True):
                assert [None if tile is None else COLOURS[tile] for tile in star] == seat["stars"][name]
                everything.append(named(tile for tile in star if tile is not None))
            everything += [seat["hand"], seat["corners"]]
        assert [22] * 6 == [sum(tiles.get(colour, 0) for tiles in everything) for colour in COLOURS]

    # ------------------------------------------------------------------------------------- each move

    def draw(self) -> int | None:
        tile = super().draw()
        if tile is not None:
            self.drawn.append(tile)
        return tile

    def fill_supply(self) -> None:
        if not self.dealing:
            self.drawn = []
        super().fill_supply()
        if self.drawn and not self.dealing:
            self.draw_too()

    def deal(self) -> None:
        self.dealing, self.drawn = True, []
        super().deal()
        self.dealing, self.dealt = False, list(self.factories)
        self.was_short |= len(self.dealt) < FACTORIES[len(self.players)]
        self.draw_too()

    def acquire(self, seat: int) -> None:
        sources = [(f"factory_{number}", tiles) for number, tiles in enumerate(self.dealt)]
        left = [(name, tiles) for name, tiles in sources if any(tiles is one for one in self.factories)]
        left.append(("centre", self.centre))
        free = [(name, colour, len(tiles)) for name, tiles in left for colour in tiles]
        self.offers(
            seat, [acquiring(name, colour) for name, colour, kinds in free if colour != self.wild or kinds == 1]
        )
        super().acquire(seat)
        source, colour = self.chance.chosen
        self.act(acquiring(next(name for name, tiles in left if tiles is source), colour))

    def turn(self, player: Player) -> None:
        hand = [range(min(4, player.hand.get(colour, 0)) + 1) for colour in range(6)]
        kept = [dict(enumerate(counts)) for counts in itertools.product(*hand) if sum(counts) <= 4]
        actions = [passing({colour: count for colour, count in tiles.items() if count}) for tiles in kept]
        for star, slot, colour in self.placements(player):
            wilds = player.wilds(self.numbers[star][slot], colour, self.wild)
            actions += [placing(star, slot, colour, count) for count in wilds]
        self.offers(next(seat for seat, one in enumerate(self.players) if one is player), actions)
        super().turn(player)

    def place(self, player: Player, star: int, slot: int, colour: int) -> int:
        owed = super().place(player, star, slot, colour)
        self.act(placing(star, slot, colour, self.chance.chosen))
        assert owed == RULESET.view(self.twin)["bonus_owed"]
        return owed

    def take_bonus(self, player: Player) -> None:
        seat = next(seat for seat, one in enumerate(self.players) if one is player)
        self.offers(seat, [{"type": "summer-pavilion.take_bonus", "colour": COLOURS[colour]} for colour in self.supply])
        super().take_bonus(player)
        self.act({"type": "summer-pavilion.take_bonus", "colour": COLOURS[self.chance.chosen]})

    def pass_round(self, player: Player) -> None:
        super().pass_round(player)
        self.act(passing(player.corners))


@pytest.mark.parametrize("variant", RULESET.variants)
@pytest.mark.parametrize("seats", RULESET.seat_counts)
@pytest.mark.parametrize("builds", [False, True], ids=["random", "builders"])
def test_both_games_agree_from_the_first_deal_to_the_last_score(variant: str, seats: int, *, builds: bool) -> None:
    twins = Twins(variant, seats, Chance(0, builds=builds))
    scores = twins.play()
    assert "over" == twins.twin.status
    assert tuple(scores) == twins.twin.scores
    assert twins.was_short == (builds and seats == 4)
