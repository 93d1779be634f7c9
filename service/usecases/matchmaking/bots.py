"""Published bots: their settings, owners and the directory."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from service.games.errors import GameError
from service.games.rating import NEW, Rating, rating_field
from service.games.state.moments import rfc3339
from service.outgoing import signing
from service.rulesets.wire import Json
from service.storage.base.shares import Share
from service.storage.matchmaking.bots import MAX_BOTS, MAX_BOTS_OF_AN_OWNER, StoredBot
from service.storage.people.players import StoredPlayer
from service.storage.people.ratings import StoredRating
from service.usecases.base import access, handles, outgoing, published_bots
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.base.published_bots import is_online, is_published
from service.usecases.games import shares
from service.usecases.games.creating import NewEndpoint
from service.usecases.games.tokens import RANDOM, Issuer

CURSOR = re.compile(r"(-?[0-9]{1,6})\.([A-Za-z0-9_-]{16,17})")
PUBLISHED = ("rulesets", "seats", "unclocked", "games_at_once", "rated", "opponents", "arena", "published_at")


@dataclass(frozen=True)
class NewBot:
    """The games that a bot accepts; see `StoredBot`. `endpoint` None: the bot polls."""

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
    """Filters of the directory; None matches any value."""

    ruleset: str | None = None
    seats: int | None = None
    online: bool | None = None


def publish(context: Context, caller: Caller, new: NewBot) -> Json:
    """Publish the caller as a bot. Return the bot, and the secret of its endpoint if it is new.

    Raises: bot/no_program, outgoing/off, limit/bots.
    """
    player = access.must_be_player(context, caller)
    if not player.bot:
        raise GameError("bot/no_program")
    if new.endpoint is not None:
        outgoing.must_be_on(context)
    before = context.bots.get(player.id)
    endpoint = None if new.endpoint is None else _stored_endpoint(new.endpoint, before)
    members = {name: value for name, value in vars(new).items() if name != "endpoint"}
    at = rfc3339(context.now_ms()) if before is None else before.published_at
    bot = StoredBot(player.id, **members, endpoint=endpoint, published_at=at)
    if before is not None and before.endpoint and endpoint and before.endpoint["secret"] == endpoint["secret"]:
        bot = replace(bot, old_secrets=before.old_secrets, secret_request=before.secret_request)
    now, share = context.now_ms(), Share(caller.share, player.id, shares.most_of_caller(context))
    word = shares.add_entry(
        context.bots.shared_list,
        share.caller,
        lambda: context.bots.publish(bot, now, share),
        lambda ids: _withdraw_idle(context, ids),
    )
    shares.must_be_added(context, word, "limit/bots", of_player=1, of_all=MAX_BOTS)
    context.bots.record_visit(player.id, context.now_ms())
    if endpoint is not None:
        owner = outgoing.owner_digest((before and before.owner) or player.id)
        context.endpoint_health.reset(outgoing.endpoint_id(owner, endpoint["url"]))
    is_new = new.endpoint is not None and new.endpoint.secret is None and endpoint != (before and before.endpoint)
    return {"bot": get(context, player.id), "secret": endpoint["secret"] if endpoint and is_new else None}


def _withdraw_idle(context: Context, bot_ids: Sequence[str]) -> bool:
    """Withdraw the first of these bots that plays no game. Return False if there is none."""
    found = [bot for bot in context.bots.get_many(bot_ids) if bot is not None]
    playing = published_bots.count_games(context, found)
    return any(context.bots.withdraw(bot.id) for bot in found if not playing[bot.id])


def _stored_endpoint(endpoint: NewEndpoint, before: StoredBot | None) -> Json:
    """Return the endpoint for storage, with the given secret, the previous one, or else a new one."""
    old_secret = None if before is None or before.endpoint is None else str(before.endpoint["secret"])
    secret = endpoint.secret or old_secret or signing.new_secret()
    return {"url": endpoint.url, "secret": secret, "timeout_s": endpoint.timeout_s, "attempts": endpoint.attempts}


def rotate_secret(
    context: Context, caller: Caller, secret: str | None, overlap_s: int, issuer: Issuer = RANDOM
) -> Json:
    """Replace the secret of the caller's endpoint. It is returned once. Old secrets sign for at most `overlap_s` more.

    Raises: bot/not_found, bot/no_endpoint, request/invalid.
    """
    new, request, now = secret or signing.new_secret(), issuer.id_in(context), context.now_ms()

    def update(bot: StoredBot, endpoint: Json) -> StoredBot:
        if bot.secret_request == request:  # an interrupted request has rotated it
            return bot
        outgoing.must_be_new(new, endpoint["secret"])
        old = signing.replace_secret(endpoint["secret"], bot.old_secrets, new, now, overlap_s)
        return replace(bot, endpoint={**endpoint, "secret": new}, old_secrets=old, secret_request=request)

    bot = _change_called(context, caller, update)
    return {"bot": _bots_json(context, [bot], BotFilters())[0], "secret": (bot.endpoint or {})["secret"]}


def end_old_secrets(context: Context, caller: Caller) -> None:
    """Let only the current secret of the caller's endpoint sign. Raises: bot/not_found, bot/no_endpoint."""
    _change_called(context, caller, lambda bot, _: replace(bot, old_secrets=()))


def _change_called(context: Context, caller: Caller, update: Callable[[StoredBot, Json], StoredBot]) -> StoredBot:
    """Change the caller's bot, given its endpoint, and return it. Raises: bot/not_found, bot/no_endpoint."""

    def change(bot: StoredBot) -> StoredBot:
        if bot.endpoint is None:
            raise GameError("bot/no_endpoint")
        return update(bot, bot.endpoint)

    bot = context.bots.change(access.must_be_player(context, caller).id, change)
    if bot is None:
        raise GameError("bot/not_found")
    return bot


def withdraw(context: Context, caller: Caller) -> None:
    """Remove the caller from the published bots. Raises: bot/not_found."""
    if not context.bots.withdraw(access.must_be_player(context, caller).id):
        raise GameError("bot/not_found")


def get(context: Context, word: str) -> Json:
    """Return the bot with this id or handle. Raises: player/not_found, bot/not_found."""
    player = handles.must_find(context, word)
    bot = published_bots.find_published(context, [player]).get(player.id)
    if bot is None:
        raise GameError("bot/not_found")
    return _bots_json(context, [bot], BotFilters())[0]


def own_bot(context: Context, player: StoredPlayer) -> Json | None:
    """Return the player's bot, published or not, or None."""
    bot = context.bots.get(player.id)
    return None if bot is None else _bots_json(context, [bot], BotFilters())[0]


def list_bots(context: Context, filters: BotFilters, cursor: str | None, limit: int) -> tuple[list[Json], str | None]:
    """Return bots, highest rated first, and the cursor of the next page. Raises `ValueError` for an invalid cursor."""
    after = _read_cursor(cursor)
    now = context.now_ms()
    matching = [bot for bot in context.bots.get_all() if is_published(context, bot) and _fits(bot, filters, now)]
    ratings = context.ratings.get_many([bot.id for bot in matching])
    placed = sorted(
        (-_best_points(bot, of, filters)[0], bot.id, bot) for bot, of in zip(matching, ratings, strict=True)
    )
    rest = [bot for points, name, bot in placed if after is None or (points, name) > after]
    shown = _bots_json(context, rest[:limit], filters)
    following = f"{shown[-1]['points']}.{rest[limit - 1].id}" if len(rest) > limit and shown else None
    return shown, following


def _read_cursor(cursor: str | None) -> tuple[int, str] | None:
    """Return the negated points and the id after which a page begins."""
    if cursor is None:
        return None
    match = CURSOR.fullmatch(cursor)
    if match is None:
        raise ValueError(f"invalid cursor: {cursor}")
    return -int(match[1]), match[2]


def _fits(bot: StoredBot, filters: BotFilters, now_ms: int) -> bool:
    return (
        filters.ruleset in (None, *bot.rulesets)
        and filters.seats in (None, *bot.seats)
        and filters.online in (None, is_online(bot, now_ms))
    )


def _best_points(bot: StoredBot, ratings: Mapping[str, StoredRating], filters: BotFilters) -> tuple[int, bool]:
    """Return the points by which a bot is sorted, and whether they are provisional.

    They are the rating at the filtered ruleset, or the best one, at the filtered number of seats or else the smallest.
    An unrated bot has the points of a new player.
    """
    rulesets = bot.rulesets if filters.ruleset is None else (filters.ruleset,)
    fields = [rating_field(ruleset, filters.seats or min(bot.seats)) for ruleset in rulesets]
    rated = [Rating(ratings[field].mu, ratings[field].sigma) for field in fields if field in ratings]
    best = max(rated, key=lambda rating: rating.points, default=NEW)
    return best.points, best.is_provisional


def _bots_json(context: Context, bots: list[StoredBot], filters: BotFilters) -> list[Json]:
    """Return each bot as JSON. Bots whose player was deleted are removed."""
    now, ids = context.now_ms(), [bot.id for bot in bots]
    player_ids = [*ids, *(bot.owner for bot in bots if bot.owner is not None)]
    players = {
        player.id: player for player in context.players.get_many(dict.fromkeys(player_ids)) if player is not None
    }
    playing, ratings = published_bots.count_games(context, bots), context.ratings.get_many(ids)
    results = []
    for bot, bot_ratings in zip(bots, ratings, strict=True):
        if bot.id not in players:
            context.bots.withdraw(bot.id)
            continue
        points, provisional = _best_points(bot, bot_ratings, filters)
        owner = players.get(bot.owner or "")
        results.append(
            {
                "player": player_json(players[bot.id]),
                "owner": None if owner is None else player_json(owner),
                "called": bot.endpoint is not None,
                "disabled": bot.disabled,
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
    """Make the caller the owner of the bot whose token they send.

    Raises: auth/token_unknown, bot/not_found, player/yourself, limit/bots.
    """
    owner = access.must_be_player(context, caller)
    player = access.must_be_player(context, Caller(token, changes=True))
    if player.id == owner.id:
        raise GameError("player/yourself")
    word = context.bots.set_owner(player.id, owner.id)
    if word == "full":
        raise GameError("limit/bots", limit=MAX_BOTS_OF_AN_OWNER)
    if word == "gone":
        raise GameError("bot/not_found")
    return get(context, player.id)


def owned_bots(context: Context, caller: Caller) -> list[Json]:
    """Return the caller's bots, highest rated first."""
    owner = access.must_be_player(context, caller)
    shown = _bots_json(context, [bot for bot in context.bots.get_all() if bot.owner == owner.id], BotFilters())
    return sorted(shown, key=lambda bot: (-bot["points"], bot["player"]["id"]))


def release(context: Context, caller: Caller, word: str) -> None:
    """Remove the caller as the owner of the bot with this id or handle. Raises: bot/not_found."""
    owner = access.must_be_player(context, caller)
    bot = handles.find(context, word)
    if not context.bots.remove_owner(word if bot is None else bot.id, owner.id):
        raise GameError("bot/not_found")
