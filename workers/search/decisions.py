"""Choosing an action within a time, from outside: the only part of the search that looks at a clock.

Compiled code cannot read the clock, so it runs in slices of about SLICE_S, and the deadline is kept to a slice.
Between slices the caller may speak (`between`): renew a lease, or say that the answer is not wanted any more.

A `Search` keeps its tree: after `advance(action)` the search for the next decision of the same turn begins with
all that was learned about it; and so does that of the seat's next turn, where others have acted, but not chance.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from cachetools import LRUCache

from service.levels import LEVELS
from service.rulesets.ruleset import IllegalActionError, Position
from workers.search import players, playouts
from workers.search.players import Player
from workers.search.tree import Node, SearchTree

SEARCH_SLICE_S = 0.004  # aim for one call of compiled code
FIRST_SLICE = 8  # simulations, before anything is known of their speed
LATENESS_FADES = 0.95  # a slice
LOOK_FROM, LOOK_EVERY = 0.5, 0.06  # share of a decision's time: whether another action can still be visited most
BETWEEN_S = 0.25  # how often the caller is asked
SEEN_OFTEN = 20  # visits from which on an action belongs to a line of best play
LONGEST_LINE = 12
RARE = 50  # what others have done is looked for among what has more than one of so many visits


@dataclass(frozen=True)
class Choice:
    """What was chosen, and why: the return that the seat expects (-1..1; None where no tree was grown)."""

    action: int
    visits: int  # simulations that went through the action, those of earlier decisions of the turn included
    value: float | None
    simulations: int  # run for this decision


@dataclass(frozen=True)
class Line:
    """What is known of an action: how good it is for the seat to decide, and how the turn would go on."""

    action: int
    visits: int
    value: float  # the return that the seat expects, -1..1
    lead: float  # points it expects to be ahead of its best opponent at the end
    best_play: tuple[tuple[int, int], ...]  # (seat, action), this action first, up to where chance acts


class CancelledError(Exception):
    """`between` said that the answer is no longer wanted."""


class Search:
    """The search for the decisions of one seat, turn after turn until chance acts."""

    def __init__(self, position: Position, player: Player, seed: bytes) -> None:
        """`seed`: 32 bytes for the search's own chance; the game's is never touched."""
        self.position = position
        self.player = player
        self._seat = position.seat
        self._tree = SearchTree(position, player.parameters, seed, player.threads)

    def choose(
        self,
        deadline: float | None = None,
        between: Callable[[], bool] | None = None,
        simulations: int | None = None,
    ) -> Choice:
        """Choose for the seat to decide (ValueError if none is).

        Until `deadline` (of time.monotonic(); by default the player's budget from now) or the player's number of
        simulations for each opponent; or for just so many `simulations` in all. A single legal action is chosen at
        once. Raises Cancelled when `between` returns False.
        """
        actions = self.position.legal_actions()
        if not actions:
            raise ValueError("nobody decides here")
        at_once = actions[0] if len(actions) == 1 else self._without_tree()
        if at_once is not None:
            return Choice(at_once, 0, None, 0)
        if simulations is not None:
            self._tree.simulate(simulations)
            return self._chosen(actions, simulations)
        if deadline is None:
            deadline = time.monotonic() + self.player.budget_s
        most = self.player.simulations
        if most is None:
            end = deadline
            solved = self._tree.solve(lambda: time.monotonic() < end)
            if solved is not None:
                return Choice(solved[0], 0, solved[1][int(self.position.seat or 0)], 0)
        else:
            most *= self.position.seats - 1
        choices = None if self.player.temperature else actions  # who draws by visits makes all of them
        return self._chosen(actions, self._until(deadline, between, most, choices))

    def _without_tree(self) -> int | None:
        """The action of a player that grows no tree; None for others."""
        player, rules, scratch = self.player, self._tree.rules, self._tree.scratch
        if player.kind == "random":
            return self.position.random_action(scratch.rng)
        if player.kind == "greedy":
            return int(playouts.greedy_action(rules, scratch, player.noise))
        if player.kind == "preference":
            return int(playouts.preferred_action(rules, scratch, player.temperature))
        return None

    def go_on_at(self, position: Position) -> bool:
        """Go on at a position in which its own seat decides; False if it does not know how others have come there."""
        if self._seat != position.seat:
            return False
        if self.position == position:
            return True
        way = self._way_to(position) if self.player.is_timed else None
        for action in way or ():
            self.advance(action)
        return way is not None

    def _way_to(self, position: Position) -> list[int] | None:
        """What others have done to come there; None if it is nothing that was seen often, or chance has acted."""
        root = self._tree.top
        least, ties = root.visits // RARE + 1, itertools.count()
        seen: list[tuple[int, int, Node, Position, list[int]]] = [(0, next(ties), root, self.position, [])]
        while seen:
            _, _, node, here, way = heapq.heappop(seen)
            if here == position:
                return way
            if here.seat not in (None, self._seat):
                for action, below in self._known(node, least):
                    following = here.play(action), [*way, action]
                    heapq.heappush(seen, (-below.visits, next(ties), below, *following))
        return None

    def think(self, deadline: float) -> None:
        """Simulate until the deadline (of time.monotonic()), whether there is a choice or not."""
        self._until(deadline, None, None)

    def lines(self, count: int) -> list[Line]:
        """The most visited actions, best first, at most so many."""
        seat = self.position.seat
        if seat is None:
            return []
        legal = set(self.position.legal_actions())
        known = [(action, node) for action, node in self._known(self._tree.top, 1) if action in legal]
        known.sort(key=lambda one: (one[1].visits, one[1].value(seat)), reverse=True)
        return [self._line(action, node, seat) for action, node in known[:count]]

    def visits(self) -> dict[int, int]:
        """How many simulations went through each legal action, most first."""
        legal = set(self.position.legal_actions())
        seen = [(below.visits, action) for action, below in self._known(self._tree.top, 1) if action in legal]
        return {action: visits for visits, action in sorted(seen, reverse=True)}

    def expectation(self, seat: int) -> tuple[float, float]:
        """(return, points ahead) that the seat expects of the position; ValueError before anything was simulated."""
        here = self._tree.top
        if not here.visits:
            raise ValueError("nothing was simulated")
        return here.value(seat), here.lead(seat)

    @property
    def simulations(self) -> int:
        """How many simulations have gone through the present position."""
        return self._tree.top.visits

    def _known(self, node: Node, least: int) -> list[tuple[int, Node]]:
        return [(action, below) for action, below in node.children().items() if below.visits >= least]

    def _line(self, action: int, node: Node, seat: int) -> Line:
        """The most visited way on, for as long as it was seen often and no chance comes in between."""
        position, here, at, play = self.position, node, action, list[tuple[int, int]]()
        while True:
            decides = position.seat
            try:
                position = position.play(at)
            except IllegalActionError:  # it was legal in another course of chance
                break
            play.append((int(decides or 0), at))
            below = self._known(here, SEEN_OFTEN)
            if position.status != "deciding" or not below or len(play) == LONGEST_LINE:
                break
            at, here = max(below, key=lambda one: one[1].visits)
        return Line(action, node.visits, node.value(seat), node.lead(seat), tuple(play))

    def advance(self, action: int) -> bool:
        """Go on to the position after the action, keeping what is known of it; False if that is nothing.

        IllegalActionError if it is illegal.
        """
        action = self.position.as_listed(action)
        self.position = self.position.play(action)
        return self._tree.advance(self.position, action)

    def _until(
        self, deadline: float, between: Callable[[], bool] | None, most: int | None, choices: list[int] | None = None
    ) -> int:
        """Simulate in slices until the deadline, or `most` simulations: how many were run.

        Where others want the cores too, a slice takes longer than it should; by so much the last one is begun earlier.
        If there are `choices`, it ends as soon as the most visited of them cannot change any more.
        """
        done, slice_, late, look = 0, FIRST_SLICE * self.player.threads, 0.0, LOOK_FROM
        began = now = time.monotonic()
        ask = now + BETWEEN_S
        with ThreadPoolExecutor(self.player.threads) as pool:  # starts none before the first is needed
            while (not done or now + late < deadline) and done != most:
                slice_ = slice_ if most is None else min(slice_, most - done, max(1, math.ceil(look * most) - done))
                self._tree.simulate(slice_, pool)
                done += slice_
                before, now = now, time.monotonic()
                late = max(LATENESS_FADES * late, now - before - SEARCH_SLICE_S)
                aim = min(SEARCH_SLICE_S, max(deadline - now, 0.0))
                slice_ = max(self.player.threads, min(4 * slice_, int(slice_ * aim / max(now - before, 1e-6))))
                if between is not None and now >= ask:
                    if not between():
                        raise CancelledError
                    now = time.monotonic()
                    ask = now + BETWEEN_S
                share = done / most if most else (now - began) / max(deadline - began, 1e-9)
                if choices and look <= share < 1.0:
                    look = share + LOOK_EVERY
                    if self._is_decided(choices, most - done if most else done * (1.0 - share) / share):
                        break
        return done

    def _is_decided(self, choices: list[int], left: float) -> bool:
        """Whether the most visited of the choices stays so, wherever so many more simulations go."""
        possible, first, second = set(choices), 0, 0
        for action, node in self._tree.top.children().items():
            if action in possible:
                second = max(second, min(first, node.visits))
                first = max(first, node.visits)
        return first - second > left

    def _chosen(self, legal: list[int], simulations: int) -> Choice:
        """The legal action with most visits; of equal ones that with the best value, then the best estimate.

        At a temperature it is drawn, with the visits as odds.
        """
        seat = int(self.position.seat or 0)
        possible = set(legal)
        known = [(action, node) for action, node in self._tree.top.children().items() if action in possible]
        if self.player.temperature:
            log_odds = np.array([math.log(node.visits) if node.visits else -math.inf for _, node in known])
            playouts.add_chance(log_odds, self.player.temperature, self._tree.scratch.rng)
            action, best = known[int(log_odds.argmax())]
        else:
            action, best = max(known, key=lambda one: (one[1].visits, one[1].value(seat), one[1].prior))
        return Choice(action, best.visits, best.value(seat), simulations)


class Searches:
    """The searches of seats, by what names the seat; the last so many that were asked for."""

    def __init__(self, most: int) -> None:
        self._kept = LRUCache[Hashable, Search](most)

    def at(self, name: Hashable, position: Position, player: Player, seed: bytes) -> Search:
        """The search of that seat, where it is the same player's and goes on at the position; else a new one."""
        search = self._kept.pop(name, None)
        if search is None or search.player != player or not search.go_on_at(position):
            search = Search(position, player, seed)
        self._kept[name] = search
        return search


def by_level(position: Position, level: str, seed: bytes, threads: int = 1) -> Search:
    """A search as a level does it (KeyError: no such level)."""
    return Search(position, players.of(position.ruleset, LEVELS[level], threads), seed)
