"""Competitions of real players, who resign, and a keeper in the test's own process."""

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


def announced(context: Context, new: NewCompetition = SWISS) -> tuple[str, Caller]:
    """A competition: (id, its host)."""
    _, host = player(context, "Host")
    return competitions.announce(context, host, new)["id"], host


def entered(context: Context, competition: str, count: int) -> People:
    """So many new players who have entered."""
    people = dict(player(context, f"Player {number}") for number in range(1, count + 1))
    for caller in people.values():
        competitions.join(context, caller, competition)
    return people


def begun(context: Context, new: NewCompetition = SWISS, count: int = 4) -> tuple[str, Caller, People]:
    """One that has begun: (id, its host, its players)."""
    competition, host = announced(context, new)
    people = entered(context, competition, count)
    competitions.start(context, host, competition)
    keep(context)
    return competition, host, people


def keep(context: Context) -> None:
    """All that a keeper does now."""
    while duties.look(context, duties.BackOff()):
        pass
    duties.look(context, duties.BackOff())


def seen(context: Context, competition: str) -> Json:
    found = competitions.look(context, Caller(), competition, None, 0)
    assert found is not None
    return dict(orjson.loads(found[1]))


def games(context: Context, competition: str) -> list[Json]:
    return competitions.games(context, competition, None, 0, 100)[0]


def running(context: Context, competition: str) -> list[Json]:
    return [game for game in games(context, competition) if game["ended_at"] is None]


def resign(context: Context, game_id: str, people: People, *, seat: int = 1) -> None:
    """Whoever has that seat resigns."""
    playing.resign(context, Request(people[view(context, game_id)["seats"][seat]["player"]], game_id), None)


def play_round(context: Context, competition: str, people: People) -> None:
    for game in running(context, competition):
        resign(context, game["game_id"], people)
    keep(context)
