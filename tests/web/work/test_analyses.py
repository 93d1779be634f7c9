"""Analyses: requested, computed by a worker, read, ended."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest.mock import Mock

import orjson
import pytest
from flask import Flask
from redis import Redis

from service.games.rating import NEW, level_rating
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.usecases.work.background import ANALYSIS
from tests.sampling import one_in
from tests.usecases.waiting import wait_result, waits_without_news
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.table import EVERY_VARIANT, NewTable, Table, Work
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies
from workers import jobs
from workers.tasks import analysis

BROKEN = Mock(side_effect=RuntimeError("broken for the test"))
FAST = {"kind": "decision", "seconds": 0.1}


def start_analysis(client: Client, path: str, body: Json) -> Json:
    answer = client.post(path, body)
    task = body_of(answer, 202)
    assert answer.headers["Location"] == f"/v1/analyses/{task['id']}"
    return task


def read_analysis(client: Client, task: Json) -> Json:
    return body_of(client.get(f"/v1/analyses/{task['id']}"))


def refusal_code(client: Client, path: str, body: Json) -> str:
    return refusal_of(client.post(path, body))[1]


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_a_decision_is_analysed(new_game: NewTable, work: Work, ruleset: str, variant: str) -> None:
    table = new_game(ruleset=ruleset, variant=variant)
    task = start_analysis(table.anyone, f"{table.path}/analyses", {**FAST, "best": 4})
    assert ("waiting", 0, None) == (task["status"], task["progress"], task["decision"])
    work()
    done = read_analysis(table.anyone, task)
    assert ("done", 1, None) == (done["status"], done["progress"], done["review"])
    assert (table.view()["revision"], table.id) == (done["revision"], done["game_id"])
    decision = done["decision"]
    assert decision["seat"] == table.view()["to_decide"]
    assert 1 <= len(decision["actions"]) <= 4
    legal = table.legal()
    for action in decision["actions"]:
        assert action["action"] in legal
        assert all(action["line"][0][name] == action[name] for name in ("id", "action", "text"))


def test_sentences_are_in_the_readers_language(table: Table, work: Work) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", FAST)
    work()
    path = f"/v1/analyses/{task['id']}"
    english, german = (
        body_of(table.anyone.get(path, Accept_Language=language))["decision"]["actions"] for language in ("en", "de")
    )
    assert [action["id"] for action in english] == [action["id"] for action in german]
    assert english[0]["text"] != german[0]["text"]


def test_a_decision_of_the_past_is_analysed(table: Table, work: Work) -> None:
    revision = table.view()["revision"]
    table.act()
    task = start_analysis(table.anyone, f"{table.path}/analyses", {**FAST, "revision": revision})
    work()
    assert (revision, 0) == (
        read_analysis(table.anyone, task)["revision"],
        read_analysis(table.anyone, task)["decision"]["seat"],
    )


def test_a_posted_position_is_analysed(table: Table, work: Work) -> None:
    task = start_analysis(table.anyone, "/v1/analyses", {"position": table.view()["position"], "level": "planner"})
    assert (LEVELS["planner"].budget_s, None, None) == (task["seconds"], task["game_id"], task["revision"])
    work()
    done = read_analysis(table.anyone, task)
    assert done["decision"]["actions"][0]["action"] in table.legal()


def test_a_position_without_a_seat_to_decide_is_not_analysed(new_game: NewTable) -> None:
    waiting = new_game(seats=[{"kind": "player"}, {"kind": "open"}])
    assert "game/nobody_decides" == refusal_code(waiting.anyone, f"{waiting.path}/analyses", FAST)
    table = new_game()
    position = table.view()["position"]
    table.host.post(f"{table.path}/abort")
    assert "game/nobody_decides" == refusal_code(table.anyone, f"{table.path}/analyses", FAST)
    assert "game/nobody_decides" == refusal_code(table.anyone, f"{table.path}/analyses", {**FAST, "revision": 1})
    assert "game/revision_not_found" == refusal_code(table.anyone, f"{table.path}/analyses", {**FAST, "revision": 99})
    broken = {**position, "scores": "many", "phase": 7}
    assert "request/invalid" == refusal_code(table.anyone, "/v1/analyses", {"position": broken})


def test_a_review_rates_every_decision(new_game: NewTable, work: Work) -> None:
    table = new_game()
    assert "game/not_over" == refusal_code(table.anyone, f"{table.path}/analyses", {"kind": "review"})
    for _ in range(6):
        table.act()
    table.seat(0).post(f"{table.path}/takebacks")
    offer = table.view()["offers"][0]["id"]
    table.seat(1).post(f"{table.path}/offers/{offer}/answer", {"accept": True})
    table.seat(1).post(f"{table.path}/resignation")
    assert "request/invalid" == refusal_code(table.anyone, f"{table.path}/analyses", {"kind": "review", "revision": 4})
    task = start_analysis(table.anyone, f"{table.path}/analyses", {"kind": "review", "seconds": 0.05})
    work()
    done = read_analysis(table.anyone, task)
    assert ("done", None) == (done["status"], done["decision"])
    events = body_of(table.anyone.get(f"{table.path}/history"))["events"]
    back = next(event["to"] for event in events if event["kind"] == "takeback")
    kept_actions = [event for event in events if event["kind"] == "action" and event["revision"] <= back]
    review = done["review"]
    assert [(event["revision"], event["seat"], event["action"]) for event in kept_actions] == [
        (one["revision"], one["seat"], one["played"]["action"]) for one in review["decisions"]
    ]
    assert len(kept_actions) == sum(seat["decisions"] for seat in review["seats"])
    assert len(kept_actions) == sum(sum(seat["labels"].values()) for seat in review["seats"])
    lost = {one["revision"]: one["win_lost"] for one in review["decisions"]}
    decisive = [lost[revision] for revision in review["decisive"]]
    assert decisive == sorted(lost.values(), reverse=True)[: len(decisive)]


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_whole_game_is_reviewed(new_game: NewTable, work: Work, ruleset: str) -> None:
    table = new_game(ruleset=ruleset, variant=RULESETS[ruleset].variants[-1])
    for _ in range(12):
        table.act()
    table.seat(0).post(f"{table.path}/resignation")
    task = start_analysis(table.anyone, f"{table.path}/analyses", {"kind": "review", "seconds": 0.05})
    work()
    assert 12 == len(read_analysis(table.anyone, task)["review"]["decisions"])


@pytest.fixture
def finished_table(table: Table) -> Table:
    """Return a finished game of one decision."""
    table.act()
    table.seat(0).post(f"{table.path}/resignation")
    return table


def review_of(client: Client, table: Table) -> Json:
    return body_of(client.get(f"{table.path}/review"))


QUICK_REVIEW = {"kind": "review", "seconds": 0.05}


def test_the_review_of_a_game_is_found(finished_table: Table, work: Work) -> None:
    assert (404, "game/not_reviewed") == refusal_of(finished_table.anyone.get(f"{finished_table.path}/review"))
    task = start_analysis(finished_table.anyone, f"{finished_table.path}/analyses", QUICK_REVIEW)
    assert task == review_of(finished_table.anyone, finished_table)
    work()
    found = review_of(finished_table.seat(1), finished_table)
    assert found == read_analysis(finished_table.anyone, task)
    assert ("done", 0.05, 1) == (found["status"], found["seconds"], len(found["review"]["decisions"]))


def test_a_review_is_for_players_of_the_mean_rating(
    new_game: NewTable, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "greedy"}])
    table.seat(0).post(f"{table.path}/resignation")
    start_analysis(table.anyone, f"{table.path}/analyses", QUICK_REVIEW)
    monkeypatch.setattr(analysis, "review", review := Mock(wraps=analysis.review))
    work()
    level = level_rating(RULESETS[table.view()["ruleset"]], 2, "greedy")
    assert level is not None
    assert review.call_args.args[-1] == pytest.approx((NEW.points + level.points) / 2)


def test_a_review_has_a_story_in_the_readers_language(
    finished_table: Table, work: Work, app: Flask, redis_client: Redis
) -> None:
    task = start_analysis(finished_table.anyone, f"{finished_table.path}/analyses", QUICK_REVIEW)
    work()
    english, german = (
        body_of(finished_table.anyone.get(f"{finished_table.path}/review", Accept_Language=language))["review"]["story"]
        for language in ("en", "de")
    )
    assert "resigned in round 1" in english[0]["text"]
    assert all("Ana" in sentences[0]["text"] for sentences in (english, german))
    assert [sentence["revision"] for sentence in english] == [sentence["revision"] for sentence in german]
    stored = app.extensions["context"].tasks
    content = orjson.loads(stored.get(ANALYSIS, task["id"]).result)
    del content["result"]["rounds"], content["result"]["decisions"][0]["margin"]  # as in reviews of older versions
    stored.report(task["id"], "done", orjson.dumps(content))
    assert english == review_of(finished_table.anyone, finished_table)["review"]["story"]
    redis_client.delete(app.extensions["context"].store.keys.game(finished_table.id).game)
    assert [] == read_analysis(finished_table.anyone, task)["review"]["story"]


def test_a_review_lives_as_long_as_its_game(finished_table: Table, redis_client: Redis, app: Flask) -> None:
    task = start_analysis(finished_table.anyone, f"{finished_table.path}/analyses", QUICK_REVIEW)
    assert task["expires_at"][:16] >= finished_table.view()["expires_at"][:16]
    keys = app.extensions["context"].store.keys
    lives: list[int] = [
        redis_client.pexpiretime(key) for key in (keys.task(task["id"]), keys.game(finished_table.id).review)
    ]
    assert lives[0] == lives[1]
    assert abs(lives[0] - redis_client.pexpiretime(keys.game(finished_table.id).game)) < 2_000


def test_a_game_is_reviewed_once_unless_a_longer_review_is_requested(finished_table: Table, work: Work) -> None:
    path = f"{finished_table.path}/analyses"
    first = start_analysis(finished_table.anyone, path, QUICK_REVIEW)
    assert first == start_analysis(finished_table.seat(0), path, QUICK_REVIEW)
    work()
    again = start_analysis(finished_table.anyone, path, QUICK_REVIEW)
    assert (first["id"], "done") == (again["id"], again["status"])
    longer = start_analysis(finished_table.anyone, path, {**QUICK_REVIEW, "seconds": 0.06})
    again = start_analysis(finished_table.anyone, path, QUICK_REVIEW)
    assert first["id"] != longer["id"] == again["id"] == review_of(finished_table.host, finished_table)["id"]
    repeated = start_analysis(finished_table.anyone, path, {**QUICK_REVIEW, "again": True})
    assert longer["id"] != repeated["id"] == review_of(finished_table.host, finished_table)["id"]
    assert "request/invalid" == refusal_code(finished_table.anyone, path, {**FAST, "again": True})


def test_simultaneous_requests_get_the_same_review(
    finished_table: Table, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = app.extensions["context"].tasks
    first = start_analysis(finished_table.anyone, f"{finished_table.path}/analyses", QUICK_REVIEW)
    read_review, first_reads = tasks.review_id, iter([None])  # the second request finds no review yet
    monkeypatch.setattr(tasks, "review_id", lambda game_id: next(first_reads, read_review(game_id)))
    assert first == start_analysis(finished_table.anyone, f"{finished_table.path}/analyses", QUICK_REVIEW)
    assert first == review_of(finished_table.anyone, finished_table)


def test_a_failed_or_ended_review_can_be_repeated(
    finished_table: Table, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{finished_table.path}/analyses"
    with monkeypatch.context() as patched:
        patched.setattr(analysis, "review", BROKEN)
        failed = start_analysis(finished_table.seat(0), path, QUICK_REVIEW)
        work()
    failed_review = review_of(finished_table.anyone, finished_table)
    assert (failed["id"], "failed") == (failed_review["id"], failed_review["status"])
    another = start_analysis(finished_table.seat(0), path, QUICK_REVIEW)
    assert failed["id"] != another["id"]
    assert 204 == finished_table.seat(0).delete(f"/v1/analyses/{another['id']}").status_code
    assert 404 == finished_table.anyone.get(f"{finished_table.path}/review").status_code
    assert another["id"] != start_analysis(finished_table.seat(0), path, QUICK_REVIEW)["id"]


def test_a_review_without_owner_is_ended_only_by_the_operator(finished_table: Table) -> None:
    task = start_analysis(finished_table.anyone, f"{finished_table.path}/analyses", QUICK_REVIEW)
    path = f"/v1/analyses/{task['id']}"
    assert (401, "auth/token_required") == refusal_of(finished_table.anyone.delete(path))
    assert (403, "auth/not_owner") == refusal_of(finished_table.seat(1).delete(path))
    assert 204 == finished_table.anyone.with_token(ADMIN_TOKEN).delete(path).status_code


def test_the_review_of_a_private_game_is_read_by_its_readers(new_game: NewTable) -> None:
    table = new_game(visibility="private")
    table.act()
    assert (404, "game/not_reviewed") == refusal_of(table.host.get(f"{table.path}/review"))
    table.seat(0).post(f"{table.path}/resignation")
    task = start_analysis(table.host, f"{table.path}/analyses", QUICK_REVIEW)
    assert (404, "game/not_found") == refusal_of(table.anyone.get(f"{table.path}/review"))
    assert task == review_of(table.anyone.with_token(table.tokens["watch"]), table)


def test_a_game_without_help_is_not_analysed_before_its_end(new_game: NewTable, work: Work) -> None:
    table = new_game(help=False)
    assert table.view()["help"] is False
    callers = (table.anyone, table.host, table.seat(0), table.anyone.with_token(table.tokens["watch"]))
    for caller in callers:
        assert "game/help_forbidden" == refusal_code(caller, f"{table.path}/analyses", FAST)
    table.act()
    table.seat(0).post(f"{table.path}/resignation")
    task = start_analysis(table.anyone, f"{table.path}/analyses", {"kind": "review", "seconds": 0.05})
    work()
    assert "done" == read_analysis(table.anyone, task)["status"]
    body_of(table.seat(0).post(f"{table.path}/rematch"), 201)


def test_a_private_game_is_analysed_for_its_readers(new_game: NewTable) -> None:
    table = new_game(visibility="private")
    assert "game/not_found" == refusal_code(table.anyone, f"{table.path}/analyses", FAST)
    start_analysis(table.anyone.with_token(table.tokens["watch"]), f"{table.path}/analyses", FAST)


def test_a_wait_ends_when_the_analysis_is_done(app: Flask, table: Table, work: Work) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", FAST)
    path = f"/v1/analyses/{task['id']}"
    ask = partial(table.anyone.get, f"{path}?after={task['version']}&wait=60")
    with waits_without_news(app.extensions["context"]) as waits:
        assert 204 == ask().status_code
    assert [60] == waits
    actual = body_of(wait_result(app.extensions["context"], ask, work))
    assert actual["version"] > task["version"]


def test_an_ended_analysis_is_deleted_and_stops(
    app: Flask, table: Table, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", {**FAST, "seconds": 10})
    tasks, reports = app.extensions["context"].tasks, []
    report = tasks.report

    def report_then_end(*arguments: Any) -> bool:
        reports.append(arguments)
        if len(reports) == 1:
            table.anyone.delete(f"/v1/analyses/{task['id']}")
        return bool(report(*arguments))

    monkeypatch.setattr(tasks, "report", report_then_end)
    monkeypatch.setattr(analysis, "REPORT_S", 0.001)
    work()
    assert 1 == len(reports)
    for gone in (table.anyone.get, table.anyone.delete):
        assert (404, "task/not_found") == refusal_of(gone(f"/v1/analyses/{task['id']}"))


def test_an_analysis_is_ended_only_with_its_token(table: Table) -> None:
    task = start_analysis(table.seat(0), f"{table.path}/analyses", FAST)
    path = f"/v1/analyses/{task['id']}"
    assert (401, "auth/token_required") == refusal_of(table.anyone.delete(path))
    assert (403, "auth/not_owner") == refusal_of(table.seat(1).delete(path))
    assert 204 == table.seat(0).delete(path).status_code


def test_a_failed_analysis_has_status_failed(table: Table, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", FAST)
    monkeypatch.setattr(analysis, "decision", BROKEN)
    work()
    assert "failed" == read_analysis(table.anyone, task)["status"]


def test_a_repeated_job_computes_an_analysis_once(table: Table, work: Work) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", FAST)
    work()
    done = read_analysis(table.anyone, task)
    jobs.analyse(task["id"])
    jobs.analyse("x" * 16)
    assert done == read_analysis(table.anyone, task)


def test_the_data_of_an_analysis_expires(app: Flask, table: Table, work: Work, redis_client: Redis) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", FAST)
    work()
    context = app.extensions["context"]
    assert 0 < redis_client.ttl(context.store.keys.task(task["id"])) <= context.settings.task_ttl_s
    assert [] == list(redis_client.scan_iter("rq:job:*"))


def test_an_invalid_request_is_refused_with_its_pointer(table: Table) -> None:
    path = f"{table.path}/analyses"
    faults: Faults = {"/kind": ["all", MISSING], "/seconds": [11, "1"], "/level": ["greedy"], "/best": [0]}
    for pointer, body in wrong_bodies({"kind": "decision"}, faults):
        assert [pointer] == invalid_fields(table.anyone.post(path, body)), body
    assert ["/seconds"] == invalid_fields(
        table.anyone.post(path, {"kind": "decision", "level": "planner", "seconds": 1})
    )
