"""The limit on a log's events other than play. Play itself is never refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.games.errors import GameError
from service.games.state.bounds import MAX_EVENTS, ROOM
from service.games.state.takebacks import Line
from service.rulesets.registry import RULESETS
from tests.games.tables import Table, table


class Past:
    """The games of a table by revision and the targets of takebacks, updated incrementally."""

    def __init__(self, made: Table) -> None:
        self.made, self.line, self.seen = made, Line(), 0
        self.games = {made.game.revision: made.game}
        made.session._past = self.games.__getitem__
        self.note()

    def note(self) -> None:
        """Add the new events."""
        for event in self.made.session.events[self.seen :]:
            event.extend(self.line)
        self.seen = len(self.made.session.events)
        self.games[self.made.game.revision] = self.made.game


def act_and_take_back_for_ever(made: Table, past: Past) -> None:
    """Take back every decision except each fortieth."""
    decisions = 0
    while True:
        seat = made.seat
        made.act()
        past.note()
        decisions += 1
        results = past.line.target(seat)
        if decisions % 40 and not made.game.is_over and results is not None:
            made.session.take_back(seat, results)
            past.note()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_takebacks_are_limited_and_the_game_is_still_played_to_its_end(ruleset: str) -> None:
    """AIs accept every takeback of the person."""
    made = table("player", "ai", ruleset=ruleset, variant=RULESETS[ruleset].variants[0])
    past = Past(made)
    with pytest.raises(GameError, match="game/log_full") as refused:
        act_and_take_back_for_ever(made, past)
    assert {"limit": ROOM} == refused.value.extra
    assert ROOM <= made.game.revision <= ROOM + 2  # a decision and the draws after it
    while not made.game.is_over:
        made.act()
    assert made.game.revision < MAX_EVENTS


@pytest.mark.parametrize(
    "command",
    [
        lambda made: made.session.pause(0, 60),
        lambda made: made.session.hand_over(0, "Eve"),
    ],
)
def test_events_other_than_play_are_refused_when_the_log_is_full(command: Callable[[Table], None]) -> None:
    made = table("player", "player")
    while made.game.revision < ROOM - 1:
        made.session.hand_over(0, "Eve")
    command(made)
    with pytest.raises(GameError, match="game/log_full"):
        command(made)
    made.act()
    made.session.resign(1)
    assert made.game.is_over
