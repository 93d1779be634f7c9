"""What the search thinks of a decision, or of all decisions of a game, as JSON without words.

A decision is worth to its seat the **lead** (points it expects to be ahead of its best opponent at the end) and the
**win probability**. What was played in a game is searched as long as the best was, so that its value is not that of
the few simulations that an inferior action gets.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

from service.rulesets.ruleset import Json, Position
from service.usecases.work.analyses import FORCED, LABELS
from workers.search.decisions import CancelledError, Search, by_level
from workers.search.win_probability import win_probability

REPORT_S = 0.5
MAX_DECISIVE = 3
ANALYST = "master"

Report = Callable[[float, Json | None], bool]
"""Gets the progress (0 to 1) and the result so far; answers whether to go on."""


def _search(position: Position) -> Search:
    return by_level(position, ANALYST, secrets.token_bytes(32))


def decision(position: Position, seconds: float, best: int, report: Report) -> Json:
    """The best actions of the seat to decide. Cancelled, when the report says so."""
    search = _search(position)
    began = time.monotonic()
    reported = began
    while (now := time.monotonic()) < began + seconds:
        if now >= reported + REPORT_S:
            reported = now
            if not report((now - began) / seconds, findings(search, best)):
                raise CancelledError
        search.think(min(began + seconds, now + REPORT_S))
    return findings(search, best)


def findings(search: Search, best: int) -> Json:
    """What a search knows of the decision so far: the most visited actions, best first."""
    actions = [
        {
            "action": line.action,
            "visits": line.visits,
            "lead": round(line.lead, 2),
            "win_probability": win_probability(search.position.ruleset, search.position.seats, line.value),
            "line": line.best_play,
        }
        for line in search.lines(best)
    ]
    return {"seat": search.position.seat, "simulations": search.simulations, "actions": actions}


def review(decisions: Iterable[tuple[int, Position, int]], seconds: float, report: Report) -> Json:
    """For each decision what would have been best, and what was lost by playing otherwise."""
    every = list(decisions)
    reviewed: list[Json] = []
    for number, (revision, position, action) in enumerate(every):
        if not report(number / len(every), None):
            raise CancelledError
        reviewed.append({"revision": revision, **_judged(position, action, seconds)})
    seats = max((judged["seat"] for judged in reviewed), default=-1) + 1
    losses = sorted((judged for judged in reviewed if judged["win_lost"] > 0), key=lambda judged: -judged["win_lost"])
    return {
        "decisions": reviewed,
        "seats": [_summary([judged for judged in reviewed if judged["seat"] == seat], seat) for seat in range(seats)],
        "decisive": [judged["revision"] for judged in losses[:MAX_DECISIVE]],
    }


def _judged(position: Position, action: int, seconds: float) -> Json:
    """One decision: half of the time looks for the best action, half goes to what was played if that is another."""
    seat, ruleset = position.seat, position.ruleset
    if seat is None:
        raise ValueError("nobody decides here")
    search = _search(position)
    search.think(time.monotonic() + seconds / 2)
    best = search.lines(1)[0]
    value, lead = best.value, best.lead
    was_best = best.action == position.as_listed(action)
    if not was_best:
        search.advance(action)
        search.think(time.monotonic() + seconds / 2)
        value, lead = search.expectation(seat)
    lost = max(0.0, best.lead - lead)
    forced = len(position.legal_actions()) == 1
    chances = [win_probability(ruleset, position.seats, one) for one in (best.value, value)]
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
        "label": FORCED if forced else label(win_lost),
    }


def label(win_lost: float) -> str:
    """What a decision is called that cost so much of the probability to win; in whole percent, as it is told."""
    return [name for name, least in LABELS.items() if round(win_lost, 2) >= least][-1]


def _summary(judged: list[Json], seat: int) -> Json:
    free: list[Any] = [one for one in judged if one["label"] != FORCED]
    lost = sum(one["points_lost"] for one in free) / max(1, len(free))
    labels = {name: sum(one["label"] == name for one in judged) for name in (*LABELS, FORCED)}
    return {"seat": seat, "decisions": len(judged), "mean_points_lost": round(lost, 2), "labels": labels}
