"""Azul: Summer Pavilion as plain Python objects: the baseline that the bench holds the compiled rules against.

A speed-up means something only beside a fair opponent, so this is the program a competent Python programmer would
write first: classes, lists and dicts, both variants, two to four seats, every rule of the page, nothing slowed down on
purpose and nothing contorted for speed. It plays one kind of game only, random legal moves from the set-up to the end,
it checks nothing that it is given, and it has no notation, no undo and no copy.

Its chance is that of `random_action`: a source and colour, all equally likely; a space and colour that the seat can
pay for, or the pass, all equally likely, then any number of wilds that will do; any colour of the supply. Who passes
keeps as many tiles as allowed three times in four, else any smaller number, and the tiles by chance.

The service never uses it. Its scores have the same distribution as random games by the compiled rules: a test compares.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

COLOURS = range(6)  # purple, green, orange, yellow, blue, red: so round k has wild colour k, both from 0
OUTER_STARS = range(6)  # clockwise orange, red, blue, yellow, green, purple
CENTRE_STAR = 6
STAR_COLOURS = (2, 5, 4, 3, 1, 0)  # of the outer stars, on the coloured side
STAR_POINTS = (20, 18, 17, 16, 15, 14)  # a completed star of one colour, by colour
MIXED_STAR_POINTS = 12
NUMBER_POINTS = {1: 4, 2: 8, 3: 12, 4: 16}
NUMBERS = {
    "coloured": [[1, 2, 3, 4, 5, 6]] * 7,
    "grey": [[3, 2, 1, 4, 5, 6]] * 6 + [[3] * 6],
}
FACTORIES = {2: 5, 3: 7, 4: 9}
TILES_A_FACTORY = 4
SUPPLY_SPACES = 10
MOST_KEPT = 4

Space = tuple[int, int]  # star, slot; slots from 0
Tiles = dict[int, int]  # colour -> count, zeros left out
Feature = tuple[list[Space], int]  # the spaces around it, bonus tiles


def features() -> list[Feature]:
    """Pillars, statues and windows."""
    found: list[Feature] = []
    for star in OUTER_STARS:
        following = (star + 1) % 6
        pillar = [(star, 1), (star, 2), (CENTRE_STAR, (star - 1) % 6), (CENTRE_STAR, star)]
        statue = [(star, 0), (star, 1), (following, 2), (following, 3)]
        window = [(star, 4), (star, 5)]
        found += [(pillar, 1), (statue, 2), (window, 3)]
    return found


FEATURES_AT: dict[Space, list[Feature]] = {
    (star, slot): [feature for feature in features() if (star, slot) in feature[0]]
    for star in range(7)
    for slot in range(6)
}


def add(tiles: Tiles, colour: int, count: int = 1) -> None:
    """More tiles of a colour, or fewer; a count of zero is left out."""
    tiles[colour] = tiles.get(colour, 0) + count
    if not tiles[colour]:
        del tiles[colour]


@dataclass
class Player:
    """One board; `stars[star][slot]` is a colour or None."""

    score: int = 5
    passed: bool = False
    hand: Tiles = field(default_factory=dict)
    corners: Tiles = field(default_factory=dict)
    stars: list[list[int | None]] = field(default_factory=lambda: [[None] * 6 for _ in range(7)])

    def lose(self, points: int) -> None:
        """No loss takes a score below 1."""
        self.score = max(1, self.score - points)

    def takes(self, star: int, colour: int, *, grey: bool) -> bool:
        """Whether a star with a free space may take the colour."""
        if not grey and star != CENTRE_STAR:
            return STAR_COLOURS[star] == colour
        laid = [tile for tile in self.stars[star] if tile is not None]
        if grey and len(laid) == 1:
            return True
        if grey and len(laid) > 1 and laid[0] == laid[1]:
            return laid[0] == colour
        return colour not in laid

    def wilds(self, number: int, colour: int, wild: int) -> range:
        """How many wilds may pay for a space of that number in that colour: empty where the hand is too small."""
        own = self.hand.get(colour, 0)
        if colour == wild:
            return range(1 if own >= number else 0)
        if not own:
            return range(0)
        return range(max(0, number - own), min(number - 1, self.hand.get(wild, 0)) + 1)

    def run(self, star: int, slot: int) -> int:
        """Length of the unbroken run of tiles on a star's ring around a slot that holds one."""
        ring = self.stars[star]
        length = 1
        for step in (1, -1):
            other = (slot + step) % 6
            while length < 6 and ring[other] is not None:
                length += 1
                other = (other + step) % 6
        return length

    def holds(self, space: Space) -> bool:
        """Whether a tile lies on the space."""
        star, slot = space
        return self.stars[star][slot] is not None

    def bonus(self, numbers: list[list[int]]) -> int:
        """Points at the end for completed stars and for numbers."""
        points = 0
        for star in self.stars:
            if None not in star:
                colour = star[0]
                assert colour is not None
                points += STAR_POINTS[colour] if star[1] == colour else MIXED_STAR_POINTS
        open_numbers = {
            number
            for star, printed in zip(self.stars, numbers, strict=True)
            for tile, number in zip(star, printed, strict=True)
            if tile is None
        }
        return points + sum(more for number, more in NUMBER_POINTS.items() if number not in open_numbers)


class Game:
    """A game in play; `play` plays it to the end."""

    def __init__(self, variant: str, seats: int, rng: random.Random) -> None:
        self.grey = variant == "grey"
        self.numbers = NUMBERS[variant]
        self.rng = rng
        self.players = [Player() for _ in range(seats)]
        self.bag = [colour for colour in COLOURS for _ in range(22)]
        rng.shuffle(self.bag)
        self.tower: list[int] = []
        self.supply: Tiles = {}
        self.factories: list[Tiles] = []
        self.centre: Tiles = {}
        self.holder: int | None = None
        self.starter = rng.randrange(seats)
        self.wild = 0

    def play(self) -> list[int]:
        """Final scores by seat."""
        for wild in COLOURS:
            self.wild = wild
            self.deal()
            self.acquire_all()
            if self.holder is not None:
                self.starter = self.holder
            self.play_tiles()
        for player in self.players:
            player.score += player.bonus(self.numbers)
            player.lose(sum(player.corners.values()))
        return [player.score for player in self.players]

    # ------------------------------------------------------------------------------------- the deal

    def draw(self) -> int | None:
        """A tile of the bag, which is filled from the tower when it is empty; None: both are."""
        if not self.bag:
            self.bag, self.tower = self.tower, []
            self.rng.shuffle(self.bag)
        return self.bag.pop() if self.bag else None

    def fill_supply(self) -> None:
        """Up to ten tiles lie in the supply."""
        for _ in range(SUPPLY_SPACES - sum(self.supply.values())):
            tile = self.draw()
            if tile is None:
                break
            add(self.supply, tile)

    def deal(self) -> None:
        """The supply, then the factories; the corners go back to the hands."""
        self.holder = None
        self.fill_supply()
        self.factories = []
        for _ in range(FACTORIES[len(self.players)]):
            factory: Tiles = {}
            for _ in range(TILES_A_FACTORY):
                tile = self.draw()
                if tile is not None:
                    add(factory, tile)
            if factory:
                self.factories.append(factory)
        for player in self.players:
            player.passed = False
            player.hand, player.corners = player.corners, {}

    # ------------------------------------------------------------------------------ phase 1: acquire

    def acquire_all(self) -> None:
        """Seats take tiles in turn until nothing is left."""
        seat = self.starter
        while self.factories or self.centre:
            self.acquire(seat)
            seat = (seat + 1) % len(self.players)

    def acquire(self, seat: int) -> None:
        """One colour of one source, and a wild tile with it; or a wild tile where nothing else lies."""
        player = self.players[seat]
        source, colour = self.rng.choice(
            [
                (source, colour)
                for source in (*self.factories, self.centre)
                for colour in source
                if colour != self.wild or len(source) == 1
            ]
        )
        taken = {colour: 1 if colour == self.wild else source[colour]}
        if colour != self.wild and self.wild in source:
            taken[self.wild] = 1
        for tile, count in taken.items():
            add(source, tile, -count)
            add(player.hand, tile, count)
        if source is self.centre:
            if self.holder is None:
                self.holder = seat
                player.lose(sum(taken.values()))
        else:
            for tile, count in source.items():
                add(self.centre, tile, count)
            self.factories = [factory for factory in self.factories if factory is not source]

    # --------------------------------------------------------------------------------- phase 2: play

    def play_tiles(self) -> None:
        """Seats take turns until all have passed."""
        seat = self.starter
        while not all(player.passed for player in self.players):
            if not self.players[seat].passed:
                self.turn(self.players[seat])
                if not all(player.passed for player in self.players):
                    self.fill_supply()
            seat = (seat + 1) % len(self.players)

    def turn(self, player: Player) -> None:
        """A tile is placed and its bonus taken, or the player passes."""
        chosen = self.rng.choice([*self.placements(player), None])
        if chosen is None:
            self.pass_round(player)
            return
        star, slot, colour = chosen
        for _ in range(self.place(player, star, slot, colour)):
            self.take_bonus(player)

    def placements(self, player: Player) -> list[tuple[int, int, int]]:
        """All (star, slot, colour) that the player can pay for."""
        return [
            (star, slot, colour)
            for star in range(7)
            for colour in player.hand
            if player.takes(star, colour, grey=self.grey)
            for slot in range(6)
            if player.stars[star][slot] is None and player.wilds(self.numbers[star][slot], colour, self.wild)
        ]

    def place(self, player: Player, star: int, slot: int, colour: int) -> int:
        """A tile onto the board, the others into the tower; how many bonus tiles are owed for it."""
        number = self.numbers[star][slot]
        wilds = self.rng.choice(player.wilds(number, colour, self.wild))
        add(player.hand, colour, wilds - number)
        if wilds:
            add(player.hand, self.wild, -wilds)
        self.tower.extend([colour] * (number - wilds - 1) + [self.wild] * wilds)
        player.stars[star][slot] = colour
        player.score += player.run(star, slot)
        owed = sum(tiles for around, tiles in FEATURES_AT[star, slot] if all(player.holds(space) for space in around))
        return min(owed, sum(self.supply.values()))

    def take_bonus(self, player: Player) -> None:
        """A tile of the supply goes to the hand."""
        colour = self.rng.choice(list(self.supply))
        add(self.supply, colour, -1)
        add(player.hand, colour)

    def pass_round(self, player: Player) -> None:
        """Up to four tiles go to the corners, the others to the tower at a point each."""
        tiles = [colour for colour, count in player.hand.items() for _ in range(count)]
        self.rng.shuffle(tiles)
        kept = min(MOST_KEPT, len(tiles))
        if kept and self.rng.random() >= 3 / 4:
            kept = self.rng.randrange(kept)
        player.hand = {}
        for colour in tiles[:kept]:
            add(player.corners, colour)
        self.tower.extend(tiles[kept:])
        player.lose(len(tiles) - kept)
        player.passed = True


def play_random_game(variant: str, seats: int, rng: random.Random) -> list[int]:
    """Final scores, by seat, of one game of random legal moves; the first seat is drawn too."""
    return Game(variant, seats, rng).play()
