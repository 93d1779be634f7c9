"""Puzzles over HTTP: reading, choosing and answering them, and the errors of wrong answers."""

from __future__ import annotations

from typing import Any

import pytest

from service.puzzles import model
from service.rulesets.pictures.drawing import LAYOUTS
from service.rulesets.registry import RULESETS
from service.usecases.puzzles import puzzle_views
from tests.rulesets.offers import WITH_PUZZLES
from tests.usecases.puzzles.shipped import answers, find_puzzles, puzzle_of_two_steps, right_answers, wrong_actions
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

FORMS = ("id", "action", "notation")


def attempt(client: Client, puzzle: model.Puzzle, body: Json, **headers: str) -> Json:
    return body_of(client.post(f"/v1/puzzles/{puzzle.id}/attempts", body, **headers), 200)


def form_of(puzzle: model.Puzzle, action: int, form: str) -> Json:
    """Return an action in a form."""
    ruleset = puzzle.position.ruleset
    forms: dict[str, Any] = {"id": str(action), "action": ruleset.wire.decode(action)}
    return {form: {**forms, "notation": ruleset.notation_of(action)}[form]}


# ------------------------------------------------------------------------------------------------------ reading


@pytest.mark.parametrize("ruleset", WITH_PUZZLES)
def test_a_puzzle_contains_its_position_and_not_its_solution(anyone: Client, ruleset: str) -> None:
    puzzle = find_puzzles(ruleset)[0]
    answer = anyone.get(f"/v1/puzzles/{puzzle.id}")
    shown = body_of(answer)
    assert puzzle.position == RULESETS[ruleset].read(shown["position"])
    assert (puzzle.position.notation, puzzle.seat) == (shown["position_notation"], puzzle.position.seat)
    assert (round(puzzle.rating), len(puzzle.steps), 0, 0) == (
        *(shown["rating"], shown["steps"]),
        *(shown["attempts"], shown["solved"]),
    )
    assert not {"solutions", "solution", "win", "second"} & shown.keys()
    assert "public, max-age=60" == answer.headers["Cache-Control"]
    assert 304 == anyone.get(f"/v1/puzzles/{puzzle.id}", If_None_Match=answer.headers["ETag"]).status_code


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_puzzle_is_drawn(anyone: Client, layout: str) -> None:
    puzzle = find_puzzles("azul")[0]
    path = f"/v1/puzzles/{puzzle.id}/board.svg?theme=dark&layout={layout}"
    english, german = (anyone.get(path, Accept_Language=language) for language in ("en", "de"))
    assert ("image/svg+xml", "public, max-age=86400") == (english.mimetype, english.headers["Cache-Control"])
    assert ("Seat 1" in english.text, "Platz 1" in german.text) == (True, True)
    assert 304 == anyone.get(path, Accept_Language="de", If_None_Match=german.headers["ETag"]).status_code
    assert puzzle.position.notation in anyone.get(f"/v1/puzzles/{puzzle.id}/board.txt").text


def test_without_a_player_the_puzzles_follow_one_another_in_a_fixed_order(anyone: Client) -> None:
    ids = [puzzle.id for puzzle in find_puzzles("azul")]
    followed = (ids[0], ids[1], ids[-1], "none")
    shown = [body_of(anyone.get(f"/v1/puzzles/next?ruleset=azul&after={after}"))["id"] for after in followed]
    assert ids[0] == body_of(anyone.get("/v1/puzzles/next?ruleset=azul"))["id"]
    assert [ids[1], ids[2], ids[0]] == shown[:3]
    assert shown[3] in ids  # an id that no longer exists has a place, too


def test_a_theme_selects_puzzles(anyone: Client) -> None:
    themes = {theme for puzzle in puzzle_views.all_puzzles() for theme in puzzle.themes}
    for theme in themes:
        assert theme in body_of(anyone.get(f"/v1/puzzles/next?theme={theme}"))["themes"]
    unknown = anyone.get("/v1/puzzles/next?theme=luck")
    assert ["/theme"] == invalid_fields(unknown)
    assert all(theme in unknown.text for theme in themes)


# ---------------------------------------------------------------------------------------------------- answering


@pytest.mark.parametrize(("ruleset", "form"), [*zip(WITH_PUZZLES, FORMS, strict=True)])
def test_right_answers_solve_a_puzzle(anyone: Client, ruleset: str, form: str) -> None:
    puzzle = find_puzzles(ruleset)[-1]
    right = [form_of(puzzle, step.solutions[-1], form) for step in puzzle.steps]
    result = attempt(anyone, puzzle, {"answers": right})
    assert ("solved", [], None, None) == (
        *(result["status"], result["replies"]),
        *(result["position"], result["refutation"]),
    )
    expected = [move for step in puzzle.steps for move in ((puzzle.seat, step.solutions[0]), *step.reply)]
    assert expected == [(move["seat"], int(move["id"])) for move in result["solution"]]
    assert (False, None, None) == (result["rated"], result["rating"], result["streak"])


def test_a_puzzle_of_several_steps_goes_on_after_a_right_answer(
    anyone: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = puzzle_of_two_steps()
    monkeypatch.setattr(model, "puzzle", lambda _: puzzle)
    first, second = puzzle.steps
    result = attempt(anyone, puzzle, answers(first.solutions[0]))
    assert ("continue", None, None) == (result["status"], result["solution"], result["refutation"])
    assert [*first.reply] == [(move["seat"], int(move["id"])) for move in result["replies"]]
    after = puzzle.position.play(first.solutions[0]).play(first.reply[0][1])
    assert (after.notation, after) == (
        result["position_notation"],
        RULESETS["azul"].read(result["position"]),
    )
    assert "solved" == attempt(anyone, puzzle, right_answers(puzzle))["status"]
    wrong = next(action for action in after.legal_actions() if action not in second.solutions)
    failed = attempt(anyone, puzzle, answers(first.solutions[0], wrong))
    assert ("failed", 3) == (failed["status"], len(failed["solution"]))
    assert [*second.refutations[wrong]] == [(one["seat"], int(one["id"])) for one in failed["refutation"]["line"]]


@pytest.mark.parametrize("ruleset", WITH_PUZZLES)
def test_a_wrong_answer_returns_its_refutation(anyone: Client, ruleset: str) -> None:
    puzzle = find_puzzles(ruleset, lambda one: bool(one.themes) and any(map(len, one.steps[0].refutations.values())))[0]
    step = puzzle.steps[0]
    wrong = max(wrong_actions(puzzle), key=lambda action: len(step.refutations.get(action, ())))
    results = [attempt(anyone, puzzle, answers(wrong), Accept_Language=language) for language in ("en", "de")]
    for result in results:
        refutation = result["refutation"]
        assert ("failed", step.lost[wrong]) == (result["status"], refutation["win_lost"])
        assert [*step.refutations[wrong]] == [(one["seat"], int(one["id"])) for one in refutation["line"]]
        assert str(step.solutions[0]) == result["solution"][0]["id"]
    english, german = ([one["text"] for one in result["refutation"]["line"]] for result in results)
    assert english != german


def test_a_wrong_answer_says_what_the_solution_does_better(anyone: Client) -> None:
    puzzle = find_puzzles("azul", lambda one: bool(one.themes))[0]
    sentences = [attempt(anyone, puzzle, answers(action))["refutation"]["why"] for action in wrong_actions(puzzle)[:8]]
    assert any(sentence and sentence.startswith("The best move ") for sentence in sentences)


# ------------------------------------------------------------------------------------------------------- errors


def test_each_malformed_attempt_is_refused_with_its_place(anyone: Client) -> None:
    puzzle = find_puzzles("azul", lambda one: len(one.steps) == 1)[0]
    right = puzzle.steps[0].solutions[0]
    faults: Faults = {
        "/answers": [MISSING, None, [], {}, "x", [{"id": str(right)}] * 21],
        "/answers/0": [None, "49", 49, [], {}, {"id": str(right), "notation": "1a2"}],
        "/answers/0/id": [None, 49, "", "x", "-1", str(2**63), "9" * 21],
        "/again": [True],
    }
    for pointer, body in wrong_bodies({"answers": [{"id": str(right)}]}, faults):
        answer = anyone.post(f"/v1/puzzles/{puzzle.id}/attempts", body)
        assert [pointer] == invalid_fields(answer), body
    for count in (2, 5):
        assert ["/answers/1"] == invalid_fields(
            anyone.post(f"/v1/puzzles/{puzzle.id}/attempts", answers(*[right] * count))
        )


def test_wrong_answers_are_refused_with_their_problem(anyone: Client) -> None:
    puzzle = find_puzzles("azul", lambda one: len(one.steps) == 1)[0]
    path = f"/v1/puzzles/{puzzle.id}/attempts"
    fields = puzzle.position.ruleset.wire.decode(puzzle.steps[0].solutions[0])
    colour = anyone.post(path, {"answers": [{"action": {**fields, "colour": "pink"}}]})
    assert ["/answers/0/action/colour"] == invalid_fields(colour)
    unreadable = anyone.post(path, {"answers": [{"notation": "3b"}]})
    assert (422, "notation/unreadable") == refusal_of(unreadable)
    assert "/answers/0/notation" == (unreadable.json or {})["errors"][0]["pointer"]
    illegal = anyone.post(path, answers(2**63 - 1))
    assert (409, "game/illegal_action") == refusal_of(illegal)
    assert ("/answers/0", True) == ((illegal.json or {})["errors"][0]["pointer"], bool((illegal.json or {})["reason"]))
    assert (404, "puzzle/not_found") == refusal_of(anyone.post("/v1/puzzles/none/attempts", right_answers(puzzle)))
    assert (404, "puzzle/not_found") == refusal_of(anyone.get("/v1/puzzles/none"))


# ------------------------------------------------------------------------------------------------------ players


def test_the_first_attempt_of_a_player_is_rated(ana: Person, anyone: Client) -> None:
    solved, failed = find_puzzles("azul")[:2]
    first = attempt(ana.client, solved, right_answers(solved))
    assert (True, 1, 1500) == (first["rated"], first["streak"], first["rating"]["before"])
    assert first["rating"]["after"] > 1500
    assert first == attempt(ana.client, solved, right_answers(solved))
    second = attempt(ana.client, failed, answers(wrong_actions(failed)[0]))
    assert (True, 0) == (second["rated"], second["streak"])
    assert second["rating"]["before"] == first["rating"]["after"] > second["rating"]["after"]
    practice = attempt(ana.client, failed, right_answers(failed))
    assert ("solved", False, None, 0) == (
        *(practice["status"], practice["rated"]),
        *(practice["rating"], practice["streak"]),
    )
    attempt(anyone, solved, right_answers(solved))  # stores nothing
    own = body_of(ana.client.get("/v1/me/puzzles"))
    (azul,) = own["rulesets"]
    assert ("azul", second["rating"]["after"], True) == (azul["ruleset"], azul["rating"], azul["provisional"])
    assert (2, 1, 0, 1) == (azul["attempts"], azul["solved"], own["streak"], own["best_streak"])
    shown = [body_of(anyone.get(f"/v1/puzzles/{puzzle.id}")) for puzzle in (solved, failed)]
    assert [(1, 1), (1, 0)] == [(one["attempts"], one["solved"]) for one in shown]
    assert shown[0]["rating"] < round(solved.rating)
    assert shown[1]["rating"] > round(failed.rating)


def test_puzzle_data_is_exported_and_deleted_with_the_player(ana: Person, redis_client: Any) -> None:
    puzzle = find_puzzles("azul")[0]
    result = attempt(ana.client, puzzle, right_answers(puzzle))
    body_of(ana.client.get("/v1/puzzles/next"))
    exported = body_of(ana.client.get("/v1/me/export"))["puzzles"]
    assert (1, 1) == (exported["streak"], len(exported["rulesets"]))
    (stored,) = exported["results"]
    assert (puzzle.id, True, result["rating"]) == (stored["puzzle_id"], stored["solved"], stored["rating"])
    assert [str(step.solutions[0]) for step in puzzle.steps] == stored["answers"]
    keys = {*redis_client.scan_iter(f"*puzzle*{ana.id}")}
    assert {True} == {redis_client.ttl(key) > 0 for key in keys}
    assert 204 == ana.client.delete("/v1/me").status_code
    assert 2 == len(keys)
    assert [] == [*redis_client.scan_iter(f"*{ana.id}*")]
