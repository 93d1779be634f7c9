"""Tournaments of levels and endpoints: every pair of them plays a match.

A **match** is a pair of participants. A **deal** is a seed, which determines all chance in a game. Each deal is played
once for every seat: the first participant sits there, the second on all other seats. So luck cancels out. With two
seats, the participants simply change sides. The same tournament seed gives the same deals.

Background workers play several games per job (`workers.tasks.tournament`), or dialers if endpoints take part. Games are
stored as seed and moves. Records, which can be replayed, are generated on request.
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
from service.games.session import GameSession
from service.games.state.endpoints import Endpoint
from service.games.state.model import Game, Meta
from service.games.state.seats import AI, HTTP, Seat
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.work.tasks import DONE, StoredTask
from service.usecases.base import outgoing, repository
from service.usecases.base.context import Caller, Context
from service.usecases.games.creating import NewEndpoint
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.work import lifecycle
from service.usecases.work.background import GAME
from service.usecases.work.lifecycle import Workload

TOURNAMENT = "tournament"
MAX_GAMES = 2_000
MAX_PARTICIPANTS = 16
MAX_RECORDS = 100  # per response
USUAL_DECISIONS = 40  # per seat and game
GAME_OVERHEAD_S = 0.05
RETRY_PAUSE_S = 1  # before an endpoint is called again; no person waits for it
Z_95 = 1.96  # standard deviations on either side of the mean that contain 95 % of a normal distribution


@dataclass(frozen=True)
class Participant:
    """A participant: a level under its own name, or an endpoint; `level` plays if the endpoint has failed."""

    name: str
    level: str
    endpoint: Endpoint | None = None

    @property
    def seat(self) -> Seat:
        """The participant's seat in a game."""
        return Seat(AI, level=self.level) if self.endpoint is None else Seat(HTTP, self.name, self.level)

    @property
    def usual_s(self) -> float:
        """Expected seconds of a decision: for an endpoint, half of its timeout."""
        return LEVELS[self.level].budget_s if self.endpoint is None else self.endpoint.timeout_s / 2


@dataclass(frozen=True)
class Challenger:
    """An endpoint that takes part."""

    name: str
    level: str
    endpoint: NewEndpoint


@dataclass(frozen=True)
class TournamentRequest:
    """The requested tournament. `deals`: per match; `seed` None: drawn."""

    ruleset: str
    variant: str
    seats: int
    levels: tuple[str, ...]
    deals: int
    seed: bytes | None = None
    challengers: tuple[Challenger, ...] = ()

    @property
    def participants(self) -> list[Participant]:
        """All participants."""
        levels = [Participant(level, level) for level in self.levels]
        return [*levels, *(Participant(one.name, one.level, one.endpoint.to_endpoint()) for one in self.challengers)]


@dataclass(frozen=True)
class Fixture:
    """One game of a tournament: its seats and its seed."""

    number: int
    match: tuple[int, int]  # indices of the participants
    deal: int
    seat: int  # the seat of the first participant
    seats: tuple[Participant, ...]
    seed: bytes

    @property
    def is_called(self) -> bool:
        """True if endpoints take part."""
        return any(one.endpoint is not None for one in self.seats)


def create(context: Context, caller: Caller, request: TournamentRequest, issuer: Issuer = RANDOM) -> Json:
    """Start a tournament. A repeated request starts no second one. Raises: outgoing/off, limit/background."""
    if request.challengers:
        outgoing.must_be_on(context)
    settings = {
        **{name: getattr(request, name) for name in ("ruleset", "variant", "seats", "deals")},
        "participants": [asdict(one) for one in request.participants],
        "seed": (request.seed or secrets.token_bytes(SEED_BYTES)).hex(),
        "created_at": context.now_ms(),
    }
    task = lifecycle.create(context, caller, TOURNAMENT, settings, issuer=issuer)
    lifecycle.submit(context, caller, task, _workload(settings))
    return tournament_json(context, task)


def _workload(settings: Json) -> Workload:
    """Return the workload of a tournament, whose games are assumed to take as long as its two slowest participants."""
    participants = [_participant(one) for one in settings["participants"]]
    slowest = sorted((one.usual_s for one in participants), reverse=True)[:2]
    others = settings["seats"] - 1
    cost_s = USUAL_DECISIONS * (slowest[0] * others + slowest[1]) + GAME_OVERHEAD_S
    dial = any(one.endpoint is not None for one in participants)
    return Workload(GAME, cost_s, number_of_games(settings), dial=dial)


def number_of_games(settings: Json) -> int:
    """Return the number of games of a tournament."""
    return int(math.comb(len(settings["participants"]), 2) * settings["deals"] * settings["seats"])


def fixtures(settings: Json, numbers: Iterable[int] | None = None) -> list[Fixture]:
    """Return the games with these numbers, by default all, deal by deal, so that the matches advance together."""
    participants = [_participant(one) for one in settings["participants"]]
    matches = [*itertools.combinations(range(len(participants)), 2)]
    secret, seats = bytes.fromhex(settings["seed"]), settings["seats"]
    results = []
    for number in range(number_of_games(settings)) if numbers is None else numbers:
        rest, seat = divmod(number, seats)
        deal, pair = divmod(rest, len(matches))
        first, second = matches[pair]
        players = tuple(participants[first if at == seat else second] for at in range(seats))
        seed = hmac.digest(secret, f"deal {deal}".encode(), hashlib.sha256)
        results.append(Fixture(number, matches[pair], deal, seat, players, seed))
    return results


def _participant(json: Json) -> Participant:
    endpoint = json["endpoint"]
    return Participant(**{**json, "endpoint": None if endpoint is None else Endpoint(**endpoint)})


def get(context: Context, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """Return the tournament. With `after`, wait for a later version; None after the timeout."""
    task = lifecycle.wait(context, TOURNAMENT, task_id, after, timeout_s)
    return None if task is None else tournament_json(context, task)


def follow(context: Context, task_id: str, after: int | None) -> Iterator[Json | None]:
    """Yield the tournament after each game until all have ended; None when there is no change for a while."""
    tasks = lifecycle.follow(context, TOURNAMENT, task_id, after)
    return (None if task is None else tournament_json(context, task) for task in tasks)


def cancel(context: Context, caller: Caller, task_id: str) -> None:
    """Cancel the tournament: games that have not started are not played."""
    lifecycle.cancel(context, caller, TOURNAMENT, task_id, _workload)


@lifecycle.shows_task
def tournament_json(context: Context, task: StoredTask) -> Json:
    """Return a tournament in the API's form."""
    settings = task.settings()
    all_fixtures = fixtures(settings)
    games = [(all_fixtures[number], orjson.loads(part)) for number, part in context.tasks.parts(task.id).items()]
    return {
        **lifecycle.head(task),
        **{name: settings[name] for name in ("ruleset", "variant", "seats", "deals", "seed")},
        "participants": [
            {"name": one.name, "kind": one.seat.kind, "level": one.level}
            for one in map(_participant, settings["participants"])
        ],
        "games": len(all_fixtures),
        "games_played": len(games),
        "matches": _matches(settings, games),
        "standings": _standings(settings, games),
    }


def _matches(settings: Json, games: list[tuple[Fixture, Json]]) -> list[Json]:
    """Return the results of each pair of participants."""
    by_match: dict[tuple[int, int], list[tuple[Fixture, Json]]] = {
        match: [] for match in itertools.combinations(range(len(settings["participants"])), 2)
    }
    for game in games:
        by_match[game[0].match].append(game)
    return [_match(settings, match, match_games) for match, match_games in by_match.items()]


def _match(settings: Json, match: tuple[int, int], games: list[tuple[Fixture, Json]]) -> Json:
    first = [score for one, game in games for at, score in enumerate(game["scores"]) if at == one.seat]
    second = [score for one, game in games for at, score in enumerate(game["scores"]) if at != one.seat]
    return {
        "participants": [settings["participants"][one]["name"] for one in match],
        **_result([_share(one, game) for one, game in games]),
        "mean_scores": [_mean(first), _mean(second)],
    }


def _standings(settings: Json, games: list[tuple[Fixture, Json]]) -> list[Json]:
    """Return the results of the participants over all their matches, the best first.

    In games of more than two seats, the second participant wins if any of its seats does.
    """
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
    """Return the first participant's share of the win, which is divided in a tie."""
    ranks = game["ranks"]
    return float(1 / ranks.count(1)) if ranks[fixture.seat] == 1 else 0.0


def _result(shares: list[float]) -> Json:
    wins = _mean(shares)
    low, high = wilson(wins or 0.0, len(shares))
    return {"games": len(shares), "wins": wins, "interval": [round(low, 4), round(high, 4)]}


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval (1927) of a share observed in `count` games; (0, 1) without games."""
    if count == 0:
        return 0.0, 1.0
    square = Z_95 * Z_95
    centre = share + square / (2 * count)
    spread = Z_95 * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    scale = 1 + square / count
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def _mean(numbers: list[Any]) -> float | None:
    return round(sum(numbers) / len(numbers), 4) if numbers else None


# ----------------------------------------------------------------------------------------------------- games


def new_game(settings: Json, fixture: Fixture, task_id: str, created_at: str) -> GameSession:
    """Return a game of the tournament before its first decision."""
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
    session = GameSession(Game.new(meta), created_at, retry_pause_s=RETRY_PAUSE_S)
    session.create()
    return session


def records(context: Context, task_id: str, first: int, limit: int, language: str) -> tuple[Iterator[Json], int | None]:
    """Return records of the games from number `first`, and the number of the first game of the next page."""
    task = lifecycle.find(context, TOURNAMENT, task_id)
    settings = task.settings()
    games = context.tasks.parts(task_id)
    numbers = [number for number in games if number >= first]
    page = {number: games[number] for number in numbers[:limit]}
    return _records(task_id, settings, page, language), next(iter(numbers[limit:]), None)


def _records(task_id: str, settings: Json, games: Mapping[int, bytes], language: str) -> Iterator[Json]:
    all_fixtures = fixtures(settings)
    for number, game in games.items():
        yield _record(settings, all_fixtures[number], task_id, orjson.loads(game), language)
        time.sleep(0)  # let other greenlets run between two replays


def _record(settings: Json, fixture: Fixture, task_id: str, game: Json, language: str) -> Json:
    session = new_game(settings, fixture, task_id, game["at"])
    for move in game["moves"]:
        seat = session.game.to_decide
        if seat is None:
            raise ValueError(f"tournament game {session.game.meta.id} has moves after its end")
        if isinstance(move, int):
            session.act(seat, move)
        else:  # a failure of the endpoint
            session.fail(*move)
    return game_export.export_game(session.game, repository.events_json(session.game, session.events, language))


def add_result(context: Context, task_id: str, number: int, game: Json, total: int) -> None:
    """Store the result of a game, unless the tournament was cancelled. The last of `total` finishes it."""
    if context.tasks.add_part(task_id, number, orjson.dumps(game)) == total:
        context.tasks.report(task_id, DONE)
