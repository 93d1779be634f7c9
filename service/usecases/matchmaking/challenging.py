"""Challenges: one player offers another a game."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

import orjson

from service.games.errors import GameError
from service.games.notices import CHALLENGE, CHALLENGE_ANSWERED
from service.games.state.clocks import ClockRule
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.transactions import APPLIED
from service.storage.matchmaking.bots import StoredBot
from service.storage.matchmaking.challenges import MAX_RECEIVED, MAX_SENT, Acceptance, StoredChallenge
from service.storage.matchmaking.seeks import Pairing, Partner
from service.storage.matchmaking.starts import LAPSED, NO_PLACE
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, handles, published_bots
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games import shares
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.matchmaking import pairing
from service.usecases.matchmaking.seeking import NewSeek

UNANSWERED, ACCEPTED, DECLINED, WITHDRAWN, EXPIRED = "open", "accepted", "declined", "withdrawn", "expired"
CHALLENGE_STATUSES = (UNANSWERED, ACCEPTED, DECLINED, WITHDRAWN, EXPIRED)
DECLINE_REASONS = ("none", "later", "too_fast", "too_slow", "other_ruleset", "other_variant", "no_bots", "only_bots")


def create(context: Context, caller: Caller, word: str, wanted: NewSeek, issuer: Issuer = RANDOM) -> Json:
    """Challenge the player with this id or handle to a game of two seats. They have `wanted.keep_s` seconds to answer.

    A bot with an endpoint accepts at once. A repeated request creates no second challenge.

    Raises: player/not_found, player/yourself, player/blocked, bot/declines, bot/busy, game/not_mixed,
    limit/challenges, limit/open_games, limit/aborted_games.
    """
    player, now, challenge_id = access.must_be_player(context, caller), context.now_ms(), issuer.id_in(context)
    if issuer.is_repeated and (before := context.challenges.get(challenge_id)):  # an interrupted request created it
        return _with_game(context, _expire(now, before))
    other = handles.must_find(context, word)
    if other.id == player.id:
        raise GameError("player/yourself")
    if context.players.blocks_among([player.id, other.id]):
        raise GameError("player/blocked")
    one = StoredChallenge(challenge_id, player.id, other.id, wanted.settings(), now, now + 1000 * wanted.keep_s)
    one = replace(one, mixed=wanted.mixed, caller=caller.share)
    if wanted.rated and other.bot != player.bot and not wanted.mixed:
        raise GameError("game/not_mixed")
    if wanted.rated:
        access.must_get_rated_games(context, [player.id, other.id])
    bot = published_bots.find_published(context, [other]).get(other.id)
    if bot is not None:
        published_bots.must_accept(context, bot, player, one.settings)
        one = _with_clock(one, bot)
    if bot is not None and bot.endpoint is not None:
        return _create_accepted(context, one, bot, [player, other])
    return _create_open(context, one, [player, other])


def _with_clock(one: StoredChallenge, bot: StoredBot) -> StoredChallenge:
    """Return the challenge with a clock: its own, or else the default of the bot."""
    clock = published_bots.default_clock([bot])
    if one.settings["clock"] is not None or clock is None:
        return one
    return replace(one, settings={**one.settings, "clock": asdict(clock)})


def _create_open(context: Context, one: StoredChallenge, people: list[StoredPlayer]) -> Json:
    """Create a challenge that waits for its answer. Raises: limit/challenges, limit/open_games."""
    shares.must_have_room(context, shares.holders(one.caller, one.challenger))
    shown = _challenge_json(one, people)
    notice, most = _notice(context, CHALLENGE, one.challenged, shown), shares.most_of_caller(context)
    word = shares.add_entry(
        context.challenges.shared_list(one.challenged, one.created_at),
        one.caller,
        lambda: context.challenges.add(one, one.created_at, notice, most_of_caller=most),
        lambda ids: any(
            open_one.status == UNANSWERED and end(context, open_one, EXPIRED)
            for open_one in map(context.challenges.get, ids)
            if open_one is not None
        ),
    )
    shares.must_be_added(context, word, "limit/challenges", of_player=MAX_SENT, of_all=MAX_RECEIVED)
    return shown


def _create_accepted(context: Context, one: StoredChallenge, bot: StoredBot, people: list[StoredPlayer]) -> Json:
    """Create a challenge that a bot with an endpoint accepts, with its game. Raises: bot/busy, limit/open_games."""
    coming = pairing.draw_seats(
        context, one.settings, [Partner(person.id, person.display_name, None) for person in people]
    )
    accepted = replace(one, status=ACCEPTED, game_id=coming.game_id)
    notice = _notice(context, CHALLENGE, bot.id, _challenge_json(accepted, people))
    names = shares.holders(one.caller, one.challenger)
    shares.count_game(context, coming.game_id, names)
    acceptance = _acceptance(context, one, coming, None)
    if context.challenges.add(accepted, one.created_at, notice, acceptance) != APPLIED:
        shares.release(context, coming.game_id, names)
        raise GameError("bot/busy")
    return _with_game(context, accepted)


def list_challenges(context: Context, caller: Caller, timeout_s: float) -> Json:
    """Return the challenges to and by the caller. With a timeout, wait for one to the caller."""
    player = access.must_be_player(context, caller)
    if timeout_s:

        def has_received() -> bool:
            return bool(context.challenges.list_received(player.id, context.now_ms()))

        context.hub.wait_for_challenge(player.id, has_received, timeout_s)
        access.must_be_player(context, caller)  # the token may have ended
    now = context.now_ms()
    received, sent = context.challenges.list_received(player.id, now), context.challenges.list_sent(player.id, now)
    return {"received": _challenges_json(context, received), "sent": _challenges_json(context, sent)}


class ChallengeChanges:
    """The changes of the challenges from and to a player, each as (version, challenge).

    Starts with the open challenges, or with the changes after a version.
    """

    def __init__(self, context: Context, player_id: str, after: int | None) -> None:
        self._context, self._player_id, self._after = context, player_id, after or 0
        self._is_new = after is None
        challenges, now = context.challenges, context.now_ms()
        found = (*challenges.list_received(player_id, now), *challenges.list_sent(player_id, now))
        self._waiting = {one.id: one for one in found}

    def read(self) -> list[tuple[int, Json]]:
        """Return the changes since the last call, including challenges that have expired."""
        now = self._context.now_ms()
        ended = [(self._after, one) for one in self._waiting.values() if one.ends_at <= now]
        listed = self._context.challenges.list_changes(self._player_id, self._after)
        changes = [(version, one) for version, one in listed if one is not None]  # the other player was deleted
        if self._is_new:
            changes = self._open_changes(changes)
            self._is_new = False
        self._after = max([self._after, *(version for version, _ in listed)])
        shown = []
        for version, one in (*ended, *changes):
            current = _expire(now, one)
            self._waiting.pop(one.id, None)
            if current.status == UNANSWERED:
                self._waiting[one.id] = one
            shown.append((version, _with_game(self._context, current)))
        return shown

    def _open_changes(self, changes: list[tuple[int, StoredChallenge]]) -> list[tuple[int, StoredChallenge]]:
        """Return the open ones among all listed changes, after those that are too old for the list."""
        listed = {one.id for _, one in changes}
        older = [(one.created_at, one) for one in self._waiting.values() if one.id not in listed]
        return [*older, *((version, one) for version, one in changes if one.status == UNANSWERED)]

    @property
    def next_end_ms(self) -> float:
        """Unix ms when the next open challenge expires, or infinity."""
        return min((one.ends_at for one in self._waiting.values()), default=math.inf)


def get(context: Context, caller: Caller, challenge_id: str, timeout_s: float) -> Json:
    """Return a challenge to or by the caller. With a timeout, wait for the answer. Raises: challenge/not_found."""
    player = access.must_be_player(context, caller)
    one = _load(context, player, challenge_id)
    if timeout_s and one.status == UNANSWERED:
        left_s = max(0.0, (one.ends_at - context.now_ms()) / 1000)
        context.hub.wait_for_answer(challenge_id, lambda: _is_answered(context, challenge_id), min(timeout_s, left_s))
        access.must_be_player(context, caller)  # the token may have ended
        one = _load(context, player, challenge_id)
    return _with_game(context, one)


def _is_answered(context: Context, challenge_id: str) -> bool:
    one = context.challenges.get(challenge_id)
    return one is None or one.status != UNANSWERED


def accept(
    context: Context, caller: Caller, challenge_id: str, *, mixed: bool = False, issuer: Issuer = RANDOM
) -> Json:
    """Accept the challenge and create the game.

    Raises: challenge/not_found, challenge/answered, game/not_mixed, bot/busy, limit/aborted_games, limit/open_games if
    either player has too many.
    """
    player = access.must_be_player(context, caller)
    if issuer.is_repeated and (earlier := _load(context, player, challenge_id)).status == ACCEPTED:
        return _with_game(context, earlier)
    one = _load_open(context, player, challenge_id, "challenged")
    challenger = context.players.get(one.challenger)
    if challenger is None:
        raise GameError("challenge/not_found")
    people = [challenger, player]
    if context.players.blocks_among([person.id for person in people]):
        raise GameError("challenge/answered", became=WITHDRAWN)
    consenting = [*([challenger.id] if one.mixed else []), *([player.id] if mixed else [])]
    published_bots.must_be_rated_together(context, people, consenting, rated=one.settings["rated"])
    if one.settings["rated"]:
        access.must_get_rated_games(context, [person.id for person in people])
    partners = [Partner(person.id, person.display_name, None) for person in people]
    coming = pairing.draw_seats(context, one.settings, partners)
    changed = replace(one, status=ACCEPTED, game_id=coming.game_id)
    names = [*shares.holders(one.caller, one.challenger), *shares.holders_of(caller)]
    shares.count_game(context, coming.game_id, names)
    try:
        _change(context, one, changed, coming)
    except GameError:
        shares.release(context, coming.game_id, names)
        raise
    return _with_game(context, changed)


def decline(context: Context, caller: Caller, challenge_id: str, reason: str, issuer: Issuer = RANDOM) -> Json:
    """Decline the challenge. Raises: challenge/not_found, challenge/answered."""
    player = access.must_be_player(context, caller)
    if issuer.is_repeated and (earlier := _load(context, player, challenge_id)).status == DECLINED:
        return _with_game(context, earlier)
    one = _load_open(context, player, challenge_id, "challenged")
    changed = replace(one, status=DECLINED, reason=reason)
    _change(context, one, changed)
    return _with_game(context, changed)


def withdraw(context: Context, caller: Caller, challenge_id: str) -> None:
    """Withdraw the caller's challenge. Raises: challenge/not_found, challenge/answered."""
    player = access.must_be_player(context, caller)
    one = _load_open(context, player, challenge_id, "challenger")
    _change(context, one, replace(one, status=WITHDRAWN))


def _load(context: Context, player: StoredPlayer, challenge_id: str) -> StoredChallenge:
    """Return a challenge to or by the player, with its current status. Raises: challenge/not_found."""
    one = context.challenges.get(challenge_id)
    if one is None or player.id not in (one.challenger, one.challenged):
        raise GameError("challenge/not_found")
    return _expire(context.now_ms(), one)


def _expire(now_ms: int, one: StoredChallenge) -> StoredChallenge:
    """Return the challenge with the status it has at `now_ms`."""
    is_late = one.status == UNANSWERED and one.ends_at <= now_ms
    return replace(one, status=EXPIRED) if is_late else one


def _load_open(context: Context, player: StoredPlayer, challenge_id: str, side: str) -> StoredChallenge:
    """Return an open challenge with the player on this side (`challenger` or `challenged`).

    Raises: challenge/not_found, challenge/answered.
    """
    one = _load(context, player, challenge_id)
    if getattr(one, side) != player.id:
        raise GameError("challenge/not_found")
    if one.status != UNANSWERED:
        raise GameError("challenge/answered", became=one.status)
    return one


def withdraw_lapsed(context: Context, player_ids: Iterable[str]) -> None:
    """Withdraw the challenges to live games that these players sent before they started another one."""
    started = context.starts.last_live(player_ids)
    for player_id in player_ids:
        for one in context.challenges.list_sent(player_id, context.now_ms()):
            clock = one.settings["clock"]
            if clock is not None and ClockRule(**clock).is_live and one.created_at < started[player_id]:
                end(context, one, WITHDRAWN)


def end_between(context: Context, player_id: str, other_id: str) -> None:
    """End the open challenges between a player and another whom they have blocked."""
    now = context.now_ms()
    for one in context.challenges.list_sent(player_id, now):
        if one.challenged == other_id:
            end(context, one, WITHDRAWN)
    for one in context.challenges.list_received(player_id, now):
        if one.challenger == other_id:
            end(context, one, DECLINED)


def end(context: Context, one: StoredChallenge, status: str) -> bool:
    """End an open challenge. Return False if it has been answered in the meantime."""
    with contextlib.suppress(GameError):
        _change(context, one, replace(one, status=status, reason="none" if status == DECLINED else None))
        return True
    return False


def _acceptance(context: Context, one: StoredChallenge, coming: Pairing, since_ms: int | None) -> Acceptance:
    """Return how the challenge is accepted now. `since_ms`: when the challenger agreed, None: with this request."""
    start = pairing.start_of(context, coming)
    consents = published_bots.consents_of(context, {one.challenger: since_ms, one.challenged: None})
    return Acceptance(coming, start.now_ms + pairing.DUE_MS, start, consents)


def _change(context: Context, one: StoredChallenge, changed: StoredChallenge, coming: Pairing | None = None) -> None:
    """Commit the change and notify the other player.

    Raises: bot/busy, challenge/answered if another change was faster or the challenger has started another game.
    """
    recipient = one.challenged if changed.status == WITHDRAWN else one.challenger
    accepted = None if coming is None else _acceptance(context, one, coming, one.created_at)
    shown = _challenge_json(changed, context.players.get_many([one.challenger, one.challenged]))
    notice = _notice(context, CHALLENGE_ANSWERED, recipient, shown)
    word = context.challenges.change(one, changed, (recipient, notice), accepted)
    if word == NO_PLACE:
        raise GameError("bot/busy")
    if word == LAPSED:
        raise GameError("challenge/answered", became=WITHDRAWN)
    if word != APPLIED:
        current = context.challenges.get(one.id)
        raise GameError("challenge/answered", became=WITHDRAWN if current is None else current.status)


def _with_game(context: Context, one: StoredChallenge) -> Json:
    """Return the challenge as JSON, after creating its game if it has one."""
    if one.game_id is not None and (coming := context.seeks.get_pairing(one.game_id)) is not None:
        pairing.create(context, coming)
    return _challenges_json(context, [one])[0]


def _challenges_json(context: Context, challenges: list[StoredChallenge]) -> list[Json]:
    people = context.players.get_many([player for one in challenges for player in (one.challenger, one.challenged)])
    return [_challenge_json(one, people[2 * number : 2 * number + 2]) for number, one in enumerate(challenges)]


def _challenge_json(one: StoredChallenge, people: Sequence[StoredPlayer | None]) -> Json:
    """Return a challenge as JSON. `people`: challenger and challenged, None if deleted."""
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
    """Return a notice in the form that `dispatch` reads from the outbox."""
    data = {"player": player_id, "challenge": shown}
    return orjson.dumps({"type": kind, "timestamp": rfc3339(context.now_ms()), "data": data})
