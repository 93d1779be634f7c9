"""Good input: positions of random games, their actions, draws and records.

Positions come from whole games of every ruleset, side and number of seats, played in every way that the soak knows.
Records come from games with clocks, offers, pauses, failing endpoints, and seats that are handed over, claimed again
and resigned.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from dataclasses import dataclass
from hashlib import sha256

from service.games import game_export
from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.clocks import ClockRule
from service.games.state.endpoints import Endpoint
from service.games.state.model import Game, Meta
from service.games.state.moments import add_seconds
from service.games.state.seats import AI, HTTP, OPEN_SEAT, PLAYER, Seat
from service.games.state.takebacks import find_target
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position, Ruleset
from service.usecases.base import repository
from tests.games.test_log import fold_all
from tests.rulesets.soak import WAYS, choose

SEED = "good input"
KEPT = 30  # positions of a game, including the first and the last
AT = "2026-01-01T00:00:00.000Z"
MAX_STEPS = 60  # of a damaged record: most damage to a long one would hit its beginning


@dataclass(frozen=True)
class Kind:
    """A kind of game. All kinds are tried equally often."""

    ruleset: Ruleset
    variant: str
    seats: int

    def __str__(self) -> str:
        return f"{self.ruleset.id} {self.variant} {self.seats}"


GAMES = [
    Kind(ruleset, variant, seats)
    for ruleset in RULESETS.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]


def position_after(position: Position, dice: random.Random, way: str) -> Position:
    """Return the position after one action or draw."""
    rng = generator(dice.randbytes(31) + b"\1")
    if position.status == "drawing":
        return position.resolve_draw(position.sample(rng))
    return position.play(choose(position.ruleset, position.table_state(), rng, way))


@functools.cache
def positions(game: Kind) -> tuple[Position, ...]:
    """Return positions of a game in each way to play, including set-up and end."""
    results = []
    for way in WAYS:
        dice = random.Random(f"{SEED} {game} {way}")
        played = [game.ruleset.start(game.variant, game.seats, dice.choice([None, *range(game.seats)]))]
        while played[-1].status != "over":
            played.append(position_after(played[-1], dice, way))
        results += [*played[: -1 : 1 + len(played) // (KEPT // 2)], *played[-KEPT // 2 :]]
    return tuple(results)


@functools.cache
def views(game: Kind) -> tuple[Json, ...]:
    """Return the same positions as JSON."""
    return tuple(game.ruleset.view(position) for position in positions(game))


@functools.cache
def actions(game: Kind) -> tuple[Json, ...]:
    """Return some legal actions of each of these positions, as JSON."""
    results = []
    for position in positions(game):
        legal = position.legal_actions()
        results += [game.ruleset.wire.decode(action) for action in legal[:: 1 + len(legal) // 8]]
    return tuple(results)


@functools.cache
def draws(game: Kind) -> tuple[tuple[Position, Json], ...]:
    """Return positions that wait for a draw, each with a possible draw as JSON."""
    rng = generator(sha256(str(game).encode()).digest())
    return tuple(
        (position, game.ruleset.wire.name_draw(position.table_state(), position.sample(rng)))
        for position in positions(game)
        if position.status == "drawing"
    )


# ------------------------------------------------------------------------------------------------ records


class People:
    """Play a game with all kinds of events."""

    def __init__(self, game: Kind, dice: random.Random) -> None:
        self.dice = dice
        self.session = GameSession(Game.new(_meta(game, dice)), AT, self._past, lambda: "the-game-after-this")
        self.session.create()

    def _past(self, revision: int) -> Game:
        return fold_all(Game.new(self.session.game.meta), self.session.events[:revision])

    def play(self, steps: int) -> None:
        """Take this number of steps, or fewer if the game ends."""
        for _ in range(steps):
            self.session.current_time = add_seconds(self.session.current_time, self.dice.choice((0, 1, 5, 40, 40, 300)))
            deeds = (self._join, self._decide) if self.session.game.position is None else (self._decide,)
            deed = self.dice.choice(deeds) if self.dice.random() < 0.75 else self.dice.choice(DEEDS)
            if self.session.keep_time():
                continue
            try:
                deed(self)
            except GameError:  # not possible now
                continue

    def _seat(self) -> int:
        return self.dice.randrange(len(self.session.game.seats))

    def _join(self, *_: object) -> None:
        seat = self._seat()
        if self.session.game.seats[seat].kind in (OPEN_SEAT, PLAYER):
            self.session.join(seat, self.dice.choice((None, "Eve", "Zoë")))

    def _decide(self, *_: object) -> None:
        game = self.session.game
        if game.to_decide is None or game.position is None:
            if game.position is None and self.dice.random() < 0.3:
                self.session.start()
            return
        if game.endpoint_to_decide is not None and self.dice.random() < 0.3:
            self.session.fail("illegal", "not_yours")
            return
        action = game.position.random_action(generator(self.dice.randbytes(31) + b"\1"))
        self.session.act(game.to_decide, action)

    def _hand_over(self) -> None:
        if self.session.game.seats[seat := self._seat()].kind == PLAYER:
            self.session.hand_over(seat, "Fay")

    def _take_back(self) -> None:
        seat = self._seat()
        self.session.take_back(seat, find_target(self.session.events, seat))
        self.session.draw()

    def _pause(self) -> None:
        self.session.pause(self._seat(), 3600)

    def _resume(self) -> None:
        self.session.resume(self._seat())

    def _rematch(self) -> None:
        self.session.rematch(self._seat())

    def _answer(self) -> None:
        if offers := self.session.game.offers:
            offer = self.dice.choice(offers)
            self.session.answer(self._seat(), offer.id, accept=self.dice.random() < 0.8)
            self.session.draw()

    def _resign(self) -> None:
        if self.dice.random() < 0.2:
            self.session.resign(self._seat())

    def _abort(self) -> None:
        if self.dice.random() < 0.05:
            self.session.end()


DEEDS = (
    *(People._join, People._hand_over, People._take_back, People._take_back, People._pause, People._resume),
    *(People._rematch, People._answer, People._answer, People._answer, People._resign, People._abort),
)


def _meta(game: Kind, dice: random.Random) -> Meta:
    kinds = dice.choices((PLAYER, OPEN_SEAT, AI, HTTP), (10, 3, 2, 2), k=game.seats)
    endpoint = Endpoint("https://bot.example/azul", "a secret", 5.0, 2, dice.choice(("ai", "lose")))
    begins = dice.choice(positions(game)) if dice.random() < 0.2 else None
    if begins is not None and begins.status == "over":
        begins = None
    first = None if begins is not None else dice.choice([None, *range(game.seats)])
    return Meta(
        id="a-game-of-people",
        ruleset=game.ruleset.id,
        ruleset_version=game.ruleset.version,
        variant=game.variant,
        visibility="unlisted",
        first_seat=first,
        seed=dice.randbytes(32).hex(),
        fair=True,
        created_at=AT,
        seats=tuple(Seat(kind, level="greedy" if kind in (AI, HTTP) else None) for kind in kinds),
        clock=ClockRule(60, 120, dice.choice(("ai", "lose")), "greedy") if dice.random() < 0.5 else None,
        position=None if begins is None else game.ruleset.view(begins),
        endpoints=tuple(endpoint if kind == HTTP else None for kind in kinds) if HTTP in kinds else (),
    )


@functools.cache
def record_of(game: Kind, number: int) -> str:
    """Return the record of a game as JSON. Some games are long and played to their end."""
    dice = random.Random(f"{SEED} {game} {number}")
    people = People(game, dice)
    people.play(dice.choice((3, 10, MAX_STEPS, MAX_STEPS, 2_000)))
    session = people.session
    return json.dumps(game_export.export_game(session.game, repository.events_json(session.game, session.events, "en")))


def records(game: Kind) -> list[str]:
    """Return some records."""
    return [record_of(game, number) for number in range(8)]


def every_view() -> list[Json]:
    """Return some positions of every game, as a source of parts."""
    return [*itertools.chain.from_iterable(views(game)[::7] for game in GAMES)]
