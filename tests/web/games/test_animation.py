"""`animation.svg`: a finished game as an animation."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.usecases.base.memory import Memory
from service.usecases.views import animations
from tests.rulesets import films
from tests.web.client import Client, body_of, refusal_of
from tests.web.table import NewTable, Table

PATH = "/animation.svg"


@pytest.fixture
def finished_table(table: Table) -> Table:
    """Return a game of three decisions that Ana then resigned."""
    for _ in range(3):
        table.act()
    body_of(table.seat(0).post(f"{table.path}/resignation"))
    return table


def get_animation(table: Table, query: str = "", client: Client | None = None, **headers: str) -> TestResponse:
    answer = (client or table.anyone).get(f"{table.path}{PATH}{query}", **headers)
    assert (200, "image/svg+xml") == (answer.status_code, answer.mimetype), answer.data
    return answer


def captions(answer: TestResponse) -> list[str]:
    """Return the captions of the stills in document order."""
    root = films.read(answer.data).root
    below = next(element for element in root if element.attrib.get("id") == "caption")
    return [element.text or "" for element in below.iter(f"{films.SVG}text") if element.attrib["font-size"] == "20"]


def test_each_frame_shows_the_board_at_its_revision(finished_table: Table) -> None:
    film = films.read(get_animation(finished_table).data)
    revisions = [3, 4, 5, 6, 7]  # the deal, three decisions, and the end
    assert len(revisions) == len(film.moments)
    assert revisions[-1] == finished_table.view()["revision"]
    for revision, at in zip(revisions, film.moments, strict=True):
        board = finished_table.anyone.get(f"{finished_table.path}/board.svg?revision={revision}")
        assert films.seen_of(board.text) == film.visible_elements(at)


def test_captions_describe_decisions_and_the_winner(finished_table: Table) -> None:
    first, *moves, last = captions(get_animation(finished_table))
    assert ("Azul: Ana, Ben", "Ben won.") == (first, last)
    assert ["Ana", "Ben", "Ana"] == [move.partition(" ")[0] for move in moves]
    history = body_of(finished_table.anyone.get(f"{finished_table.path}/history"))["events"]
    done = [event["text"] for event in history if event["kind"] == "action"]
    assert done == [f"Seat {seat} {move.partition(' ')[2]}" for seat, move in zip((1, 2, 1), moves, strict=True)]
    assert "Ben hat gewonnen." == captions(get_animation(finished_table, Accept_Language="de"))[-1]


def test_an_aborted_game_is_shown_up_to_its_end(new_game: NewTable, table: Table) -> None:
    body_of(table.host.post(f"{table.path}/abort"))
    assert ["Azul: Ana, Ben", "The game was aborted."] == captions(get_animation(table))
    open_game = new_game(seats=[{"kind": "player", "name": "Ana"}, {"kind": "open"}])
    body_of(open_game.host.post(f"{open_game.path}/abort"))
    assert "animation:" not in get_animation(open_game).text


def test_a_move_that_was_taken_back_is_not_shown(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player", "name": "Ana"}, {"kind": "ai", "level": "random"}])
    table.act()
    body_of(table.seat(0).post(f"{table.path}/takebacks"))
    table.act()
    body_of(table.seat(0).post(f"{table.path}/resignation"))
    film = films.read(get_animation(table).data)
    assert 3 == len(film.moments)
    board = table.anyone.get(f"{table.path}/board.svg")
    assert films.seen_of(board.text) == film.visible_elements(100)


def test_an_animation_is_cached_for_an_hour_and_not_sent_twice(
    finished_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = get_animation(finished_table)
    tag = first.headers["ETag"]
    assert (f'W/"{finished_table.view()["revision"]}-en"', "public, max-age=3600") == (
        tag,
        first.headers["Cache-Control"],
    )
    assert {"Accept-Language", "Accept-Encoding"} <= set(first.vary)
    monkeypatch.setattr(animations, "animate", lambda *_: 1 / 0)
    for tag_sent in (tag, tag.removeprefix("W/")):
        again = finished_table.anyone.get(f"{finished_table.path}{PATH}", If_None_Match=tag_sent)
        assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    monkeypatch.undo()
    assert (
        200
        == finished_table.anyone.get(
            f"{finished_table.path}{PATH}", If_None_Match=tag, Accept_Language="de"
        ).status_code
    )


def test_an_animation_is_compressed_for_clients_that_accept_gzip(finished_table: Table) -> None:
    plain, packed = get_animation(finished_table), get_animation(finished_table, Accept_Encoding="gzip")
    assert (None, "gzip") == (plain.headers.get("Content-Encoding"), packed.headers["Content-Encoding"])
    assert plain.data == gzip.decompress(packed.data)
    assert 4 * len(packed.data) < len(plain.data)


def test_a_process_draws_an_animation_once(app: Flask, finished_table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first = get_animation(finished_table).data
    monkeypatch.setattr(animations, "_draw", lambda *_: 1 / 0)
    assert first == get_animation(finished_table).data
    monkeypatch.undo()
    remembered = app.extensions["context"].animations = Memory(2)
    for query in ("?theme=dark", "?loop=false", "?layout=narrow"):
        assert first != get_animation(finished_table, query).data
    assert 2 == len(remembered.cache)


def test_pace_theme_and_layout_can_be_chosen(finished_table: Table) -> None:
    film = films.read(get_animation(finished_table, "?seconds=2&loop=false").data)
    assert (4 * 2 + 8, "1") == (film.lasts_s, film.times)
    default = films.read(get_animation(finished_table).data)
    assert (4 * 1 + 4, "infinite") == (default.lasts_s, default.times)
    assert [
        "prefers-color-scheme" in get_animation(finished_table, f"?theme={theme}").text
        for theme in ("auto", "contrast")
    ] == [True, False]
    widths = [
        float(films.read(get_animation(finished_table, f"?layout={layout}").data).root.attrib["viewBox"].split()[2])
        for layout in ("wide", "narrow")
    ]
    assert widths[0] > widths[1]


def test_a_private_animation_needs_a_ticket_and_is_not_cached_publicly(new_game: NewTable) -> None:
    table = new_game(visibility="private")
    body_of(table.host.post(f"{table.path}/abort"))
    assert (404, "game/not_found") == refusal_of(table.anyone.get(f"{table.path}{PATH}"))
    ticket = body_of(table.seat(0).post(f"{table.path}/tickets"), 201)["ticket"]
    assert "private, no-cache" == get_animation(table, f"?ticket={ticket}").headers["Cache-Control"]
    again = table.anyone.get(f"{table.path}{PATH}?ticket={ticket}")
    assert (401, "auth/ticket_unknown") == refusal_of(again)


def test_names_are_escaped(new_game: NewTable) -> None:
    evil = '</text><script>alert("&")</script>'
    table = new_game(seats=[{"kind": "player", "name": evil}, {"kind": "player"}])
    table.act()
    body_of(table.seat(1).post(f"{table.path}/resignation"))
    answer = get_animation(table)
    assert "<script" not in answer.text
    assert any(evil in words for words in captions(answer))
    assert "default-src 'none'; style-src 'unsafe-inline'" == answer.headers["Content-Security-Policy"]
