"""Azul: Queen's Garden as plain Python objects: the baseline that the bench holds the compiled rules against.

A speed-up means something only beside a fair opponent, so this is the program a competent Python programmer would
write first: classes, lists and dicts, both variants, two to four seats, every rule of the page, nothing slowed down on
purpose and nothing contorted for speed. It plays random legal moves from the set-up to the end, it checks nothing that
it is given, and it has no notation, no undo and no copy. Expansions are shuffled once, as in the box.

Its chance is that of `random_action`: equally likely are every colour and pattern that can be acquired, every tile and
every expansion of the storage that can be placed, to buy, and to pass; then every way to do it is equally likely. Who
passes discards nothing three times in four, else each piece by the toss of a coin.

The service never uses it. Its scores have the same distribution as random games by the compiled rules: a test compares.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.bench.plain_queens_garden_board import (
    AXES,
    HEXAGONS,
    TOP,
    Display,
    Hexagon,
    Payment,
    Piece,
    Player,
    Space,
    value,
)

ROUNDS = 4
STACKS = {2: 5, 3: 7, 4: 8}
TILES_ON_TOP = 4
PRICE = 6
SHOWN_COLOURS = [(0, 1), (5,), (3, 4), (2,)]  # by round
SHOWN_PATTERNS = [(0,), (1, 2), (3,), (4, 5)]
PATTERN_POINTS = {"standard": [1, 1, 2, 2, 3, 3], "reverse": [2] * 6}
GROUP_BONUS = {"standard": {6: 6}, "reverse": {4: 2, 5: 4, 6: 6}}
LEAST_GROUP = 3


class Acquire(NamedTuple):
    """All that shows a colour, or a pattern."""

    axis: int
    kind: int
    pieces: tuple[Piece, ...]


class PlaceTile(NamedTuple):
    """A tile of the storage goes to the garden."""

    hexagon: Hexagon
    space: Space
    payment: Payment


class PlaceExpansion(NamedTuple):
    """An expansion of the storage goes to the garden."""

    hexagon: Hexagon
    area: int
    rotation: int
    payment: Payment


class Buy(NamedTuple):
    """An expansion of the supply goes to the garden."""

    area: int


class Pass(NamedTuple):
    """The round ends for the seat."""

    tiles: tuple[Hexagon, ...]
    expansions: tuple[Hexagon, ...]


Action = Acquire | PlaceTile | PlaceExpansion | Buy | Pass


class Game:
    """A game in play; `play` plays it to the end."""

    def __init__(self, variant: str, seats: int, rng: random.Random) -> None:
        self.variant = variant
        self.rng = rng
        self.players = [Player() for _ in range(seats)]
        self.bag = HEXAGONS * 3
        rng.shuffle(self.bag)
        self.tower: list[Hexagon] = []
        faces = rng.sample(HEXAGONS, len(HEXAGONS))
        size = STACKS[seats]
        self.stacks = [faces[size * number : size * (number + 1)] for number in range(ROUNDS)]
        self.supply = faces[size * ROUNDS :]  # what comes back goes to its end
        self.display = Display([])
        self.seat = self.starter = rng.randrange(seats)

    def play(self) -> list[int]:
        """Final scores by seat."""
        for number in range(ROUNDS):
            self.set_up_round(number)
            self.play_round()
            for player in self.players:
                player.score += self.round_points(player, number)
            if number + 1 < ROUNDS:
                self.clear_display()
        for player in self.players:
            self.count_storage(player)
            player.score += self.group_points(player)
        return [player.score for player in self.players]

    # ----------------------------------------------------------------------------------- the display

    def set_up_round(self, number: int) -> None:
        """A new stack, and tiles on its top."""
        self.display = Display(self.stacks[number])
        self.fill()
        self.display.turn()
        for player in self.players:
            player.passed = False

    def fill(self) -> None:
        """Four tiles for the top; where there are none at all, the rest of the stack goes beside."""
        if len(self.bag) < TILES_ON_TOP:
            self.bag += self.tower
            self.tower = []
            self.rng.shuffle(self.bag)
        self.display.top = [self.bag.pop() for _ in range(min(TILES_ON_TOP, len(self.bag)))]
        while self.display.stack and not self.display.top:
            self.display.move_top()

    def clear_display(self) -> None:
        """Tiles go to the tower, expansions under the supply."""
        self.tower += self.display.top
        for one in self.display.beside:
            self.tower += one.tiles
            self.supply.append(one.face)
        self.supply += self.display.stack

    # ------------------------------------------------------------------------------------- the turns

    def play_round(self) -> None:
        """Seats take turns until all have passed."""
        self.seat = self.starter
        while not all(player.passed for player in self.players):
            if not self.players[self.seat].passed:
                self.act(self.choose())
            self.seat = (self.seat + 1) % len(self.players)

    def act(self, action: Action) -> None:
        """The seat's move."""
        player = self.players[self.seat]
        if isinstance(action, Acquire):
            self.acquire(player, action.pieces)
        elif isinstance(action, PlaceTile):
            player.tiles.remove(action.hexagon)
            self.pay(player, action.payment)
            player.gain_jokers(player.garden.place_tile(action.hexagon, action.space))
        elif isinstance(action, PlaceExpansion):
            player.expansions.remove(action.hexagon)
            self.pay(player, action.payment)
            player.garden.place_expansion(action.hexagon, action.area, action.rotation)
        elif isinstance(action, Buy):
            player.score -= PRICE
            player.garden.place_bought(self.supply.pop(0), action.area)
        else:
            self.pass_round(player, action)

    def acquire(self, player: Player, pieces: tuple[Piece, ...]) -> None:
        """The pieces go to the storage; a top that lost a tile makes way for the next."""
        for piece in pieces:
            self.display.take(piece)
            (player.expansions if piece.expansion else player.tiles).append(piece.hexagon)
        if any(piece.place == TOP for piece in pieces):
            self.display.move_top()
            if self.display.stack:
                self.fill()
        self.display.turn()

    def pay(self, player: Player, payment: Payment) -> None:
        """Tiles go to the tower, expansions under the supply."""
        self.discard(player, payment.tiles, payment.expansions)
        player.jokers -= payment.jokers

    def discard(self, player: Player, tiles: tuple[Hexagon, ...], expansions: tuple[Hexagon, ...]) -> None:
        """Pieces leave the storage."""
        for tile in tiles:
            player.tiles.remove(tile)
        for face in expansions:
            player.expansions.remove(face)
        self.tower += tiles
        self.supply += expansions

    def pass_round(self, player: Player, action: Pass) -> None:
        """The first to pass loses a point and starts the next round."""
        if not any(other.passed for other in self.players):
            self.starter = self.seat
            player.lose(1)
        self.discard(player, *action)
        player.lose(sum(value(hexagon) for hexagon in action.tiles + action.expansions))
        player.passed = True

    # ----------------------------------------------------------------------------------- the choices

    def choose(self) -> Action:
        """A random move of the seat."""
        player = self.players[self.seat]
        options: list[Callable[[], Action]] = [
            functools.partial(self.some_pieces, player, *match, sources)
            for match, sources in self.display.matching().items()
            if self.can_acquire(player, sources)
        ]
        options += [functools.partial(self.some_space, player, tile) for tile in player.placeable_tiles()]
        options += [functools.partial(self.some_area, player, face) for face in player.placeable_expansions()]
        if self.can_buy(player):
            options.append(lambda: Buy(self.rng.choice(player.garden.free_areas)))
        options.append(lambda: self.some_pass(player))
        return self.rng.choice(options)()

    def can_acquire(self, player: Player, sources: list[list[Piece]]) -> bool:
        """Whether some choice of pieces fits."""
        must_be_tiles = sum(not any(piece.expansion for piece in pieces) for pieces in sources)
        must_be_expansions = sum(all(piece.expansion for piece in pieces) for pieces in sources)
        tiles, expansions = player.room_for_tiles(), player.room_for_expansions()
        return must_be_tiles <= tiles and must_be_expansions <= expansions and len(sources) <= tiles + expansions

    def fits(self, player: Player, pieces: tuple[Piece, ...]) -> bool:
        """Whether the storage has room for them."""
        expansions = sum(piece.expansion for piece in pieces)
        return expansions <= player.room_for_expansions() and len(pieces) - expansions <= player.room_for_tiles()

    def can_buy(self, player: Player) -> bool:
        """Whether there is something to buy, a place for it and the points."""
        return bool(player.garden.free_areas and self.supply) and player.score >= PRICE

    def some_pieces(self, player: Player, axis: int, kind: int, sources: list[list[Piece]]) -> Action:
        """Any pieces of a colour or pattern that fit."""
        while True:
            pieces = tuple(self.rng.choice(one) for one in sources)
            if self.fits(player, pieces):
                return Acquire(axis, kind, pieces)

    def some_space(self, player: Player, tile: Hexagon) -> Action:
        """Any space, any payment."""
        space = self.rng.choice(list(player.garden.spaces_for(tile)))
        return PlaceTile(tile, space, self.rng.choice(list(player.payments(tile))))

    def some_area(self, player: Player, face: Hexagon) -> Action:
        """Any area and rotation, any payment."""
        area, rotation = self.rng.choice(list(player.garden.areas_for(face)))
        return PlaceExpansion(face, area, rotation, self.rng.choice(list(player.payments(face))))

    def some_pass(self, player: Player) -> Action:
        """Discards are rare."""
        if self.rng.random() < 3 / 4:
            return Pass((), ())
        tiles = tuple(tile for tile in player.tiles if self.rng.random() < 1 / 2)
        return Pass(tiles, tuple(face for face in player.expansions if self.rng.random() < 1 / 2))

    # ------------------------------------------------------------------------------------ the points

    def round_points(self, player: Player, number: int) -> int:
        """What the wheel shows, and a point for each pavilion."""
        points = player.garden.pavilions
        for colour, pattern in player.garden.hexagons.values():
            if colour in SHOWN_COLOURS[number]:
                points += 1
            if pattern in SHOWN_PATTERNS[number]:
                points += PATTERN_POINTS[self.variant][pattern]
        return points

    def count_storage(self, player: Player) -> None:
        """What is left at the end: jokers count, the rest costs its value."""
        player.lose(sum(value(hexagon) for hexagon in player.tiles + player.expansions) - player.jokers)

    def group_points(self, player: Player) -> int:
        """Groups of three and more at the end."""
        bonus = GROUP_BONUS[self.variant]
        return sum(
            sum(value(hexagon) for hexagon in group) + bonus.get(len(group), 0)
            for axis in AXES
            for group in player.garden.groups(axis)
            if len(group) >= LEAST_GROUP
        )


def legal_actions(game: Game) -> Iterator[Action]:
    """All moves of the seat to decide, each once, however it could be named."""
    player = game.players[game.seat]
    for match, sources in game.display.matching().items():
        for pieces in itertools.product(*sources):
            if game.fits(player, pieces):
                yield Acquire(*match, pieces)
    for tile in sorted(set(player.tiles)):
        for space, payment in itertools.product(player.garden.spaces_for(tile), player.payments(tile)):
            yield PlaceTile(tile, space, payment)
    for face in player.expansions:
        for place, payment in itertools.product(player.garden.areas_for(face), player.payments(face)):
            yield PlaceExpansion(face, *place, payment)
    if game.can_buy(player):
        yield from map(Buy, player.garden.free_areas)
    yield from discards(player)


def discards(player: Player) -> Iterator[Action]:
    """All ways to pass; equal tiles are one choice."""
    kinds = sorted(set(player.tiles))
    for counts in itertools.product(*(range(player.tiles.count(kind) + 1) for kind in kinds)):
        tiles = tuple(kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count))
        for number in range(len(player.expansions) + 1):
            for expansions in itertools.combinations(player.expansions, number):
                yield Pass(tiles, expansions)


def play_random_game(variant: str, seats: int, rng: random.Random) -> list[int]:
    """Final scores, by seat, of one game of random legal moves; the first seat is drawn too."""
    return Game(variant, seats, rng).play()
