"""Tournaments: levels and endpoints against each other, each pair of them in paired games.

A **match** is a pair of participants; a **deal** is a seed, and so all luck of a game. Each deal is played once for
every seat: the first participant of the match sits there, the second on all others. So luck cancels out, and with two
seats they simply change sides. The same tournament seed gives the same deals.

Games are played in background workers (workers.tasks.tournament), some in a job, where endpoints take part by dialers;
they are kept as seed and moves, and a record that anybody can replay is made of them when it is asked for.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import math
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from service.games import game_export
from service.games.chance import SEED_BYTES
from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.endpoints import Endpoint
from service.games.state.model import Game, Meta
from service.games.state.seats import AI, HTTP, Seat
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.work.tasks import DONE, StoredTask
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games.creating import NewEndpoint, check_endpoints
from service.usecases.work import lifecycle
from service.usecases.work.background import GAME
from service.usecases.work.lifecycle import Work

TOURNAMENT = "tournament"
MAX_GAMES = 2_000
MAX_PARTICIPANTS = 16
MAX_RECORDS = 100  # in one answer
USUAL_DECISIONS = 40  # of a seat
GAME_OVERHEAD_S = 0.05  # of a game
Z_95 = 1.96  # standard deviations to either side of the mean hold 95 % of a normal distribution


@dataclass(frozen=True)
class Participant:
    """Who takes part: a level by its own name, or an endpoint; `level` then stands in when it has failed."""

    name: str
    level: str
    endpoint: Endpoint | None = None

    @property
    def seat(self) -> Seat:
        """As it sits at a game."""
        return Seat(AI, level=self.level) if self.endpoint is None else Seat(HTTP, self.name, self.level)

    @property
    def usual_s(self) -> float:
        """What one decision takes, about: of an endpoint, half of what it has."""
        return LEVELS[self.level].budget_s if self.endpoint is None else self.endpoint.timeout_s / 2


@dataclass(frozen=True)
class Challenger:
    """An endpoint that is to take part."""

    name: str
    level: str
    endpoint: NewEndpoint


@dataclass(frozen=True)
class TournamentRequest:
    """A tournament as it is asked for. `deals`: of each match; `seed` None: drawn."""

    ruleset: str
    variant: str
    seats: int
    levels: tuple[str, ...]
    deals: int
    seed: bytes | None = None
    challengers: tuple[Challenger, ...] = ()

    @property
    def participants(self) -> list[Participant]:
        """All who take part."""
        levels = [Participant(level, level) for level in self.levels]
        return [*levels, *(Participant(one.name, one.level, one.endpoint.agreed()) for one in self.challengers)]


@dataclass(frozen=True)
class Fixture:
    """One game that is to be played: who sits where, and its seed."""

    number: int
    match: tuple[int, int]  # which two of the participants
    deal: int
    seat: int  # where the first of them sits
    seats: tuple[Participant, ...]
    seed: bytes

    @property
    def is_called(self) -> bool:
        """Whether endpoints take part."""
        return any(one.endpoint is not None for one in self.seats)


def ask(context: Context, caller: Caller, request: TournamentRequest) -> Json:
    """Have a tournament played. request/invalid, outgoing/off."""
    check_endpoints(context, {f"/endpoints/{number}": one.endpoint for number, one in enumerate(request.challengers)})
    _check(request)
    participants = request.participants
    seed = request.seed or secrets.token_bytes(SEED_BYTES)
    settings = {
        "ruleset": request.ruleset,
        "variant": request.variant,
        "seats": request.seats,
        "participants": [asdict(one) for one in participants],
        "deals": request.deals,
        "seed": seed.hex(),
        "created_at": context.now_ms(),
    }
    return tournament_json(context, lifecycle.begin(context, caller, TOURNAMENT, settings, _work(settings)))


def _work(settings: Json) -> Work:
    """What is to be done about a tournament: its games, which take as long as two of its slowest participants."""
    everybody = [_participant(one) for one in settings["participants"]]
    slowest = sorted((one.usual_s for one in everybody), reverse=True)[:2]
    others = settings["seats"] - 1
    cost_s = USUAL_DECISIONS * (slowest[0] * others + slowest[1]) + GAME_OVERHEAD_S
    dial = any(one.endpoint is not None for one in everybody)
    return Work(GAME, cost_s, number_of_games(settings), dial=dial)


def number_of_games(settings: Json) -> int:
    """How many games a tournament has."""
    return int(math.comb(len(settings["participants"]), 2) * settings["deals"] * settings["seats"])


def _check(request: TournamentRequest) -> None:
    """What the schema cannot know."""
    ruleset = RULESETS[request.ruleset]
    errors = {}
    if request.variant not in ruleset.variants:
        errors["/variant"] = f"must be one of: {', '.join(ruleset.variants)}"
    if request.seats not in ruleset.seat_counts:
        errors["/seats"] = f"must be one of: {', '.join(map(str, ruleset.seat_counts))}"
    names = [*request.levels, *(one.name for one in request.challengers)]
    if len(set(request.levels)) != len(request.levels):
        errors["/levels"] = "must not contain duplicates"
    elif len(set(names)) != len(names):
        errors["/endpoints"] = "must have unique names"
    if not 2 <= len(names) <= MAX_PARTICIPANTS:
        errors["/levels"] = f"must have 2 to {MAX_PARTICIPANTS} participants, together with `endpoints`"
    if not errors and _number_of_games(request) > MAX_GAMES:
        errors["/deals"] = f"must result in at most {MAX_GAMES} games, not {_number_of_games(request)}"
    if errors:
        raise GameError("request/invalid", errors=errors)


def _number_of_games(request: TournamentRequest) -> int:
    return math.comb(len(request.levels) + len(request.challengers), 2) * request.deals * request.seats


def fixtures(settings: Json) -> list[Fixture]:
    """All games of a tournament, deal by deal, so that its matches advance together."""
    return [*_fixtures(settings, range(number_of_games(settings)))]


def fixture(settings: Json, number: int) -> Fixture:
    """One of them."""
    return next(_fixtures(settings, (number,)))


def _fixtures(settings: Json, numbers: Iterable[int]) -> Iterator[Fixture]:
    everybody = [_participant(one) for one in settings["participants"]]
    matches = [*itertools.combinations(range(len(everybody)), 2)]
    secret, seats = bytes.fromhex(settings["seed"]), settings["seats"]
    for number in numbers:
        rest, seat = divmod(number, seats)
        deal, pair = divmod(rest, len(matches))
        first, second = matches[pair]
        seated = tuple(everybody[first if at == seat else second] for at in range(seats))
        seed = hmac.digest(secret, f"deal {deal}".encode(), hashlib.sha256)
        yield Fixture(number, matches[pair], deal, seat, seated, seed)


def _participant(json: Json) -> Participant:
    endpoint = json["endpoint"]
    return Participant(**{**json, "endpoint": None if endpoint is None else Endpoint(**endpoint)})


def look(context: Context, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """The tournament so far; None if nothing beyond version `after` has come within the time."""
    task = lifecycle.wait(context, TOURNAMENT, task_id, after, timeout_s)
    return None if task is None else tournament_json(context, task)


def follow(context: Context, task_id: str, after: int | None) -> Iterator[Json | None]:
    """The tournament whenever a game has ended, until all have; None when there is no news for a while."""
    tasks = lifecycle.follow(context, TOURNAMENT, task_id, after)
    return (None if task is None else tournament_json(context, task) for task in tasks)


def end(context: Context, caller: Caller, task_id: str) -> None:
    """It is not wanted any more: games that have not begun are not played."""
    lifecycle.end(context, caller, TOURNAMENT, task_id, _work)


def tournament_json(context: Context, task: StoredTask) -> Json:
    """A tournament as the API shows it."""
    settings = orjson.loads(task.request)
    every = fixtures(settings)
    games = [(every[number], orjson.loads(part)) for number, part in context.tasks.parts(task.id).items()]
    return {
        **lifecycle.head(task),
        **{name: settings[name] for name in ("ruleset", "variant", "seats", "deals", "seed")},
        "participants": [_named(_participant(one)) for one in settings["participants"]],
        "games": len(every),
        "games_played": len(games),
        "matches": _matches(settings, games),
        "standings": _standings(settings, games),
    }


def _named(one: Participant) -> Json:
    return {"name": one.name, "kind": one.seat.kind, "level": one.level}


def _matches(settings: Json, games: list[tuple[Fixture, Json]]) -> list[Json]:
    """What came of each pair of participants."""
    by_match: dict[tuple[int, int], list[tuple[Fixture, Json]]] = {
        match: [] for match in itertools.combinations(range(len(settings["participants"])), 2)
    }
    for game in games:
        by_match[game[0].match].append(game)
    return [_match(settings, match, of_match) for match, of_match in by_match.items()]


def _match(settings: Json, match: tuple[int, int], games: list[tuple[Fixture, Json]]) -> Json:
    first = [score for one, game in games for at, score in enumerate(game["scores"]) if at == one.seat]
    second = [score for one, game in games for at, score in enumerate(game["scores"]) if at != one.seat]
    return {
        "participants": [settings["participants"][one]["name"] for one in match],
        **_result([_share(one, game) for one, game in games]),
        "mean_scores": [_mean(first), _mean(second)],
    }


def _standings(settings: Json, games: list[tuple[Fixture, Json]]) -> list[Json]:
    """Each participant over all its matches, the best first; where more than two sit, the second wins as a side."""
    shares: list[list[float]] = [[] for _ in settings["participants"]]
    for one, game in games:
        share = _share(one, game)
        shares[one.match[0]].append(share)
        shares[one.match[1]].append(1 - share)
    standings = [
        {"participant": participant["name"], **_result(shares[number])}
        for number, participant in enumerate(settings["participants"])
    ]
    return sorted(standings, key=lambda standing: -(standing["wins"] or 0.0))


def _share(fixture: Fixture, game: Json) -> float:
    """How much of the win is the first participant's: ties are divided."""
    ranks = game["ranks"]
    return float(1 / ranks.count(1)) if ranks[fixture.seat] == 1 else 0.0


def _result(shares: list[float]) -> Json:
    wins = _mean(shares)
    low, high = wilson(wins or 0.0, len(shares))
    return {"games": len(shares), "wins": wins, "interval": [round(low, 4), round(high, 4)]}


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval (1927) of a share seen in `count` games; (0, 1) without games."""
    if count == 0:
        return 0.0, 1.0
    square = Z_95 * Z_95
    centre = share + square / (2 * count)
    spread = Z_95 * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    scale = 1 + square / count
    return (centre - spread) / scale, (centre + spread) / scale


def _mean(numbers: list[Any]) -> float | None:
    return round(sum(numbers) / len(numbers), 4) if numbers else None


# ------------------------------------------------------------------------------------------------- the games


def game_of(settings: Json, fixture: Fixture, task_id: str, created_at: str) -> GameSession:
    """A game of the tournament before its first decision."""
    meta = Meta(
        id=f"{task_id}-{fixture.number}",
        ruleset=settings["ruleset"],
        ruleset_version=RULESETS[settings["ruleset"]].version,
        variant=settings["variant"],
        visibility="unlisted",
        first_seat=None,
        seed=fixture.seed.hex(),
        fair=False,
        created_at=created_at,
        seats=tuple(one.seat for one in fixture.seats),
        endpoints=tuple(one.endpoint for one in fixture.seats) if fixture.is_called else (),
    )
    session = GameSession(Game.new(meta), created_at)
    session.create()
    return session


def records(context: Context, task_id: str, first: int, limit: int, language: str) -> tuple[Iterator[Json], int | None]:
    """The games that have been played, by number from `first`, as records that can be imported; and the next one."""
    task = lifecycle.find(context, TOURNAMENT, task_id)
    settings = orjson.loads(task.request)
    played = context.tasks.parts(task_id)
    numbers = [number for number in played if number >= first]
    most = min(limit, MAX_RECORDS)
    records_of = _records(task_id, settings, {number: played[number] for number in numbers[:most]}, language)
    return records_of, next(iter(numbers[most:]), None)


def _records(task_id: str, settings: Json, played: Mapping[int, bytes], language: str) -> Iterator[Json]:
    every = fixtures(settings)
    for number, game in played.items():
        yield _record(settings, every[number], task_id, orjson.loads(game), language)
        time.sleep(0)  # let others run: each is played again


def _record(settings: Json, fixture: Fixture, task_id: str, game: Json, language: str) -> Json:
    session = game_of(settings, fixture, task_id, game["at"])
    for move in game["moves"]:
        seat = session.game.to_decide
        if seat is None:
            raise ValueError("a game of a tournament went on after its end")
        if isinstance(move, int):
            session.act(seat, move)
        else:  # a failure of the endpoint that was to decide
            session.fail(*move)
    described = repository.events_json(session.game, session.events, language)
    return game_export.export_game(session.game, described)


def add(context: Context, task_id: str, number: int, game: Json, of: int) -> bool:
    """A game has been played; False if nobody wants the tournament any more. The last one ends it."""
    played = context.tasks.add_part(task_id, number, orjson.dumps(game))
    if played == of:
        context.tasks.report(task_id, DONE)
    return played is not None
