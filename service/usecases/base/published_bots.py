"""Bots that one can find: whether they are online and busy, what they play, and with whom they are rated.

A bot that polls is online while it was here in the last ONLINE_MS. One that is called is online unless its endpoint has
failed in the last FAILED_MS. It is busy while it plays as many games as it says, out of challenges, seeks and the bots'
arena.

People and bots are rated together only where all of them have said so: see `must_be_rated_together`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.games.errors import GameError
from service.games.state.clocks import AI_PLAYS_ON, LOSE
from service.games.state.endpoints import Endpoint
from service.games.state.statuses import UNFINISHED
from service.storage.matchmaking.bots import StoredBot
from service.storage.people.players import StoredPlayer
from service.storage.people.ratings import StoredRating
from service.usecases.base import game_facts
from service.usecases.base.context import Context

NEVER, BOTS_ALONE, EVERYBODY, PEOPLE_ALONE = "never", "bots", "everybody", "people"
BOT_RATED = (NEVER, BOTS_ALONE, EVERYBODY)
BOT_OPPONENTS = (BOTS_ALONE, PEOPLE_ALONE, EVERYBODY)
ONLINE_MS = 90_000
FAILED_MS = 600_000
UNSETTLED_MS = 60_000
"""A game that was paired so lately may be about to be created."""
MAX_GAMES_AT_ONCE = 20


def note(context: Context, player: StoredPlayer) -> None:
    """Note that the player, a program, is here, unless this process has done so lately."""
    context.bots_noted.get(player.id, lambda: context.bots.saw(player.id, context.now_ms()))


def is_online(bot: StoredBot, now_ms: int) -> bool:
    """Whether it would play now."""
    if bot.endpoint is None:
        return now_ms - bot.seen_at < ONLINE_MS
    return now_ms - bot.failed_at >= FAILED_MS


def is_known(context: Context, bot: StoredBot | None) -> bool:
    """Whether it is one that can be found here: where nobody is called, those that poll alone."""
    return bot is not None and (bot.endpoint is None or context.settings.calls)


def found(context: Context, players: Iterable[StoredPlayer]) -> dict[str, StoredBot]:
    """Those of the players that are bots which can be found, by id."""
    ids = [player.id for player in players if player.bot]
    return {bot.id: bot for bot in context.bots.of(ids) if bot is not None and is_known(context, bot)}


def playing(context: Context, bots: Sequence[StoredBot]) -> dict[str, int]:
    """How many games each bot plays. Where it seems to be busy, games that are over or gone are forgotten."""
    games, now = context.bots.games(bot.id for bot in bots), context.now_ms()
    for bot in bots:
        settled = [game for game, at in games[bot.id].items() if now - at >= UNSETTLED_MS]
        if len(games[bot.id]) >= bot.games_at_once and settled:
            seen = zip(settled, game_facts.games(context, settled), strict=True)
            over = [game for game, stored in seen if stored is None or stored.facts.status not in UNFINISHED]
            if over:
                context.bots.end([bot.id], over)
            games[bot.id] = {game: at for game, at in games[bot.id].items() if game not in over}
    return {bot.id: len(games[bot.id]) for bot in bots}


def must_accept(context: Context, bot: StoredBot, other: StoredPlayer, settings: Mapping[str, Any]) -> None:
    """Refuse what the bot does not play. bot/declines, with the fields at fault, bot/busy."""
    if errors := faults(bot, other, settings):
        raise GameError("bot/declines", errors=errors)
    if playing(context, [bot])[bot.id] >= bot.games_at_once:
        raise GameError("bot/busy", limit=bot.games_at_once)


def faults(bot: StoredBot, other: StoredPlayer, settings: Mapping[str, Any]) -> dict[str, str]:
    """What of a game with the other player the bot does not play, by JSON pointer into the request."""
    errors = {}
    if settings["ruleset"] not in bot.rulesets:
        errors["/ruleset"] = f"must be one of: {', '.join(bot.rulesets)}"
    elif settings["seats"] not in bot.seats:
        errors["/ruleset"] = f"this bot only plays games with {', '.join(map(str, bot.seats))} seats"
    if bot.opponents not in (EVERYBODY, BOTS_ALONE if other.bot else PEOPLE_ALONE):
        errors[""] = f"this bot only plays against {bot.opponents}"
    if settings["rated"] and bot.rated == NEVER:
        errors["/rated"] = "must be false: this bot plays no rated games"
    elif settings["rated"] and bot.rated == BOTS_ALONE and not other.bot:
        errors["/rated"] = "must be false: this bot only plays rated games against bots"
    return errors | _faults_of_clock(bot, settings["clock"])


def _faults_of_clock(bot: StoredBot, clock: Mapping[str, Any] | None) -> dict[str, str]:
    if clock is None:
        return {} if bot.unclocked else {"/clock": "is required"}
    bounds = {"turn_s": bot.turn_s, "bank_s": bot.bank_s}
    return {
        f"/clock/{name}": f"must be between {least} and {most}"
        for name, (least, most) in bounds.items()
        if not least <= clock[name] <= most
    }


def points_of(bot: StoredBot, ratings: Mapping[str, StoredRating], seats: int) -> dict[str, int]:
    """The bot's points in games of so many seats, by the rulesets that it plays."""
    from service.games import rating  # it loads the rules

    known_ratings = {ruleset: ratings.get(rating.field_of(ruleset, seats)) for ruleset in bot.rulesets}
    return {
        ruleset: (rating.NEW if one is None else rating.Rating(one.mu, one.sigma)).points
        for ruleset, one in known_ratings.items()
    }


def is_mixed(players: Iterable[StoredPlayer]) -> bool:
    """Whether people and bots are among them."""
    return len({player.bot for player in players}) > 1


def must_be_rated_together(
    context: Context, players: Sequence[StoredPlayer], said: Iterable[str], *, rated: bool
) -> None:
    """Refuse a rated game of people and bots unless all of them have said that they want it. game/not_mixed.

    `said`: ids of those who have said so; a bot that can be found says it by being rated with everybody.
    """
    if not rated or not is_mixed(players):
        return
    willing = {*said} | {bot.id for bot in found(context, players).values() if bot.rated == EVERYBODY}
    if not {player.id for player in players} <= willing:
        raise GameError("game/not_mixed")


def endpoint_of(bot: StoredBot, *, rated: bool) -> Endpoint | None:
    """How its seat in a new game is called; None where it polls. In a rated game it loses where it fails."""
    if bot.endpoint is None:
        return None
    return Endpoint(**bot.endpoint, on_failure=LOSE if rated else AI_PLAYS_ON)
