"""Published bots, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from service.games.state.clocks import ClockRule
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import EVERYBODY
from service.usecases.games.creating import NewEndpoint
from service.usecases.matchmaking import bots
from service.usecases.matchmaking.bots import NewBot
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import players

POLLING = NewBot(("azul",), (2,), (0, 600), (0, 600), True, 1, EVERYBODY, EVERYBODY, False)
CALLED = replace(POLLING, endpoint=NewEndpoint("https://bot.example/azul"))
CLOCK = ClockRule(30, 60, "ai", "greedy")
AZUL = NewSeek("azul", "coloured", 2)
RATED = replace(AZUL, clock=CLOCK, rated=True)


def create_bot(context: Context, name: str | None = None) -> tuple[str, Caller]:
    """Create a bot: (id, caller with its token)."""
    made = players.create(context, {"name": name, "bot": True})
    return made["player"]["id"], Caller(made["token"])


def publish_bot(context: Context, new: NewBot = POLLING, name: str | None = None, **changes: Any) -> tuple[str, Caller]:
    """Create and publish a bot: (id, caller)."""
    bot, caller = create_bot(context, name)
    bots.publish(context, caller, replace(new, **changes))
    return bot, caller


def listed_bots(context: Context, **filters: Any) -> list[str]:
    """Return the ids of the bots in the directory, in its order."""
    return [bot["player"]["id"] for bot in bots.list_bots(context, bots.BotFilters(**filters), None, 50)[0]]
