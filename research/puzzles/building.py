"""Puzzles from confirmed verdicts: steps, refutations, difficulty and themes."""

from __future__ import annotations

import base64
import hashlib
import math
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean
from typing import NamedTuple

from research.puzzles.candidates import MAX_CHOICES
from research.puzzles.verdicts import STAGES, Verdict, confirm, equal_actions, quick_choice, value_after
from service.puzzles.model import Moves, Puzzle, Step
from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from workers.search.decisions import Search
from workers.search.players import parse_player
from workers.tasks import playing

SOURCE = "self_play"
LAST_ROUND = "last_round"
GAMES = 3  # quick games to the end, to see whether the round is the last
MAX_STEPS = 3
REFUTATION_S, CLOSE_S = 0.05, 1.0  # for a wrong action, and once more if it seems close
CLOSE = STAGES[-1].margin
MAX_REFUTATION = 3  # moves
SOLVERS = ("beginner", "learner", "casual", "club", "planner", "strategist", "veteran", "expert", "tree@0.1s")
ATTEMPTS = {"tree": 3, "preference": 10}  # of each solver, by kind
EASIEST, HARDEST = 800.0, 2300.0


class Found(NamedTuple):
    """A puzzle without reasons among its themes, its second-best action, and the share of attempts that succeed."""

    puzzle: Puzzle
    second: int
    found: float


def puzzle_at(position: Position, counts: Counter[str]) -> Found | None:
    """Return the puzzle of a position, or None if it is not one."""
    quick = quick_choice(position)
    verdict = confirm(position, quick, counts)
    if verdict is None:
        return None
    steps = _steps(position, verdict, counts)
    if not steps:
        return None
    counts["puzzles"] += 1
    found = share_of_solvers(position, steps[0].solutions)
    puzzle = Puzzle(
        id_of(position),
        position.ruleset.id,
        position.variant,
        int(position.seat or 0),
        position.notation,
        tuple(steps),
        (LAST_ROUND,) if is_last_round(position, verdict.best) else (),
        rating_of(position, len(steps), found, verdict.margin),
        verdict.win,
        verdict.second_win,
        SOURCE,
    )
    return Found(puzzle, verdict.second, found)


def id_of(position: Position) -> str:
    """Return the id of a puzzle: eight characters that depend only on its position."""
    digest = hashlib.blake2b(position.notation.encode(), digest_size=5).digest()
    return base64.b32encode(digest).decode().lower()


def _steps(position: Position, verdict: Verdict, counts: Counter[str]) -> list[Step]:
    """Return the solver's decisions. It is empty if another action may be as good as the first solution."""
    steps: list[Step] = []
    reply: Moves = ()
    while step := _step(position, verdict):
        if steps:
            counts["further steps"] += 1
            steps[-1] = replace(steps[-1], reply=reply)
        steps.append(step)
        after, reply = _reply(position, verdict)
        if len(steps) == MAX_STEPS or after is None or len(after.legal_actions()) > MAX_CHOICES:
            break
        following = confirm(after, None, Counter())
        if following is None:
            break
        position, verdict = after, following
    return steps


def _step(position: Position, verdict: Verdict) -> Step | None:
    """Return a decision without the reply, or None if a wrong action may be as good as the best."""
    groups = equal_actions(position)
    refutations, lost = dict[int, Moves](), dict[int, float]()
    for action in position.legal_actions():
        if action not in groups[verdict.best]:
            win, line = value_after(position, action, REFUTATION_S)
            if verdict.win - win < CLOSE:
                win, line = value_after(position, action, CLOSE_S)
            if verdict.win - win < CLOSE:
                return None
            refutations[action], lost[action] = line[:MAX_REFUTATION], round(verdict.win - win, 3)
    lost.update(dict.fromkeys(groups[verdict.second], round(verdict.margin, 3)))
    others = [action for action in groups[verdict.best] if action != verdict.best]
    return Step((verdict.best, *others), (), refutations, lost)


def _reply(position: Position, verdict: Verdict) -> tuple[Position | None, Moves]:
    """Return the solver's next decision and the expected moves before it, or None if chance acts first."""
    solver, after, reply = position.seat, position.play(verdict.best), list[tuple[int, int]]()
    for seat, action in verdict.line:
        if after.seat == solver:
            break
        reply.append((seat, action))
        after = after.play(action)
    return (after, tuple(reply)) if after.seat == solver else (None, ())


def is_last_round(position: Position, action: int) -> bool:
    """Return whether quick players end the game in this round after the action, whatever chance draws."""
    rng = generator(secrets.token_bytes(32))
    view = position.ruleset.view
    ends = [playing.play(position.play(action), lambda now: now.sample(rng), quick_choice)[0] for _ in range(GAMES)]
    return all(view(end).get("round") == view(position).get("round") for end in ends)


def share_of_solvers(position: Position, solutions: Sequence[int]) -> float:
    """Return the share of attempts of levels and short searches that find a solution."""
    shares = []
    for word in SOLVERS:
        player = parse_player(position.ruleset, word)
        searches = [Search(position, player, secrets.token_bytes(32)) for _ in range(ATTEMPTS[player.kind])]
        shares.append(mean(search.choose().action in solutions for search in searches))
    return mean(shares)


def rating_of(position: Position, steps: int, found: float, margin: float) -> float:
    """Return the initial rating of a puzzle, in points. Players and their attempts change it soon."""
    # A puzzle is the harder, the fewer attempts of levels and short searches find it, the more actions are legal, the
    # less the second-best action loses, and the more steps it has. A typical puzzle gets 1500 points: 40 % of the
    # attempts, 20 actions, a quarter of the probability of winning, one step.
    choices = len(position.legal_actions())
    points = 1500 + 1200 * (0.4 - found) + 100 * math.log2(choices / 20) - 800 * (margin - 0.25) + 100 * (steps - 1)
    return float(round(max(EASIEST, min(HARDEST, points))))
