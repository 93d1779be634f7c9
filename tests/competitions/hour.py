"""An hour of an arena of simulated players whose games take three to six minutes."""

from __future__ import annotations

import heapq
import random

from service.competitions import progress
from service.competitions.model import OVER
from tests.competitions.field import HOUR, Play, new_competition


def play_an_hour(players: int, seed: int = 7) -> tuple[Play, list[int]]:
    """Return the finished arena, with the strongest player first, and each wait for a game in ms."""
    strength = random.Random(seed)
    play = Play(new_competition(HOUR, sorted((round(strength.gauss(1500, 250)) for _ in range(players)), reverse=True)))
    ends: list[tuple[int, str]] = []
    waits: list[int] = []
    known: set[str] = set()
    while play.competition.status != OVER:
        play.advance()
        for contest in play.competition.running_contests:
            if contest.id not in known:
                known.add(contest.id)
                heapq.heappush(ends, (play.now + play.chance.randint(180_000, 360_000), contest.id))
                waits += [play.now - play.competition.by_number[one].free_since for one in contest.entrants]
        due = progress.due_at(play.competition, play.now)
        if due is None:
            break
        if ends and ends[0][0] <= due:
            play.now, game_id = heapq.heappop(ends)
            contest = next(one for one in play.competition.running_contests if one.id == game_id)
            play.end(contest, play.by_strength(contest))
        else:
            play.now = due
    return play, waits
