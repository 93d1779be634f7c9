"""Exact solution of the end of a game: a search of all continuations.

The search is depth-first. Each seat chooses what maximises its own return (max^n: Luckhardt and Irani 1986). With two
seats, whose returns are opposite, alpha-beta prunes. The state is a `Stack` in memory, so that it can run in slices.

Only games that end before the next draw are solved, never the end of a round. A solver would have to trust the
evaluation of the next round, which the tree examines by playing on: a search that did so won 24 % of 48 games of Azul.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Floats, Ints, helper
from service.rulesets.seats import MAX_SEATS
from workers.search.parameters import Parameters
from workers.search.playouts import Scratch, evaluate
from workers.search.record_abi import RulesByAddress, entry
from workers.search.rows import (
    CURRENT_ROW,
    FIRST_STACK_ROW,
    ROOT_ROW,
    STACK_ROWS,
    address,
    copy,
    seat_to_decide,
    seats_of,
    status,
)

MAX_WIDTH = 256  # actions of a position
UNDER_WAY, SOLVED, UNSOLVABLE = 0, 1, 2
UNVISITED = -1  # value of `Stack.counts` for a position whose actions are not listed yet


class Stack(NamedTuple):
    """State of the solver by depth. The first axis of each array has the length STACK_ROWS.

    actions: (…, MAX_WIDTH); counts: number of actions; following: index of the next action; best: best action so far;
    values: (…, MAX_SEATS) returns after the best action; low, high: bounds of seat 0's return (alpha and beta);
    depth: (1,) current depth.
    """

    actions: npt.NDArray[np.int64]
    counts: Ints
    following: Ints
    best: Ints
    values: npt.NDArray[np.float64]
    low: Floats
    high: Floats
    depth: Ints


def new_stack() -> Stack:
    """Return the state before the first step. The position is in row ROOT_ROW."""
    stack = Stack(
        np.zeros((STACK_ROWS, MAX_WIDTH), np.int64),
        np.zeros(STACK_ROWS, np.int64),
        np.zeros(STACK_ROWS, np.int64),
        np.zeros(STACK_ROWS, np.int64),
        np.zeros((STACK_ROWS, MAX_SEATS)),
        np.zeros(STACK_ROWS),
        np.zeros(STACK_ROWS),
        np.zeros(1, np.int64),
    )
    stack.counts[0] = UNVISITED
    stack.low[0], stack.high[0] = -math.inf, math.inf
    return stack


@helper
def list_actions(rules: RulesByAddress, scratch: Scratch, row: int, candidates_only: int) -> int:
    """Write the actions to choose from into scratch.actions and return their number."""
    if candidates_only:
        return rules.candidates(address(scratch.rows, row), scratch.actions)  # type: ignore[no-any-return]
    return rules.ending_actions(address(scratch.rows, row), scratch.actions)  # type: ignore[no-any-return]


@helper
def enter(rules: RulesByAddress, scratch: Scratch, stack: Stack, depth: int, candidates_only: int) -> bool:
    """List the actions of an unvisited position. Return False if there are too many, or if it is too deep."""
    row = FIRST_STACK_ROW + depth
    stack.values[depth, :] = -math.inf
    stack.following[depth] = 0
    count = list_actions(rules, scratch, row, candidates_only)
    if count > MAX_WIDTH or depth + 1 == STACK_ROWS:
        return False
    stack.counts[depth] = count
    for k in range(count):
        stack.actions[depth, k] = scratch.actions[k]
    return True


@helper
def record_returns(scratch: Scratch, stack: Stack, depth: int, returns: Floats) -> None:
    """Store the returns of the last action at this depth: update the best action and the bounds."""
    seat = seat_to_decide(scratch.rows, FIRST_STACK_ROW + depth)
    seats = seats_of(scratch.rows, FIRST_STACK_ROW + depth)
    if returns[seat] > stack.values[depth, seat]:
        stack.best[depth] = stack.actions[depth, stack.following[depth] - 1]
        for other in range(MAX_SEATS):
            stack.values[depth, other] = returns[other]
    if seats == 2:
        if seat == 0:
            stack.low[depth] = max(stack.low[depth], returns[0])
        else:
            stack.high[depth] = min(stack.high[depth], returns[0])
        if stack.low[depth] >= stack.high[depth]:
            stack.following[depth] = stack.counts[depth]


@helper
def descend(rules: RulesByAddress, scratch: Scratch, stack: Stack, depth: int) -> None:
    """Play the next action of a depth."""
    below = FIRST_STACK_ROW + depth + 1
    copy(scratch.rows, below, FIRST_STACK_ROW + depth)
    rules.apply(address(scratch.rows, below), stack.actions[depth, stack.following[depth]])
    stack.following[depth] += 1
    stack.counts[depth + 1] = UNVISITED
    stack.low[depth + 1], stack.high[depth + 1] = stack.low[depth], stack.high[depth]
    stack.depth[0] = depth + 1


@entry("Rules, Scratch, Stack, Parameters, int64, int64")
def solve(
    rules: RulesByAddress, scratch: Scratch, stack: Stack, parameters: Parameters, candidates_only: int, positions: int
) -> int:
    """Examine at most `positions` positions and return UNDER_WAY, SOLVED (see best[0] and values[0]) or UNSOLVABLE.

    `candidates_only`: 1 for the rule `candidates`, 0 for `ending_actions`. A game is unsolvable if chance may act
    before its end, or if a position has too many actions.
    """
    copy(scratch.rows, FIRST_STACK_ROW, ROOT_ROW)
    while positions > 0:
        depth = stack.depth[0]
        if stack.counts[depth] == UNVISITED:
            positions -= 1
            state = status(scratch.rows, FIRST_STACK_ROW + depth)
            if state == OVER:
                evaluate(rules, scratch, FIRST_STACK_ROW + depth, parameters)
                stack.depth[0] = depth - 1
                record_returns(scratch, stack, depth - 1, scratch.returns)
            elif state == DRAWING or not enter(rules, scratch, stack, depth, candidates_only):
                return UNSOLVABLE
        elif stack.following[depth] < stack.counts[depth]:
            descend(rules, scratch, stack, depth)
        elif depth == 0:
            return SOLVED
        else:
            stack.depth[0] = depth - 1
            record_returns(scratch, stack, depth - 1, stack.values[depth])
    return UNDER_WAY


@entry("Rules, Scratch, int64, float64")
def is_larger(rules: RulesByAddress, scratch: Scratch, candidates_only: int, limit: float) -> int:
    """Return 1 if the logarithm of the number of lines of play from row ROOT_ROW to the end exceeds `limit`, else 0.

    The estimate is based on one random line. The result is also 1 if this line is too long or reaches a draw.
    """
    copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
    total, depth = 0.0, 0
    while status(scratch.rows, CURRENT_ROW) == DECIDING:
        depth += 1
        if depth == STACK_ROWS:
            return 1
        here = address(scratch.rows, CURRENT_ROW)
        total += math.log(list_actions(rules, scratch, CURRENT_ROW, candidates_only))
        rules.apply(here, rules.random_action(here, scratch.rng))
    return 0 if status(scratch.rows, CURRENT_ROW) == OVER and total <= limit else 1
