"""Notation over HTTP: actions, positions and games as text in requests and responses."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from service.rulesets.notation import read
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from tests.rulesets import grammar
from tests.rulesets.golden import games
from tests.sampling import one_in
from tests.web.client import Client, Json, body_of, check_replayed, invalid_fields, refusal_of
from tests.web.game_records import export_table, golden_record, import_record, plain_events, process_import
from tests.web.games.test_positions import reached_position
from tests.web.table import EVERY_VARIANT, NewTable, Table

LINE = grammar.examples("azul")[-1]
TEXT = "text/plain; charset=utf-8"
MUTATIONS = 40
every_variant = pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)


def as_text(table: Table) -> str:
    answer = table.host.get(f"{table.path}/export?format=text")
    assert (200, TEXT) == (answer.status_code, answer.content_type)
    return answer.text


def post_text(anyone: Client, text: str | bytes, **headers: str) -> TestResponse:
    return anyone.send("POST", "/v1/games/import", data=text, content_type=TEXT, headers=headers)


def unreadable(answer: TestResponse) -> Json:
    assert (422, "notation/unreadable") == refusal_of(answer)
    results: Json = answer.json  # type: ignore[assignment]
    return results


def imported_from_text(anyone: Client, text: str) -> Table:
    """Import a game from text. Long texts are processed at once."""
    answer = post_text(anyone, text)
    made = body_of(answer)
    if answer.status_code == 202:
        process_import(anyone, made["id"])
        return Table(body_of(anyone.get(f"/v1/imports/{made['id']}"))["game_id"], made["tokens"], anyone)
    return Table(made["game"]["id"], made["tokens"], anyone)


# ------------------------------------------------------------------------------------------- games


@pytest.mark.parametrize(("name", "ruleset", "variant", "seats"), one_in(6, games()), ids=lambda given: str(given)[:24])
def test_every_golden_playthrough_round_trips_through_text(
    anyone: Client, name: str, ruleset: Ruleset, variant: str, seats: int
) -> None:
    first = import_record(anyone, golden_record(name, ruleset, variant, seats)[0])
    again = imported_from_text(anyone, as_text(first))
    log = plain_events(export_table(first)["events"])
    assert log == plain_events(export_table(again)["events"])[:-1]
    assert all(first.view()[name] == again.view()[name] for name in ("position", "outcome", "status"))


def test_an_unfinished_game_round_trips_through_text(new_game: NewTable, anyone: Client) -> None:
    """Names, clock and offers are included."""
    table = new_game(clock={"turn_s": 60, "bank_s": 600, "on_timeout": "lose"}, first_seat=None)
    table.act()
    table.seat(0).post(f"{table.path}/pauses", {"seconds": 60})
    again = imported_from_text(anyone, as_text(table))
    for member in ("seats", "clock", "variant", "first_seat", "created_at"):
        assert export_table(table)[member] == export_table(again)[member]
    assert plain_events(export_table(table)["events"]) == plain_events(export_table(again)["events"])[:-1]


def test_the_etag_of_a_text_is_the_revision(new_game: NewTable) -> None:
    table = new_game()
    path = f"{table.path}/export?format=text"
    tag = table.host.get(path).headers["ETag"]
    assert (f'"{table.view()["revision"]}"', 304) == (tag, table.host.get(path, If_None_Match=tag).status_code)


def test_a_repeated_import_of_text_gets_the_same_answer(new_game: NewTable, anyone: Client) -> None:
    text = as_text(new_game())
    first, again = (post_text(anyone, text, Idempotency_Key="0123456789-0123456789-a") for _ in range(2))
    check_replayed(first, again)


def test_an_invalid_text_record_is_refused_like_json(new_game: NewTable, anyone: Client) -> None:
    text = as_text(new_game())
    assert ["/variant"] == invalid_fields(
        post_text(anyone, text.replace('"coloured"', '"blue"').replace('"grey"', '"blue"'))
    )
    text_without_id = "\n".join(line for line in text.split("\n") if not line.startswith("[Game "))
    assert ["/id"] == invalid_fields(post_text(anyone, text_without_id))
    illegal = post_text(anyone, f"{text}0 !resume\n")
    assert ((422, "record/illegal_event"), 4) == (refusal_of(illegal), illegal.json["event"])  # type: ignore[index]
    assert (400, "request/malformed") == refusal_of(post_text(anyone, b"\xff"))


# ------------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_an_action_is_played_by_its_listed_notation(new_game: NewTable, ruleset: str, variant: str) -> None:
    table = new_game(ruleset=ruleset, variant=variant)
    for _ in range(8):
        listed, view = table.actions(20)[-1], table.view()
        body = {"notation": listed["notation"], "revision": view["revision"]}
        path = f"{table.path}/actions"
        seat = table.seat(view["to_decide"])
        trial, done = (body_of(seat.post(to, body)) for to in (f"{path}/preview", path))
        for problem in (trial["events"][0], done["events"][0]):
            assert (listed["action"], listed["notation"]) == (problem["action"], problem["notation"])
        for event in done["events"]:
            if event["kind"] == "draw":
                assert event["draw"] == read(RULESETS[ruleset].wire.notation.draw, event["notation"])
    history = body_of(table.host.get(f"{table.path}/history"))["events"]
    assert [None, None] == [event["notation"] for event in history[:2]]
    assert all(event["notation"] for event in history[2:])


def test_illegal_actions_are_refused_with_a_reason_and_misspelt_actions_with_a_column(
    new_game: NewTable,
) -> None:
    table = new_game(first_seat=0)
    revision, path = table.view()["revision"], f"{table.path}/actions"
    illegal = table.seat(0).post(path, {"notation": "cbf", "revision": revision})
    assert (409, "source_empty") == (illegal.status_code, illegal.json["reason"])  # type: ignore[index]
    problem = unreadable(table.seat(0).post(path, {"notation": "3b9", "revision": revision}))
    assert {
        "line": 1,
        "column": 3,
        "token": "9",
        "field": "/line",
        "errors": [{"in": "body", "pointer": "/notation", "detail": "expected one of: 0 1 2 3 4 f"}],
    }.items() <= problem.items()
    problem = unreadable(table.seat(0).post(path, {"notation": "3b4 0b1", "revision": revision}))
    assert {"column": 4, "token": "0b1", "field": ""}.items() <= problem.items()
    assert [""] == invalid_fields(table.seat(0).post(path, {"notation": "3b4", "id": "0", "revision": revision}))
    assert ["/notation"] == invalid_fields(table.seat(0).post(path, {"notation": 3, "revision": revision}))


# ------------------------------------------------------------------------------------------- positions


@every_variant
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_in_notation_equals_its_json(anyone: Client, ruleset: str, variant: str, seats: int) -> None:
    position = reached_position(ruleset, variant, seats=seats)
    from_json = body_of(anyone.post("/v1/positions", {"position": RULESETS[ruleset].view(position)}))
    trial = {"notation": RULESETS[ruleset].notation_of(position.legal_actions()[0])}
    from_notation = body_of(anyone.post("/v1/positions", {"position_notation": position.notation, **trial}))
    assert from_json == {**from_notation, "action": None}
    assert position.notation == from_json["notation"]
    assert (True, trial["notation"]) == (from_notation["action"]["legal"], from_notation["action"]["notation"])


def test_games_and_analyses_start_at_a_position_in_notation(new_game: NewTable, anyone: Client) -> None:
    position = reached_position("summer-pavilion", "grey")
    table = new_game(ruleset="summer-pavilion", variant="grey", position_notation=position.notation, first_seat=None)
    assert position == table.position()
    assert 202 == anyone.post("/v1/analyses", {"position_notation": position.notation}).status_code


def test_a_position_must_be_in_exactly_one_valid_form(anyone: Client) -> None:
    view = RULESETS["azul"].view(RULESETS["azul"].read_notation(LINE))
    inconsistent, misspelt = LINE.replace("b9y", "b8y"), LINE.replace("grey", "blue").replace("Tw", "xw")
    assert ["/position"] == invalid_fields(anyone.post("/v1/positions", {}))
    both = {"position": view, "position_notation": LINE}
    assert ["/position_notation"] == invalid_fields(anyone.post("/v1/positions", both))
    assert ["/position/bag/blue"] == invalid_fields(anyone.post("/v1/positions", {"position_notation": inconsistent}))
    problem = unreadable(anyone.post("/v1/positions", {"position_notation": misspelt}))
    assert (1, "/seats/0/floor_line", "xw") == (problem["line"], problem["field"], problem["token"])
    assert ["/position_notation"] == [fault["pointer"] for fault in problem["errors"]]


# ------------------------------------------------------------------------------------------- anything


@pytest.mark.parametrize("ruleset", RULESETS)
def test_damaged_notation_gets_a_documented_refusal(anyone: Client, new_game: NewTable, ruleset: str) -> None:
    dice, table = random.Random(ruleset), new_game(ruleset=ruleset, variant=RULESETS[ruleset].variants[0])
    line, text = reached_position(ruleset, RULESETS[ruleset].variants[0]).notation, as_text(table)
    action = table.actions(1)[0]["notation"]
    seat, revision = table.seat(table.view()["to_decide"]), table.view()["revision"]
    preview = f"{table.path}/actions/preview"
    posts: dict[str, Callable[[str], TestResponse]] = {
        line: lambda damaged: anyone.post("/v1/positions", {"position_notation": damaged}),
        text: lambda damaged: post_text(anyone, damaged),
        action: lambda damaged: seat.post(preview, {"notation": damaged, "revision": revision}),
    }
    for good, post in posts.items():
        for _ in range(MUTATIONS):
            at = dice.randrange(len(good))
            signs = "".join(dice.choices(string.printable + "ü\0", k=dice.randrange(1, 4)))
            answer = post(good[:at] + signs + good[at + dice.randrange(4) :])
            assert answer.status_code in (200, 201, 409, 422), answer.json


EDITORS: dict[str, Callable[[str], bytes]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "no last line end": lambda text: text.rstrip().encode(),
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "white space": lambda text: text.replace("\n", " \t\u00a0\n").encode(),
    "other spaces": lambda text: text.replace(" +", "\t+").replace("] ", "]\u00a0").encode(),
}


@pytest.mark.parametrize("editor", EDITORS)
def test_texts_of_other_editors_are_read(anyone: Client, new_game: NewTable, editor: str) -> None:
    table = new_game()
    table.act()
    text = table.anyone.get(f"{table.path}/export?format=text").get_data(as_text=True)
    data = EDITORS[editor](text)
    assert body_of(anyone.send("POST", "/v1/games/import", data=data, content_type="text/plain"), 201)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_line_of_a_fault_counts_all_line_ends(anyone: Client, end: str) -> None:
    data = f'[Format "azul-game/1"]{end}[No "x"]'.encode()
    problem = anyone.send("POST", "/v1/games/import", data=data, content_type="text/plain").json or {}
    assert ("notation/unreadable", 2, 2) == tuple(problem[name] for name in ("code", "line", "column"))
