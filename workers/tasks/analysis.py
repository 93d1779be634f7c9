"""Analysis of a decision, and review of all decisions of a game, as JSON without texts.

The value of a decision for its seat is the **lead** (expected points ahead of its best opponent at the end) and the
**win probability**. A played action is searched as long as the best one. Otherwise its value would depend on the few
simulations that an inferior action gets.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable
from typing import Any

from service.games.reasons import compare_all
from service.rulesets.ruleset import Json, Position
from service.usecases.work.analyses import FORCED, LABELS, rounds
from workers.search.budgets import Budget
from workers.search.decisions import CancelledError, Search, search_at_level
from workers.search.win_probability import win_probability_after

REPORT_S = 0.5  # processor time between two reports
MAX_ELAPSED_S = 7.0  # per search of a review: the lease of 20 s is renewed every 5 s, but not between the two searches
MAX_DECISIVE = 3
ANALYST = "master"

Report = Callable[[float, Json | None], bool]
"""Called with the progress (0 to 1) and the result so far. Returns whether to continue."""


def _search(position: Position) -> Search:
    return search_at_level(position, ANALYST, secrets.token_bytes(32))


def decision(position: Position, seconds: float, best: int, report: Report, candidate: int | None = None) -> Json:
    """Return the best actions of the seat to decide, and the candidate if it is not one of them.

    Such a candidate gets half of the time. Raises CancelledError if `report` returns False.
    """
    search, found = _search(position), None
    slices = max(math.ceil(seconds / REPORT_S), 1 if candidate is None else 2)
    for done in range(slices):
        if done:
            now = found or findings(search, best)
            if not report(done / slices, now):
                raise CancelledError
            if candidate is not None and done == slices // 2 and not _contains(now, position, candidate):
                found = now
                search.advance(candidate)
        search.think(Budget(seconds / slices))
    if found is None or candidate is None:
        return findings(search, best)
    actions = [*found["actions"], _candidate_json(position, search, candidate)]
    return {**found, "actions": _explain(position, actions)}


def _contains(found: Json, position: Position, candidate: int) -> bool:
    return position.as_listed(candidate) in [action["action"] for action in found["actions"]]


def _candidate_json(position: Position, search: Search, candidate: int) -> Json:
    """Return the evaluation of the candidate by a search that has advanced by it."""
    seat = int(position.seat or 0)
    value, lead = search.expectation(seat)
    return {
        "action": candidate,
        "visits": search.simulations,
        "lead": round(lead, 2),
        "win_probability": win_probability_after(search.position, seat, value),
        "line": [(seat, candidate), *(reply for line in search.lines(1) for reply in line.best_play)],
    }


def _explain(position: Position, actions: list[Json]) -> list[Json]:
    """Return the actions with the reasons why the best one, which is first, is better than each, and than the next."""
    if actions:
        best, *others = (action["action"] for action in actions)
        reasons = compare_all(position, best, others)
        for action, named in zip(actions, [reasons[0] if reasons else [], *reasons], strict=True):
            action["reasons"] = [list(reason) for reason in named]
    return actions


def findings(search: Search, best: int) -> Json:
    """Return the current result of a search: the most visited actions, best first."""
    position, seat = search.position, int(search.position.seat or 0)
    actions = [
        {
            "action": line.action,
            "visits": line.visits,
            "lead": round(line.lead, 2),
            "win_probability": win_probability_after(position.play(line.action), seat, line.value),
            "line": line.best_play,
        }
        for line in search.lines(best)
    ]
    explained = _explain(position, actions)
    return {"seat": position.seat, "simulations": search.simulations, "actions": explained}


def review(
    decisions: Iterable[tuple[int, Position, int]], seconds: float, report: Report, points: float | None = None
) -> Json:
    """Return, for each decision (revision, position, action), the best action and the loss of the played one.

    `points`: mean rating of the players, on which their probabilities of winning depend. By default they play as well
    as the search.
    """
    decisions = list(decisions)
    reviewed: list[Json] = []
    for number, (revision, position, action) in enumerate(decisions):
        if not report(number / len(decisions), None):
            raise CancelledError
        reviewed.append({"revision": revision, **_review_decision(position, action, seconds, points)})
    seats = max((each["seat"] for each in reviewed), default=-1) + 1
    losses = sorted((each for each in reviewed if each["win_lost"] > 0), key=lambda each: -each["win_lost"])
    return {
        "decisions": reviewed,
        "seats": [_summary([each for each in reviewed if each["seat"] == seat], seat) for seat in range(seats)],
        "decisive": [each["revision"] for each in losses[:MAX_DECISIVE]],
        "rounds": rounds(decisions),
    }


def _review_decision(position: Position, action: int, seconds: float, points: float | None) -> Json:
    """Review a decision. Half of the time is for the best action, and half for the played one if it differs."""
    seat = position.seat
    if seat is None:
        raise ValueError("no seat decides in this position")
    search = _search(position)
    search.think(Budget(seconds / 2, MAX_ELAPSED_S))
    best, *others = search.lines(2)
    margin = None
    if others:
        first, second = (
            win_probability_after(position.play(each.action), seat, each.value) for each in (best, *others)
        )
        margin = round(first - second, 4)
    value, lead = best.value, best.lead
    was_best = best.action == position.as_listed(action)
    if not was_best:
        search.advance(action)
        search.think(Budget(seconds / 2, MAX_ELAPSED_S))
        value, lead = search.expectation(seat)
    lost = max(0.0, best.lead - lead)
    forced = len(position.legal_actions()) == 1
    outcomes = (best.action, best.value), (action, value)
    chances = [win_probability_after(position.play(each), seat, expected, points) for each, expected in outcomes]
    win_lost = round(max(0.0, chances[0] - chances[1]), 4)
    return {
        "seat": seat,
        "played": action,
        "best": action if was_best else best.action,
        "lead_best": round(best.lead, 2),
        "lead_played": round(lead, 2),
        "points_lost": round(lost, 2),
        "win_probability_best": chances[0],
        "win_probability_played": chances[1],
        "win_lost": win_lost,
        "margin": margin,
        "label": FORCED if forced else label(win_lost),
    }


def label(win_lost: float) -> str:
    """Return the label of a decision by the lost win probability, rounded to whole percent."""
    return [name for name, least in LABELS.items() if round(win_lost, 2) >= least][-1]


def _summary(reviewed: list[Json], seat: int) -> Json:
    free: list[Any] = [decision for decision in reviewed if decision["label"] != FORCED]
    lost = sum(decision["points_lost"] for decision in free) / max(1, len(free))
    labels = {name: sum(decision["label"] == name for decision in reviewed) for name in (*LABELS, FORCED)}
    return {"seat": seat, "decisions": len(reviewed), "mean_points_lost": round(lost, 2), "labels": labels}
