"""Admins read figures of the last days: players, games and waits."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.base.keys import Keys
from service.storage.work.figures import Figures
from service.usecases.base.context import Context
from service.usecases.matchmaking import pairing
from service.usecases.people import follow_ups
from tests.web.client import Client, Json, body_of, refusal_of
from tests.web.players import Person, new_player, seat_players
from tests.web.table import Wait
from tests.web.test_callers import BODIES

DAY_MS = 86_400_000
ALONE: Json = {"variant": "coloured", "seats": [{"kind": "player"}, {"kind": "ai", "level": "greedy"}]}


def days(admin: Client, count: int = 2) -> list[Json]:
    found: list[Json] = body_of(admin.get(f"/v1/admin/figures?days={count}"))["days"]
    return found


def games(day: Json) -> dict[tuple[str, str], int]:
    return {(one["ruleset"], one["kind"]): one["count"] for one in day["games"]}


def test_games_players_and_waits_are_counted_by_day(
    wait_for: Wait, admin: Client, anyone: Client, ana: Person, context: Context
) -> None:
    """The clock is stopped, so nobody waits and the day does not end."""
    ben = new_player(anyone, "Ben")
    robot = new_player(anyone, "Rook", bot=True)
    tables = [seat_players(ana, ben), seat_players(ana, robot), seat_players(ana, ruleset="summer-pavilion", **ALONE)]
    for person in (ana, ben):
        body_of(person.client.post("/v1/seeks", BODIES["createSeek"] | {"seats": 2}), 201)
    for table in tables[:2]:
        body_of(ana.client.post(f"{table.path}/resignation"), 201)
    follow_ups.run_due(context)
    before, today = days(admin)
    assert {("azul", "people"): 3, ("summer-pavilion", "computer"): 1} == games(today)
    assert (3, 2, 0) == tuple(today[f"{one}_players"] for one in ("new", "active", "returning"))
    assert (2, 1) == (today["paired_seeks"], today["median_wait_s"])
    assert (0, 0, 0, None, {}) == (
        before["new_players"],
        before["active_players"],
        before["paired_seeks"],
        before["median_wait_s"],
        games(before),
    )
    wait_for(DAY_MS / 1000)
    assert [games(today), {}] == [games(day) for day in days(admin)]


def test_players_of_earlier_days_return_and_figures_expire(redis_client: Redis) -> None:
    figures = Figures(redis_client, 1)
    for at_ms, active, returning in ((0, ["ana"], []), (DAY_MS, ["ana", "ben"], ["ana"]), (DAY_MS, ["ana"], ["ana"])):
        figures.add_players(at_ms, active, returning)
    figures.count(DAY_MS, ["games:azul:rated", "wait:30", "wait:5", "wait:30"])
    first, second = figures.read(DAY_MS, 2)
    assert ((1, 0), (2, 1)) == ((first.active_players, first.returning_players), second[2:4])
    assert ({"azul:rated": 1}, {30: 2, 5: 1}) == (second.games, second.waits)
    bucket = Keys(1).bucket(0)
    for name in (bucket.figures(1), bucket.active_players(1), bucket.returning_players(1)):
        assert 0 < redis_client.ttl(name) <= 100 * 86_400


def test_waits_are_rounded_up_to_a_bound(context: Context, monkeypatch: pytest.MonkeyPatch, ana: Person) -> None:
    monkeypatch.setattr(context, "now_ms", lambda: 20_000 * DAY_MS)  # when a day begins
    body_of(ana.client.post("/v1/seeks", BODIES["createSeek"]), 201)
    (seek,) = context.seeks.list_waiting(context.now_ms())
    for wait_ms in (0, 1_000, 1_001, 30_001, 10**9):
        pairing._count_waits(context, [seek], seek.created_at + wait_ms)
    days_of = [context.figures.read(seek.created_at + later_ms, 1) for later_ms in (0, 10**9)]
    assert [{1: 2, 2: 1, 60: 1}, {86_400: 1}] == [day.waits for (day,) in days_of]


@pytest.mark.parametrize("count", [0, 91, "x"])
def test_a_wrong_number_of_days_is_refused(admin: Client, count: int | str) -> None:
    answer = admin.get(f"/v1/admin/figures?days={count}")
    assert (422, "request/invalid") == refusal_of(answer)
    assert ["/days"] == [error["pointer"] for error in (answer.json or {})["errors"]]
