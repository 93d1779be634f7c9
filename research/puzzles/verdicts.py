"""Verdicts of the search: the best action of a position, the second best, and their probabilities of winning.

A tree gives most simulations to the action that it likes. The values of the other actions then depend on few
simulations. So one search of the position only finds the contenders, and each contender has a search of its own.
"""

from __future__ import annotations

import math
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from service.games import reasons
from service.puzzles.model import Moves
from service.rulesets.ruleset import Position
from workers.search.budgets import Budget
from workers.search.decisions import Search, search_at_level
from workers.search.players import PREFERENCE, parse_player
from workers.search.win_probability import win_probability
from workers.tasks.analysis import ANALYST

SHARE_FOR_CONTENDERS = 0.3  # of the time of a verdict
MAX_CONTENDERS = 3
MIN_DIFFERENT = 4  # actions with different results
HUNCH_S = 0.03
MIN_WIN, MAX_WIN = 0.05, 0.97  # probability after the best action: the game is not decided


Groups = Mapping[int, tuple[int, ...]]
"""For each listed action all listed actions with the same result, in a fixed order."""


class Patience(Budget):
    """A budget of processor time without a limit of elapsed time, because nobody waits for the search."""

    @property
    def elapsed_s(self) -> float:
        """No limit."""
        return math.inf


class Stage(NamedTuple):
    """A verdict of a puzzle: its processor time, and the probability by which the best action must beat the second."""

    seconds: float
    margin: float


STAGES = (Stage(0.2, 0.06), Stage(1.0, 0.08), Stage(5.0, 0.1), Stage(5.0, 0.1), Stage(15.0, 0.06))
"""The first two save time, the next two must agree, and the last must not overturn them. Further steps skip it."""


class Verdict(NamedTuple):
    """Best and second-best action, the probability of winning after each, and the moves expected after the best."""

    best: int
    win: float
    second: int
    second_win: float
    line: Moves

    @property
    def margin(self) -> float:
        """Probability by which the best action beats the second."""
        return self.win - self.second_win


def search_at(position: Position, seconds: float) -> Search:
    """Return a search that has used some seconds of processor time."""
    search = search_at_level(position, ANALYST, secrets.token_bytes(32))
    search.think(Patience(seconds))
    return search


def quick_choice(position: Position) -> int:
    """Return the first choice of the quick policy."""
    player = parse_player(position.ruleset, PREFERENCE)
    return Search(position, player, secrets.token_bytes(32)).choose().action


def hunch(position: Position) -> float:
    """Return the probability of winning by which a short search prefers its own choice to that of the quick policy."""
    lines = search_at(position, HUNCH_S).lines(len(position.legal_actions()))
    quick = quick_choice(position)
    values = {line.action: win_probability(position.ruleset, position.seats, line.value) for line in lines}
    return values[lines[0].action] - values.get(quick, 1.0)


def value_after(position: Position, action: int, seconds: float) -> tuple[float, Moves]:
    """Return the probability of winning after an action, for the seat that takes it, and the moves expected then."""
    search = search_at(position.play(action), seconds)
    value, _ = search.expectation(int(position.seat or 0))
    lines = search.lines(1)
    return win_probability(position.ruleset, position.seats, value), lines[0].best_play if lines else ()


def equal_actions(position: Position) -> Groups:
    """Return the groups of actions with the same result.

    Factories have no order, so it does not matter from which of two equal factories tiles are taken.
    """
    groups = defaultdict[str, list[int]](list)
    for action in position.legal_actions():
        view = position.ruleset.view(position.play(action))
        groups[str({**view, "factories": sorted(map(str, view.get("factories", ())))})].append(action)
    return {action: tuple(group) for group in groups.values() for action in group}


def judge(position: Position, seconds: float, groups: Groups, also: Iterable[int] = ()) -> Verdict:
    """Return the verdict of a search. `also`: actions that are contenders besides the most visited ones.

    Raises ValueError if all actions do the same.
    """
    visits = Counter(dict.fromkeys((group[0] for group in groups.values()), 0))
    for action, count in search_at(position, SHARE_FOR_CONTENDERS * seconds).visits().items():
        visits[groups[action][0]] += count
    contenders = [action for action, _ in visits.most_common(MAX_CONTENDERS)]
    contenders = [*dict.fromkeys([*contenders, *(groups[action][0] for action in also)])]
    each_s = (1.0 - SHARE_FOR_CONTENDERS) * seconds / len(contenders)
    ranking = sorted(((*value_after(position, action, each_s), action) for action in contenders), reverse=True)
    (win, line, best), (second_win, _, second), *_ = ranking
    return Verdict(best, win, second, second_win, line)


def reasons_for(position: Position, best: int, second: int) -> tuple[str, ...]:
    """Return the names of the reasons why an action is better than another, the most important first."""
    return tuple(dict.fromkeys(reason.name for reason in reasons.compare(position, best, second)))


def confirm(position: Position, quick: int | None, counts: Counter[str]) -> Verdict | None:
    """Return the last verdict if all stages agree on one best action, or else None.

    `quick`: at the first step, an action that must not be the best. The point of this step must have a name. `counts`:
    how many positions passed each stage, and how many have no name.
    """
    groups, bests, verdict = equal_actions(position), set[tuple[int, ...]](), None
    if len({*groups.values()}) < MIN_DIFFERENT:
        return None
    for number, stage in enumerate(STAGES[:-1] if quick is None else STAGES, 1):
        verdict = judge(position, stage.seconds, groups, () if quick is None else (quick,))
        bests.add(groups[verdict.best])
        is_clear = len(bests) == 1 and verdict.margin >= stage.margin
        if not is_clear or quick in groups[verdict.best] or not MIN_WIN <= verdict.win <= MAX_WIN:
            return None
        if quick is not None and not reasons_for(position, verdict.best, verdict.second):
            counts["unnamed"] += 1
            return None
        counts[f"stage {number}"] += 1
    return verdict
