"""`board.svg`: the table at any revision, for any caller."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree as ET

import pytest
from flask import Flask

from service.usecases.base.memory import Memory
from service.usecases.views import pictures
from tests.rulesets.offers import WITH_PICTURE
from tests.web.client import Client, body_of, refusal_of
from tests.web.table import EVERY_VARIANT, NewTable, Table

SVG = "{http://www.w3.org/2000/svg}"


def board(table: Table, query: str = "", client: Client | None = None, **headers: str) -> ET.Element:
    """Return the picture, requested by the host or another client."""
    answer = (client or table.host).get(f"{table.path}/board.svg{query}", **headers)
    assert (200, "image/svg+xml") == (answer.status_code, answer.mimetype), answer.data
    return ET.fromstring(answer.data)  # noqa: S314 - our own


@pytest.mark.parametrize(("ruleset", "variant"), [side for side in EVERY_VARIANT if side[0] in WITH_PICTURE])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_table_has_a_picture(new_game: NewTable, ruleset: str, variant: str, seats: int) -> None:
    people = [{"kind": "player", "name": f"Player {number}"} for number in range(seats)]
    table = new_game(ruleset=ruleset, variant=variant, seats=people)
    table.act()
    root = board(table)
    words = {element.text for element in root.iter(f"{SVG}text")}
    assert {person["name"] for person in people} <= words
    assert [str(number) for number in range(seats)] == [
        element.attrib["data-seat"]
        for element in root.iter(f"{SVG}g")
        if element.attrib.get("id") in {f"seat_{number}" for number in range(seats)}
    ]


def test_title_and_description_are_in_the_readers_language(table: Table) -> None:
    table.act()
    english = board(table)
    assert "Azul: Ana, Ben" == english.findtext(f"{SVG}title")
    actual = str(english.findtext(f"{SVG}desc"))
    assert actual.startswith("Ana has 0 points. Ben has 0 points. Last move: Ana took ")
    assert actual.endswith("Ben plays next.")
    german = board(table, Accept_Language="de")
    assert str(german.findtext(f"{SVG}desc")).endswith("Ben ist am Zug.")


def test_a_picture_is_compressed_for_clients_that_accept_gzip(table: Table) -> None:
    whole = table.host.get(f"{table.path}/board.svg")
    small = table.host.get(f"{table.path}/board.svg", Accept_Encoding="gzip")
    assert whole.data == gzip.decompress(small.data)
    assert "gzip" == small.headers["Content-Encoding"]
    assert {"Accept-Language", "Accept-Encoding"} <= {*small.headers.getlist("Vary")}


def test_the_etag_of_a_picture_is_its_revision_and_it_is_not_sent_twice(table: Table) -> None:
    first = table.host.get(f"{table.path}/board.svg")
    tag = first.headers["ETag"]
    assert f'"{table.view()["revision"]}-en"' == tag
    again = table.host.get(f"{table.path}/board.svg", If_None_Match=tag)
    assert (304, b"", tag) == (again.status_code, again.data, again.headers["ETag"])
    assert 200 == table.host.get(f"{table.path}/board.svg", If_None_Match=tag, Accept_Language="de").status_code
    table.act()
    assert 200 == table.host.get(f"{table.path}/board.svg", If_None_Match=tag).status_code


def test_a_process_draws_a_table_once(app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first = table.host.get(f"{table.path}/board.svg").data
    monkeypatch.setattr(pictures, "_draw", lambda *_: 1 / 0)
    assert first == table.host.get(f"{table.path}/board.svg").data
    monkeypatch.undo()
    remembered = app.extensions["context"].pictures = Memory(3)
    for theme in ("auto", "dark", "contrast"):
        for language in ("en", "de"):
            board(table, f"?theme={theme}", Accept_Language=language)
    assert 3 == len(remembered.cache)


def test_every_revision_has_a_picture(table: Table) -> None:
    before = ET.tostring(board(table))
    revision = table.view()["revision"]
    table.act()
    assert before == ET.tostring(board(table, f"?revision={revision}"))
    assert before != ET.tostring(board(table))
    assert 200 == table.host.get(f"{table.path}/board.svg?revision=1").status_code
    for wrong in (0, revision + 50):
        answer = table.host.get(f"{table.path}/board.svg?revision={wrong}")
        assert (404, "game/revision_not_found") == refusal_of(answer)


def test_a_theme_can_be_chosen(table: Table) -> None:
    queries = ("", "?theme=light", "?theme=dark", "?theme=contrast")
    styles = [str(board(table, query).findtext(f"{SVG}style")) for query in queries]
    assert 4 == len(set(styles))
    assert [True, False, False, False] == ["prefers-color-scheme" in style for style in styles]


def ids_of(root: ET.Element) -> list[str]:
    return sorted(element.attrib["id"] for element in root.iter() if "id" in element.attrib)


def test_all_layouts_contain_the_same_elements(table: Table) -> None:
    wide, narrow, columns = (board(table, query) for query in ("", "?layout=narrow", "?layout=columns"))
    sizes = [[float(size) for size in root.attrib["viewBox"].split()[2:]] for root in (wide, narrow, columns)]
    assert sizes[0][0] > sizes[0][1]
    assert sizes[1][0] < sizes[1][1]
    assert sizes[2][0] > sizes[0][0]
    assert ids_of(wide) == ids_of(narrow) == ids_of(columns)
    assert ET.tostring(wide) == ET.tostring(board(table, "?layout=wide"))


def test_a_game_that_has_not_begun_shows_the_empty_table(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player", "name": "Ana"}, {"kind": "open"}, {"kind": "player"}])
    words = [element.text for element in board(table).iter(f"{SVG}text")]
    assert {"Ana", "open", "Seat 2", "Anonymous"} <= {*words}


@pytest.mark.parametrize(("language", "name"), [("en", "Lark (AI)"), ("de", "Lerche (KI)")])
def test_an_ai_is_named_after_the_character_of_its_level(new_game: NewTable, language: str, name: str) -> None:
    root = board(new_game(seats=[{"kind": "ai", "level": "casual"}, {"kind": "open"}]), Accept_Language=language)
    assert name in [element.text for element in root.iter(f"{SVG}text")]
    assert name in (root.findtext(f"{SVG}title") or "")


def test_the_status_of_a_seat_is_shown(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player", "name": name} for name in ("Ana", "Ben", "Cy")])
    table.seat(1).post(f"{table.path}/resignation")
    assert "resigned" in [element.text for element in board(table).iter(f"{SVG}text")]


def test_a_takeback_leaves_no_last_action(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player", "name": "Ana"}, {"kind": "ai", "level": "random"}])
    before = table.view()["revision"]
    table.act()
    body_of(table.seat(0).post(f"{table.path}/takebacks"))
    assert ET.tostring(board(table, f"?revision={before}")) == ET.tostring(board(table))


def test_names_are_escaped(new_game: NewTable) -> None:
    evil = '</text><script>alert("&")</script>'
    table = new_game(seats=[{"kind": "player", "name": evil}, {"kind": "player"}])
    root = board(table)
    assert evil in [element.text for element in root.iter(f"{SVG}text")]
    assert [] == list(root.iter(f"{SVG}script"))
    headers = table.host.get(f"{table.path}/board.svg").headers
    assert "default-src 'none'; style-src 'unsafe-inline'" == headers["Content-Security-Policy"]


def test_a_ticket_shows_a_private_table_once(new_game: NewTable) -> None:
    table = new_game(visibility="private")
    assert (404, "game/not_found") == refusal_of(table.anyone.get(f"{table.path}/board.svg"))
    ticket = body_of(table.seat(0).post(f"{table.path}/tickets"), 201)["ticket"]
    assert board(table, f"?ticket={ticket}", table.anyone).tag == f"{SVG}svg"
    again = table.anyone.get(f"{table.path}/board.svg?ticket={ticket}")
    assert (401, "auth/ticket_unknown") == refusal_of(again)
