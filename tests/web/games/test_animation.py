"""`animation.svg`: a game that is over, played again."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.usecases.base.memory import Memory
from service.usecases.views import animations
from tests.rulesets import films
from tests.web.client import Client, answered, refused
from tests.web.table import Table

ASKED = "/animation.svg"


@pytest.fixture
def over(table: Table) -> Table:
    """A game in which three decisions were made before Ana gave up."""
    for _ in range(3):
        table.act()
    answered(table.seat(0).post(f"{table.path}/resignation"))
    return table


def got(table: Table, query: str = "", client: Client | None = None, **headers: str) -> TestResponse:
    answer = (client or table.anyone).get(f"{table.path}{ASKED}{query}", **headers)
    assert (200, "image/svg+xml") == (answer.status_code, answer.mimetype), answer.data
    return answer


def captions(answer: TestResponse) -> list[str]:
    """What was done, by still, in the order of the document."""
    root = films.read(answer.data).root
    below = next(element for element in root if element.attrib.get("id") == "caption")
    return [element.text or "" for element in below.iter(f"{films.SVG}text") if element.attrib["font-size"] == "20"]


def test_each_still_is_the_board_at_its_revision(over: Table) -> None:
    film = films.read(got(over).data)
    revisions = [3, 4, 5, 6, 7]  # the deal, three decisions, and the end
    assert len(revisions) == len(film.moments)
    assert revisions[-1] == over.view()["revision"]
    for revision, at in zip(revisions, film.moments, strict=True):
        board = over.anyone.get(f"{over.path}/board.svg?revision={revision}")
        assert films.seen_of(board.text) == film.seen(at)


def test_captions_tell_who_did_what_and_who_has_won(over: Table) -> None:
    first, *moves, last = captions(got(over))
    assert ("Azul: Ana, Ben", "Ben won.") == (first, last)
    assert ["Ana", "Ben", "Ana"] == [move.partition(" ")[0] for move in moves]
    history = answered(over.anyone.get(f"{over.path}/history"))["events"]
    done = [event["text"] for event in history if event["kind"] == "action"]
    assert done == [f"Seat {seat} {move.partition(' ')[2]}" for seat, move in zip((1, 2, 1), moves, strict=True)]
    assert "Ben hat gewonnen." == captions(got(over, Accept_Language="de"))[-1]


def test_an_aborted_game_is_shown_as_far_as_it_came(new_game: Callable[..., Table], table: Table) -> None:
    answered(table.host.post(f"{table.path}/abort"))
    assert ["Azul: Ana, Ben", "The game was aborted."] == captions(got(table))
    unbegun = new_game(seats=[{"kind": "player", "name": "Ana"}, {"kind": "open"}])
    answered(unbegun.host.post(f"{unbegun.path}/abort"))
    assert "animation:" not in got(unbegun).text


def test_a_move_that_was_taken_back_is_not_shown(new_game: Callable[..., Table]) -> None:
    table = new_game(seats=[{"kind": "player", "name": "Ana"}, {"kind": "ai", "level": "random"}])
    table.act()
    answered(table.seat(0).post(f"{table.path}/takebacks"))
    table.act()
    answered(table.seat(0).post(f"{table.path}/resignation"))
    film = films.read(got(table).data)
    assert 3 == len(film.moments)
    board = table.anyone.get(f"{table.path}/board.svg")
    assert films.seen_of(board.text) == film.seen(100)


def test_it_is_kept_for_an_hour_and_not_sent_twice(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first = got(over)
    tag = first.headers["ETag"]
    assert (f'W/"{over.view()["revision"]}-en"', "public, max-age=3600") == (tag, first.headers["Cache-Control"])
    assert {"Accept-Language", "Accept-Encoding"} <= set(first.vary)
    monkeypatch.setattr(animations, "animate", lambda *_: 1 / 0)
    for known in (tag, tag.removeprefix("W/")):
        again = over.anyone.get(f"{over.path}{ASKED}", If_None_Match=known)
        assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    monkeypatch.undo()
    assert 200 == over.anyone.get(f"{over.path}{ASKED}", If_None_Match=tag, Accept_Language="de").status_code


def test_it_comes_in_gzip_for_who_can_read_that(over: Table) -> None:
    plain, packed = got(over), got(over, Accept_Encoding="gzip")
    assert (None, "gzip") == (plain.headers.get("Content-Encoding"), packed.headers["Content-Encoding"])
    assert plain.data == gzip.decompress(packed.data)
    assert 4 * len(packed.data) < len(plain.data)


def test_a_process_makes_one_once(app: Flask, over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first = got(over).data
    monkeypatch.setattr(animations, "_drawn", lambda *_: 1 / 0)
    assert first == got(over).data
    monkeypatch.undo()
    remembered = app.extensions["context"].animations = Memory(2)
    for query in ("?theme=dark", "?loop=false", "?layout=narrow"):
        assert first != got(over, query).data
    assert 2 == len(remembered.cache)


def test_pace_theme_and_layout_are_chosen(over: Table) -> None:
    film = films.read(got(over, "?seconds=2&loop=false").data)
    assert (4 * 2 + 8, "1") == (film.lasts_s, film.times)
    usual = films.read(got(over).data)
    assert (4 * 1 + 4, "infinite") == (usual.lasts_s, usual.times)
    assert ["prefers-color-scheme" in got(over, f"?theme={theme}").text for theme in ("auto", "dark")] == [True, False]
    widths = [
        float(films.read(got(over, f"?layout={layout}").data).root.attrib["viewBox"].split()[2])
        for layout in ("wide", "narrow")
    ]
    assert widths[0] > widths[1]


def test_a_private_game_is_seen_by_ticket_and_kept_by_nobody_else(new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    answered(table.host.post(f"{table.path}/abort"))
    assert (404, "game/not_found") == refused(table.anyone.get(f"{table.path}{ASKED}"))
    ticket = answered(table.seat(0).post(f"{table.path}/tickets"), 201)["ticket"]
    assert "private, no-cache" == got(table, f"?ticket={ticket}").headers["Cache-Control"]
    again = table.anyone.get(f"{table.path}{ASKED}?ticket={ticket}")
    assert (401, "auth/ticket_unknown") == refused(again)


def test_a_name_stays_a_name(new_game: Callable[..., Table]) -> None:
    evil = '</text><script>alert("&")</script>'
    table = new_game(seats=[{"kind": "player", "name": evil}, {"kind": "player"}])
    table.act()
    answered(table.seat(1).post(f"{table.path}/resignation"))
    answer = got(table)
    assert "<script" not in answer.text
    assert any(evil in words for words in captions(answer))
    assert "default-src 'none'; style-src 'unsafe-inline'" == answer.headers["Content-Security-Policy"]
