"""Replayed records: other spellings are normalised, and impossible events are refused with their number.

People and other programs write records with decimal points, other time zones, and errors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.errors import GameError
from service.games.game_export import Replayed, replay_game
from service.games.state.clocks import ClockRule
from service.games.state.model import Game
from service.games.state.moments import parse_ms, rfc3339
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json
from tests.games.tables import BEGAN_MS, Table, public_events, reread, table
from tests.games.test_log import SEED, fold_all
from tests.games.test_takebacks import ALL, messy
from tests.sampling import one_in

EVERYTHING = ("created", "start", "draw", "action", "takeback", "offer", "answer", "pause", "resume")


def among_people() -> Table:
    """Play a game of two people and an AI in an open seat, with a takeback, a pause, and a declined offer."""
    made = table("player", "open", "player", clock=ClockRule(60, 600, "ai", "greedy"))
    made.session.start()
    while not (made.game.acted[0] and made.seat == 0):
        made.act()
    for offer in (made.session.pause, made.session.resume):
        offer(0, *((3600,) if offer == made.session.pause else ()))
        made.session.answer(2, made.game.offers[0].id, accept=True)
    made.take_back(0)
    made.session.answer(2, made.game.offers[0].id, accept=True)
    made.session.draw()
    made.session.pause(2, 60)
    made.session.answer(0, made.game.offers[0].id, accept=False)
    return made


def replay(made: Table, events: list[Json], latest_ms: int | None = None) -> Replayed:
    return replay_game(made.game.meta, events, SEED, latest_ms)


def refused_event(made: Table, events: list[Json], latest_ms: int | None = None) -> int:
    with pytest.raises(GameError) as error:
        replay(made, events, latest_ms)
    assert "record/illegal_event" == error.value.code
    assert error.value.detail
    return int(error.value.extra["event"])


def in_other_words(event: Json) -> Json:
    """Return the event with every number as a float, and with moments of another zone."""
    other = dict(event)
    for name in ("revision", "offer", "to"):
        if event.get(name) is not None:
            other[name] = float(event[name])
    for name in ("at", "until"):
        if name in event:
            other[name] = event[name].replace("T00:", "T02:").replace("T01:", "T03:").replace("Z", "+02:00")
    if event["kind"] == "start":
        other["filled"] = [{**seat, "seat": float(seat["seat"]), "more": 1} for seat in event["filled"]]
    return other


def test_other_spellings_of_a_record_are_normalised() -> None:
    made = among_people()
    events = made.log
    assert set(EVERYTHING) == {event["kind"] for event in events}
    assert events != [in_other_words(event) for event in events]
    for actual in (events, [in_other_words(event) for event in events]):
        seen = replay(made, actual)
        assert events == public_events(seen.events)
        assert made.game == seen.game


IMPOSSIBLE: list[Any] = [
    ("start", {"filled": [{"seat": 1, "level": []}]}),
    ("start", {"filled": [{"seat": 1, "level": {}}]}),
    ("start", {"filled": [{"seat": 1.5, "level": "greedy"}]}),
    ("start", {"filled": [{"seat": [1], "level": "greedy"}]}),
    ("start", {"filled": [{"seat": 1, "level": "greedy"}] * 2}),
    ("start", {"filled": [[]]}),
    ("draw", {"at": "2026-01-01"}),
    ("draw", {"at": "20260101T000000"}),
    ("draw", {"at": "2026-01-01T00:00:00"}),
    ("draw", {"at": 2026}),
    ("draw", {"at": "9999-12-31T23:59:59-23:59"}),
    ("action", {"seat": True}),
    ("action", {"seat": 0.0}),
    ("offer", {"seconds": 7 * 86_400 + 1}),
    ("offer", {"seconds": 2**63}),
    ("answer", {"offer": []}),
    ("answer", {"seat": 1}),
    ("answer", {"seat": 0, "accept": True}),
    ("pause", {"until": "2026-01-08T00:00:00.001Z"}),
    ("pause", {"until": "9999-12-31T23:59:59.999Z"}),
    ("takeback", {"to": []}),
    ("takeback", {"to": 2**70}),
]


def test_an_impossible_event_is_refused_with_its_number() -> None:
    """Only asked seats answer an offer, once. Its maker can only withdraw it."""
    for kind, changes in IMPOSSIBLE:
        made = among_people()
        events = made.log
        number = next(event["revision"] for event in events if event["kind"] == kind)
        assert number == refused_event(
            made, [*events[: number - 1], {**events[number - 1], **changes}, *events[number:]]
        ), (kind, changes)


def test_a_seat_has_one_offer_at_a_time() -> None:
    made = among_people()
    events = made.log
    offer = next(event for event in events if event["kind"] == "offer")
    number = offer["revision"]
    assert number + 1 == refused_event(made, [*events[:number], {**offer, "revision": number + 1}])


def test_an_event_in_the_future_is_refused() -> None:
    made = among_people()
    events = made.log
    for late in (5, len(events)):
        actual = [*events[: late - 1], *({**event, "at": rfc3339(BEGAN_MS + 1)} for event in events[late - 1 :])]
        assert late == refused_event(made, actual, BEGAN_MS)
        assert len(events) == len(replay(made, actual, BEGAN_MS + 1).events)


def test_a_log_written_with_a_slow_clock_is_replayed() -> None:
    """One machine's clock is a minute ahead, and the next writer's is not."""
    made = table("player", "player", clock=ClockRule(60, 0, "ai", "greedy"))
    made.wait_until(61)
    assert made.session.keep_time()
    made.wait_until(1)
    made.act()
    events = made.log
    assert made.session.events == replay(made, events).events
    assert rfc3339(BEGAN_MS + 61_000) == events[-1]["at"]


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, ALL))
def test_a_replay_reads_no_position(ruleset: str, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a position takes milliseconds, and thousands of takebacks would take a minute."""
    made = messy(ruleset, variant)
    events = made.log
    assert sum(event["kind"] == "takeback" for event in events) > 3

    def read(_: Json) -> Any:
        raise AssertionError("a position was read")

    unread = replace(RULESETS[ruleset].wire, from_json=read)
    monkeypatch.setitem(RULESETS, ruleset, replace(RULESETS[ruleset], wire=unread))
    assert made.game.revision == fold_all(Game.new(made.game.meta), reread(made.session.events)).revision
    assert events == public_events(replay(made, events).events)


WRONG_MOMENTS: tuple[Any, ...] = (
    *("", "2026-01-01", "2026-01-01T00:00:00", "20260101T000000Z", "2026-W01-1T00:00Z", "٢٠٢٦-01-01T00:00:00Z"),
    *("2026-02-30T00:00:00Z", "2026-01-01T00:00:00+24:00", "1970-01-01T00:00:00+01:00", "9999-12-31T23:59:59.9999Z"),
    *(None, 7, []),
)


@pytest.mark.parametrize("moment", WRONG_MOMENTS)
def test_an_invalid_time_is_refused(moment: Any) -> None:
    with pytest.raises(ValueError, match=r"RFC 3339|year|day|offset"):
        parse_ms(moment)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"),
        ("2026-01-01t01:30:00.25+01:30", "2026-01-01T00:00:00.250Z"),
        ("2025-12-31T23:59:59.999999-00:00", "2026-01-01T00:00:00.000Z"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
    ],
)
def test_a_time_is_written_in_utc_with_milliseconds(moment: str, expected: str) -> None:
    assert expected == rfc3339(parse_ms(moment))
