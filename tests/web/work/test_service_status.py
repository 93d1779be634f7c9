"""Admins announce texts, and begin and end maintenance, during which nothing new begins."""

from __future__ import annotations

import pytest

from service.usecases.base.context import Context
from tests.web.client import OPERATIONS, Client, Json, body_of, refusal_of
from tests.web.players import Person, logged_acts, new_player
from tests.web.table import NewTable
from tests.web.test_callers import BODIES, NO_GAME

ANNOUNCEMENT, MAINTENANCE = "/v1/admin/announcement", "/v1/admin/maintenance"
CREATING = [
    name
    for name, (_, _, described) in OPERATIONS.items()
    if "service/maintenance" in described["responses"].get("503", {}).get("x-codes", ())
]


def service(anyone: Client) -> Json:
    return body_of(anyone.get("/v1"))


def test_an_announcement_is_shown_replaced_and_removed(staff_admin: Client, anyone: Client) -> None:
    assert (None, None) == (service(anyone)["announcement"], service(anyone)["maintenance"])
    for en in ("Hello", "Hello", "Bye"):
        body_of(staff_admin.put(ANNOUNCEMENT, {"en": en, "until": "2099-01-01T02:00:00+02:00"}))
    assert {"en": "Bye", "de": None, "until": "2099-01-01T00:00:00.000Z"} == service(anyone)["announcement"]
    assert [204, 204] == [staff_admin.delete(ANNOUNCEMENT).status_code for _ in range(2)]
    assert None is service(anyone)["announcement"]
    acts = ("set_announcement", "set_announcement", "remove_announcement")
    assert [(act, "announcement", None) for act in acts] == logged_acts(staff_admin)
    assert "service" == body_of(staff_admin.get("/v1/admin/log"))["entries"][0]["object"]["type"]


def test_an_announcement_and_maintenance_end_by_themselves(
    admin: Client, anyone: Client, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, body in ((ANNOUNCEMENT, {"en": "Hello"}), (MAINTENANCE, {})):
        body_of(admin.put(path, {**body, "until": "2099-01-01T00:00:00Z"}))
    assert None not in service(anyone).values()
    monkeypatch.setattr(context, "now_ms", lambda: 4_102_444_800_000)  # 2100
    assert (None, None) == (service(anyone)["announcement"], service(anyone)["maintenance"])
    body_of(anyone.post("/v1/games", BODIES["createGame"]), 201)


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        (ANNOUNCEMENT, {}, "/en"),
        (ANNOUNCEMENT, {"en": ""}, "/en"),
        (ANNOUNCEMENT, {"en": "x", "de": "y" * 501}, "/de"),
        (ANNOUNCEMENT, {"en": "x", "until": "2001-01-01T00:00:00Z"}, "/until"),
        (MAINTENANCE, {"until": "tomorrow"}, "/until"),
        (MAINTENANCE, {"reason": " "}, "/reason"),
        (MAINTENANCE, {"en": "x"}, "/en"),
    ],
)
def test_an_invalid_announcement_or_maintenance_is_refused(admin: Client, path: str, body: Json, pointer: str) -> None:
    answer = admin.put(path, body)
    assert (422, [pointer]) == (answer.status_code, [error["pointer"] for error in (answer.json or {})["errors"]])


def test_maintenance_refuses_only_what_begins_something(
    admin: Client, anyone: Client, ana: Person, new_game: NewTable
) -> None:
    table = new_game()
    body_of(admin.put(MAINTENANCE, {"reason": "An upgrade."}))
    assert {"reason": "An upgrade.", "until": None} == service(anyone)["maintenance"]
    for name in CREATING:
        method, path, _ = OPERATIONS[name]
        path = path.format(game_id=NO_GAME, seek_id=NO_GAME, challenge_id=NO_GAME, player=ana.id)
        answer = ana.client.send(method, path, json=BODIES.get(name, {}))
        assert (503, "service/maintenance") == refusal_of(answer), name
        assert ("60", "An upgrade.") == (answer.headers["Retry-After"], (answer.json or {})["reason"])
    table.act()
    new_player(anyone, "Ben")
    assert 204 == admin.delete(MAINTENANCE).status_code
    body_of(ana.client.post("/v1/games", BODIES["createGame"]), 201)
    acts = (("begin_maintenance", "An upgrade."), ("end_maintenance", None))
    assert [(act, "maintenance", reason) for act, reason in acts] == logged_acts(admin)


def test_every_creation_is_refused_during_maintenance() -> None:
    expected = {"createGame", "importGame", "offerRematch", "createSeek", "joinSeek", "createChallenge"}
    assert expected | {"acceptChallenge", "createCompetition", "createTournament"} == set(CREATING)


def test_the_end_of_maintenance_is_in_the_refusal(admin: Client, anyone: Client) -> None:
    body_of(admin.put(MAINTENANCE, {"until": "2099-01-01T00:00:00Z"}))
    answer = anyone.post("/v1/games", BODIES["createGame"])
    assert ("3600", "2099-01-01T00:00:00.000Z") == (answer.headers["Retry-After"], (answer.json or {})["until"])
