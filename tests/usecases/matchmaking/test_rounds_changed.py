"""A Swiss with too few players has fewer rounds, and everybody in it learns that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.games.state.statuses import ROUNDS_CHANGED
from service.usecases.base.context import Caller, Context
from service.usecases.matchmaking import competitions
from service.usecases.notifications import webhooks
from service.usecases.notifications.push_messages import push_json
from tests import keeping
from tests.usecases.competing import SWISS, announce, competition_view, enter_players, play_round, run_keeper
from tests.usecases.players import Time

FIVE = replace(SWISS, rounds=5)


@pytest.fixture(autouse=True)
def outgoing(context: Context) -> None:
    """Allow outgoing calls."""
    context.settings = replace(context.settings, outgoing="on")


def start_five_rounds(context: Context, players: int) -> tuple[str, Caller, dict[str, Caller]]:
    """Start a Swiss of five rounds whose host and players have webhooks."""
    competition, host = announce(context, FIVE)
    people = enter_players(context, competition, players)
    for caller in (host, *people.values()):
        webhooks.create(context, caller, "https://bot.example/azul", [ROUNDS_CHANGED], None)
    competitions.start(context, host, competition)
    run_keeper(context)
    return competition, host, people


def notices(context: Context, owner: Caller) -> list[dict[str, Any]]:
    """Return the notices to a player with one webhook, oldest first."""
    keeping.send_webhooks(context)
    (hook,) = context.webhooks.get_all(owner.player_id or "")
    stored = context.webhooks.deliveries(owner.player_id or "", hook.id)[::-1]
    return [orjson.loads(one.payload) for one in stored]


def shown_rounds(context: Context, competition: str) -> tuple[int, int]:
    shown = competition_view(context, competition)
    return shown["rounds"], shown["planned_rounds"]


def test_a_swiss_of_five_rounds_with_two_players_announces_that_it_has_one(context: Context, time: Time) -> None:
    competition, host, people = start_five_rounds(context, 2)
    assert (1, 5) == shown_rounds(context, competition)
    for caller in (host, *people.values()):
        (notice,) = notices(context, caller)
        data = notice["data"]
        assert (ROUNDS_CHANGED, caller.player_id) == (notice["type"], data["player"])
        assert (competition, 1, 5) == tuple(data["competition"][name] for name in ("id", "rounds", "planned_rounds"))
    message = push_json("https://azul.example", notice, "de")
    assert (f"https://azul.example/play#/competition/{competition}", "Azul") == (message["url"], message["title"])
    assert "Open hat nur eine Runde, weil zu wenige mitspielen." == message["text"]
    assert "Open has only 1" not in push_json("", notice, "en")["text"]


def test_a_swiss_whose_players_leave_announces_its_early_end(context: Context, time: Time) -> None:
    competition, host, people = start_five_rounds(context, 6)
    assert ((5, 5), []) == (shown_rounds(context, competition), notices(context, host))
    for name in [*people][1:]:
        competitions.leave(context, people[name], competition)
    play_round(context, competition, people)
    run_keeper(context)
    assert ("over", (1, 5)) == (competition_view(context, competition)["status"], shown_rounds(context, competition))
    assert [1] == [one["data"]["competition"]["rounds"] for one in notices(context, host)]


def test_a_swiss_with_enough_players_announces_nothing(context: Context, time: Time) -> None:
    competition, host = announce(context, replace(SWISS, rounds=3))
    assert (3, 3) == shown_rounds(context, competition)
    people = enter_players(context, competition, 4)
    webhooks.create(context, host, "https://bot.example/azul", [ROUNDS_CHANGED], None)
    competitions.start(context, host, competition)
    run_keeper(context)
    for _ in range(3):
        play_round(context, competition, people)
        time.pass_(5)
        run_keeper(context)
    assert ("over", []) == (competition_view(context, competition)["status"], notices(context, host))
