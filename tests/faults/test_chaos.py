"""The chaos run: its schedule can be repeated, and its checks find violations."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

import pytest

from service.games.game_export import export_game
from service.games.view import view
from tests.faults.chaos import new_games
from tests.faults.checks import (
    faults_of_answers,
    faults_of_log,
    faults_of_state,
    lost_in_a_kill,
)
from tests.faults.hostile import HostileStranger
from tests.faults.journal import PERSON, Acknowledged, Force, Journal, Json, Refusal, Wait
from tests.faults.persistent_client import Answer
from tests.faults.schedule import CLOCKS, KILLS, STORE, planned_faults
from tests.faults.strangers import (
    APPLIED,
    CHALLENGE,
    COMPETITION,
    NOT_COUNTED,
    SEEK,
    Counted,
    PlayerStatistics,
    counting_faults,
    faults_of_competition,
    new_meetings,
)
from tests.faults.waits import kinds_of, table
from tests.games.tables import BEGAN_MS, Table, json_copy
from tests.games.tables import table as new_table
from tests.games.test_log import LIFETIMES
from tests.web.client import OPERATIONS

GAME = "g" * 16
SEATS: list[Json] = [{"kind": "player"}, {"kind": "ai"}]
DOCUMENTED = {
    "submitAction": {201: [], 412: ["game/stale_revision"], 500: ["service/internal"], 503: ["service/unavailable"]}
}
KINDS = (("created", None), ("start", None), ("action", 0), ("action", 1), ("action", 0))
EVENTS: list[Json] = [
    {"revision": number, "kind": kind, "seat": seat, "at": f"2026-01-01T00:00:0{number}.000Z"}
    for number, (kind, seat) in enumerate(KINDS, 1)
]
"""The beginning of a game and three actions: two of a person, and an AI's between them."""


def acknowledge(event: Json, **changes: Any) -> Acknowledged:
    """Return the person's request that caused an event."""
    return replace(
        Acknowledged(GAME, "submitAction", 0, "1", f"key-{event['revision']}", [event], 10.0, 11.0), **changes
    )


FIRST, LAST = acknowledge(EVENTS[2]), acknowledge(EVENTS[4])
"""The requests of the person's two actions."""


LOST = f"game {GAME}, revision 5: submitAction of seat 0 was acknowledged and is lost"


def journal_of(*done: Acknowledged) -> Journal:
    journal = Journal()
    for one in done:
        journal.acknowledge(one)
    return journal


def faults(events: list[Json], *done: Acknowledged) -> list[str]:
    """Return the faults of a log in which these requests were acknowledged."""
    return faults_of_log(journal_of(*done), GAME, SEATS, events)


# ------------------------------------------------------------------------------------------------ what is done


def test_seed_repeats_the_schedule_of_faults() -> None:
    assert list(islice(planned_faults("x"), 100)) == list(islice(planned_faults("x"), 100))
    assert list(islice(planned_faults("x"), 100)) != list(islice(planned_faults("y"), 100))


def test_every_fault_occurs_within_a_minute() -> None:
    for seed in map(str, range(20)):
        kinds = {fault.kind for fault in takewhile(lambda fault: fault.at_s + fault.for_s < 60, planned_faults(seed))}
        assert {*KILLS, *STORE, *CLOCKS} == kinds


def test_faults_of_the_store_do_not_overlap() -> None:
    """A kill while the disk is full would lose acknowledged writes."""
    until_s = 0.0
    for fault in (fault for fault in islice(planned_faults("x"), 300) if fault.kind in STORE):
        assert until_s < fault.at_s
        until_s = fault.at_s + fault.for_s


def test_a_seed_repeats_the_games_and_a_round_covers_all_boards_and_seat_counts() -> None:
    games = list(islice(new_games("x", "http://bot/"), 18))
    assert games == list(islice(new_games("x", "http://bot/"), 18))
    assert 18 == len({(game["ruleset"], game["variant"], len(game["seats"])) for game in games})


# ------------------------------------------------------------------------------------------------ the log


def test_log_with_all_acknowledged_requests_has_no_faults() -> None:
    assert [] == faults(EVENTS, FIRST, LAST)


def test_a_lost_action_is_found() -> None:
    lost = acknowledge({**EVENTS[4], "action": {"type": "another"}}, key="lost")
    assert [LOST] == faults(EVENTS, FIRST, LAST, lost)


def test_action_after_the_end_of_the_log_is_lost() -> None:
    assert [LOST] == faults(EVENTS[:4], FIRST, LAST)


def test_request_acknowledged_during_a_kill_of_redis_may_be_lost_and_is_counted() -> None:
    journal = journal_of(FIRST, LAST)
    journal.unwritten.append((10.5, 10.6))
    assert [] == faults_of_log(journal, GAME, SEATS, EVENTS[:4])
    assert 1 == lost_in_a_kill(journal, EVENTS[:4], GAME)
    journal.unwritten[:] = [(11.1, 11.2)]
    assert 1 == len(faults_of_log(journal, GAME, SEATS, EVENTS[:4]))


def test_a_doubled_action_is_found() -> None:
    """One request has two events."""
    found = f"game {GAME}, revision 6: action of seat 0, which nobody sent, or sent once"
    assert [found] == faults([*EVENTS, {**EVENTS[4], "revision": 6}], FIRST, LAST)


def test_two_requests_that_share_an_event_are_found() -> None:
    found = f"game {GAME}, revision 5: two requests were acknowledged with one event: submitAction"
    assert [found] == faults(EVENTS, FIRST, LAST, acknowledge(EVENTS[4], key="another"))


def test_a_gap_is_found() -> None:
    assert [f"game {GAME}, revision 4: the log has revision 5 there"] == faults([*EVENTS[:3], EVENTS[4]])


def test_actions_of_an_ai_for_an_absent_person_need_no_request() -> None:
    gone = {"revision": 3, "kind": "timeout", "seat": 0}
    assert [] == faults([*EVENTS[:2], gone, *({**event, "revision": event["revision"] + 1} for event in EVENTS[2:])])


def test_request_without_a_response_may_be_in_the_log() -> None:
    journal = journal_of(FIRST)
    journal.unsettled[GAME] = 1
    assert [] == faults_of_log(journal, GAME, SEATS, EVENTS)


# ------------------------------------------------------------------------------------------------ the state


def record_and_view(count: int) -> tuple[Json, Json]:
    """Return the record of a game after some actions, and its view."""
    game_table: Table = new_table("player", "player")
    for _ in range(count):
        game_table.act()
    return json_copy(export_game(game_table.game, game_table.log)), json_copy(view(game_table.game, LIFETIMES))


def test_log_that_leads_to_the_stored_state_has_no_faults() -> None:
    assert [] == faults_of_state(*record_and_view(5), BEGAN_MS)


def test_time_in_the_future_is_found() -> None:
    """A clock that is ahead has written it."""
    assert [
        f"game {GAME}, revision 1: the log cannot be played again: The time must not be in the future."
    ] == faults_of_state(*record_and_view(5), BEGAN_MS - 1)


def test_a_state_that_is_behind_its_log_is_found() -> None:
    record, _ = record_and_view(5)
    _, behind = record_and_view(4)
    actual = faults_of_state(record, behind, BEGAN_MS)
    assert any("revision: the log says" in line for line in actual)
    assert any("position: the log says" in line for line in actual)


def test_illegal_log_is_found_with_its_revision() -> None:
    record, seen = record_and_view(5)
    record["events"][5]["seat"] = 1 - record["events"][5]["seat"]
    assert [f"game {GAME}, revision 6: the log cannot be played again: It is not this seat's turn."] == faults_of_state(
        record, seen, BEGAN_MS
    )


# ------------------------------------------------------------------------------------------------ strangers


def counted_game(game: str, status: str = APPLIED, won: str = "ana", ruleset: str = "azul") -> Counted:
    return Counted(game, ruleset, ("ana", "ben"), (won,), {"status": status})


def statistics_of(games: list[str], rated: tuple[int, int], finished: tuple[int, int]) -> PlayerStatistics:
    """Return statistics of one ruleset with games and wins, rated and in total."""
    ratings, rulesets = (
        [{"ruleset": "azul", "games": number, "wins": wins}] if number else [] for number, wins in (rated, finished)
    )
    return PlayerStatistics(games, ratings, rulesets)


GAMES_OF_ANA = [counted_game("1"), counted_game("2", won="ben"), counted_game("3", NOT_COUNTED)]


@pytest.mark.parametrize(
    ("statistics", "found"),
    [
        (statistics_of(["3", "1", "2"], (2, 1), (3, 2)), []),
        (statistics_of(["1", "2"], (2, 1), (3, 2)), ["has the games ['1', '2'], and played ['1', '2', '3']"]),
        (statistics_of(["1", "2", "3", "4"], (2, 1), (3, 2)), ["has the games"]),
        (
            statistics_of(["1", "2", "3"], (3, 2), (3, 2)),
            ["by rating are {'azul': (3, 2)}, and should be {'azul': (2, 1)}"],
        ),
        (statistics_of(["1", "2", "3"], (2, 2), (3, 2)), ["by rating"]),
        (statistics_of(["1", "2", "3"], (0, 0), (2, 1)), ["by rating are {}", "by statistics"]),
    ],
)
def test_game_of_strangers_not_counted_exactly_once_is_found(statistics: PlayerStatistics, found: list[str]) -> None:
    actual = counting_faults(GAMES_OF_ANA, {"ana": statistics})
    assert len(found) == len(actual)
    for expected, line in zip(found, actual, strict=True):
        assert line.startswith("player ana")
        assert expected in line


def test_a_game_of_strangers_that_is_not_rated_is_found() -> None:
    assert [f"game {GAME}: its rating is still pending"] == counting_faults([counted_game(GAME, "pending")], {})


@pytest.mark.parametrize(
    ("status", "games", "score", "found"),
    [("over", [GAME], 1, 0), ("over", [GAME], 2, 1), ("over", [GAME, GAME], 1, 1), ("running", [GAME], 0, 1)],
)
def test_competition_without_exactly_its_game_is_found(status: str, games: list[str], score: float, found: int) -> None:
    statistics = {"status": status, "standings": [{"score": score}, {"score": 0}]}
    assert found == len(faults_of_competition(GAME, statistics, [{"game_id": game} for game in games]))


def test_seed_repeats_the_meetings_of_strangers_which_cover_all_kinds() -> None:
    meetings = list(islice(new_meetings("x"), 24))
    assert meetings == list(islice(new_meetings("x"), 24))
    assert {SEEK, CHALLENGE, COMPETITION} == {meeting["how"] for meeting in meetings}
    assert 6 == len({(meeting["ruleset"], meeting["variant"]) for meeting in meetings[:6]})


def test_hostile_strangers_attack_with_competitions_seeks_challenges_bots_and_webhooks() -> None:
    """Every request succeeds here."""
    sent: list[tuple[str, str, str]] = []
    made = {"id": "x", "game_id": "g", "webhook": {"id": "w"}, "player": {"id": "p"}, "token": "t"}

    class Recorded(HostileStranger):
        def _send(self, operation: str, method: str, path: str, *_: Any) -> Answer:
            sent.append((operation, method, path))
            return Answer(201, made, {}, 0, 0)

    stranger = Recorded("", Journal(), random.Random(1), lambda: ["ana", "ben"], "http://127.0.0.1:9/")
    assert stranger._has_accounts()
    for attack in stranger._list_attacks():
        attack()
    known = {name: method for name, (method, _, _) in OPERATIONS.items()}
    assert [] == [(operation, method) for operation, method, _ in sent if known.get(operation) != method]
    assert {"createCompetition", "createSeek", "createChallenge", "publishBot", "createWebhook", "resignGame"} <= {
        operation for operation, _, _ in sent
    }


# ------------------------------------------------------------------------------------------------ the answers


@pytest.mark.parametrize(
    ("status", "code", "found"),
    [
        (412, "game/stale_revision", 0),
        (412, "game/not_your_turn", 1),
        (409, "game/stale_revision", 1),
        (404, "", 1),
        (500, "service/internal", 1),  # documented, but still a violation
    ],
)
def test_undocumented_refusal_is_found(status: int, code: str, found: int) -> None:
    journal = Journal(refusals=[Refusal("submitAction", status, code, 1.0, 2.0, GAME)])
    assert found == len(faults_of_answers(journal, DOCUMENTED))


def test_undocumented_status_is_found() -> None:
    journal = Journal()
    for status in (200, 201, 201):
        journal.count_success("submitAction", status)
    assert ["submitAction answered 200, which the document does not have"] == faults_of_answers(journal, DOCUMENTED)


@pytest.mark.parametrize(
    ("status", "code", "kind", "found"),
    [
        (503, "service/unavailable", "Redis paused", 0),
        (503, "service/unavailable", "web process killed", 1),
        (0, "", "web process killed", 0),
        (0, "", "Redis paused", 1),
    ],
)
def test_refusal_without_a_fault_that_explains_it_is_found(status: int, code: str, kind: str, found: int) -> None:
    journal = Journal(
        refusals=[Refusal("submitAction", status, code, 20.0, 21.0, GAME)], forces=[Force(kind, 10.0, 15.0)]
    )
    assert found == len(faults_of_answers(journal, DOCUMENTED))
    journal.forces = [Force(kind, 22.0, 25.0)]
    assert 1 == len(faults_of_answers(journal, DOCUMENTED))


# ------------------------------------------------------------------------------------------------ the waits


def test_a_wait_is_listed_under_every_fault_during_it() -> None:
    forces = [Force("Redis paused", 10.0, 20.0), Force("crew killed", 15.0, 15.0)]
    journal = Journal(forces=forces, waits=[Wait(PERSON, 12.0, 21.0, GAME), Wait(PERSON, 30.0, 30.5, GAME)])
    assert [["Redis paused", "crew killed"], ["none"]] == [kinds_of(journal, wait) for wait in journal.waits]
    lines = [line.split() for line in table(journal)]
    assert [["none", "1", "0.500", "0.50"], ["Redis", "paused", "1", "1", "9.000", "9.00"]] == [
        line[:-2] for line in lines[1:3]
    ]
