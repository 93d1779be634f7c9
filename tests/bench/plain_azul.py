"""Azul as plain Python objects: the baseline that the bench holds the compiled rules against.

A speed-up means something only beside a fair opponent, so this is the program a competent Python
programmer would write first: classes, lists and dicts, both variants, two to four seats, every rule of the
page, nothing slowed down on purpose and nothing contorted for speed. It plays one kind of game only,
uniformly random legal actions from the set-up to the end, it checks nothing that it is given, and it has no
notation, no undo and no copy.

The service never uses it. Its scores have the same distribution as random games by the compiled rules, which
the bench may check as a sign that both play the same game.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

COLOURS = range(5)
FACTORIES = {2: 5, 3: 7, 4: 9}
FLOOR_SPACES = 7
PENALTIES = (0, 1, 2, 4, 6, 8, 11, 14)
TOKEN = 5  # on a floor line, beside the colours 0..4
FLOOR = 5  # as a destination, after the pattern lines 0..4
MOST_IDLE_ROUNDS = 5

Source = dict[int, int]  # colour -> count, zeros left out
Move = tuple[Source, int, int]  # source, colour, destination


@dataclass
class Player:
    """One board; `wall[row][column]` is a colour or None."""

    score: int = 0
    line_colour: list[int | None] = field(default_factory=lambda: [None] * 5)
    line_count: list[int] = field(default_factory=lambda: [0] * 5)
    wall: list[list[int | None]] = field(default_factory=lambda: [[None] * 5 for _ in range(5)])
    floor: list[int] = field(default_factory=list)

    def destinations(self, colour: int) -> list[int]:
        """Pattern lines that may take the colour, then the floor."""
        lines = [
            line
            for line in range(5)
            if self.line_count[line] <= line
            and self.line_colour[line] in (None, colour)
            and colour not in self.wall[line]
        ]
        lines.append(FLOOR)
        return lines

    def drop(self, colour: int, count: int, lid: list[int]) -> None:
        """Tiles fall onto the floor; what finds no space goes to the box lid."""
        fallen = min(count, FLOOR_SPACES - len(self.floor))
        self.floor.extend([colour] * fallen)
        lid.extend([colour] * (count - fallen))

    def add(self, colour: int, count: int, destination: int, lid: list[int]) -> None:
        """Tiles go to a pattern line or to the floor; what does not fit falls."""
        if destination != FLOOR:
            placed = min(count, destination + 1 - self.line_count[destination])
            self.line_colour[destination] = colour
            self.line_count[destination] += placed
            count -= placed
        self.drop(colour, count, lid)

    def columns(self, row: int, colour: int) -> list[int]:
        """Columns of the free wall that may take the colour in that row."""
        if colour in self.wall[row]:
            return []
        return [
            column
            for column in range(5)
            if self.wall[row][column] is None and all(line[column] != colour for line in self.wall)
        ]

    def empty_line(self, line: int) -> None:
        """The pattern line is empty again."""
        self.line_colour[line] = None
        self.line_count[line] = 0

    def points(self, row: int, column: int) -> int:
        """Points of the tile just placed: each run through it that is longer than one."""
        horizontal = self.run(row, column, 0, 1) + self.run(row, column, 0, -1) + 1
        vertical = self.run(row, column, 1, 0) + self.run(row, column, -1, 0) + 1
        if horizontal == vertical == 1:
            return 1
        return (horizontal if horizontal > 1 else 0) + (vertical if vertical > 1 else 0)

    def run(self, row: int, column: int, down: int, right: int) -> int:
        """Tiles next to a space in one direction, up to the first gap."""
        length = 0
        row, column = row + down, column + right
        while 0 <= row < 5 and 0 <= column < 5 and self.wall[row][column] is not None:
            length += 1
            row, column = row + down, column + right
        return length

    def pay_floor(self, lid: list[int]) -> None:
        """The floor penalty; the tiles go to the box lid, the token to nobody's floor."""
        self.score = max(0, self.score - PENALTIES[len(self.floor)])
        lid.extend(tile for tile in self.floor if tile != TOKEN)
        self.floor.clear()

    def full_rows(self) -> int:
        """Number of full horizontal rows."""
        return sum(None not in row for row in self.wall)

    def bonus(self) -> int:
        """Points at the end: 2 a row, 7 a column, 10 a colour."""
        columns = sum(all(row[column] is not None for row in self.wall) for column in range(5))
        colours = sum(all(colour in row for row in self.wall) for colour in COLOURS)
        return 2 * self.full_rows() + 7 * columns + 10 * colours


class Game:
    """A game in play; `play` plays it to the end."""

    def __init__(self, variant: str, seats: int, rng: random.Random) -> None:
        self.grey = variant == "grey"
        self.rng = rng
        self.players = [Player() for _ in range(seats)]
        self.bag = [colour for colour in COLOURS for _ in range(20)]
        rng.shuffle(self.bag)
        self.lid: list[int] = []
        self.factories: list[Source] = []
        self.centre: Source = {}
        self.holder: int | None = None
        self.starter = rng.randrange(seats)
        self.rounds = 0
        self.idle_rounds = 0

    def play(self) -> list[int]:
        """Final scores by seat."""
        while self.deal():
            self.rounds += 1
            self.draft()
            if self.holder is not None:
                self.starter = self.holder
            self.idle_rounds = 0 if self.tile_walls() else self.idle_rounds + 1
            if self.idle_rounds == MOST_IDLE_ROUNDS or any(player.full_rows() for player in self.players):
                break
        return [player.score + player.bonus() for player in self.players]

    def deal(self) -> bool:
        """Fill the factories, and the bag from the lid when a tile is wanted; whether there was any tile."""
        self.holder = None
        self.factories = []
        for _ in range(FACTORIES[len(self.players)]):
            factory: Source = {}
            for _ in range(4):
                if not self.bag:
                    if not self.lid:
                        break
                    self.bag, self.lid = self.lid, []
                    self.rng.shuffle(self.bag)
                tile = self.bag.pop()
                factory[tile] = factory.get(tile, 0) + 1
            if factory:
                self.factories.append(factory)
        return bool(self.factories)

    def moves(self, player: Player) -> list[Move]:
        """All legal moves of a player."""
        destinations = [player.destinations(colour) for colour in COLOURS]
        return [
            (source, colour, destination)
            for source in (*self.factories, self.centre)
            for colour in source
            for destination in destinations[colour]
        ]

    def draft(self) -> None:
        """Seats take tiles in turn until nothing is left."""
        seat = self.starter
        while self.factories or self.centre:
            player = self.players[seat]
            source, colour, destination = self.rng.choice(self.moves(player))
            count = source.pop(colour)
            if source is self.centre:
                if self.holder is None:
                    self.holder = seat
                    if len(player.floor) < FLOOR_SPACES:
                        player.floor.append(TOKEN)
            else:
                for other, number in source.items():
                    self.centre[other] = self.centre.get(other, 0) + number
                self.factories = [factory for factory in self.factories if factory is not source]
            player.add(colour, count, destination, self.lid)
            seat = (seat + 1) % len(self.players)

    def tile_walls(self) -> bool:
        """Wall-tiling of all seats in turn order; whether any wall gained a tile."""
        gained = False
        for turn in range(len(self.players)):
            player = self.players[(self.starter + turn) % len(self.players)]
            for line in range(5):
                if player.line_count[line] > line:
                    gained |= self.tile_line(player, line)
            player.pay_floor(self.lid)
        return gained

    def tile_line(self, player: Player, line: int) -> bool:
        """One tile of a complete line goes to the wall; False: it had no column and fell."""
        colour = player.line_colour[line]
        assert colour is not None
        player.empty_line(line)
        columns = player.columns(line, colour) if self.grey else [(colour + line) % 5]
        if not columns:
            player.drop(colour, line + 1, self.lid)
            return False
        column = self.rng.choice(columns) if self.grey else columns[0]
        player.wall[line][column] = colour
        player.score += player.points(line, column)
        self.lid.extend([colour] * line)
        return True


def play_random_game(variant: str, seats: int, rng: random.Random) -> list[int]:
    """Final scores, by seat, of one game of uniformly random legal actions; the first seat is drawn too."""
    return Game(variant, seats, rng).play()
