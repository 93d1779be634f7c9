"""Analyses: asked for, done by a worker, looked at, ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
import redis
from flask import Flask

from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from tests.sampling import one_in
from tests.usecases.waiting import in_vain, woken
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.conftest import ADMIN_TOKEN
from tests.web.table import EVERY_VARIANT, Table
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies
from workers import jobs
from workers.tasks import analysis

BROKEN = Mock(side_effect=RuntimeError("broken for the test"))
FAST = {"kind": "decision", "seconds": 0.1}


def started(client: Client, path: str, body: Json) -> Json:
    answer = client.post(path, body)
    task = answered(answer, 202)
    assert answer.headers["Location"] == f"/v1/analyses/{task['id']}"
    return task


def finished(client: Client, task: Json) -> Json:
    return answered(client.get(f"/v1/analyses/{task['id']}"))


def code(client: Client, path: str, body: Json) -> str:
    return refused(client.post(path, body))[1]


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_a_decision_is_analysed(
    new_game: Callable[..., Table], work: Callable[[], None], ruleset: str, variant: str
) -> None:
    table = new_game(ruleset=ruleset, variant=variant)
    task = started(table.anyone, f"{table.path}/analyses", {**FAST, "best": 4})
    assert ("waiting", 0, None) == (task["status"], task["progress"], task["decision"])
    work()
    done = finished(table.anyone, task)
    assert ("done", 1, None) == (done["status"], done["progress"], done["review"])
    assert (table.view()["revision"], table.id) == (done["revision"], done["game_id"])
    decision = done["decision"]
    assert decision["seat"] == table.view()["to_decide"]
    assert 1 <= len(decision["actions"]) <= 4
    legal = table.legal()
    for action in decision["actions"]:
        assert action["action"] in legal
        assert all(action["line"][0][name] == action[name] for name in ("id", "action", "text"))


def test_sentences_are_told_in_the_readers_language(table: Table, work: Callable[[], None]) -> None:
    task = started(table.anyone, f"{table.path}/analyses", FAST)
    work()
    path = f"/v1/analyses/{task['id']}"
    english, german = (
        answered(table.anyone.get(path, Accept_Language=language))["decision"]["actions"] for language in ("en", "de")
    )
    assert [action["id"] for action in english] == [action["id"] for action in german]
    assert english[0]["text"] != german[0]["text"]


def test_a_decision_of_the_past_is_analysed(table: Table, work: Callable[[], None]) -> None:
    revision = table.view()["revision"]
    table.act()
    task = started(table.anyone, f"{table.path}/analyses", {**FAST, "revision": revision})
    work()
    assert (revision, 0) == (finished(table.anyone, task)["revision"], finished(table.anyone, task)["decision"]["seat"])


def test_a_posted_position_is_analysed(table: Table, work: Callable[[], None]) -> None:
    task = started(table.anyone, "/v1/analyses", {"position": table.view()["position"], "level": "planner"})
    assert (LEVELS["planner"].budget_s, None, None) == (task["seconds"], task["game_id"], task["revision"])
    work()
    done = finished(table.anyone, task)
    assert done["decision"]["actions"][0]["action"] in table.legal()


def test_what_nobody_decides_is_not_analysed(new_game: Callable[..., Table]) -> None:
    waiting = new_game(seats=[{"kind": "player"}, {"kind": "open"}])
    assert "game/nobody_decides" == code(waiting.anyone, f"{waiting.path}/analyses", FAST)
    table = new_game()
    position = table.view()["position"]
    table.host.post(f"{table.path}/abort")
    assert "game/nobody_decides" == code(table.anyone, f"{table.path}/analyses", FAST)
    assert "game/nobody_decides" == code(table.anyone, f"{table.path}/analyses", {**FAST, "revision": 1})
    assert "game/revision_not_found" == code(table.anyone, f"{table.path}/analyses", {**FAST, "revision": 99})
    broken = {**position, "scores": "many", "phase": 7}
    assert "request/invalid" == code(table.anyone, "/v1/analyses", {"position": broken})


def test_a_review_tells_of_every_decision_what_was_best_and_what_it_cost(
    new_game: Callable[..., Table], work: Callable[[], None]
) -> None:
    table = new_game()
    assert "game/not_over" == code(table.anyone, f"{table.path}/analyses", {"kind": "review"})
    for _ in range(6):
        table.act()
    table.seat(0).post(f"{table.path}/takebacks")
    offer = table.view()["offers"][0]["id"]
    table.seat(1).post(f"{table.path}/offers/{offer}/answer", {"accept": True})
    table.seat(1).post(f"{table.path}/resignation")
    assert "request/invalid" == code(table.anyone, f"{table.path}/analyses", {"kind": "review", "revision": 4})
    task = started(table.anyone, f"{table.path}/analyses", {"kind": "review", "seconds": 0.05})
    work()
    done = finished(table.anyone, task)
    assert ("done", None) == (done["status"], done["decision"])
    events = answered(table.anyone.get(f"{table.path}/history"))["events"]
    back = next(event["to"] for event in events if event["kind"] == "takeback")
    stood = [event for event in events if event["kind"] == "action" and event["revision"] <= back]
    review = done["review"]
    assert [(event["revision"], event["seat"], event["action"]) for event in stood] == [
        (one["revision"], one["seat"], one["played"]["action"]) for one in review["decisions"]
    ]
    assert len(stood) == sum(seat["decisions"] for seat in review["seats"])
    assert len(stood) == sum(sum(seat["labels"].values()) for seat in review["seats"])
    lost = {one["revision"]: one["win_lost"] for one in review["decisions"]}
    decisive = [lost[revision] for revision in review["decisive"]]
    assert decisive == sorted(lost.values(), reverse=True)[: len(decisive)]


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_whole_game_is_reviewed(new_game: Callable[..., Table], work: Callable[[], None], ruleset: str) -> None:
    table = new_game(ruleset=ruleset, variant=RULESETS[ruleset].variants[-1])
    for _ in range(12):
        table.act()
    table.seat(0).post(f"{table.path}/resignation")
    task = started(table.anyone, f"{table.path}/analyses", {"kind": "review", "seconds": 0.05})
    work()
    assert 12 == len(finished(table.anyone, task)["review"]["decisions"])


@pytest.fixture
def over(table: Table) -> Table:
    """A game of one decision."""
    table.act()
    table.seat(0).post(f"{table.path}/resignation")
    return table


def review_of(client: Client, table: Table) -> Json:
    return answered(client.get(f"{table.path}/review"))


QUICK_REVIEW = {"kind": "review", "seconds": 0.05}


def test_a_review_is_found_by_its_game(over: Table, work: Callable[[], None]) -> None:
    assert (404, "game/not_reviewed") == refused(over.anyone.get(f"{over.path}/review"))
    task = started(over.anyone, f"{over.path}/analyses", QUICK_REVIEW)
    assert task == review_of(over.anyone, over)
    work()
    found = review_of(over.seat(1), over)
    assert found == finished(over.anyone, task)
    assert ("done", 0.05, 1) == (found["status"], found["seconds"], len(found["review"]["decisions"]))


def test_a_review_lives_as_long_as_its_game(over: Table, redis_client: redis.Redis, app: Flask) -> None:
    task = started(over.anyone, f"{over.path}/analyses", QUICK_REVIEW)
    assert task["expires_at"][:16] >= over.view()["expires_at"][:16]
    keys = app.extensions["context"].store.keys
    lives: list[int] = [redis_client.pexpiretime(key) for key in (keys.task(task["id"]), keys.game(over.id).review)]
    assert lives[0] == lives[1]
    assert abs(lives[0] - redis_client.pexpiretime(keys.game(over.id).game)) < 2_000


def test_a_game_is_reviewed_once_unless_more_is_asked_for(over: Table, work: Callable[[], None]) -> None:
    path = f"{over.path}/analyses"
    first = started(over.anyone, path, QUICK_REVIEW)
    assert first == started(over.seat(0), path, QUICK_REVIEW)
    work()
    again = started(over.anyone, path, QUICK_REVIEW)
    assert (first["id"], "done") == (again["id"], again["status"])
    longer = started(over.anyone, path, {**QUICK_REVIEW, "seconds": 0.06})
    again = started(over.anyone, path, QUICK_REVIEW)
    assert first["id"] != longer["id"] == again["id"] == review_of(over.host, over)["id"]
    anew = started(over.anyone, path, {**QUICK_REVIEW, "again": True})
    assert longer["id"] != anew["id"] == review_of(over.host, over)["id"]
    assert "request/invalid" == code(over.anyone, path, {**FAST, "again": True})


def test_of_two_who_ask_at_once_both_get_the_same_review(
    over: Table, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = app.extensions["context"].tasks
    first = started(over.anyone, f"{over.path}/analyses", QUICK_REVIEW)
    look, looked = tasks.review_of, iter([None])  # when the second looked there was none yet
    monkeypatch.setattr(tasks, "review_of", lambda game_id: next(looked, look(game_id)))
    assert first == started(over.anyone, f"{over.path}/analyses", QUICK_REVIEW)
    assert first == review_of(over.anyone, over)


def test_a_review_that_failed_or_was_ended_is_no_reason_not_to_make_another(
    over: Table, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{over.path}/analyses"
    with monkeypatch.context() as patched:
        patched.setattr(analysis, "review", BROKEN)
        failed = started(over.seat(0), path, QUICK_REVIEW)
        work()
    told = review_of(over.anyone, over)
    assert (failed["id"], "failed") == (told["id"], told["status"])
    another = started(over.seat(0), path, QUICK_REVIEW)
    assert failed["id"] != another["id"]
    assert 204 == over.seat(0).delete(f"/v1/analyses/{another['id']}").status_code
    assert 404 == over.anyone.get(f"{over.path}/review").status_code
    assert another["id"] != started(over.seat(0), path, QUICK_REVIEW)["id"]


def test_a_review_of_all_is_ended_by_nobody_but_who_asked_with_a_token_or_the_operator(over: Table) -> None:
    task = started(over.anyone, f"{over.path}/analyses", QUICK_REVIEW)
    path = f"/v1/analyses/{task['id']}"
    assert (401, "auth/token_required") == refused(over.anyone.delete(path))
    assert (403, "auth/not_owner") == refused(over.seat(1).delete(path))
    assert 204 == over.anyone.with_token(ADMIN_TOKEN).delete(path).status_code


def test_a_private_games_review_is_read_by_those_who_may_read_the_game(new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    table.act()
    assert (404, "game/not_reviewed") == refused(table.host.get(f"{table.path}/review"))
    table.seat(0).post(f"{table.path}/resignation")
    task = started(table.host, f"{table.path}/analyses", QUICK_REVIEW)
    assert (404, "game/not_found") == refused(table.anyone.get(f"{table.path}/review"))
    assert task == review_of(table.anyone.with_token(table.tokens["watch"]), table)


def test_a_game_without_help_is_not_analysed_by_anybody_before_its_end(
    new_game: Callable[..., Table], work: Callable[[], None]
) -> None:
    table = new_game(help=False)
    assert table.view()["help"] is False
    callers = (table.anyone, table.host, table.seat(0), table.anyone.with_token(table.tokens["watch"]))
    for caller in callers:
        assert "game/help_forbidden" == code(caller, f"{table.path}/analyses", FAST)
    table.act()
    table.seat(0).post(f"{table.path}/resignation")
    task = started(table.anyone, f"{table.path}/analyses", {"kind": "review", "seconds": 0.05})
    work()
    assert "done" == finished(table.anyone, task)["status"]
    answered(table.seat(0).post(f"{table.path}/rematch"), 201)


def test_a_private_game_is_analysed_for_those_who_may_read_it(new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    assert "game/not_found" == code(table.anyone, f"{table.path}/analyses", FAST)
    started(table.anyone.with_token(table.tokens["watch"]), f"{table.path}/analyses", FAST)


def test_who_waits_hears_of_it_when_it_is_done(app: Flask, table: Table, work: Callable[[], None]) -> None:
    task = started(table.anyone, f"{table.path}/analyses", FAST)
    path = f"/v1/analyses/{task['id']}"
    ask = partial(table.anyone.get, f"{path}?after={task['version']}&wait=60")
    with in_vain(app.extensions["context"]) as waits:
        assert 204 == ask().status_code
    assert [60] == waits
    actual = answered(woken(app.extensions["context"], ask, work))
    assert actual["version"] > task["version"]


def test_an_analysis_that_was_ended_is_gone_and_stops(
    app: Flask, table: Table, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = started(table.anyone, f"{table.path}/analyses", {**FAST, "seconds": 10})
    tasks, reports = app.extensions["context"].tasks, []
    report = tasks.report

    def ended(*arguments: Any) -> bool:
        reports.append(arguments)
        if len(reports) == 1:
            table.anyone.delete(f"/v1/analyses/{task['id']}")
        return bool(report(*arguments))

    monkeypatch.setattr(tasks, "report", ended)
    monkeypatch.setattr(analysis, "REPORT_S", 0.001)
    work()
    assert 1 == len(reports)
    for gone in (table.anyone.get, table.anyone.delete):
        assert (404, "task/not_found") == refused(gone(f"/v1/analyses/{task['id']}"))


def test_what_was_asked_for_with_a_token_is_ended_with_it_alone(table: Table) -> None:
    task = started(table.seat(0), f"{table.path}/analyses", FAST)
    path = f"/v1/analyses/{task['id']}"
    assert (401, "auth/token_required") == refused(table.anyone.delete(path))
    assert (403, "auth/not_owner") == refused(table.seat(1).delete(path))
    assert 204 == table.seat(0).delete(path).status_code


def test_an_analysis_that_fails_says_so(
    table: Table, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = started(table.anyone, f"{table.path}/analyses", FAST)
    monkeypatch.setattr(analysis, "decision", BROKEN)
    work()
    assert "failed" == finished(table.anyone, task)["status"]


def test_an_analysis_is_done_once_however_often_its_job_comes(table: Table, work: Callable[[], None]) -> None:
    task = started(table.anyone, f"{table.path}/analyses", FAST)
    work()
    done = finished(table.anyone, task)
    jobs.analyse(task["id"])
    jobs.analyse("x" * 16)
    assert done == finished(table.anyone, task)


def test_what_is_kept_of_an_analysis_expires(
    app: Flask, table: Table, work: Callable[[], None], redis_client: redis.Redis
) -> None:
    task = started(table.anyone, f"{table.path}/analyses", FAST)
    work()
    context = app.extensions["context"]
    assert 0 < redis_client.ttl(context.store.keys.task(task["id"])) <= context.settings.task_ttl_s
    assert [] == list(redis_client.scan_iter("rq:job:*"))


def test_a_fault_in_what_is_asked_is_told(table: Table) -> None:
    path = f"{table.path}/analyses"
    faults: Faults = {"/kind": ["all", MISSING], "/seconds": [11, "1"], "/level": ["greedy"], "/best": [0]}
    for pointer, body in wrong_bodies({"kind": "decision"}, faults):
        assert [pointer] == invalid(table.anyone.post(path, body)), body
    assert ["/seconds"] == invalid(table.anyone.post(path, {"kind": "decision", "level": "planner", "seconds": 1}))
