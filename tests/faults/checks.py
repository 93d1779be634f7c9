"""What must hold after a chaos run: pure functions, each of which returns what is wrong, a line each."""

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
from service.web.docs.shared import operations
from tests.faults.journal import Acknowledged, Journal, Json, Refusal, violation_line
from tests.faults.schedule import KILLS, STORE
from tests.operations import with_answers

SENT = ("action", "offer", "answer", "takeback", "resignation")
"""Events that come from a request of a person, and from nothing else."""
SETTLE_S = 15.0
"""So long after a fault it may still be what a refusal comes from: a store is loaded again, web processes start."""
WITHOUT_ANSWER = [kind for kind in KILLS if kind.startswith("web")]
EXCUSES = {"service/unavailable": list(STORE), "none": WITHOUT_ANSWER}
"""What may be answered only while one of these faults is in force; `none`: no answer at all."""


# ------------------------------------------------------------------------------------------------ the log


def faults_of_log(journal: Journal, game: str, seats: list[Json], log: list[Json]) -> list[str]:
    """Every acknowledged request stands there once, what nobody sent does not, and no revision is missing."""
    results = list(_gaps(game, log))
    if results:
        return results
    done = journal.acknowledged.get(game, [])
    results += _lost(journal, game, log, done)
    results += _claimed_twice(journal, game, log, done)
    results += _sent_by_nobody(game, seats, log, done, journal.unsettled[game])
    return results


def _gaps(game: str, log: list[Json]) -> Iterator[str]:
    for number, event in enumerate(log, 1):
        if event["revision"] != number:
            yield violation_line(game, number, f"the log has revision {event['revision']} there")
            return


def stands(log: list[Json], done: Acknowledged) -> bool:
    """Whether the events of an answer are those of the log."""
    first = done.revision - 1
    return log[first : first + len(done.events)] == done.events


def lost_in_a_kill(journal: Journal, log: list[Json], game: str) -> int:
    """How many acknowledged requests are lost, as they may be, since Redis was killed in that moment."""
    return sum(not stands(log, one) and journal.may_be_lost(one) for one in journal.acknowledged.get(game, []))


def _lost(journal: Journal, game: str, log: list[Json], done: list[Acknowledged]) -> Iterator[str]:
    for one in done:
        if not stands(log, one) and not journal.may_be_lost(one):
            yield violation_line(game, one.revision, f"{one.operation} of seat {one.seat} was acknowledged and is lost")


def _claimed_twice(journal: Journal, game: str, log: list[Json], done: list[Acknowledged]) -> Iterator[str]:
    """Two requests, one event: one of them was told of the other's, or is lost."""
    keys: dict[int, str] = {}
    for one in done:
        if stands(log, one) and keys.setdefault(one.revision, one.key) != one.key and not journal.may_be_lost(one):
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
    """The events that people have sent; a seat whose person has left is played by an AI."""
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
    """The log, played again by the rules, leads to what is stored.

    Its draws are those of the seed, no moment in it is still to come, and nobody's time was up before its time.
    """
    game_id, seed = view["id"], exported["seed"]
    try:
        replayed = game_export.replay_game(meta_of(exported), exported["events"], seed and bytes.fromhex(seed), now_ms)
    except GameError as error:
        return [violation_line(game_id, error.extra.get("event"), f"the log cannot be played again: {error.detail}")]
    return [
        violation_line(game_id, view["revision"], f"{name}: the log says {logged!r}, the store {stored!r}"[:1000])
        for name, logged, stored in _compared(replayed.game, view)
        if logged != stored
    ]


def _compared(game: Game, view: Json) -> Iterator[tuple[str, Any, Any]]:
    position = None if game.position is None else game.ruleset.view(game.position)
    yield "revision", game.revision, view["revision"]
    yield "status", game.status, view["status"]
    yield "to_decide", game.to_decide, view["to_decide"]
    yield "position", position, view["position"]
    yield "outcome", outcome(game), view["outcome"]
    yield "seats", [seat.status for seat in game.seats], [seat["status"] for seat in view["seats"]]


def meta_of(exported: Json) -> Meta:
    """What was agreed at the beginning, out of a record. Endpoints are AIs there: it does not tell where they stand."""
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


def documented(document: Json) -> dict[str, dict[int, list[str]]]:
    """What each operation may answer: by its id and the status, the codes."""
    return {
        operation["operationId"]: {
            int(status): answer.get("x-codes", []) for status, answer in operation["responses"].items()
        }
        for operation in operations(with_answers(document))
    }


def faults_of_answers(journal: Journal, documented: dict[str, dict[int, list[str]]]) -> list[str]:
    """Each answer is one that the document has, and no refusal came without a reason."""
    wrong = Counter(
        f"{operation} answered {status}, which the document does not have"
        for operation, status in journal.successes
        if status not in documented[operation]
    )
    wrong.update(_undocumented(one) for one in journal.refusals if not _is_documented(one, documented))
    wrong.update(_unexcused(journal, journal.refusals))
    return [f"{what} ({count} times)" if count > 1 else what for what, count in wrong.items()]


def _is_documented(one: Refusal, documented: dict[str, dict[int, list[str]]]) -> bool:
    if one.status == 0:
        return True
    return one.status != 500 and one.code in documented[one.operation].get(one.status, [])


def _undocumented(one: Refusal) -> str:
    return violation_line(
        one.game, None, f"{one.operation} answered {one.status} {one.code or 'without a code'} {one.more}"
    )


def _unexcused(journal: Journal, refusals: Iterable[Refusal]) -> Iterator[str]:
    for one in refusals:
        excuses = EXCUSES.get("none" if one.status == 0 else one.code)
        if excuses is None:
            continue
        kinds = journal.kinds(one.sent, one.answered, SETTLE_S)
        if not set(kinds) & set(excuses):
            what = f"no answer ({one.more})" if one.status == 0 else one.code
            yield violation_line(
                one.game, None, f"{one.operation}: {what}, though nothing was broken that explains it ({kinds})"
            )
