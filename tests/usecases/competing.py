"""Competitions of players who resign, with a keeper in the test's own process."""

from __future__ import annotations

from dataclasses import replace

import orjson

from service.games.state.clocks import ClockRule
from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Context
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import competitions
from service.usecases.matchmaking.competitions import NewCompetition
from tests.usecases.players import player, view

CLOCK = ClockRule(30, 60, "lose", "greedy")
SWISS = NewCompetition("Open", "swiss", "azul", "coloured", CLOCK, rounds=2, pause_s=5)
ARENA = replace(SWISS, format="arena", rounds=None, pause_s=None, minutes=5)
People = dict[str, Caller]


def announce(context: Context, new: NewCompetition = SWISS) -> tuple[str, Caller]:
    """Announce a competition: (id, its host)."""
    _, host = player(context, "Host")
    return competitions.announce(context, host, new)["id"], host


def enter_players(context: Context, competition: str, count: int) -> People:
    """Create players and enter them."""
    people = dict(player(context, f"Player {number}") for number in range(1, count + 1))
    for caller in people.values():
        competitions.join(context, caller, competition)
    return people


def start_competition(context: Context, new: NewCompetition = SWISS, count: int = 4) -> tuple[str, Caller, People]:
    """Start a competition: (id, its host, its players)."""
    competition, host = announce(context, new)
    people = enter_players(context, competition, count)
    competitions.start(context, host, competition)
    run_keeper(context)
    return competition, host, people


def run_keeper(context: Context) -> None:
    """Run a keeper until nothing is due, then once more."""
    while duties.run_due(context, duties.BackOff()):
        pass
    duties.run_due(context, duties.BackOff())


def competition_view(context: Context, competition: str) -> Json:
    found = competitions.get(context, Caller(), competition, None, 0)
    assert found is not None
    return dict(orjson.loads(found[1]))


def games(context: Context, competition: str) -> list[Json]:
    return competitions.list_games(context, competition, None, 0, 100)[0]


def running_games(context: Context, competition: str) -> list[Json]:
    return [game for game in games(context, competition) if game["ended_at"] is None]


def resign(context: Context, game_id: str, people: People, *, seat: int = 1) -> None:
    """Resign from a game as the player of a seat."""
    playing.resign(context, Request(people[view(context, game_id)["seats"][seat]["player"]], game_id), None)


def play_round(context: Context, competition: str, people: People) -> None:
    for game in running_games(context, competition):
        resign(context, game["game_id"], people)
    run_keeper(context)
