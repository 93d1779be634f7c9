"""A report shows how often the people of a game, or a player, chose what the engine would choose."""

from __future__ import annotations

import orjson
import pytest

from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import timeouts
from service.usecases.work import engine_agreement
from service.usecases.work.analyses import FORCED
from service.usecases.work.background import ANALYSIS
from service.usecases.work.engine_agreement import CLEAR_MARGIN
from tests.usecases.players import ai_acts, decide
from tests.web.client import Client, Json, body_of
from tests.web.people.test_ratings import resign, table_of
from tests.web.people.test_reports import report
from tests.web.players import Person, new_player, seat_players
from tests.web.table import Wait, Work


@pytest.fixture(autouse=True)
def _quick_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agreement, "REVIEW_S", 0.02)


def fair_play(moderator: Client, made: Json) -> Json:
    return dict(body_of(moderator.get(f"/v1/admin/reports/{made['id']}"))["fair_play"])


def request_reviews(moderator: Client, made: Json) -> Json:
    return dict(body_of(moderator.post(f"/v1/admin/reports/{made['id']}/reviews"), 202)["fair_play"])


def test_a_reported_game_is_reviewed_and_compared_by_player(
    ana: Person, ben: Person, moderator: Client, context: Context, work: Work
) -> None:
    table = table_of(ana, ben)
    made = report(ana, type="game", game_id=table.id, category="cheating")
    assert "unavailable" == request_reviews(moderator, made)["games"][0]["status"]
    resign(table, ben, context)
    assert "not_reviewed" == fair_play(moderator, made)["games"][0]["status"]
    pending = {"game_id": table.id, "status": "pending", "players": []}
    assert {"games": [pending], "player": None, "opponents": None} == request_reviews(moderator, made)
    work()
    (game,) = request_reviews(moderator, made)["games"]
    assert "reviewed" == game["status"]
    stored = context.tasks.get(ANALYSIS, context.tasks.review_id(table.id) or "")
    assert stored is not None
    decisions = orjson.loads(stored.result)["result"]["decisions"]
    assert all("margin" in one for one in decisions)
    seats = {one["revision"]: (ana.id, ben.id)[one["seat"]] for one in decisions}
    counts = engine_agreement.count_choices(seats, decisions)
    assert counts == {one["player"]: (one["decisions"], one["first_choices"]) for one in game["players"]}


def decision(revision: int, label: str = "best", margin: float | None = 0.2, best: int = 7) -> Json:
    return {"revision": revision, "label": label, "margin": margin, "played": 7, "best": best}


def test_decisions_of_people_that_matter_count() -> None:
    assert {"ana": (0, 0)} == engine_agreement.count_choices({1: "ana"}, [decision(1, FORCED)])
    assert {"ana": (0, 0)} == engine_agreement.count_choices({1: "ana"}, [decision(1, margin=CLEAR_MARGIN / 2)])
    reviewed = [decision(1), decision(2, margin=CLEAR_MARGIN), decision(3, margin=None), decision(4), decision(9)]
    reviewed[3] = decision(4, "blunder", best=8)
    people = {1: "ana", 2: "ben", 3: "ana", 4: "ana"}  # an AI made the last one
    assert {"ana": (3, 2), "ben": (1, 1)} == engine_agreement.count_choices(people, reviewed)


def test_decisions_of_bots_and_of_ais_are_not_those_of_a_person(
    ana: Person, anyone: Client, context: Context, wait_for: Wait
) -> None:
    bot = new_player(anyone, bot=True)
    clock = {"turn_s": 60, "on_timeout": "ai", "level": "random"}
    table = seat_players(
        ana, bot, clock=clock, seats=[{"kind": "player"}, {"kind": "open"}, {"kind": "ai", "level": "random"}]
    )
    decide(context, table.id, Caller(ana.token))
    own_revision = table.view()["revision"]
    while table.view()["to_decide"] != 0:
        if table.view()["to_decide"] == 1:
            decide(context, table.id, Caller(bot.token))
        else:
            ai_acts(context, table.id)
    wait_for(61)
    assert timeouts.keep_time(context, table.id)
    ai_acts(context, table.id)
    deciders = engine_agreement.people_by_decision(context, repository.load(context, table.id).game)
    assert 1 == len(deciders)
    ((revision, player),) = deciders.items()
    assert ana.id == player
    assert revision <= own_revision


def test_a_reported_player_is_compared_with_the_opponents(
    ana: Person, ben: Person, anyone: Client, moderator: Client, context: Context, work: Work
) -> None:
    cleo = new_player(anyone)
    tables = [table_of(ana, other) for other in (ben, cleo)]
    for table, other in zip(tables, (ben, cleo), strict=True):
        resign(table, other, context)
    running = table_of(ana, ben)
    seat_players(ana, ben)  # not rated
    made = report(ben, type="player", player=ana.id, category="cheating")
    request_reviews(moderator, made)
    work()
    shown = fair_play(moderator, made)
    assert [table.id for table in reversed(tables)] == [game["game_id"] for game in shown["games"]]
    assert running.id not in str(shown)
    rows = [row for game in shown["games"] for row in game["players"]]
    for total, own in ((shown["player"], True), (shown["opponents"], False)):
        for name in ("decisions", "first_choices"):
            assert total[name] == sum(row[name] for row in rows if (row["player"] == ana.id) == own)
    decisions, share = shown["player"]["decisions"], shown["player"]["share"]
    assert share == (round(shown["player"]["first_choices"] / decisions, 3) if decisions else None)


def test_names_and_messages_are_not_compared(ana: Person, ben: Person, moderator: Client) -> None:
    made = report(ana, type="player_name", player=ben.id, category="player_name")
    path = f"/v1/admin/reports/{made['id']}"
    assert None is body_of(moderator.get(path))["fair_play"]
    assert None is body_of(moderator.post(f"{path}/reviews"), 202)["fair_play"]
