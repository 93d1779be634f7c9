"""The daily puzzle over HTTP: one for everybody, from 00:00 to 24:00 UTC."""

from __future__ import annotations

import pytest

from service.games.state.moments import parse_ms
from service.usecases.base.context import Context
from service.usecases.puzzles import puzzle_views
from tests.usecases.puzzles.shipped import answers, right_answers, wrong_actions
from tests.web.client import Client, Json, body_of
from tests.web.players import Person, new_player

PATH = "/v1/puzzles/daily"


def set_clock(context: Context, monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setattr(context, "now_ms", lambda: parse_ms(time))


def daily(client: Client) -> Json:
    return body_of(client.get(PATH))


def test_the_daily_puzzle_changes_at_midnight(
    anyone: Client, ana: Person, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(context, monkeypatch, "2026-11-29T23:59:30.000Z")
    answer, picture = anyone.get(PATH), anyone.get(f"{PATH}/board.svg")
    assert {"public, max-age=30"} == {one.headers["Cache-Control"] for one in (answer, picture)}
    first = body_of(answer)
    assert ("2026-11-29", "2026-11-30T00:00:00.000Z") == (first["date"], first["next_at"])
    assert first == daily(ana.client)
    assert 304 == anyone.get(PATH, If_None_Match=answer.headers["ETag"]).status_code
    own = anyone.get(f"/v1/puzzles/{first['puzzle']['id']}/board.svg")
    assert own.data == picture.data
    set_clock(context, monkeypatch, "2026-11-30T00:00:00.000Z")
    later = anyone.get(PATH)
    second = body_of(later)
    assert ("2026-11-30", "public, max-age=60") == (second["date"], later.headers["Cache-Control"])
    assert first["puzzle"]["ruleset"] != second["puzzle"]["ruleset"]
    assert picture.data != anyone.get(f"{PATH}/board.svg").data


def test_the_text_to_share_names_the_day_and_not_the_solution(
    anyone: Client, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(context, monkeypatch, "2026-03-01T12:00:00.000Z")
    english, german = (body_of(anyone.get(PATH, Accept_Language=language))["share_text"] for language in ("en", "de"))
    assert "puzzle of 1 March 2026: can you find the best move? http://localhost/play#/puzzles/daily" in english
    assert "Rätsel vom 1. März 2026: Findest du den besten Zug? http://localhost/play#/puzzles/daily" in german


def test_players_who_try_it_on_its_day_are_counted_once(
    anyone: Client, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(context, monkeypatch, "2026-11-29T12:00:00.000Z")
    puzzle = puzzle_views.find(daily(anyone)["puzzle"]["id"])
    good, bad = new_player(anyone).client, new_player(anyone).client
    wrong = answers(wrong_actions(puzzle)[0])
    for client, body in ((good, right_answers(puzzle)), (good, wrong), (bad, wrong), (bad, right_answers(puzzle))):
        body_of(client.post(f"/v1/puzzles/{puzzle.id}/attempts", body))
    body_of(anyone.post(f"/v1/puzzles/{puzzle.id}/attempts", wrong))
    shown = daily(anyone)
    assert (2, 1) == (shown["attempts"], shown["solved"])
    set_clock(context, monkeypatch, "2026-11-30T00:00:00.000Z")
    assert (0, 0) == (daily(anyone)["attempts"], daily(anyone)["solved"])


def test_the_streak_counts_days_in_a_row(
    anyone: Client, ana: Person, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    streaks = []
    for day, is_solved in ((1, True), (2, True), (4, True), (5, False), (6, True)):
        set_clock(context, monkeypatch, f"2026-11-0{day}T12:00:00.000Z")
        puzzle = puzzle_views.find(daily(anyone)["puzzle"]["id"])
        body = right_answers(puzzle) if is_solved else answers(wrong_actions(puzzle)[0])
        body_of(ana.client.post(f"/v1/puzzles/{puzzle.id}/attempts", body))
        streaks.append(body_of(ana.client.get("/v1/me/puzzles"))["daily_streak"])
    assert [1, 2, 1, 0, 1] == streaks
    set_clock(context, monkeypatch, "2026-11-08T00:00:00.000Z")
    assert 0 == body_of(ana.client.get("/v1/me/puzzles"))["daily_streak"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "?theme=auto&amp;layout=wide"),
        ("?theme=dark&layout=narrow", "?theme=dark&amp;layout=narrow"),
        ("?theme=x%22&layout=%3Cb%3E", "?theme=auto&amp;layout=wide"),
    ],
)
def test_a_frame_shows_the_picture_and_a_link(anyone: Client, query: str, expected: str) -> None:
    answer = anyone.get(f"/embed/puzzles/daily{query}", Accept_Language="de")
    assert f'src="../../v1/puzzles/daily/board.svg{expected}"' in answer.text
    assert 'href="../../play#/puzzles/daily"' in answer.text
    assert "Findest du den besten Zug?" in answer.text
    assert answer.headers["Content-Security-Policy"].endswith("frame-ancestors *")
