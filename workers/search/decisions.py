"""Choose actions within a budget of processor time.

Compiled code cannot read the clock, so it runs in slices of about SEARCH_SLICE_S seconds. The search stops at the end
of a slice. Between slices the caller can renew a lease or cancel the search (`should_continue`).

A `Search` reuses its tree. After `advance(action)`, the next decision of the same turn starts with the simulations that
went through this action. The seat's next turn does so too, unless chance has acted since.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from cachetools import LRUCache

from service.levels import LEVELS
from service.rulesets.ruleset import IllegalActionError, Position
from workers.search import players, playouts
from workers.search.budgets import Budget, Stopwatch
from workers.search.players import Player
from workers.search.tree import Node, SearchTree

SEARCH_SLICE_S = 0.004  # intended processor time of one call of compiled code
FIRST_SLICE = 8  # simulations per thread, before the speed is known
FIRST_STOP_CHECK, STOP_CHECK_INTERVAL = 0.5, 0.06  # shares of a decision's time or simulations, see `_is_choice_final`
SOLVING_SHARE = 0.5  # of the time; the rest is for simulations, if the end of the game is not solved by then
CHECK_INTERVAL_S = 0.25  # between two calls of `should_continue`
MIN_LINE_VISITS = 20  # visits that an action needs to be part of a line of best play
MAX_LINE_ACTIONS = 12
RARE_VISITS = 50  # `resume_at` ignores actions with less than one of 50 visits


@dataclass(frozen=True)
class Choice:
    """A chosen action. `value` is the seat's expected return (-1..1), or None if no tree was grown."""

    action: int
    visits: int  # simulations through the action, including those of earlier decisions of the turn
    value: float | None
    simulations: int  # run for this decision


@dataclass(frozen=True)
class Line:
    """Evaluation of an action for the seat to decide, and the expected continuation of the turn."""

    action: int
    visits: int
    value: float  # the return that the seat expects, -1..1
    lead: float  # points that the seat expects to be ahead of its best opponent at the end
    best_play: tuple[tuple[int, int], ...]  # (seat, action) from this action until chance acts


class CancelledError(Exception):
    """`should_continue` returned False: the caller no longer needs the choice."""


class Search:
    """The search for one seat's decisions, across its turns until chance acts."""

    def __init__(self, position: Position, player: Player, seed: bytes) -> None:
        """Start at a position. `seed`: 32 bytes for the search's own generators; it never uses the game's seed."""
        self.position = position
        self.player = player
        self._seat = position.seat
        self._tree = SearchTree(position, player.parameters, seed, player.threads)

    def choose(
        self,
        budget: Budget | None = None,
        should_continue: Callable[[], bool] | None = None,
        simulations: int | None = None,
    ) -> Choice:
        """Choose an action for the seat to decide.

        Without `simulations`, the search runs for `budget` (default: the player's) or the player's number of
        simulations per opponent. A single legal action is returned immediately.

        Raises ValueError if no seat decides, and CancelledError if `should_continue` returned False.
        """
        actions = self.position.legal_actions()
        if not actions:
            raise ValueError(f"no seat decides in this position: its status is {self.position.status}")
        quick_action = actions[0] if len(actions) == 1 else self._choose_without_tree()
        if quick_action is not None:
            return Choice(quick_action, 0, None, 0)
        if simulations is not None:
            self._tree.simulate(simulations)
            return self._choose_by_visits(actions, simulations)
        stopwatch = self._start(budget or Budget(self.player.budget_s))
        limit = self.player.simulations
        if limit is None:
            solution = self._tree.solve(lambda: stopwatch.is_below(SOLVING_SHARE))
            if solution is not None:
                action, returns = solution
                return Choice(action, 0, returns[int(self.position.seat or 0)], 0)
        else:
            limit *= self.position.seats - 1
        choices = None if self.player.temperature else actions  # sampling by visits needs all simulations
        return self._choose_by_visits(actions, self._simulate(stopwatch, should_continue, limit, choices))

    def _choose_without_tree(self) -> int | None:
        """Return the action of a player that grows no tree, or None for other players."""
        player, rules, scratch = self.player, self._tree.rules, self._tree.scratch
        if player.kind == "random":
            return self.position.random_action(scratch.rng)
        if player.kind == "greedy":
            return int(playouts.greedy_action(rules, scratch, player.noise))
        if player.kind == "preference":
            return int(playouts.preferred_action(rules, scratch, player.temperature))
        return None

    def resume_at(self, position: Position) -> bool:
        """Continue at a later position of the same seat. Return False if the tree does not contain the actions between.

        A player with a number of simulations never resumes, so that it chooses the same every time.
        """
        if self._seat != position.seat:
            return False
        if self.position == position:
            return True
        path = self._path_to(position) if self.player.is_timed else None
        for action in path or ():
            self.advance(action)
        return path is not None

    def _path_to(self, position: Position) -> list[int] | None:
        """Return the other seats' actions that lead to a position, or None if they are rare or chance has acted."""
        root = self._tree.top
        min_visits, ties = root.visits // RARE_VISITS + 1, itertools.count()
        queue: list[tuple[int, int, Node, Position, list[int]]] = [(0, next(ties), root, self.position, [])]
        while queue:
            _, _, node, current, path = heapq.heappop(queue)
            if current == position:
                return path
            if current.seat not in (None, self._seat):
                for action, child in _visited_children(node, min_visits):
                    following = current.play(action), [*path, action]
                    heapq.heappush(queue, (-child.visits, next(ties), child, *following))
        return None

    def think(self, budget: Budget) -> None:
        """Simulate for the budget, even if there is only one legal action."""
        self._simulate(self._start(budget), None, None)

    def lines(self, count: int) -> list[Line]:
        """Return at most `count` of the most visited actions, best first."""
        seat = self.position.seat
        if seat is None:
            return []
        ranking = sorted(self._visited_actions(), key=lambda pair: (pair[1].visits, pair[1].value(seat)), reverse=True)
        return [self._line(action, node, seat) for action, node in ranking[:count]]

    def visits(self) -> dict[int, int]:
        """Return the number of simulations through each legal action, most visited first."""
        counts = [(node.visits, action) for action, node in self._visited_actions()]
        return {action: visits for visits, action in sorted(counts, reverse=True)}

    def expectation(self, seat: int) -> tuple[float, float]:
        """Return the seat's expected return and lead in points. Raises ValueError before the first simulation."""
        root = self._tree.top
        if not root.visits:
            raise ValueError("no simulations yet: call `think` or `choose` first")
        return root.value(seat), root.lead(seat)

    @property
    def simulations(self) -> int:
        """Number of simulations through the current position."""
        return self._tree.top.visits

    def _visited_actions(self) -> list[tuple[int, Node]]:
        """Return the legal actions with at least one visit, with their nodes."""
        legal = set(self.position.legal_actions())
        return [(action, node) for action, node in _visited_children(self._tree.top, 1) if action in legal]

    def _line(self, action: int, node: Node, seat: int) -> Line:
        """Return the line that begins with an action: the most visited actions until chance acts or visits are few."""
        position, current, next_action, play = self.position, node, action, list[tuple[int, int]]()
        while True:
            decides = position.seat
            try:
                position = position.play(next_action)
            except IllegalActionError:  # it was legal after a different draw
                break
            play.append((int(decides or 0), next_action))
            children = _visited_children(current, MIN_LINE_VISITS)
            if position.status != "deciding" or not children or len(play) == MAX_LINE_ACTIONS:
                break
            next_action, current = max(children, key=lambda pair: pair[1].visits)
        return Line(action, node.visits, node.value(seat), node.lead(seat), tuple(play))

    def advance(self, action: int) -> bool:
        """Continue after the action with its part of the tree. Return False if the tree did not contain the action.

        Raises IllegalActionError.
        """
        action = self.position.as_listed(action)
        self.position = self.position.play(action)
        return self._tree.advance(self.position, action)

    def _start(self, budget: Budget) -> Stopwatch:
        return Stopwatch(budget, self.player.threads)

    def _simulate(
        self,
        stopwatch: Stopwatch,
        should_continue: Callable[[], bool] | None,
        limit: int | None,
        choices: list[int] | None = None,
    ) -> int:
        """Simulate in slices until the time is up or for `limit` simulations, and return their number.

        With `choices`, the search stops as soon as the most visited of them can no longer change.
        """
        done, slice_size, next_stop_check = 0, FIRST_SLICE * self.player.threads, FIRST_STOP_CHECK
        next_check_s = stopwatch.elapsed_s + CHECK_INTERVAL_S
        with ThreadPoolExecutor(self.player.threads) as pool:  # it starts no thread before the first is needed
            while (not done or stopwatch.share < 1.0) and done != limit:
                if limit is not None:
                    slice_size = min(slice_size, limit - done, max(1, math.ceil(next_stop_check * limit) - done))
                before_s = stopwatch.cpu_s
                self._tree.simulate(slice_size, pool)
                done += slice_size
                stopwatch.read()
                fitting = slice_size * min(SEARCH_SLICE_S, stopwatch.left_s) / max(stopwatch.cpu_s - before_s, 1e-6)
                slice_size = max(self.player.threads, min(4 * slice_size, int(fitting)))
                if should_continue is not None and stopwatch.elapsed_s >= next_check_s:
                    if not should_continue():
                        raise CancelledError
                    next_check_s = stopwatch.elapsed_s + CHECK_INTERVAL_S
                share = done / limit if limit else stopwatch.share
                if choices and next_stop_check <= share < 1.0:
                    next_stop_check = share + STOP_CHECK_INTERVAL
                    if self._is_choice_final(choices, limit - done if limit else done * (1.0 - share) / share):
                        break
        return done

    def _is_choice_final(self, choices: list[int], remaining: float) -> bool:
        """Return True if the most visited choice stays first wherever the remaining simulations go."""
        possible, first, second = set(choices), 0, 0
        for action, node in self._tree.top.children().items():
            if action in possible:
                second = max(second, min(first, node.visits))
                first = max(first, node.visits)
        return first - second > remaining

    def _choose_by_visits(self, legal: list[int], simulations: int) -> Choice:
        """Choose the legal action with most visits. Ties are broken by value, then by estimate.

        A player with a temperature samples an action in proportion to visits ** (1 / temperature).
        """
        seat = int(self.position.seat or 0)
        possible = set(legal)
        children = [(action, node) for action, node in self._tree.top.children().items() if action in possible]
        if self.player.temperature:
            log_odds = np.array([math.log(node.visits) if node.visits else -math.inf for _, node in children])
            playouts.add_gumbel_noise(log_odds, self.player.temperature, self._tree.scratch.rng)
            action, best = children[int(log_odds.argmax())]
        else:
            action, best = max(children, key=lambda pair: (pair[1].visits, pair[1].value(seat), pair[1].prior))
        return Choice(action, best.visits, best.value(seat), simulations)


def _visited_children(node: Node, min_visits: int) -> list[tuple[int, Node]]:
    return [(action, child) for action, child in node.children().items() if child.visits >= min_visits]


class Searches:
    """An LRU cache of searches by seat, so that a seat's next turn can reuse its tree."""

    def __init__(self, capacity: int) -> None:
        self._cache = LRUCache[Hashable, Search](capacity)

    def search_for(self, key: Hashable, position: Position, player: Player, seed: bytes) -> Search:
        """Return the cached search of a seat if it has the same player and can resume at the position, or a new one."""
        search = self._cache.pop(key, None)
        if search is None or search.player != player or not search.resume_at(position):
            search = Search(position, player, seed)
        self._cache[key] = search
        return search


def search_at_level(position: Position, level: str, seed: bytes, threads: int = 1) -> Search:
    """Return a search that plays like a level. Raises KeyError for an unknown level."""
    return Search(position, players.player_at_level(position.ruleset, LEVELS[level], threads), seed)
