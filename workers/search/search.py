"""Choosing an action within a time, from outside: the only part of the search that looks at a clock.

Compiled code cannot read the clock, so it runs in slices of about SLICE_S, and the deadline is kept to a slice.
Between slices the caller may speak (`between`): renew a lease, or say that the answer is not wanted any more.

A `Search` keeps its tree: after `advance(action)` the search for the next decision of the same turn begins with
all that was learned about it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from service.levels import LEVELS, Level
from service.rulesets.compiled import PROGRESS
from service.rulesets.kernel import generator
from service.rulesets.ruleset import IllegalAction, Position
from workers.search import playouts, tree
from workers.search.erased import erased, put
from workers.search.tree import NONE, Style

PROGRESS.end()

SLICE_S = 0.004  # aim for one call of compiled code
FIRST_SLICE = 8  # simulations, before anything is known of their speed
BETWEEN_S = 0.25  # how often the caller is asked
STYLE = Style()
SEEN_OFTEN = 20  # visits from which on an action belongs to a line of best play
LONGEST_LINE = 12


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


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """`between` said that the answer is not wanted any more."""


class Search:
    """The search for the decisions of one turn of one seat."""

    def __init__(self, position: Position, level: Level, seed: bytes, style: Style = STYLE) -> None:
        """`seed`: 32 bytes for the search's own generator; the game's chance is never touched."""
        self.position = position
        self.level = level
        ruleset = position.ruleset
        self._style = style if style.few else style._replace(few=ruleset.playout_choices)
        self._rng = generator(seed)
        self._rules = erased(ruleset)
        self._room = playouts.scratch(ruleset, self._rng)
        self._plant()

    def _plant(self) -> None:
        """A tree of nothing but its root."""
        self._tree = tree.new_tree()
        self._root = 0
        put(self._room.rows, self.position)

    def choose(
        self,
        deadline: float | None = None,
        between: Callable[[], bool] | None = None,
        simulations: int | None = None,
    ) -> Choice:
        """Choose for the seat to decide (ValueError if none is).

        Until `deadline` (of time.monotonic(); by default the level's budget from now), or for so many simulations
        and no deadline. A single legal action is chosen at once. Raises Cancelled when `between` returns False.
        """
        actions = self.position.legal_actions()
        if not actions:
            raise ValueError("nobody decides here")
        if len(actions) == 1:
            return Choice(actions[0], 0, None, 0)
        if self.level.kind == "random":
            return Choice(self.position.random_action(self._rng), 0, None, 0)
        if self.level.kind == "greedy":
            return Choice(int(playouts.greedy_action(self._rules, self._room)), 0, None, 0)
        if simulations is not None:
            self._simulate(simulations)
            return self._most_visited(simulations)
        if deadline is None:
            deadline = time.monotonic() + self.level.budget_s
        return self._most_visited(self._until(deadline, between))

    def think(self, deadline: float) -> None:
        """Simulate until the deadline (of time.monotonic()), whether there is a choice or not."""
        self._until(deadline, None)

    def lines(self, count: int) -> list[Line]:
        """The most visited actions, best first, at most so many."""
        seat = self.position.seat
        if seat is None:
            return []
        legal = set(self.position.legal_actions())
        known = [
            c for c in self._children() if self._tree.nodes[c]["visits"] and self._tree.nodes[c]["action"] in legal
        ]
        known.sort(key=lambda child: (int(self._tree.nodes[child]["visits"]), self._mean(child, seat)), reverse=True)
        return [self._line(child, seat) for child in known[:count]]

    def expectation(self, seat: int) -> tuple[float, float]:
        """(return, points ahead) that the seat expects of the position; ValueError before anything was simulated."""
        if not self._tree.nodes[self._root]["visits"]:
            raise ValueError("nothing was simulated")
        return self._mean(self._root, seat), self._lead(self._root, seat)

    @property
    def simulations(self) -> int:
        """How many simulations have gone through the present position."""
        return int(self._tree.nodes[self._root]["visits"])

    def _mean(self, node: int, seat: int) -> float:
        return float(self._tree.nodes[node]["total"][seat]) / int(self._tree.nodes[node]["visits"])

    def _lead(self, node: int, seat: int) -> float:
        return float(self._tree.nodes[node]["lead"][seat]) / int(self._tree.nodes[node]["visits"])

    def _line(self, child: int, seat: int) -> Line:
        """The most visited way on from a child, for as long as it was seen often and no chance comes in between."""
        position, node, play = self.position, child, list[tuple[int, int]]()
        while True:
            action, decides = int(self._tree.nodes[node]["action"]), position.seat
            try:
                position = position.play(action)
            except IllegalAction:  # it was legal in another course of chance
                break
            play.append((int(decides or 0), action))
            below = [c for c in self._children(node) if self._tree.nodes[c]["visits"] >= SEEN_OFTEN]
            if position.status != "deciding" or not below or len(play) == LONGEST_LINE:
                break
            node = max(below, key=lambda c: int(self._tree.nodes[c]["visits"]))
        visits = int(self._tree.nodes[child]["visits"])
        return Line(play[0][1], visits, self._mean(child, seat), self._lead(child, seat), tuple(play))

    def advance(self, action: int) -> bool:
        """Go on to the position after the action, keeping what is known of it; False if that is nothing.

        IllegalAction if it is illegal.
        """
        self.position = self.position.play(action)
        child = self._child(action)
        if child == NONE or self._tree.used[0] > tree.MOST_NODES // 2:
            self._plant()
            return False
        self._root = child
        put(self._room.rows, self.position)
        return True

    def _until(self, deadline: float, between: Callable[[], bool] | None) -> int:
        """Simulate in slices until the deadline: how many simulations were run."""
        done, slice_ = 0, FIRST_SLICE
        now = time.monotonic()
        ask = now + BETWEEN_S
        while not done or now < deadline:
            self._simulate(slice_)
            done += slice_
            before, now = now, time.monotonic()
            wanted = min(SLICE_S, max(deadline - now, 0.0))
            slice_ = max(1, min(4 * slice_, int(slice_ * wanted / max(now - before, 1e-6))))
            if between is not None and now >= ask:
                if not between():
                    raise Cancelled
                now = time.monotonic()
                ask = now + BETWEEN_S
        return done

    def _simulate(self, count: int) -> None:
        """Run exactly so many simulations, giving the tree more room when it needs it."""
        while True:
            self._tree.path[0] = self._root
            count -= tree.simulate(self._rules, self._room, self._tree, self._style, count)
            if count == 0:
                return
            self._tree = tree.with_more_room(self._tree)

    def _children(self, parent: int | None = None) -> list[int]:
        children = []
        child = int(self._tree.nodes[self._root if parent is None else parent]["first_child"])
        while child != NONE:
            children.append(child)
            child = int(self._tree.nodes[child]["next_sibling"])
        return children

    def _child(self, action: int) -> int:
        return next((child for child in self._children() if self._tree.nodes[child]["action"] == action), NONE)

    def _most_visited(self, simulations: int) -> Choice:
        """The legal child with most visits; of equal ones that with the best value, then the best estimate."""
        seat = self.position.seat
        legal = set(self.position.legal_actions())

        def merit(child: int) -> tuple[int, float, float]:
            node = self._tree.nodes[child]
            visits = int(node["visits"])
            return visits, float(node["total"][seat]) / max(visits, 1), float(node["prior"])

        best = max((c for c in self._children() if int(self._tree.nodes[c]["action"]) in legal), key=merit)
        visits, value, prior = merit(best)
        return Choice(int(self._tree.nodes[best]["action"]), visits, value if visits else prior, simulations)


def choose(
    position: Position,
    level: str,
    seed: bytes,
    deadline: float | None = None,
    between: Callable[[], bool] | None = None,
) -> Choice:
    """`Search.choose` for one decision alone (KeyError: no such level)."""
    return Search(position, LEVELS[level], seed).choose(deadline, between)
