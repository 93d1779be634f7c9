"""Bots that one can find: what they say of themselves, whose they are, and the directory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from service.games.errors import GameError
from service.games.rating import NEW, Rating, field_of
from service.games.state.moments import rfc3339
from service.outgoing import signing
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.matchmaking.bots import MAX_BOTS, MAX_BOTS_OF_AN_OWNER, StoredBot
from service.storage.people.players import StoredPlayer
from service.storage.people.ratings import StoredRating
from service.usecases.base import access, handles, published_bots
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.base.published_bots import is_known, is_online
from service.usecases.games.creating import NewEndpoint, check_endpoints

CURSOR = re.compile(r"(-?[0-9]{1,6})\.([A-Za-z0-9_-]{16,17})")
TWO_SEATS = 2
PUBLISHED = ("rulesets", "seats", "unclocked", "games_at_once", "rated", "opponents", "arena", "published_at")


@dataclass(frozen=True)
class NewBot:
    """What a bot says that it plays; see `StoredBot`. `endpoint`: how it is called, None: it polls."""

    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    turn_s: tuple[int, int]
    bank_s: tuple[int, int]
    unclocked: bool
    games_at_once: int
    rated: str
    opponents: str
    arena: bool
    endpoint: NewEndpoint | None = None


@dataclass(frozen=True)
class BotFilters:
    """Which bots are listed; None: whatever it is."""

    ruleset: str | None = None
    seats: int | None = None
    online: bool | None = None


def put(context: Context, caller: Caller, new: NewBot) -> Json:
    """Have the caller be found as a bot: it, and the secret of its endpoint where one was made.

    bot/no_program, request/invalid, outgoing/off, limit/bots.
    """
    player = access.must_be_player(context, caller)
    if not player.bot:
        raise GameError("bot/no_program")
    _check(new)
    check_endpoints(context, {"/endpoint": new.endpoint})
    before = context.bots.get(player.id)
    endpoint = None if new.endpoint is None else _agreed(new.endpoint, before)
    members = {name: value for name, value in vars(new).items() if name != "endpoint"}
    at = rfc3339(context.now_ms()) if before is None else before.published_at
    bot = StoredBot(player.id, **members, endpoint=endpoint, published_at=at)
    if not context.bots.put(bot):
        raise GameError("limit/bots", limit=MAX_BOTS)
    context.bots.saw(player.id, context.now_ms())
    is_new = new.endpoint is not None and new.endpoint.secret is None and endpoint != (before and before.endpoint)
    return {"bot": look(context, player.id), "secret": endpoint["secret"] if endpoint and is_new else None}


def _agreed(endpoint: NewEndpoint, before: StoredBot | None) -> Json:
    """The endpoint as it is kept: with the secret that it names, or had, or a new one."""
    kept = None if before is None or before.endpoint is None else str(before.endpoint["secret"])
    secret = endpoint.secret or kept or signing.new_secret()
    return {"url": endpoint.url, "secret": secret, "timeout_s": endpoint.timeout_s, "attempts": endpoint.attempts}


def _check(new: NewBot) -> None:
    """What hangs on the rulesets, and on what else it says. request/invalid."""
    errors = {}
    counts = sorted({count for ruleset in new.rulesets for count in RULESETS[ruleset].seat_counts})
    if not {*new.seats} <= {*counts}:
        errors["/seats"] = f"must only contain: {', '.join(map(str, counts))}"
    for name in ("turn_s", "bank_s"):
        least, most = getattr(new, name)
        if least > most:
            errors[f"/{name}/least"] = "must not be greater than `most`"
    if not new.turn_s[1] + new.bank_s[1] and not new.unclocked:
        errors["/turn_s/most"] = "must be greater than 0, unless `bank_s` has time or `unclocked` is true"
    if new.arena and new.rated == published_bots.NEVER:
        errors["/arena"] = "requires `rated` other than `never`: arena games are rated"
    elif new.arena and new.opponents == published_bots.PEOPLE_ALONE:
        errors["/arena"] = "requires `opponents` to include bots"
    elif new.arena and TWO_SEATS not in new.seats:
        errors["/arena"] = "requires `seats` to contain 2"
    if errors:
        raise GameError("request/invalid", errors=errors)


def withdraw(context: Context, caller: Caller) -> None:
    """The caller is found as a bot no more. bot/not_found."""
    if not context.bots.drop(access.must_be_player(context, caller).id):
        raise GameError("bot/not_found")


def look(context: Context, word: str) -> Json:
    """The bot of this id or handle. player/not_found, bot/not_found."""
    player = handles.found(context, word)
    bot = published_bots.found(context, [player]).get(player.id)
    if bot is None:
        raise GameError("bot/not_found")
    return _described(context, [bot], BotFilters())[0]


def own(context: Context, player: StoredPlayer) -> Json | None:
    """What is kept of the player as a bot; None where it is none."""
    bot = context.bots.get(player.id)
    return None if bot is None else _described(context, [bot], BotFilters())[0]


def page(context: Context, filters: BotFilters, cursor: str | None, limit: int) -> tuple[list[Json], str | None]:
    """Bots, highest rated first, and the cursor of the next page. ValueError for a cursor that is none."""
    after = _read(cursor)
    now = context.now_ms()
    fitting = [bot for bot in context.bots.every() if is_known(context, bot) and _fits(bot, filters, now)]
    ratings = context.ratings.of_all([bot.id for bot in fitting])
    placed = sorted((-_best(bot, of, filters)[0], bot.id, bot) for bot, of in zip(fitting, ratings, strict=True))
    rest = [bot for points, name, bot in placed if after is None or (points, name) > after]
    shown = _described(context, rest[:limit], filters)
    following = f"{shown[-1]['points']}.{rest[limit - 1].id}" if len(rest) > limit and shown else None
    return shown, following


def _read(cursor: str | None) -> tuple[int, str] | None:
    """After which points, negated, and id a page begins."""
    if cursor is None:
        return None
    match = CURSOR.fullmatch(cursor)
    if match is None:
        raise ValueError("it is no cursor")
    return -int(match[1]), match[2]


def _fits(bot: StoredBot, filters: BotFilters, now_ms: int) -> bool:
    return (
        filters.ruleset in (None, *bot.rulesets)
        and filters.seats in (None, *bot.seats)
        and filters.online in (None, is_online(bot, now_ms))
    )


def _best(bot: StoredBot, ratings: Mapping[str, StoredRating], filters: BotFilters) -> tuple[int, bool]:
    """By what it stands in the list: its points at the ruleset that is asked for, or its best; and if they may be off.

    They are those at two seats, or at as many as are asked for; of somebody new where it has not been rated.
    """
    rulesets = bot.rulesets if filters.ruleset is None else (filters.ruleset,)
    fields = [field_of(ruleset, filters.seats or min(bot.seats)) for ruleset in rulesets]
    found = [Rating(ratings[field].mu, ratings[field].sigma) for field in fields if field in ratings]
    best = max(found, key=lambda rating: rating.points, default=NEW)
    return best.points, best.is_provisional


def _described(context: Context, some: list[StoredBot], filters: BotFilters) -> list[Json]:
    """Return each bot as JSON. Bots whose player was deleted are removed."""
    now, ids = context.now_ms(), [bot.id for bot in some]
    everybody = [*ids, *(bot.owner for bot in some if bot.owner is not None)]
    there = {player.id: player for player in context.players.every(dict.fromkeys(everybody)) if player is not None}
    playing, ratings = published_bots.playing(context, some), context.ratings.of_all(ids)
    results = []
    for bot, of in zip(some, ratings, strict=True):
        if bot.id not in there:
            context.bots.drop(bot.id)
            continue
        points, provisional = _best(bot, of, filters)
        owner = there.get(bot.owner or "")
        results.append(
            {
                "player": player_json(there[bot.id]),
                "owner": None if owner is None else player_json(owner),
                "called": bot.endpoint is not None,
                **{name: getattr(bot, name) for name in PUBLISHED},
                "turn_s": _bounds(bot.turn_s),
                "bank_s": _bounds(bot.bank_s),
                "points": points,
                "provisional": provisional,
                "online": is_online(bot, now),
                "playing": playing[bot.id],
                "busy": playing[bot.id] >= bot.games_at_once,
            }
        )
    return results


def _bounds(bounds: tuple[int, int]) -> Json:
    return {"least": bounds[0], "most": bounds[1]}


# --------------------------------------------------------------------------------------------------------- owners


def adopt(context: Context, caller: Caller, token: str) -> Json:
    """The bot whose token is shown is the caller's, who so has both. auth/token_unknown of it, too.

    bot/not_found, player/yourself, limit/bots.
    """
    owner = access.must_be_player(context, caller)
    player = access.must_be_player(context, Caller(token, changes=True))
    if player.id == owner.id:
        raise GameError("player/yourself")
    word = context.bots.give(player.id, owner.id)
    if word == "full":
        raise GameError("limit/bots", limit=MAX_BOTS_OF_AN_OWNER)
    if word == "gone":
        raise GameError("bot/not_found")
    return look(context, player.id)


def owned(context: Context, caller: Caller) -> list[Json]:
    """The caller's bots, highest rated first."""
    owner = access.must_be_player(context, caller)
    shown = _described(context, [bot for bot in context.bots.every() if bot.owner == owner.id], BotFilters())
    return sorted(shown, key=lambda bot: (-bot["points"], bot["player"]["id"]))


def release(context: Context, caller: Caller, word: str) -> None:
    """The bot of this id or handle is not the caller's any more. bot/not_found."""
    owner = access.must_be_player(context, caller)
    bot = handles.find(context, word)
    if not context.bots.release(word if bot is None else bot.id, owner.id):
        raise GameError("bot/not_found")
