"""Notation over HTTP: actions, positions and games as text, told and taken."""

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
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.games.test_positions import reached
from tests.web.recorded import exported, imported, of_golden, plain, read_in
from tests.web.table import EVERY_VARIANT, Table

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
    assert (422, "notation/unreadable") == refused(answer)
    results: Json = answer.json  # type: ignore[assignment]
    return results


def imported_from_text(anyone: Client, text: str) -> Table:
    """The game that comes of a text; a long one is read in at once."""
    answer = post_text(anyone, text)
    made = answered(answer)
    if answer.status_code == 202:
        read_in(anyone, made["id"])
        return Table(answered(anyone.get(f"/v1/imports/{made['id']}"))["game_id"], made["tokens"], anyone)
    return Table(made["game"]["id"], made["tokens"], anyone)


# ------------------------------------------------------------------------------------------- games


@pytest.mark.parametrize(("name", "ruleset", "variant", "seats"), one_in(6, games()), ids=lambda given: str(given)[:24])
def test_every_golden_playthrough_is_the_same_game_after_its_text(
    anyone: Client, name: str, ruleset: Ruleset, variant: str, seats: int
) -> None:
    first = imported(anyone, of_golden(name, ruleset, variant, seats)[0])
    again = imported_from_text(anyone, as_text(first))
    log = plain(exported(first)["events"])
    assert log == plain(exported(again)["events"])[:-1]
    assert all(first.view()[name] == again.view()[name] for name in ("position", "outcome", "status"))


def test_a_game_that_goes_on_is_the_same_after_its_text(new_game: Callable[..., Table], anyone: Client) -> None:
    """Names, clock, offers and all."""
    table = new_game(clock={"turn_s": 60, "bank_s": 600, "on_timeout": "lose"}, first_seat=None)
    table.act()
    table.seat(0).post(f"{table.path}/pauses", {"seconds": 60})
    again = imported_from_text(anyone, as_text(table))
    for member in ("seats", "clock", "variant", "first_seat", "created_at"):
        assert exported(table)[member] == exported(again)[member]
    assert plain(exported(table)["events"]) == plain(exported(again)["events"])[:-1]


def test_the_text_has_the_revision_for_its_tag(new_game: Callable[..., Table]) -> None:
    table = new_game()
    path = f"{table.path}/export?format=text"
    tag = table.host.get(path).headers["ETag"]
    assert (f'"{table.view()["revision"]}"', 304) == (tag, table.host.get(path, If_None_Match=tag).status_code)


def test_an_import_of_text_is_answered_again_by_its_key(new_game: Callable[..., Table], anyone: Client) -> None:
    text = as_text(new_game())
    first, again = (post_text(anyone, text, Idempotency_Key="0123456789-0123456789-a").json for _ in range(2))
    assert first == again


def test_a_record_in_text_that_cannot_be_is_refused_as_one_in_json(
    new_game: Callable[..., Table], anyone: Client
) -> None:
    text = as_text(new_game())
    assert ["/variant"] == invalid(post_text(anyone, text.replace('"coloured"', '"blue"').replace('"grey"', '"blue"')))
    without = "\n".join(line for line in text.split("\n") if not line.startswith("[Game "))
    assert ["/id"] == invalid(post_text(anyone, without))
    illegal = post_text(anyone, f"{text}0 !resume\n")
    assert ((422, "record/illegal_event"), 4) == (refused(illegal), illegal.json["event"])  # type: ignore[index]
    assert (400, "request/malformed") == refused(post_text(anyone, b"\xff"))


# ------------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_an_action_is_played_by_the_notation_it_is_listed_with(
    new_game: Callable[..., Table], ruleset: str, variant: str
) -> None:
    table = new_game(ruleset=ruleset, variant=variant)
    for _ in range(8):
        listed, view = table.actions(20)[-1], table.view()
        body = {"notation": listed["notation"], "revision": view["revision"]}
        path = f"{table.path}/actions"
        seat = table.seat(view["to_decide"])
        tried, done = (answered(seat.post(to, body)) for to in (f"{path}?dry_run=true", path))
        for told in (tried["events"][0], done["events"][0]):
            assert (listed["action"], listed["notation"]) == (told["action"], told["notation"])
        for event in done["events"]:
            if event["kind"] == "draw":
                assert event["draw"] == read(RULESETS[ruleset].wire.notation.draw, event["notation"])
    history = answered(table.host.get(f"{table.path}/history"))["events"]
    assert [None, None] == [event["notation"] for event in history[:2]]
    assert all(event["notation"] for event in history[2:])


def test_an_illegal_action_is_refused_by_its_reason_and_a_misspelt_one_by_its_place(
    new_game: Callable[..., Table],
) -> None:
    table = new_game(first_seat=0)
    revision, path = table.view()["revision"], f"{table.path}/actions"
    illegal = table.seat(0).post(path, {"notation": "cbf", "revision": revision})
    assert (409, "source_empty") == (illegal.status_code, illegal.json["reason"])  # type: ignore[index]
    told = unreadable(table.seat(0).post(path, {"notation": "3b9", "revision": revision}))
    assert {
        "line": 1,
        "column": 3,
        "token": "9",
        "field": "/line",
        "errors": [{"in": "body", "pointer": "/notation", "detail": "expected one of: 0 1 2 3 4 f"}],
    }.items() <= told.items()
    assert [""] == invalid(table.seat(0).post(path, {"notation": "3b4", "id": "0", "revision": revision}))
    assert ["/notation"] == invalid(table.seat(0).post(path, {"notation": 3, "revision": revision}))


# ------------------------------------------------------------------------------------------- positions


@every_variant
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_position_in_a_line_is_what_it_is_in_json(anyone: Client, ruleset: str, variant: str, seats: int) -> None:
    position = reached(ruleset, variant, seats=seats)
    of_json = answered(anyone.post("/v1/positions", {"position": RULESETS[ruleset].view(position)}))
    tried = {"notation": RULESETS[ruleset].notation_of(position.legal_actions()[0])}
    of_text = answered(anyone.post("/v1/positions", {"position_notation": position.notation, **tried}))
    assert of_json == {**of_text, "action": None}
    assert position.notation == of_json["notation"]
    assert (True, tried["notation"]) == (of_text["action"]["legal"], of_text["action"]["notation"])


def test_a_game_and_an_analysis_begin_at_a_position_in_a_line(new_game: Callable[..., Table], anyone: Client) -> None:
    position = reached("summer-pavilion", "grey")
    table = new_game(ruleset="summer-pavilion", variant="grey", position_notation=position.notation, first_seat=None)
    assert position == table.position()
    assert 202 == anyone.post("/v1/analyses", {"position_notation": position.notation}).status_code


def test_a_position_is_told_once_and_whole(anyone: Client) -> None:
    view = RULESETS["azul"].view(RULESETS["azul"].read_notation(LINE))
    inconsistent, misspelt = LINE.replace("b9y", "b8y"), LINE.replace("grey", "blue").replace("Tw", "xw")
    assert ["/position"] == invalid(anyone.post("/v1/positions", {}))
    both = {"position": view, "position_notation": LINE}
    assert ["/position_notation"] == invalid(anyone.post("/v1/positions", both))
    assert ["/position/bag/blue"] == invalid(anyone.post("/v1/positions", {"position_notation": inconsistent}))
    told = unreadable(anyone.post("/v1/positions", {"position_notation": misspelt}))
    assert (1, "/seats/0/floor_line", "xw") == (told["line"], told["field"], told["token"])
    assert ["/position_notation"] == [fault["pointer"] for fault in told["errors"]]


# ------------------------------------------------------------------------------------------- anything


@pytest.mark.parametrize("ruleset", RULESETS)
def test_damaged_notation_gets_a_documented_refusal(
    anyone: Client, new_game: Callable[..., Table], ruleset: str
) -> None:
    dice, table = random.Random(ruleset), new_game(ruleset=ruleset, variant=RULESETS[ruleset].variants[0])
    line, text = reached(ruleset, RULESETS[ruleset].variants[0]).notation, as_text(table)
    action = table.actions(1)[0]["notation"]
    seat, revision = table.seat(table.view()["to_decide"]), table.view()["revision"]
    dry_run = f"{table.path}/actions?dry_run=true"
    posts: dict[str, Callable[[str], TestResponse]] = {
        line: lambda damaged: anyone.post("/v1/positions", {"position_notation": damaged}),
        text: lambda damaged: post_text(anyone, damaged),
        action: lambda damaged: seat.post(dry_run, {"notation": damaged, "revision": revision}),
    }
    for good, post in posts.items():
        for _ in range(MUTATIONS):
            at = dice.randrange(len(good))
            signs = "".join(dice.choices(string.printable + "ü\0", k=dice.randrange(1, 4)))
            answer = post(good[:at] + signs + good[at + dice.randrange(4) :])
            assert answer.status_code in (200, 201, 409, 422), answer.json
