"""Queen's Garden twice: the compiled rules follow the plain-object game move by move, and both agree on everything.

Before each decision what lies where is compared, and, now and then, what is legal. Besides random play there are
builders, who give away as few tiles as they can and place next to as much as they can, so that elements are completed,
groups grow and the supply and the bag run out: random play hardly does that.
"""

from __future__ import annotations

import collections
import itertools
import random
from collections.abc import Iterable
from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from tests.bench.plain_queens_garden import (
    Acquire,
    Action,
    Buy,
    Game,
    Pass,
    PlaceExpansion,
    PlaceTile,
    discards,
    legal_actions,
)
from tests.bench.plain_queens_garden_board import (
    AREA_CENTRES,
    AREAS,
    EXPANSION_SPACES,
    FOUNTAIN,
    HEXAGONS,
    TILE_SPACES,
    TOP,
    Hexagon,
    Payment,
    Piece,
    Player,
    around,
)

RULESET = RULESETS["queens-garden"]
COLOURS = ("blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple")
PATTERNS = ("tree", "bird", "butterfly", "flower", "plant", "bellflower")
SPACES = [*around(FOUNTAIN), *(space for centre in AREA_CENTRES for space in (*around(centre), centre))]
MOST_DISCARDS = 300  # no sample of what is legal has more

# ---------------------------------------------------------------------------------- as the wire says it


def named(hexagon: Hexagon) -> dict[str, str]:
    return {"colour": COLOURS[hexagon[0]], "pattern": PATTERNS[hexagon[1]]}


def listed(hexagons: Iterable[Hexagon]) -> list[dict[str, str]]:
    return [named(hexagon) for hexagon in sorted(hexagons)]


def in_order(told_hexagons: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted(told_hexagons, key=lambda one: (COLOURS.index(one["colour"]), PATTERNS.index(one["pattern"])))


def counts(tiles: Iterable[Hexagon]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (colour, pattern), count in sorted(collections.Counter(tiles).items()):
        found.setdefault(COLOURS[colour], {})[PATTERNS[pattern]] = count
    return found


def paid(payment: Payment) -> dict[str, Any]:
    pieces = {"tiles": listed(payment.tiles), "expansions": listed(payment.expansions)}
    return {**pieces, "jokers": payment.jokers}


def taken(piece: Piece) -> dict[str, Any]:
    return {
        "kind": "expansion" if piece.expansion else "tile",
        "from": "top" if piece.place == TOP else f"beside_{piece.place}",
        "hexagon": named(piece.hexagon),
    }


def told(action: Action) -> dict[str, Any]:
    """The named action."""
    match action:
        case Acquire(axis, kind, pieces):
            by, names = (("colour", COLOURS), ("pattern", PATTERNS))[axis]
            ordered = sorted(pieces, key=lambda piece: piece.hexagon)
            return {
                "type": "queens-garden.acquire",
                "by": by,
                "value": names[kind],
                "pieces": [taken(piece) for piece in ordered],
            }
        case PlaceTile(hexagon, space, payment):
            return {
                "type": "queens-garden.place_tile",
                "hexagon": named(hexagon),
                "space": list(space),
                "payment": paid(payment),
            }
        case PlaceExpansion(hexagon, area, rotation, payment):
            place = {"hexagon": named(hexagon), "area": area, "rotation": rotation}
            return {"type": "queens-garden.place_expansion", **place, "payment": paid(payment)}
        case Buy(area):
            return {"type": "queens-garden.buy_expansion", "area": area}
        case Pass(tiles, expansions):
            return {"type": "queens-garden.pass", "discard": {"tiles": listed(tiles), "expansions": listed(expansions)}}


# ------------------------------------------------------------------------------------------ the twins


class Twins(Game):
    """A plain game; each of its moves and draws is made by the compiled rules too."""

    def __init__(self, variant: str, seats: int, seed: int, *, builds: bool) -> None:
        super().__init__(variant, seats, random.Random(seed))
        self.builds = builds
        self.builder, self.sampler = random.Random(seed), random.Random(seed)
        self.twin = RULESET.start(variant, seats, self.starter)
        self.round = 0
        self.marker = "display"
        self.seen: set[Hexagon] = set()
        self.areas: list[list[Any]] = [[None] * len(AREAS) for _ in range(seats)]
        self.met: collections.Counter[str] = collections.Counter()

    # chance

    def set_up_round(self, number: int) -> None:
        self.round, self.marker = number + 1, "display"
        super().set_up_round(number)

    def fill(self) -> None:
        super().fill()
        if self.display.top:
            self.twin = self.twin.deal([6 * colour + pattern for colour, pattern in self.display.top])
        self.met["spread"] += not self.display.top

    def turn_too(self) -> None:
        """The faces that have turned up are drawn by the twin."""
        turned = [one.face for one in self.display.beside if one.turned and one.face not in self.seen]
        if turned:
            self.seen.update(turned)
            self.twin = self.twin.deal([6 * colour + pattern for colour, pattern in turned])

    # moves

    def choose(self) -> Action:
        self.turn_too()
        assert self.twin.seat == self.seat
        self.compare()
        if self.sampler.random() < 1 / 12:
            self.compare_legal()
        return self.build() if self.builds else super().choose()

    def build(self) -> Action:
        """A place next to as much as possible; else to acquire, to buy or, where there is nothing else, to pass."""
        moves = [*itertools.takewhile(lambda move: not isinstance(move, Pass), legal_actions(self))]
        if not moves or self.builder.random() < 1 / 50:
            return Pass((), ())
        wishes = [self.wish(move) for move in moves]
        most = max(wishes)
        return self.builder.choice([move for move, wish in zip(moves, wishes, strict=True) if wish == most])

    def wish(self, move: Action) -> int:
        """What a builder likes: to buy, tiles of the top, neighbours; what it dislikes: to pay, above all in tiles."""
        hexagons = self.players[self.seat].garden.hexagons
        match move:
            case Acquire(_, _, pieces):
                return (100 if any(piece.place == TOP for piece in pieces) else 60) - len(pieces)
            case PlaceTile(_, space, payment):
                return 80 - payment.jokers - 30 * len(payment.tiles) + sum(other in hexagons for other in around(space))
            case PlaceExpansion(_, _, _, payment):
                return 80 - payment.jokers - 30 * len(payment.tiles)
        return 120

    def act(self, action: Action) -> None:
        move = told(action)
        assert move == RULESET.wire.decode(RULESET.wire.encode(move))
        if isinstance(action, Pass) and self.marker == "display":
            self.marker = f"seat_{self.seat}"
        if isinstance(action, PlaceExpansion):
            self.areas[self.seat][action.area] = {"face": "up", "rotation": action.rotation}
        if isinstance(action, Buy):
            self.areas[self.seat][action.area] = {"face": "down"}
        before = self.players[self.seat].jokers
        self.twin = self.twin.play(RULESET.wire.encode(move))
        super().act(action)
        self.met[type(action).__name__] += 1
        self.met["jokers"] += isinstance(action, PlaceTile) and self.players[self.seat].jokers > before

    # comparisons

    def compare_legal(self) -> None:
        """Both allow the same; where there are very many ways to discard, these are left out."""
        moves = legal_actions(self)
        legal = self.twin.legal_actions()
        if sum(1 for _ in discards(self.players[self.seat])) > MOST_DISCARDS:
            moves = (move for move in moves if not isinstance(move, Pass))
            legal = [move for move in legal if RULESET.wire.decode(move)["type"] != "queens-garden.pass"]
        assert sorted(RULESET.wire.encode(told(move)) for move in moves) == sorted(legal)

    def compare(self) -> None:
        """The same lies in the same places."""
        self.count()
        view = RULESET.view(self.twin)
        for place, tiles in ((view["display"], "top"), *((one, "tiles") for one in view["display"]["beside"])):
            place[tiles] = in_order(place[tiles])  # they lie there in the order drawn
        assert self.common() == {key: view[key] for key in self.common()}
        for seat, player in enumerate(self.players):
            told_seat = self.told_seat(seat, player)
            assert told_seat == {key: view["seats"][seat][key] for key in told_seat}

    def common(self) -> dict[str, Any]:
        """What belongs to no seat."""
        beside = [
            {
                "number": one.number,
                "tiles": listed(one.tiles),
                "face": named(one.face) if one.turned else None,
            }
            for one in self.display.beside
        ]
        return {
            "round": self.round,
            "marker": self.marker,
            "display": {
                "stack": len(self.display.stack),
                "top": listed(self.display.top),
                "beside": beside,
                "left": self.display.left,
            },
            "round_stacks": sum(len(stack) for stack in self.stacks[self.round :]),
            "supply": len(self.supply),
            "unseen": listed(set(HEXAGONS) - self.seen),
            "bag": counts(self.bag),
            "tower": counts(self.tower),
        }

    def told_seat(self, seat: int, player: Player) -> dict[str, Any]:
        """What belongs to a seat."""
        printed = {
            around(AREA_CENTRES[area])[on["rotation"]]
            for area, on in enumerate(self.areas[seat])
            if on and on["face"] == "up"
        }
        garden = player.garden.hexagons
        return {
            "score": player.score,
            "passed": player.passed,
            "jokers": player.jokers,
            "tiles": counts(player.tiles),
            "expansions": listed(player.expansions),
            "areas": self.areas[seat],
            "garden": [
                {"space": list(space), "hexagon": named(garden[space]), "printed": space in printed}
                for space in SPACES
                if space in garden
            ],
        }

    def count(self) -> None:
        """108 tiles, three of each hexagon, and 36 expansions, one of each; storages hold no more than they can."""
        tiles = collections.Counter([*self.bag, *self.tower, *self.display.top])
        faces = [*self.supply, *(face for stack in self.stacks[self.round :] for face in stack), *self.display.stack]
        for one in self.display.beside:
            tiles.update(one.tiles)
            faces.append(one.face)
        for player, areas in zip(self.players, self.areas, strict=True):
            assert len(player.tiles) + player.jokers <= TILE_SPACES
            assert len(player.expansions) <= EXPANSION_SPACES
            assert min(player.jokers, player.score) >= 0
            printed = {
                around(AREA_CENTRES[area])[on["rotation"]] for area, on in enumerate(areas) if on and on["face"] == "up"
            }
            tiles.update(player.tiles)
            tiles.update(hexagon for space, hexagon in player.garden.hexagons.items() if space not in printed)
            faces += [*player.expansions, *player.garden.bought, *(player.garden.hexagons[space] for space in printed)]
        assert dict.fromkeys(HEXAGONS, 3) == tiles
        assert sorted(faces) == HEXAGONS


@pytest.mark.parametrize("variant", RULESET.variants)
@pytest.mark.parametrize("seats", RULESET.seat_counts)
@pytest.mark.parametrize("builds", [False, True], ids=["random", "builders"])
def test_both_games_agree_from_the_first_fill_to_the_last_score(variant: str, seats: int, *, builds: bool) -> None:
    twins = Twins(variant, seats, seats, builds=builds)
    scores = twins.play()
    assert "over" == twins.twin.status
    assert tuple(scores) == twins.twin.scores
    twins.compare()


@pytest.mark.parametrize(("variant", "seed"), [("standard", 49), ("reverse", 21)])
def test_both_games_agree_when_the_bag_and_the_tower_are_empty_and_the_stack_spreads(variant: str, seed: int) -> None:
    twins = Twins(variant, 4, seed, builds=True)
    assert tuple(twins.play()) == twins.twin.scores
    twins.compare()
    assert twins.met["spread"]
