"""Relations between players: whom a player has blocked, and whom they follow. Nobody else sees either.

A block ends following in both directions and prevents it. The two players may be in different hash slots, so `follow`
checks for blocks again after it has stored the relation: a block that came in between did not find it.
"""

from __future__ import annotations

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.people.players import BLOCKED, FOLLOWED, Relation, StoredPlayer
from service.usecases.base import access, handles, published_bots
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.matchmaking import challenging


def block(context: Context, caller: Caller, word: str) -> None:
    """Block the player with this id or handle: they cannot join the caller's games or write to them.

    Ends the open challenges between them, and following in both directions.

    Raises: player/not_found, player/yourself, limit/blocked.
    """
    player, other = _find_pair(context, caller, word)
    _relate(context, player, BLOCKED, other.id, "limit/blocked", FOLLOWED)
    context.players.end_relation(other, FOLLOWED, player.id)
    challenging.end_between(context, player.id, other.id)


def unblock(context: Context, caller: Caller, word: str) -> None:
    """Unblock the player with this id or handle. Does nothing if they are not blocked."""
    _end(context, caller, BLOCKED, word)


def list_blocked(context: Context, caller: Caller) -> list[Json]:
    """Return the players that the caller has blocked, oldest first. A deleted player has only an id."""
    return blocked_json(context, access.must_be_player(context, caller))


def blocked_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the players that a player has blocked, as `list_blocked` does."""
    blocked = context.players.relations(player, BLOCKED)
    others = context.players.get_many(blocked)
    return [
        {"id": other_id, "player": None if other is None else player_json(other), "blocked_at": at}
        for (other_id, at), other in zip(blocked.items(), others, strict=True)
    ]


def follow(context: Context, caller: Caller, word: str) -> None:
    """Follow the player with this id or handle. They are not notified.

    Raises: player/not_found, player/yourself, player/blocked, limit/following.
    """
    player, other = _find_pair(context, caller, word)
    _must_not_be_blocked(context, player, other)
    _relate(context, player, FOLLOWED, other.id, "limit/following")
    try:
        _must_not_be_blocked(context, player, other)
    except GameError:
        context.players.end_relation(player, FOLLOWED, other.id)
        raise


def unfollow(context: Context, caller: Caller, word: str) -> None:
    """Stop following the player with this id or handle. Does nothing if the caller does not follow them."""
    _end(context, caller, FOLLOWED, word)


def list_following(context: Context, caller: Caller) -> list[Json]:
    """Return the players that the caller follows, oldest first, and whether they are online.

    Banned players are omitted. Deleted players are removed.
    """
    return following_json(context, access.must_be_player(context, caller))


def following_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the players that a player follows, as `list_following` does."""
    now = context.now_ms()
    followed = context.players.relations(player, FOLLOWED)
    connected = [context.presence.question(other_id, now) for other_id in followed]
    others = dict(zip(followed, context.players.get_many(followed, *connected), strict=True))
    if deleted := [other_id for other_id, other in others.items() if other is None]:
        context.players.end_relation(player, FOLLOWED, *deleted)
    bots = published_bots.find_published(context, filter(None, others.values()))
    is_connected = {other_id: question.answer for other_id, question in zip(followed, connected, strict=True)}
    return [
        {
            "player": player_json(other),
            "online": published_bots.is_online(bots[other.id], now) if other.id in bots else is_connected[other.id],
            "followed_at": followed[other.id],
        }
        for other in others.values()
        if other is not None and other.banned_at is None
    ]


def _find_pair(context: Context, caller: Caller, word: str) -> tuple[StoredPlayer, StoredPlayer]:
    """Return the caller and the player with this id or handle. Raises: player/not_found, player/yourself."""
    player, other = access.must_be_player(context, caller), handles.must_find(context, word)
    if other.id == player.id:
        raise GameError("player/yourself")
    return player, other


def _must_not_be_blocked(context: Context, player: StoredPlayer, other: StoredPlayer) -> None:
    if context.players.blocks_among([player.id, other.id]):
        raise GameError("player/blocked")


def _relate(
    context: Context, player: StoredPlayer, kind: Relation, other_id: str, limit_code: str, *ended: Relation
) -> None:
    is_related = context.players.relate(player, kind, other_id, rfc3339(context.now_ms()), *ended)
    if is_related is None:
        raise GameError("auth/token_unknown")
    if not is_related:
        raise GameError(limit_code, limit=kind.most)


def _end(context: Context, caller: Caller, kind: Relation, word: str) -> None:
    player, other = access.must_be_player(context, caller), handles.find(context, word)
    context.players.end_relation(player, kind, word if other is None else other.id)
