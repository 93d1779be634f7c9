"""Reports: the requests of players, the stored copies, and the decisions of moderators."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis

from service.storage.people import reports as stored_reports
from service.usecases.base.context import Caller, Context
from service.usecases.people import players, reports
from tests.usecases.killing import before_call
from tests.web.client import Client, Json, body_of, refusal_of
from tests.web.players import Person, new_player, seat_players
from tests.web.table import Wait

GAME_MEMBERS = {"type": "game", "category": "cheating"}


def report(person: Person, **members: Any) -> Json:
    return body_of(person.client.post("/v1/reports", {"category": "abuse", **members}), 201)


def report_player(person: Person, other: Person, **members: Any) -> Json:
    return report(person, type="player", player=other.id, **members)


def queue(moderator: Client, query: str = "") -> list[Json]:
    return list(body_of(moderator.get(f"/v1/admin/reports{query}"))["reports"])


def own_reports(person: Person) -> list[Json]:
    return list(body_of(person.client.get("/v1/me/reports"))["reports"])


def decide(moderator: Client, made: Json, status: str, reason: str | None = None) -> Json:
    path = f"/v1/admin/reports/{made['id']}/status"
    return body_of(moderator.put(path, {"status": status, "reason": reason}))


@pytest.mark.parametrize("kind", ["player", "player_name"])
def test_a_report_keeps_the_profile_of_that_time(ana: Person, ben: Person, moderator: Client, kind: str) -> None:
    body_of(ben.client.send("PATCH", "/v1/me", json={"name": "Rude word"}))
    body_of(ben.client.put("/v1/me/handle", {"handle": "ben-1"}))
    made = report(ana, type=kind, player="ben-1", text="look at this")
    body_of(ben.client.send("PATCH", "/v1/me", json={"name": "Ben"}))
    assert ("received", ben.id, None) == (made["status"], made["object"]["player"], made["resolved_at"])
    (listed,) = queue(moderator)
    assert (ana.id, "look at this", kind) == (listed["reporter"], listed["text"], listed["object"]["type"])
    context = body_of(moderator.get(f"/v1/admin/reports/{made['id']}"))["context"]
    assert ("Rude word", "ben-1", None) == (context["player"]["name"], context["player"]["handle"], context["game"])


def test_a_report_of_a_message_keeps_it_with_others_after_the_game_expired(
    ana: Person, ben: Person, moderator: Client, redis_client: Redis
) -> None:
    table = seat_players(ana, ben)
    for number in range(1, 31):
        person = ben if number == 24 else ana
        body_of(person.client.post(f"{table.path}/messages", {"text": f"text {number}"}), 201)
    made = report(ana, type="message", game_id=table.id, message=24)
    assert ben.id == made["object"]["player"]
    redis_client.delete(*redis_client.scan_iter(f"*:game:{table.id}*"))
    game = body_of(moderator.get(f"/v1/admin/reports/{made['id']}"))["context"]["game"]
    assert [*range(4, 30)] == [message["number"] for message in game["messages"]]
    assert [(ben.id, "text 24")] == [(one["player"], one["text"]) for one in game["messages"] if one["number"] == 24]
    assert [ana.id, ben.id] == [seat["player"] for seat in game["seats"]]
    assert game["position_notation"].startswith("azul ")
    picture = moderator.get(f"/v1/admin/reports/{made['id']}/board.svg", Accept_Language="de")
    assert (200, "image/svg+xml") == (picture.status_code, picture.mimetype)
    assert "Azul: Ana, Ben" in picture.text


def test_a_report_of_a_game_keeps_messages_only_if_the_reporter_may_read_them(
    ana: Person, ben: Person, anyone: Client, moderator: Client
) -> None:
    table = seat_players(ana, ben, visibility="public")
    body_of(ana.client.post(f"{table.path}/messages", {"text": "hello"}), 201)
    kept = []
    for person in (ben, new_player(anyone)):
        made = report(person, type="game", game_id=table.id)
        kept.append(body_of(moderator.get(f"/v1/admin/reports/{made['id']}"))["context"]["game"])
    assert [["hello"], []] == [[message["text"] for message in game["messages"]] for game in kept]
    assert kept[0]["position_notation"] == kept[1]["position_notation"]


def test_a_report_without_a_position_has_no_picture(ana: Person, ben: Person, moderator: Client) -> None:
    path = f"/v1/admin/reports/{report_player(ana, ben)['id']}/board.svg"
    assert (404, "ruleset/no_picture") == refusal_of(moderator.get(path))


def test_a_private_game_is_unknown_to_others(ana: Person, ben: Person, anyone: Client) -> None:
    table, other = seat_players(ana, ben, visibility="private"), new_player(anyone)
    refusal = other.client.post("/v1/reports", {**GAME_MEMBERS, "game_id": table.id})
    assert (404, "game/not_found") == refusal_of(refusal)


def test_the_reporter_sees_the_decision_but_neither_reason_nor_moderator(
    ana: Person, ben: Person, moderator: Client, admin: Client
) -> None:
    made = report_player(ana, ben)
    for status, is_open in (("acted_on", False), ("no_action", False), ("received", True)):
        decided = decide(moderator, made, status, "a reason")
        (own,) = own_reports(ana)
        assert (status, is_open) == (own["status"], own["resolved_at"] is None)
        assert "a reason" not in str(own)
        assert decided == {**own, "reporter": ana.id}
    entries = body_of(admin.get("/v1/admin/log"))["entries"][:3]
    assert ["reopen_report", "resolve_report", "resolve_report"] == [entry["act"] for entry in entries]
    assert {("report", made["id"], "a reason")} == {
        (entry["object"]["type"], entry["object"]["id"], entry["reason"]) for entry in entries
    }


def test_the_same_decision_of_two_moderators_is_one_entry(
    ana: Person, ben: Person, moderator: Client, admin: Client
) -> None:
    made = report_player(ana, ben)
    first, second = decide(moderator, made, "acted_on"), decide(admin, made, "acted_on")
    assert first == second
    acts = [entry["act"] for entry in body_of(admin.get("/v1/admin/log"))["entries"]]
    assert 1 == acts.count("resolve_report")


def test_open_reports_come_first_and_the_last_decision_after_them(
    ana: Person, ben: Person, anyone: Client, moderator: Client, wait_for: Wait
) -> None:
    others = [new_player(anyone) for _ in range(4)]
    made = []
    for other in others:
        made.append(report_player(ana, other)["id"])
        wait_for(1)
    for number in (0, 2):
        decide(moderator, {"id": made[number]}, "no_action")
        wait_for(1)
    expected = [made[1], made[3], made[2], made[0]]
    assert expected == [one["id"] for one in queue(moderator)]
    assert expected[1:3] == [one["id"] for one in queue(moderator, "?first=1&limit=2")]
    assert expected[:2] == [one["id"] for one in queue(moderator, "?status=received")]
    assert [made[3]] == [one["id"] for one in queue(moderator, f"?player={others[3].id}")]
    assert [made[2]] == [one["id"] for one in queue(moderator, "?status=no_action&limit=1")]
    assert [made[0]] == [one["id"] for one in queue(moderator, "?status=no_action&first=1&limit=1")]
    assert ([], []) == (queue(moderator, "?category=spam"), queue(moderator, "?type=game"))
    assert 422 == moderator.get("/v1/admin/reports?status=open").status_code


def test_two_reports_about_one_object_are_one_until_it_is_resolved(
    ana: Person, ben: Person, anyone: Client, moderator: Client, wait_for: Wait
) -> None:
    first = report_player(ana, ben, text="first")
    wait_for(1)
    assert first == report_player(ana, ben, text="second")
    assert 1 == len(queue(moderator))
    report(ana, type="player_name", player=ben.id)
    report_player(new_player(anyone), ben)
    assert 3 == len(queue(moderator))
    decide(moderator, first, "no_action")
    again = report_player(ana, ben, text="third")
    assert (first["id"], "received", "third") == (again["id"], again["status"], again["text"])
    assert 3 == len(queue(moderator))


def test_a_player_can_send_ten_reports_a_day(ana: Person, anyone: Client, wait_for: Wait) -> None:
    others = [new_player(anyone) for _ in range(11)]
    for other in others[:10]:
        report_player(ana, other)
    refused = ana.client.post("/v1/reports", {"type": "player", "category": "spam", "player": others[10].id})
    assert ((429, "limit/reports"), 10) == (refusal_of(refused), (refused.json or {})["limit"])
    pause_s = int(refused.headers["Retry-After"])
    assert 86_000 < pause_s <= 86_401
    wait_for(pause_s)
    report_player(ana, others[10])


def test_simultaneous_reports_of_many_players_are_kept_once_each(
    anyone: Client, ben: Person, moderator: Client
) -> None:
    """Each player sends two at once, and one more than a day allows."""
    people, others = [new_player(anyone) for _ in range(8)], [new_player(anyone) for _ in range(10)]
    with ThreadPoolExecutor(8) as pool:
        made = [one["id"] for one in pool.map(report_player, 2 * people, 16 * [ben])]
        of_one = [{"type": "player", "category": "spam", "player": other.id} for other in others]
        answers = pool.map(lambda body: people[0].client.post("/v1/reports", body).status_code, of_one)
        assert [201] * 9 + [429] == sorted(answers)
    assert made[:8] == made[8:]
    assert 8 == len({*made})
    assert 17 == len(queue(moderator))


def test_reports_expire_after_180_days(ana: Person, ben: Person, moderator: Client, redis_client: Redis) -> None:
    made = report_player(ana, ben)
    (key,) = redis_client.scan_iter(f"*:report:{made['id']}")
    assert 180 * 86_400 - 60 < redis_client.ttl(key) <= 180 * 86_400
    redis_client.delete(key)
    assert ([], []) == (queue(moderator), own_reports(ana))
    assert (404, "report/not_found") == refusal_of(moderator.get(f"/v1/admin/reports/{made['id']}"))
    assert [] == redis_client.zrange("{b00}:reports", 0, -1)


def test_a_deleted_reporter_is_removed_and_a_deleted_player_is_kept(
    ana: Person, ben: Person, moderator: Client
) -> None:
    made = report_player(ana, ben)
    for person in (ana, ben):
        assert 204 == person.client.delete("/v1/me").status_code
    (listed,) = queue(moderator)
    assert (made["id"], None, ben.id) == (listed["id"], listed["reporter"], listed["object"]["player"])
    assert "acted_on" == decide(moderator, made, "acted_on")["status"]


def test_a_report_of_a_reporter_who_is_deleted_meanwhile_does_not_name_them(
    ana: Person, ben: Person, moderator: Client, context: Context
) -> None:
    with before_call(context.reports, "add", lambda: players.delete(context, Caller(ana.token))):
        refusal = ana.client.post("/v1/reports", {"type": "player", "category": "spam", "player": ben.id})
    assert (401, "auth/token_unknown") == refusal_of(refusal)
    assert [None] == [one["reporter"] for one in queue(moderator)]


def test_the_export_of_a_player_contains_their_reports(ana: Person, ben: Person) -> None:
    made = report_player(ana, ben)
    assert [made] == body_of(ana.client.get("/v1/me/export"))["reports"]
    assert [] == body_of(ben.client.get("/v1/me/export"))["reports"]


def test_the_queue_is_bounded(ana: Person, anyone: Client, moderator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_reports, "MAX_REPORTS", 2)
    monkeypatch.setattr(stored_reports, "MAX_REPORTS_OF_PLAYER", 2)
    made = [report_player(ana, new_player(anyone))["id"] for _ in range(2)]
    decide(moderator, {"id": made[0]}, "no_action")
    newest = report_player(ana, new_player(anyone))["id"]
    assert [made[1], newest] == [one["id"] for one in queue(moderator)]
    assert [newest, made[1]] == [one["id"] for one in own_reports(ana)]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"type": "player", "category": "abuse"}, ["/player"]),
        ({"type": "game", "category": "abuse", "player": "x"}, ["/game_id", "/player"]),
        ({"type": "message", "category": "abuse", "game_id": "x"}, ["/message"]),
        ({"type": "game", "category": "abuse", "game_id": "x", "message": 1}, ["/message"]),
        ({"type": "seat", "category": "abuse"}, ["/type"]),
        ({"type": "player", "category": "rude", "player": "x"}, ["/category"]),
        ({"type": "player", "category": "abuse", "player": "x", "text": "a" * 501}, ["/text"]),
        ({"type": "player", "category": "abuse", "player": "x", "text": ""}, ["/text"]),
        ({"type": "message", "category": "abuse", "game_id": "x", "message": 0}, ["/message"]),
        ({}, ["/category", "/type"]),
    ],
)
def test_an_invalid_report_is_refused(ana: Person, body: Json, pointers: list[str]) -> None:
    answer = ana.client.post("/v1/reports", body)
    assert (422, "request/invalid") == refusal_of(answer)
    assert pointers == sorted(error["pointer"] for error in (answer.json or {})["errors"])


def test_every_category_and_type_has_a_report(ana: Person, ben: Person) -> None:
    assert {"abuse", "cheating", "player_name", "spam", "other"} == {*reports.CATEGORIES}
    table = seat_players(ana, ben)
    body_of(ben.client.post(f"{table.path}/messages", {"text": "hello"}), 201)
    objects: list[Json] = [
        {"type": "player", "player": ben.id},
        {"type": "player_name", "player": ben.id},
        {"type": "game", "game_id": table.id},
        {"type": "message", "game_id": table.id, "message": 1},
    ]
    assert [*reports.MEMBERS_OF_TYPE] == [report(ana, **one)["object"]["type"] for one in objects]
