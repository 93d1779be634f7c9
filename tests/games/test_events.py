"""Events: each kind is declared once, and its stored form never changes."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest

from service.games.events import KINDS, Event, RematchEvent, TimeoutEvent, read
from service.games.notices import NOTICES, notices
from service.games.state.moments import unix_ms
from service.rulesets.texts import LANGUAGES
from service.usecases.base import i18n
from tests.games.tables import table
from tests.games.test_log import AT
from tests.games.test_offers import ANA, BEN, of_players

MEMBERS = {
    "created": "",
    "join": ',"seat":1,"name":"Ben","player":null',
    "hand_over": ',"seat":1,"name":null',
    "start": ',"filled":[{"seat":1,"level":"greedy"}]',
    "draw": ',"draw":{"type":"azul.first_seat","seat":0},"effects":[]',
    "action": ',"seat":0,"action":{"type":"azul.draft","source":"centre","colour":"blue","line":"floor"},"effects":[]',
    "call_failed": ',"seat":0,"reason":"illegal","rule":"source_empty","retry_at":null,"then":"ai"',
    "resignation": ',"seat":1',
    "timeout": ',"seat":0,"then":"ai"',
    "abort": ',"seat":1,"cause":"timed_out"',
    "adjudication": ',"seat":1,"result":"win"',
    "offer": ',"seat":0,"offer_kind":"takeback","to":3,"across_draw":true,"seconds":null',
    "answer": ',"seat":1,"offer":11,"accept":false',
    "takeback": ',"seat":0,"to":3,"across_draw":true,"position":{"ruleset":"azul"}',
    "pause": ',"seat":0,"until":"2026-01-01T00:01:00.000Z"',
    "resume": ',"seat":null',
    "imported": ',"source":"g"',
    "rematch": ',"seat":0,"game_id":"r"',
}
STORED = [f'{{"kind":"{kind}","at":{unix_ms(AT)}{members}}}' for kind, members in MEMBERS.items()]
"""One event of each kind in its stored form."""
PUBLIC = [
    f'{{"revision":{number},"kind":"{kind}","at":"{AT}"{members}}}'
    for number, (kind, members) in enumerate(MEMBERS.items(), 1)
]
"""The same events in their public form, which older versions stored."""
EVENTS = [read(orjson.loads(text), number) for number, text in enumerate(STORED, 1)]
every_event = pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)


def test_every_kind_has_a_sample() -> None:
    assert [*KINDS] == [event.kind for event in EVENTS]


def test_a_stored_event_round_trips_byte_for_byte() -> None:
    assert STORED == [orjson.dumps(event.to_stored()).decode() for event in EVENTS]


def test_a_public_event_has_its_revision_and_its_time_as_text() -> None:
    assert PUBLIC == [orjson.dumps(event.to_json()).decode() for event in EVENTS]


def test_events_stored_by_older_versions_are_read() -> None:
    assert EVENTS == [read(orjson.loads(text), number) for number, text in enumerate(PUBLIC, 1)]


def test_an_event_without_a_player_is_read() -> None:
    old = {"revision": 2, "kind": "join", "at": AT, "seat": 1, "name": "Ben"}
    assert EVENTS[1] == read(old, 2)


def test_an_abort_without_a_seat_is_read() -> None:
    old = read({"revision": 2, "kind": "abort", "at": AT}, 2)
    assert {"seat": None, "cause": None} == old.members


@every_event
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_a_sentence_in_every_language(event: Event, language: str) -> None:
    assert i18n.sentence(table("player", "player").game, event, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_belongs_to_a_kind(language: str) -> None:
    text = (Path(i18n.__file__).parent / "texts" / f"{language}.ftl").read_text("utf-8")
    named = {name.replace("-", "_") for name in re.findall("^event-([a-z-]+) =", text, re.MULTILINE)}
    assert KINDS.keys() - {"action", "draw"} == named


@every_event
def test_the_notices_of_an_event_depend_on_its_kind(event: Event) -> None:
    """An offer is sent only while it is open. Some kinds repeat the notice to the player to decide."""
    of_kind = {TimeoutEvent: {"seat_lost"}, RematchEvent: {"rematch"}}
    repeated = {"your_turn"} if event.notifies_again else set()
    game = of_players(ANA, BEN).game
    actual = {notice.type for notice in notices(game, game, [event])}
    assert repeated | of_kind.get(type(event), set()) == actual
    assert actual <= set(NOTICES)
