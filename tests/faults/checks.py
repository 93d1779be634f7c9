"""Checks after a chaos run: pure functions that return violations, a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from service.games import game_export
from service.games.errors import GameError
from service.games.state.clocks import ClockRule
from service.games.state.model import Game, Meta
from service.games.state.moments import parse_ms, rfc3339
from service.games.state.seats import AI, HTTP, PLAYER, Seat
from service.games.view import outcome
from service.web.docs.components import operations
from tests.faults.journal import Acknowledged, Journal, Json, Refusal, violation_line
from tests.faults.schedule import KILLS, STORE
from tests.operations import with_answers

SENT = ("action", "offer", "answer", "takeback", "resignation")
"""Events that only requests of people cause."""
SETTLE_S = 15.0
"""Seconds after a fault in which it still explains refusals: Redis loads its data and web processes start."""
WITHOUT_ANSWER = [kind for kind in KILLS if kind.startswith("web")]
EXCUSES = {"service/unavailable": list(STORE), "none": WITHOUT_ANSWER}
"""The faults that must be in force for a refusal. `none`: no response at all."""


# ------------------------------------------------------------------------------------------------ the log


def faults_of_log(journal: Journal, game: str, seats: list[Json], log: list[Json]) -> list[str]:
    """Check that the log contains every acknowledged request once and nothing else, and that no revision is missing."""
    results = list(_gaps(game, log))
    if results:
        return results
    done = journal.acknowledged.get(game, [])
    results += _faults_of_losses(journal, game, log, done)
    results += _claimed_twice(journal, game, log, done)
    results += _sent_by_nobody(game, seats, log, done, journal.unsettled[game])
    return results


def _gaps(game: str, log: list[Json]) -> Iterator[str]:
    for number, event in enumerate(log, 1):
        if event["revision"] != number:
            yield violation_line(game, number, f"the log has revision {event['revision']} there")
            return


def is_in_log(log: list[Json], done: Acknowledged) -> bool:
    """Return whether the events of a response are in the log."""
    first = done.revision - 1
    return log[first : first + len(done.events)] == done.events


def lost_in_a_kill(journal: Journal, log: list[Json], game: str) -> int:
    """Return the number of acknowledged requests that were lost in a kill of Redis."""
    return sum(not is_in_log(log, one) and journal.may_be_lost(one) for one in journal.acknowledged.get(game, []))


def _faults_of_losses(journal: Journal, game: str, log: list[Json], done: list[Acknowledged]) -> Iterator[str]:
    for one in done:
        if not is_in_log(log, one) and not journal.may_be_lost(one):
            yield violation_line(game, one.revision, f"{one.operation} of seat {one.seat} was acknowledged and is lost")


def _claimed_twice(journal: Journal, game: str, log: list[Json], done: list[Acknowledged]) -> Iterator[str]:
    """Find two requests with one event: one of them got the response of the other, or is lost."""
    keys: dict[int, str] = {}
    for one in done:
        if is_in_log(log, one) and keys.setdefault(one.revision, one.key) != one.key and not journal.may_be_lost(one):
            yield violation_line(game, one.revision, f"two requests were acknowledged with one event: {one.operation}")


def _sent_by_nobody(
    game: str, seats: list[Json], log: list[Json], done: list[Acknowledged], unsettled: int
) -> Iterator[str]:
    known = {event["revision"] for one in done for event in one.events}
    unknown = [event for event in by_people(seats, log) if event["revision"] not in known]
    for event in unknown[unsettled:]:
        yield violation_line(
            game, event["revision"], f"{event['kind']} of seat {event['seat']}, which nobody sent, or sent once"
        )


def by_people(seats: list[Json], log: list[Json]) -> Iterator[Json]:
    """Yield the events that people have sent. An AI plays for a seat whose person has left."""
    people = {number for number, seat in enumerate(seats) if seat["kind"] == PLAYER}
    for event in log:
        if event["kind"] in SENT and event["seat"] in people:
            yield event
        if event["kind"] in ("resignation", "timeout"):
            people.discard(event["seat"])
        if event["kind"] == "join":
            people.add(event["seat"])


# ------------------------------------------------------------------------------------------------ the state


def faults_of_state(exported: Json, view: Json, now_ms: int) -> list[str]:
    """Check that replaying the log with the rules gives the stored state.

    Its draws must be those of the seed, no time may be in the future, and no timeout may be early.
    """
    game_id, seed = view["id"], exported["seed"]
    try:
        replayed = game_export.replay_game(meta_of(exported), exported["events"], seed and bytes.fromhex(seed), now_ms)
    except GameError as error:
        return [violation_line(game_id, error.extra.get("event"), f"the log cannot be played again: {error.detail}")]
    return [
        violation_line(game_id, view["revision"], f"{name}: the log says {logged!r}, the store {stored!r}"[:1000])
        for name, logged, stored in _compare(replayed.game, view)
        if logged != stored
    ]


def _compare(game: Game, view: Json) -> Iterator[tuple[str, Any, Any]]:
    position = None if game.position is None else game.ruleset.view(game.position)
    yield "revision", game.revision, view["revision"]
    yield "status", game.status, view["status"]
    yield "to_decide", game.to_decide, view["to_decide"]
    yield "position", position, view["position"]
    yield "outcome", outcome(game), view["outcome"]
    yield "seats", [seat.status for seat in game.seats], [seat["status"] for seat in view["seats"]]


def meta_of(exported: Json) -> Meta:
    """Return the metadata of a record. Endpoints become AIs, because a record does not contain their URLs."""
    seats = (Seat(AI if one["kind"] == HTTP else one["kind"], one["name"], one["level"]) for one in exported["seats"])
    return Meta(
        id=exported["id"],
        ruleset=exported["ruleset"],
        ruleset_version=exported["ruleset_version"],
        variant=exported["variant"],
        visibility="unlisted",
        first_seat=exported["first_seat"],
        seed=exported["seed"] or "00" * 32,
        fair=False,
        created_at=rfc3339(parse_ms(exported["created_at"])),
        seats=tuple(seats),
        clock=None if exported["clock"] is None else ClockRule(**exported["clock"]),
        position=exported["position"],
        seed_from=exported["seed_from"],
    )


# ------------------------------------------------------------------------------------------------ the answers


def documented_codes(document: Json) -> dict[str, dict[int, list[str]]]:
    """Return the error codes of the document by operation id and status."""
    return {
        operation["operationId"]: {
            int(status): answer.get("x-codes", []) for status, answer in operation["responses"].items()
        }
        for operation in operations(with_answers(document))
    }


def faults_of_answers(journal: Journal, documented: dict[str, dict[int, list[str]]]) -> list[str]:
    """Check that the document contains each response and that every refusal had a reason."""
    wrong = Counter(
        f"{operation} answered {status}, which the document does not have"
        for operation, status in journal.successes
        if status not in documented[operation]
    )
    wrong.update(_violation_of(one) for one in journal.refusals if not _is_documented(one, documented))
    wrong.update(_faults_without_reason(journal, journal.refusals))
    return [f"{what} ({count} times)" if count > 1 else what for what, count in wrong.items()]


def _is_documented(one: Refusal, documented: dict[str, dict[int, list[str]]]) -> bool:
    if one.status == 0:
        return True
    return one.status != 500 and one.code in documented[one.operation].get(one.status, [])


def _violation_of(one: Refusal) -> str:
    return violation_line(
        one.game, None, f"{one.operation} answered {one.status} {one.code or 'without a code'} {one.more}"
    )


def _faults_without_reason(journal: Journal, refusals: Iterable[Refusal]) -> Iterator[str]:
    for one in refusals:
        excuses = EXCUSES.get("none" if one.status == 0 else one.code)
        if excuses is None:
            continue
        kinds = journal.kinds(one.sent, one.answered, SETTLE_S)
        if not set(kinds) & set(excuses):
            what = f"no answer ({one.more})" if one.status == 0 else one.code
            yield violation_line(one.game, None, f"{one.operation}: {what}, without a fault that explains it ({kinds})")
