"""Admins remove rated games from the ratings, and moderators see them."""

from __future__ import annotations

from typing import Any

import pytest

from service.usecases.base.context import Context
from tests.web.client import Client, Json, body_of, refusal_of
from tests.web.people.test_ratings import resign, table_of
from tests.web.players import Person, logged_acts


def act(client: Client, person: Person, kind: str, **members: Any) -> Any:
    body = {"act": kind, "reason": "Cheating.", **members}
    return client.post(f"/v1/admin/players/{person.id}/rated-games/acts", body)


def test_an_admin_removes_and_restores_rated_games(
    ana: Person, ben: Person, staff_admin: Client, moderator: Client, context: Context
) -> None:
    table = table_of(ana, ben)
    resign(table, ben, context)
    (game,) = body_of(moderator.get(f"/v1/admin/players/{ana.id}/rated-games"))["games"]
    assert (table.id, [ben.id], False) == (game["game_id"], game["opponents"], game["removed"])
    assert game["change"] > 0
    own_ratings = body_of(ana.client.get(f"/v1/players/{ana.id}/ratings"))["ratings"]
    assert own_ratings == body_of(moderator.get(f"/v1/admin/players/{ana.id}"))["ratings"] != []
    assert (403, "auth/admin_only") == refusal_of(act(moderator, ana, "remove_rated_games"))
    for _ in range(2):
        (removed,) = body_of(act(staff_admin, ana, "remove_rated_games"), 201)["games"]
        assert {**game, "removed": True} == removed
    shown = body_of(ben.client.get(f"{table.path}/rating"))
    assert ("not_counted", "removed", []) == (shown["status"], shown["reason"], shown["seats"])
    assert [] == body_of(ben.client.get(f"/v1/players/{ben.id}/ratings"))["ratings"]
    assert [game] == body_of(act(staff_admin, ana, "restore_rated_games", games=[table.id]), 201)["games"]
    assert 1 == len(body_of(ben.client.get(f"/v1/players/{ben.id}/ratings"))["ratings"])
    acts = ("remove_rated_games", "restore_rated_games")
    assert [(name, ana.id, "Cheating.") for name in acts] == logged_acts(moderator)


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"kind": "delete"}, "/act"),
        ({"games": []}, "/games"),
        ({"games": ["unknown"]}, "/games/0"),
        ({"games": [1]}, "/games/0"),
        ({"since": "tomorrow"}, "/since"),
        ({"reason": ""}, "/reason"),
    ],
)
def test_an_invalid_act_on_rated_games_is_refused(ana: Person, admin: Client, changes: Json, pointer: str) -> None:
    answer = act(admin, ana, **{"kind": "remove_rated_games", **changes})
    assert (422, "request/invalid") == refusal_of(answer)
    assert [pointer] == [error["pointer"] for error in (answer.json or {})["errors"]]
    assert [] == logged_acts(admin)
