"""A game as text: the content of a record in lines, and errors with line and column."""

from __future__ import annotations

import contextlib
import random
import string
from collections.abc import Callable
from dataclasses import replace

import pytest

from service.games.errors import GameError
from service.games.events import KINDS
from service.games.game_export import export_game, replay_game
from service.games.game_text import LINE_MEMBERS, OMITTED, read_record, write_record
from service.games.state.bounds import MAX_EVENTS
from service.games.state.clocks import ClockRule
from service.games.state.endpoints import Endpoint
from service.games.state.seats import Seat
from service.rulesets.notation import LONGEST_LINE, UnreadableTextError
from service.rulesets.ruleset import Json
from tests.games.tables import RULE, Table, json_copy, public_events, table
from tests.games.test_game_export import among_people
from tests.games.test_log import AT, SEED
from tests.rulesets import grammar

EXAMPLE = grammar.section("A game").rpartition("```text\n")[2].removesuffix("```\n")
HEAD = [line for line in EXAMPLE.split("\n") if line.startswith("[")]
MUTATIONS = 300


def record_of(made: Table) -> Json:
    """Return the record that an export contains."""
    common: Json = {"seat": None, "action": None, "draw": None, "effects": []}
    return json_copy(export_game(made.game, [{**common, **event} for event in made.log]))


def resigned_game() -> Table:
    made = table("player", "ai", "player", ruleset="summer-pavilion")
    made.wait_until(3.5).act()
    made.session.resign(0)
    made.session.resign(2)
    return made


def timed_out_game() -> Table:
    made = table("player", "player", "player", clock=RULE)
    made.wait_until(1000).session.keep_time()
    made.session.draw()
    return made


def handed_over_game() -> Table:
    """Use names that contain characters of JSON, tags and lines."""
    made = table("player", "open", "player", clock=ClockRule(0, 600, "lose", "random"), first_seat=None)
    made.session.join(1, 'Ana „the\\" [Bird] = 2')
    made.wait_until(0.001).session.hand_over(0, "Jürgen +5")
    made.wait_until(100.25).act()
    made.session.abort()
    return made


def failed_endpoint() -> Table:
    """Let an endpoint fail until an AI takes over."""
    endpoint = Endpoint("https://bot.example/", "whsec_" + "A" * 32, 2.5, 2, "ai")
    seats = (Seat("http", "Bot", "random"), Seat("player", "Ben"))
    made = table("player", "player", seats=seats, endpoints=(endpoint, None))
    made.session.fail("late")
    made.wait_until(2).session.fail("illegal", "line_full")
    return made


def rematched_game() -> Table:
    made = resigned_game()
    made.session.rematch(0)
    made.session.answer(2, made.game.offers[0].id, accept=True)
    return made


def adjudicated_game() -> Table:
    made = table("player", "player")
    made.act()
    made.session.adjudicate("win", 1)
    return made


def from_a_position() -> Table:
    """Start at a position of the reverse side of Queen's Garden."""
    before = table("player", "player", ruleset="queens-garden", variant="reverse")
    before.act()
    view = before.game.ruleset.view(before.position)
    made = table("player", "player", ruleset="queens-garden", variant="reverse", position=view, first_seat=None)
    made.act()
    return made


GAMES = [
    among_people,
    resigned_game,
    timed_out_game,
    handed_over_game,
    failed_endpoint,
    rematched_game,
    adjudicated_game,
    from_a_position,
]
every_game = pytest.mark.parametrize("play", GAMES, ids=lambda play: play.__name__)


def imported_fields(event: Json) -> Json:
    """Return the fields of an event that an import reads."""
    ignored = OMITTED - LINE_MEMBERS
    return {name: value for name, value in event.items() if name not in ignored and value is not None}


@every_game
def test_a_game_round_trips_through_text(play: Callable[[], Table]) -> None:
    record = record_of(play())
    read = read_record(write_record(record))
    assert [imported_fields(event) for event in record["events"]] == read.pop("events")
    assert read == {name: value for name, value in record.items() if name in read}
    left_out = {name for name, value in record.items() if name not in read and value not in (None, 0)}
    assert left_out <= {"events", "outcome"}
    assert write_record(record) == write_record({**record, **read})


@every_game
def test_the_text_of_a_game_replays_to_the_same_game(play: Callable[[], Table]) -> None:
    made = play()
    seats = tuple(replace(seat, kind="ai") if seat.kind == "http" else seat for seat in made.game.meta.seats)
    meta, record = replace(made.game.meta, seats=seats, endpoints=()), record_of(made)
    from_json, from_text = (
        replay_game(meta, events, SEED) for events in (record["events"], read_record(write_record(record))["events"])
    )
    assert (from_json.game, public_events(from_json.events)) == (from_text.game, public_events(from_text.events))


def test_every_kind_of_event_has_a_line() -> None:
    records = [record_of(play()) for play in GAMES]
    imported = {"revision": 2, "kind": "imported", "at": AT, "seat": None, "source": 'a"b', "effects": []}
    records.append({**records[0], "events": [records[0]["events"][0], imported]})
    assert {*KINDS} == {event["kind"] for record in records for event in record["events"]}
    for record in records:
        lines = write_record(record).partition("\n\n")[2].strip("\n").split("\n")
        assert len(record["events"]) == len(lines)
    assert '!imported source="a\\"b"' == lines[1]


def test_the_example_of_the_guide_is_read_and_replayed() -> None:
    """The seat of its offer and its takeback follow from the rules."""
    read = read_record(EXAMPLE)
    assert ["created", "start", "draw", "action", "action", "offer", "resignation"] == [
        event["kind"] for event in read["events"]
    ]
    seats = [{"kind": "player", "level": None, "name": "Ana"}, {"kind": "open", "level": None, "name": None}]
    assert (seats, 0) == (read["seats"], read["first_seat"])
    assert {"turn_s": 60, "bank_s": 600, "on_timeout": "ai", "level": "greedy"} == read["clock"]
    assert "2026-01-01T00:00:12.500Z" == read["events"][1]["at"]
    made = table("player", "open", clock=ClockRule(**read["clock"]))
    replayed = replay_game(made.game.meta, read["events"], None)
    assert "finished" == replayed.game.status


FAULTS = [
    ('[Ruleset "azul"]', "[Ruleset azul]", 3, 1, ""),
    ('[Ruleset "azul"]', '[Ruleset "chess"]', 3, 11, "/ruleset"),
    ('[Ruleset "azul"]', r'[Ruleset "\x"]', 3, 10, ""),
    ("[Variant", "[Version", 5, 2, ""),
    ("[Variant", "[Colour", 5, 2, ""),
    ("[Seat1 ", "[Seat2 ", 7, 2, ""),
    ("player: Ana", "person: Ana", 6, 9, "/seats/0/kind"),
    ("60+600 ai greedy", "60+600 ai strong", 9, 19, "/clock/level"),
    ("2026-01-01T00:00:00.000Z", "today", 10, 11, "/created_at"),
    ('[Created "2026-01-01T00:00:00.000Z"]', "", 12, 1, "/events/0"),
    ("!created", "!begun", 12, 2, "/events/0"),
    ("!created", "!draw", 12, 2, "/events/0"),
    ("!created", "!", 12, 2, "/events/0"),
    ("!created", "!created5", 12, 9, "/events/0"),
    ('1="greedy"', "1=greedy", 13, 8, "/events/1"),
    ('1="greedy"', "1=007", 13, 11, "/events/1"),
    ('1="greedy"', r'1="\x"', 13, 10, "/events/1"),
    (" +12.5", " +9999999999999", 13, 20, "/events/1"),
    (" +12.5", " +12.5678", 13, 26, "/events/1"),
    (" +12.5", " +12,5", 13, 22, "/events/1"),
    (" +12.5", " +", 13, 20, "/events/1"),
    ("byrk/wwww", "byrk/wgww", 14, 22, "/events/2/draw"),
    ("0 0b1", "0 9b1", 15, 3, "/events/3"),
    ("0 0b1", "0 0b9", 15, 5, "/events/3/action/line"),
    ("0 0b1", "0b1", 15, 1, "/events/3"),
    ("0 0b1", "4 0b1", 15, 1, "/events/3"),
    ("0 0b1", "0 0b1 0b1", 15, 6, "/events/3/action"),
    ("0 !resignation", f"0 !resignation {'x' * LONGEST_LINE}", 18, LONGEST_LINE + 1, ""),
]


@pytest.mark.parametrize(("good", "bad", "line", "column", "pointer"), FAULTS)
def test_invalid_text_is_refused_with_its_position(good: str, bad: str, line: int, column: int, pointer: str) -> None:
    assert good in EXAMPLE
    with pytest.raises(UnreadableTextError) as caught:
        read_record(EXAMPLE.replace(good, bad, 1))
    assert (line, column, pointer) == (caught.value.line + 1, caught.value.at + 1, caught.value.pointer)
    assert caught.value.expected


A_SEAT = "or a seat (0 to 3) and a space"
ALTERNATIVES = [
    ("azul", "deax:bb", f"one of: first: deal: !, {A_SEAT}"),
    ("azul", "7 3b1", f"one of: first: deal: !, {A_SEAT}"),
    ("azul", "0 zz", "one of: 0 1 2 3 4 5 6 7 8 c !"),
    ("summer-pavilion", "refil:p", f"one of: first: deal: refill: !, {A_SEAT}"),
    ("queens-garden", "fil:b1", f"one of: first: fill: turn: !, {A_SEAT}"),
    ("azul", "!", f"one of: {' '.join(kind for kind in KINDS if kind not in ('action', 'draw'))}"),
]


@pytest.mark.parametrize(("ruleset", "line", "expected"), ALTERNATIVES)
def test_a_misspelt_event_is_refused_with_everything_that_could_be_there(
    ruleset: str, line: str, expected: str
) -> None:
    head = "\n".join(HEAD).replace('"azul"', f'"{ruleset}"')
    with pytest.raises(UnreadableTextError) as caught:
        read_record(f"{head}\n\n{line}\n")
    assert expected == caught.value.expected


@pytest.mark.parametrize(
    "later",
    ["", " +0", " +5", " +05.1", " +5.12", " +5.123", " +5.1234", " +5.", " +.5", " +", " +5,2", " +-5", " + 5", "+5"],
)
def test_the_time_of_an_event_is_read_exactly_if_it_matches_the_grammar(later: str) -> None:
    matches = not later or grammar.game_expression("later").fullmatch(later)
    refusal = contextlib.nullcontext() if matches else pytest.raises(UnreadableTextError)
    with refusal:
        read_record("\n".join([*HEAD, f"first:0{later}"]))


def test_an_impossible_draw_is_refused_with_a_sentence() -> None:
    made = table("player", "open")
    with pytest.raises(GameError) as caught:
        replay_game(
            made.game.meta, read_record(EXAMPLE.replace("deal:bbyk/rrkw/byrk/wwww/bykw", "deal:-"))["events"], None
        )
    assert ("record/illegal_event", "This draw is not possible in this position.") == (
        caught.value.code,
        caught.value.detail,
    )


def test_a_text_has_a_limited_number_of_events() -> None:
    log = "0 !resignation\n" * MAX_EVENTS
    with pytest.raises(UnreadableTextError) as caught:
        read_record("\n".join([*HEAD, log, "0 !resignation"]))
    assert len(HEAD) + MAX_EVENTS + 1 == caught.value.line
    assert MAX_EVENTS == len(read_record("\n".join([*HEAD, log]))["events"])


@pytest.mark.parametrize("seed", range(4))
def test_damaged_text_is_refused_or_read_differently(seed: int) -> None:
    """Reading and replaying raise only documented errors."""
    dice, made = random.Random(seed), GAMES[seed]()
    good = write_record(record_of(made))
    for _ in range(MUTATIONS):
        at = dice.randrange(len(good))
        signs = "".join(dice.choices(string.printable + "ü\0", k=dice.randrange(4)))
        with contextlib.suppress(UnreadableTextError, GameError):
            replay_game(made.game.meta, read_record(good[:at] + signs + good[at + dice.randrange(4) :])["events"], SEED)
