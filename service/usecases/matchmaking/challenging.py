"""Challenges: a player asks another for a game, who accepts or declines it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import orjson

from service.games.errors import GameError
from service.games.notices import CHALLENGE, CHALLENGE_ANSWERED
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.matchmaking.bots import StoredBot
from service.storage.matchmaking.challenges import MAX_RECEIVED, MAX_SENT, Accepted, StoredChallenge
from service.storage.matchmaking.seeks import Pairing, Partner
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, handles, published_bots
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.base.profiles import player_json
from service.usecases.matchmaking import pairing
from service.usecases.matchmaking.seeking import NewSeek, faults_of, id_of

UNANSWERED, ACCEPTED, DECLINED, WITHDRAWN, EXPIRED = "open", "accepted", "declined", "withdrawn", "expired"
CHALLENGE_STATUSES = (UNANSWERED, ACCEPTED, DECLINED, WITHDRAWN, EXPIRED)
DECLINE_REASONS = ("none", "later", "too_fast", "too_slow", "other_ruleset", "other_variant", "no_bots", "only_bots")


def challenge(
    context: Context, caller: Caller, word: str, wanted: NewSeek, idempotency: Idempotency | None = None
) -> Json:
    """Ask the player of this id or handle for a game of two seats, who has `wanted.keep_s` seconds to answer.

    A bot that is called accepts at once. Who asks again with the same key has still one challenge. player/not_found,
    player/yourself, player/blocked, request/invalid, bot/declines, bot/busy, game/not_mixed, limit/challenges,
    idempotency/mismatch.
    """
    player, other, now = access.must_be_player(context, caller), handles.found(context, word), context.now_ms()
    if errors := faults_of(wanted):
        raise GameError("request/invalid", errors=errors)
    if other.id == player.id:
        raise GameError("player/yourself")
    if context.players.has_blocked([other.id], player.id):
        raise GameError("player/blocked")
    challenge_id = id_of(context, "challenge", player.id, idempotency)
    one = StoredChallenge(challenge_id, player.id, other.id, wanted.settings(), now, now + 1000 * wanted.keep_s)
    one = replace(one, mixed=wanted.mixed)
    if idempotency is not None and (before := context.challenges.get(challenge_id)) is not None:
        if (before.challenged, before.settings) != (one.challenged, one.settings):
            raise GameError("idempotency/mismatch")
        return _created(context, _as_at(now, before))
    if wanted.rated and other.bot != player.bot and not wanted.mixed:
        raise GameError("game/not_mixed")
    bot = published_bots.found(context, [other]).get(other.id)
    if bot is not None:
        published_bots.must_accept(context, bot, player, one.settings)
    if bot is not None and bot.endpoint is not None:
        return _accepted_at_once(context, one, bot, [player, other])
    shown = _shown(one, [player, other])
    _must_be_added(context.challenges.add(one, now, _notice(context, CHALLENGE, other.id, shown)))
    return shown


def _must_be_added(word: str) -> None:
    """bot/busy, limit/challenges."""
    if word == "busy":
        raise GameError("bot/busy")
    if word != "done":
        raise GameError("limit/challenges", limit=MAX_SENT if word == "sent" else MAX_RECEIVED)


def _accepted_at_once(context: Context, one: StoredChallenge, bot: StoredBot, people: list[StoredPlayer]) -> Json:
    """The challenge of a bot that is called, with its game. bot/busy, where somebody was faster."""
    coming = pairing.seated(context, one.settings, [Partner(person.id, person.name, None) for person in people])
    accepted = replace(one, status=ACCEPTED, game_id=coming.game_id)
    notice = _notice(context, CHALLENGE, bot.id, _shown(accepted, people))
    due_ms, ttl_s = context.now_ms() + pairing.DUE_MS, context.settings.game_ttl_s
    _must_be_added(
        context.challenges.add(accepted, one.created_at, notice, Accepted(coming, due_ms, bot.games_at_once, ttl_s))
    )
    return _created(context, accepted)


def listed(context: Context, caller: Caller, timeout_s: float) -> Json:
    """Challenges that wait for the caller, and those of the caller; with a time-out, as soon as one waits for them."""
    player = access.must_be_player(context, caller)
    if timeout_s:
        context.hub.wait_for_challenge(player.id, lambda: _is_asked(context, player.id), timeout_s)
    now = context.now_ms()
    received, sent = context.challenges.received(player.id, now), context.challenges.sent(player.id, now)
    return {"received": _all_shown(context, received), "sent": _all_shown(context, sent)}


def _is_asked(context: Context, player_id: str) -> bool:
    return bool(context.challenges.received(player_id, context.now_ms()))


def follow(
    context: Context, caller: Caller, after: int | None, keep_alive_s: float = 15.0
) -> Iterator[tuple[int, Json] | None]:
    """Every change of a challenge of the caller, or for them, with its version; None after `keep_alive_s` of waiting.

    Without `after`, a version, it begins with all that wait. Whatever is wrong with the request is raised here, before
    the first item.
    """
    return _followed(context, access.must_be_player(context, caller), after, keep_alive_s)


def _followed(
    context: Context, player: StoredPlayer, after: int | None, keep_alive_s: float
) -> Iterator[tuple[int, Json] | None]:
    player_id, challenges, now = player.id, context.challenges, context.now_ms()
    version = challenges.version(player_id)
    waiting = {one.id: one for one in (*challenges.received(player_id, now), *challenges.sent(player_id, now))}
    if after is None:
        yield from ((version, shown) for shown in _all_shown(context, list(waiting.values())))
    else:
        version = after
    while True:
        now = context.now_ms()
        ended = [(version, one) for one in waiting.values() if one.ends_at <= now]
        changes = [*ended, *challenges.told(player_id, version)]
        for version, one in changes:
            if one is None:  # its other player is no more
                continue
            as_it_is = _as_at(now, one)
            waiting.pop(one.id, None)
            if as_it_is.status == UNANSWERED:
                waiting[one.id] = one
            yield version, _created(context, as_it_is)
        next_end = min((one.ends_at for one in waiting.values()), default=math.inf)
        timeout_s = max(0.0, min(keep_alive_s, (next_end - context.now_ms()) / 1000))
        if not context.hub.wait_for_changed_challenge(
            player_id, version, lambda: challenges.version(player_id), timeout_s
        ):
            if player.bot:
                published_bots.note(context, player)
            yield None


def look(context: Context, caller: Caller, challenge_id: str, timeout_s: float) -> Json:
    """A challenge of the caller, or for them; with a time-out, as soon as it is answered. challenge/not_found."""
    player = access.must_be_player(context, caller)
    one = _own(context, player, challenge_id)
    if timeout_s and one.status == UNANSWERED:
        left_s = max(0.0, (one.ends_at - context.now_ms()) / 1000)
        context.hub.wait_for_answer(challenge_id, lambda: _is_answered(context, challenge_id), min(timeout_s, left_s))
        one = _own(context, player, challenge_id)
    return _created(context, one)


def _is_answered(context: Context, challenge_id: str) -> bool:
    one = context.challenges.get(challenge_id)
    return one is None or one.status != UNANSWERED


def accept(context: Context, caller: Caller, challenge_id: str, *, mixed: bool = False) -> Json:
    """The game begins. challenge/not_found, challenge/answered, where it is not open any more, game/not_mixed."""
    player = access.must_be_player(context, caller)
    one = _to_answer(context, player, challenge_id)
    challenger = context.players.get(one.challenger)
    if challenger is None:  # they are no more
        raise GameError("challenge/not_found")
    people = [challenger, player]
    said = [*([challenger.id] if one.mixed else []), *([player.id] if mixed else [])]
    published_bots.must_be_rated_together(context, people, said, rated=one.settings["rated"])
    partners = [Partner(person.id, person.name, None) for person in people]
    coming = pairing.seated(context, one.settings, partners)
    changed = replace(one, status=ACCEPTED, game_id=coming.game_id)
    _change(context, one, changed, one.challenger, (coming, context.now_ms() + pairing.DUE_MS))
    return _created(context, changed)


def decline(context: Context, caller: Caller, challenge_id: str, reason: str) -> Json:
    """There will be no game. challenge/not_found, challenge/answered."""
    player = access.must_be_player(context, caller)
    one = _to_answer(context, player, challenge_id)
    changed = replace(one, status=DECLINED, reason=reason)
    _change(context, one, changed, one.challenger)
    return _created(context, changed)


def withdraw(context: Context, caller: Caller, challenge_id: str) -> None:
    """The caller does not ask any more. challenge/not_found, challenge/answered."""
    player = access.must_be_player(context, caller)
    one = _own(context, player, challenge_id)
    if one.challenger != player.id:
        raise GameError("challenge/not_found")
    if one.status != UNANSWERED:
        raise GameError("challenge/answered", became=one.status)
    _change(context, one, replace(one, status=WITHDRAWN), one.challenged)


def _own(context: Context, player: StoredPlayer, challenge_id: str) -> StoredChallenge:
    """A challenge of the player, or for them, as it is now. challenge/not_found."""
    one = context.challenges.get(challenge_id)
    if one is None or player.id not in (one.challenger, one.challenged):
        raise GameError("challenge/not_found")
    return _as_at(context.now_ms(), one)


def _as_at(now_ms: int, one: StoredChallenge) -> StoredChallenge:
    """The challenge, expired if its time is up."""
    is_late = one.status == UNANSWERED and one.ends_at <= now_ms
    return replace(one, status=EXPIRED) if is_late else one


def _to_answer(context: Context, player: StoredPlayer, challenge_id: str) -> StoredChallenge:
    """A challenge that waits for the player. challenge/not_found, challenge/answered."""
    one = _own(context, player, challenge_id)
    if one.challenged != player.id:
        raise GameError("challenge/not_found")
    if one.status != UNANSWERED:
        raise GameError("challenge/answered", became=one.status)
    return one


def _change(
    context: Context,
    one: StoredChallenge,
    changed: StoredChallenge,
    told: str,
    paired: tuple[Pairing, int] | None = None,
) -> None:
    """Commit it. challenge/answered if somebody was faster."""
    shown = _shown(changed, context.players.every([one.challenger, one.challenged]))
    notice = _notice(context, CHALLENGE_ANSWERED, told, shown)
    if not context.challenges.change(one, changed, (told, notice), paired):
        now = context.challenges.get(one.id)
        raise GameError("challenge/answered", became=WITHDRAWN if now is None else now.status)


def _created(context: Context, one: StoredChallenge) -> Json:
    """The challenge as it is told; where a game comes of it, that is there."""
    if one.game_id is not None and (coming := context.seeks.pairing(one.game_id)) is not None:
        pairing.create(context, coming)
    return _all_shown(context, [one])[0]


def _all_shown(context: Context, every: list[StoredChallenge]) -> list[Json]:
    people = context.players.every([player for one in every for player in (one.challenger, one.challenged)])
    return [_shown(one, people[2 * number : 2 * number + 2]) for number, one in enumerate(every)]


def _shown(one: StoredChallenge, people: Sequence[StoredPlayer | None]) -> Json:
    """A challenge as it is told. `people`: the challenger and the challenged, None for one who is gone."""
    challenger, challenged = (None if person is None else player_json(person) for person in people)
    return {
        "id": one.id,
        "challenger": challenger,
        "challenged": challenged,
        **one.settings,
        "mixed": one.mixed,
        "created_at": rfc3339(one.created_at),
        "ends_at": rfc3339(one.ends_at),
        "status": one.status,
        "reason": one.reason,
        "game_id": one.game_id,
    }


def _notice(context: Context, kind: str, player_id: str, shown: Json) -> bytes:
    """What a player is told, as `deliveries` reads it from the outbox."""
    data = {"player": player_id, "challenge": shown}
    return orjson.dumps({"type": kind, "timestamp": rfc3339(context.now_ms()), "data": data})
