"""Published bots: whether they are online or busy, and which games they accept.

A polling bot is online if it sent a request in the last ONLINE_MS. A bot with an endpoint is online unless the endpoint
failed in the last FAILED_MS or is disabled. A bot is busy while it plays as many games as it allows, counting
challenges, seeks and the bots' arena.

A game with a published bot always has a clock, because it would otherwise take a place of the bot for two weeks.

People and bots are rated together only if all of them agreed: see `must_be_rated_together`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from service.games.errors import GameError
from service.games.state.clocks import AI_PLAYS_ON, LOSE, ClockRule
from service.games.state.endpoints import Endpoint
from service.games.state.statuses import UNFINISHED
from service.levels import FALLBACK
from service.storage.matchmaking.bots import StoredBot
from service.storage.matchmaking.starts import Consent
from service.storage.people.players import StoredPlayer
from service.storage.people.ratings import StoredRating
from service.usecases.base import game_facts
from service.usecases.base.context import Context
from service.usecases.base.outgoing import owner_digest

NEVER, BOTS_ALONE, EVERYBODY, PEOPLE_ALONE = "never", "bots", "everybody", "people"
BOT_RATED = (NEVER, BOTS_ALONE, EVERYBODY)
BOT_OPPONENTS = (BOTS_ALONE, PEOPLE_ALONE, EVERYBODY)
ONLINE_MS = 90_000
FAILED_MS = 600_000
UNSETTLED_MS = 60_000
"""A game paired more recently may not have been created yet."""
MAX_GAMES_AT_ONCE = 20
DEFAULT_TURN_S, DEFAULT_BANK_S = 600, 3_600
"""The clock of a game with a published bot for which nobody has asked for one, so that the game ends."""


def record_presence(context: Context, player: StoredPlayer) -> None:
    """Record that the bot is online, unless this process has done so recently."""
    context.seen_bots.get(player.id, lambda: context.bots.record_visit(player.id, context.now_ms()))


def is_online(bot: StoredBot, now_ms: int) -> bool:
    """Return whether the bot can start a game now."""
    if bot.endpoint is None:
        return now_ms - bot.seen_at < ONLINE_MS
    return not bot.disabled and now_ms - bot.failed_at >= FAILED_MS


def is_published(context: Context, bot: StoredBot | None) -> bool:
    """Return whether the bot is published. Bots with endpoints are hidden if outgoing calls are off."""
    return bot is not None and (bot.endpoint is None or context.settings.allows_calls)


def find_published(context: Context, players: Iterable[StoredPlayer]) -> dict[str, StoredBot]:
    """Return the published bots among the players, by id."""
    ids = [player.id for player in players if player.bot]
    return {bot.id: bot for bot in context.bots.get_many(ids) if bot is not None and is_published(context, bot)}


def count_games(context: Context, bots: Sequence[StoredBot]) -> dict[str, int]:
    """Return how many games each bot plays. If a bot seems busy, remove games that have ended."""
    games, now = context.bots.games(bot.id for bot in bots), context.now_ms()
    for bot in bots:
        settled = [game for game, at in games[bot.id].items() if now - at >= UNSETTLED_MS]
        if len(games[bot.id]) >= bot.games_at_once and settled:
            facts = zip(settled, game_facts.get_many(context, settled), strict=True)
            over = [game for game, stored in facts if stored is None or stored.facts.status not in UNFINISHED]
            if over:
                context.bots.remove_games([bot.id], over)
            games[bot.id] = {game: at for game, at in games[bot.id].items() if game not in over}
    return {bot.id: len(games[bot.id]) for bot in bots}


def consents_of(context: Context, agreed: Mapping[str, int | None]) -> list[Consent]:
    """Return the consent of each player, with the places of published bots. `agreed`: when each player has agreed."""
    bots = [bot for bot in context.bots.get_many([*agreed]) if bot is not None]
    count_games(context, bots)  # frees places
    places = {bot.id: bot.games_at_once for bot in bots}
    return [Consent(player, since_ms, places.get(player)) for player, since_ms in agreed.items()]


def clock_within(bots: Collection[StoredBot], turn_s: int, bank_s: int) -> tuple[int, int] | None:
    """Return seconds a turn and in the bank that all bots accept, as near to these as possible, or None."""
    turn, bank = _clamp(turn_s, [bot.turn_s for bot in bots]), _clamp(bank_s, [bot.bank_s for bot in bots])
    return (turn, bank) if turn is not None and bank is not None and turn + bank else None


def _clamp(value: int, bounds: Sequence[tuple[int, int]]) -> int | None:
    least, most = max(low for low, _ in bounds), min(high for _, high in bounds)
    return min(max(value, least), most) if least <= most else None


def default_clock(bots: Collection[StoredBot]) -> ClockRule | None:
    """Return the clock of a game with these bots for which nobody has asked for one. None without bots."""
    if not bots:
        return None
    default = DEFAULT_TURN_S, DEFAULT_BANK_S
    return ClockRule(*(clock_within(bots, *default) or default), LOSE, FALLBACK)


def must_accept(context: Context, bot: StoredBot, other: StoredPlayer, settings: Mapping[str, Any]) -> None:
    """Raise bot/declines, with the invalid fields, or bot/busy if the bot does not accept the game."""
    if errors := validation_errors(bot, other, settings):
        raise GameError("bot/declines", errors=errors)
    if count_games(context, [bot])[bot.id] >= bot.games_at_once:
        raise GameError("bot/busy", limit=bot.games_at_once)


def validation_errors(bot: StoredBot, other: StoredPlayer, settings: Mapping[str, Any]) -> dict[str, str]:
    """Return why the bot does not accept a game against `other`, by JSON pointer into the request."""
    errors = {}
    if settings["ruleset"] not in bot.rulesets:
        errors["/ruleset"] = f"must be one of: {', '.join(bot.rulesets)}"
    elif settings["seats"] not in bot.seats:
        errors["/ruleset"] = f"this bot only plays games with {', '.join(map(str, bot.seats))} seats"
    if bot.disabled:
        errors[""] = "the endpoint of this bot has failed for a day: its owner must publish the bot again"
    elif bot.opponents not in (EVERYBODY, BOTS_ALONE if other.bot else PEOPLE_ALONE):
        errors[""] = f"this bot only plays against {bot.opponents}"
    if settings["rated"] and bot.rated == NEVER:
        errors["/rated"] = "must be false: this bot plays no rated games"
    elif settings["rated"] and bot.rated == BOTS_ALONE and not other.bot:
        errors["/rated"] = "must be false: this bot only plays rated games against bots"
    return errors | _clock_errors(bot, settings["clock"])


def _clock_errors(bot: StoredBot, clock: Mapping[str, Any] | None) -> dict[str, str]:
    if clock is None:
        return {} if bot.unclocked else {"/clock": "is required"}
    bounds = {"turn_s": bot.turn_s, "bank_s": bot.bank_s}
    return {
        f"/clock/{name}": f"must be between {least} and {most}"
        for name, (least, most) in bounds.items()
        if not least <= clock[name] <= most
    }


def points_of(bot: StoredBot, ratings: Mapping[str, StoredRating], seats: int) -> dict[str, int]:
    """Return the bot's points in games with `seats` seats, for each ruleset it plays."""
    from service.games import rating  # loads the rules

    known_ratings = {ruleset: ratings.get(rating.rating_field(ruleset, seats)) for ruleset in bot.rulesets}
    return {
        ruleset: (rating.NEW if one is None else rating.Rating(one.mu, one.sigma)).points
        for ruleset, one in known_ratings.items()
    }


def is_mixed(players: Iterable[StoredPlayer]) -> bool:
    """Return whether the players include both people and bots."""
    return len({player.bot for player in players}) > 1


def must_be_rated_together(
    context: Context, players: Sequence[StoredPlayer], consenting: Iterable[str], *, rated: bool
) -> None:
    """Raise game/not_mixed for a rated game of people and bots unless all of them agreed to it.

    `consenting` has the ids of players who agreed. A published bot agrees if it is rated against everybody.
    """
    if not rated or not is_mixed(players):
        return
    willing = {*consenting} | {bot.id for bot in find_published(context, players).values() if bot.rated == EVERYBODY}
    if not {player.id for player in players} <= willing:
        raise GameError("game/not_mixed")


def endpoint_of(bot: StoredBot, *, rated: bool) -> Endpoint | None:
    """Return the endpoint of the bot's seat in a new game, or None if it polls. Failing in a rated game loses it."""
    if bot.endpoint is None:
        return None
    on_failure = LOSE if rated else AI_PLAYS_ON
    return Endpoint(**bot.endpoint, on_failure=on_failure, owner=owner_digest(bot.owner or bot.id))
